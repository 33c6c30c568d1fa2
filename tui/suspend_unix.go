//go:build unix

package tui

import (
	"context"
	"os"
	"os/signal"

	tea "github.com/charmbracelet/bubbletea"
	"golang.org/x/sys/unix"
)

// suspend handles SIGTSTP until ctx ends. It restores the terminal before the program stops. After
// SIGCONT it sets up the terminal and sends changed, so that the console reads the store again.
func suspend(ctx context.Context, program *tea.Program) {
	// If this program is in the session leader's process group, no shell could resume it.
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
		// signal.Notify has disabled the default action of SIGTSTP, so stop by SIGSTOP. Kill may
		// return before the program stops, so wait for SIGCONT.
		signal.Notify(goes, unix.SIGCONT)
		_ = unix.Kill(unix.Getpid(), unix.SIGSTOP)
		<-goes
		signal.Stop(goes)
		_ = program.RestoreTerminal()
		program.Send(changed{})
	}
}
