//go:build unix

package tui

import (
	"context"
	"os"
	"os/signal"

	tea "github.com/charmbracelet/bubbletea"
	"golang.org/x/sys/unix"
)

// suspend handles SIGTSTP, the signal that suspends a program, until ctx ends. It restores the
// terminal before the program stops. After SIGCONT it sets up the terminal again and sends changed,
// so that the console reads the store again.
func suspend(ctx context.Context, program *tea.Program) {
	// If the program is in the session leader's group, no shell could resume it, so SIGTSTP must not
	// stop it.
	if session, err := unix.Getsid(0); err != nil || session == unix.Getpgrp() {
		return
	}
	stops, goes := make(chan os.Signal, 1), make(chan os.Signal, 1)
	signal.Notify(stops, unix.SIGTSTP)
	defer signal.Stop(stops)
	for {
		select {
		case <-ctx.Done():
			return
		case <-stops:
		}
		if err := program.ReleaseTerminal(); err != nil {
			continue
		}
		// Stop the program by SIGSTOP, because signal.Notify has disabled the default action of SIGTSTP.
		// Kill may return before the program stops, so wait for SIGCONT.
		signal.Notify(goes, unix.SIGCONT)
		_ = unix.Kill(unix.Getpid(), unix.SIGSTOP)
		<-goes
		signal.Stop(goes)
		_ = program.RestoreTerminal()
		program.Send(changed{})
	}
}
