//go:build unix

package tui

import (
	"context"
	"os"
	"os/signal"

	tea "github.com/charmbracelet/bubbletea"
	"golang.org/x/sys/unix"
)

// suspend restores the terminal before SIGTSTP stops the program, and takes it again
// after SIGCONT, until ctx ends. Then it sends changed, so that the console reads the
// store again.
func suspend(ctx context.Context, program *tea.Program) {
	// In the group of the session leader, no shell could resume the program: the kernel
	// ignores SIGTSTP.
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
		// After signal.Notify, SIGTSTP does not stop the program, so it sends itself
		// SIGSTOP. That works some time after Kill returns, but before SIGCONT can
		// arrive.
		signal.Notify(goes, unix.SIGCONT)
		_ = unix.Kill(unix.Getpid(), unix.SIGSTOP)
		<-goes
		signal.Stop(goes)
		_ = program.RestoreTerminal()
		program.Send(changed{})
	}
}
