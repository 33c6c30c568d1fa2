//go:build unix

package tuitest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"

	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

type line struct {
	// The test's side of the pseudo-terminal.
	near *os.File
	// The program's side, which stays open until the program has ended. It shows which input the
	// program has read, and in which mode the terminal is.
	far *os.File
}

func openLine(cmd *exec.Cmd, cols, rows int) (*line, error) {
	near, far, err := pty.Open()
	if err != nil {
		return nil, fmt.Errorf("open pseudo-terminal: %w", err)
	}
	l := &line{far: far}
	// Closing a blocking file, which pty.Open returns, does not end a read.
	if l.near, err = interruptible(near); err != nil {
		_ = far.Close()
		return nil, fmt.Errorf("open pseudo-terminal: %w", err)
	}
	if err := l.resize(cols, rows); err != nil {
		l.close()
		return nil, err
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = far, far, far
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		l.close()
		return nil, fmt.Errorf("start %s: %w", cmd.Path, err)
	}
	return l, nil
}

// interruptible duplicates f as a non-blocking file and closes f.
func interruptible(f *os.File) (*os.File, error) {
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err == nil {
		err = unix.SetNonblock(fd, true)
	}
	if closed := f.Close(); err != nil || closed != nil {
		return nil, errors.Join(err, closed)
	}
	return os.NewFile(uintptr(fd), f.Name()), nil
}

func (l *line) close() {
	_ = l.near.Close()
	_ = l.far.Close()
}

// control calls do with the file descriptor of the program's side, or returns an error after close.
func (l *line) control(do func(fd int)) error {
	conn, err := l.far.SyscallConn()
	if err != nil {
		return err
	}
	return conn.Control(func(fd uintptr) { do(int(fd)) })
}

// resize changes the size of the terminal, unless the program has ended.
func (l *line) resize(cols, rows int) error {
	var err error
	size := unix.Winsize{Col: uint16(cols), Row: uint16(rows)}
	closed := l.control(func(fd int) { err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &size) })
	if closed == nil && err != nil {
		return fmt.Errorf("resize pseudo-terminal: %w", err)
	}
	return nil
}

// pending reports whether the program has unread input. Poll makes the kernel deliver what it has
// buffered.
func (l *line) pending() bool {
	waiting := false
	closed := l.control(func(fd int) {
		fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		n, err := unix.Poll(fds, 0)
		waiting = err == nil && n > 0 && fds[0].Revents&unix.POLLIN != 0
	})
	return closed == nil && waiting
}

// raw reports whether the terminal is still in raw mode: without echo or without line input.
func (l *line) raw() bool {
	const cooked = unix.ECHO | unix.ICANON
	left := false
	closed := l.control(func(fd int) {
		state, err := term.GetState(uintptr(fd))
		left = err == nil && state.Lflag&cooked != cooked
	})
	return closed == nil && left
}

// exitCode returns the exit code that a shell would show.
func exitCode(state *os.ProcessState) int {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return state.ExitCode()
}
