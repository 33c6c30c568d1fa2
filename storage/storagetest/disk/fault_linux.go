package disk

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Inject lets system calls of a process fail until the returned function is
// called. fault is as strace takes it, "fsync:error=EIO". Its error says why
// that cannot be done here.
func Inject(ctx context.Context, pid int, fault string) (end func(), err error) {
	if _, err := exec.LookPath("strace"); err != nil {
		return nil, errors.New("strace is not installed, and nothing else can make a system call fail")
	}
	call, _, _ := strings.Cut(fault, ":")
	command := exec.CommandContext(ctx, "strace", "-f", "-p", strconv.Itoa(pid),
		"-o", os.DevNull, "-e", "trace="+call, "-e", "inject="+fault)
	report, err := command.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(report)
	if !lines.Scan() || !strings.Contains(lines.Text(), "attached") {
		_ = command.Wait()
		return nil, fmt.Errorf("strace may not attach to a process here: %s", lines.Text())
	}
	go func() {
		for lines.Scan() {
		}
	}()
	ended := false
	return func() {
		if !ended {
			_ = command.Process.Signal(os.Interrupt) // It detaches.
			_ = command.Wait()
		}
		ended = true
	}, nil
}

// Protect makes a file read-only for whoever runs the tests, until release. Its
// error says why that cannot be done here.
func Protect(path string) (release func() error, err error) {
	if os.Geteuid() != 0 {
		return func() error { return os.Chmod(path, 0o600) }, os.Chmod(path, 0o400)
	}
	// Modes do not hold root back; this does, where the file system has it.
	const immutable = 0x10
	set := func(change func(flags int) int) error {
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer func() { _ = file.Close() }()
		flags, err := unix.IoctlGetInt(int(file.Fd()), unix.FS_IOC_GETFLAGS)
		if err != nil {
			return err
		}
		return unix.IoctlSetPointerInt(int(file.Fd()), unix.FS_IOC_SETFLAGS, change(flags))
	}
	if err := set(func(flags int) int { return flags | immutable }); err != nil {
		return nil, fmt.Errorf("the file system cannot protect a file from root: %w", err)
	}
	released := false
	return func() error {
		if released {
			return nil
		}
		released = true
		return set(func(flags int) int { return flags &^ immutable })
	}, nil
}
