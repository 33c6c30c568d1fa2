//go:build unix

package tui

import (
	"context"
	"os"
	"os/signal"

	tea "github.com/charmbracelet/bubbletea"
	"golang.org/x/sys/unix"
)

// suspend gives the terminal back before the program is stopped from outside
// (SIGTSTP), and takes it again when it goes on, until ctx ends. What came
// meanwhile is read then.
func suspend(ctx context.Context, program *tea.Program) {
	// Without a shell that could let it go on nothing stops it: the system
	// ignores the signal.
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
		// Go does not give a signal back to the system that it was asked to
		// notify of, so another one stops the program here: not at once, but
		// before it can be told that it goes on.
		signal.Notify(goes, unix.SIGCONT)
		_ = unix.Kill(unix.Getpid(), unix.SIGSTOP)
		<-goes
		signal.Stop(goes)
		_ = program.RestoreTerminal()
		program.Send(changed{})
	}
}
