package disk

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Make makes a disk like New, but returns an error instead of skipping the test.
func Make(t testing.TB, size int64) (*Disk, error) {
	t.Helper()
	for _, tool := range []string{"mkfs.ext4", "mount", "losetup"} {
		if _, err := exec.LookPath(tool); err != nil && os.Getenv("TILL_TEST_REQUIRE") != "" {
			t.Fatal(err)
		} else if err != nil {
			return nil, fmt.Errorf("no disk can be made: %w", err)
		}
	}
	d := &Disk{Folder: t.TempDir(), t: t, image: filepath.Join(t.TempDir(), "image")}
	must(t, os.WriteFile(d.image, nil, 0o600), os.Truncate(d.image, size),
		run("mkfs.ext4", "-q", "-m", "0", "-E", "lazy_itable_init=1,nodiscard", d.image))
	if err := d.mount(); err != nil {
		return nil, fmt.Errorf("no disk can be mounted: %w", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(d.Folder, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return d, nil
}

// free returns the free space in a folder in bytes. If the folder does not exist, it returns 0.
func free(folder string) int64 {
	var room unix.Statfs_t
	if err := unix.Statfs(folder, &room); err != nil {
		return 0
	}
	return int64(room.Bavail) * int64(room.Bsize) //nolint:unconvert // The type differs between machines.
}

// mount attaches the image to a new loop device, and mounts the device at d.Folder. The device from
// before [Disk.Return] cannot be used again, because another test's mount namespace may still use
// it.
func (d *Disk) mount() error {
	output, err := exec.Command("losetup", "--find", "--show", d.image).Output()
	if err != nil {
		return fmt.Errorf("losetup: %w", err)
	}
	device := strings.TrimSpace(string(output))
	mounted := run("mount", device, d.Folder)
	return errors.Join(mounted, run("losetup", "--detach", device)) // --detach takes effect after the unmount.
}

func run(name string, arguments ...string) error {
	output, err := exec.Command(name, arguments...).CombinedOutput()
	if err != nil {
		return errors.New(name + ": " + strings.TrimSpace(string(output)))
	}
	return nil
}

// Cut cuts the power: from now on, no data reaches the disk. The calls of a program with an open
// file on the disk fail until the program ends.
func (d *Disk) Cut() {
	d.t.Helper()
	// The values of FS_IOC_SHUTDOWN and EXT4_GOING_FLAGS_NOLOGFLUSH; x/sys defines neither.
	const shutdown, noLogFlush = 0x8004587d, 2
	folder, err := os.Open(d.Folder)
	must(d.t, err, unix.IoctlSetPointerInt(int(folder.Fd()), shutdown, noLogFlush), folder.Close())
}

// Return restores the power. The disk has only the data that had reached it. No program may have an
// open file on the disk.
func (d *Disk) Return() {
	d.t.Helper()
	const patience, pause = 10 * time.Second, 10 * time.Millisecond
	err := unix.Unmount(d.Folder, 0)
	// Try again: until its exec, a child process that this process is starting has copies of all open
	// files, also of those that are closed by now.
	for end := time.Now().Add(patience); errors.Is(err, unix.EBUSY) && time.Now().Before(end); err = unix.Unmount(d.Folder, 0) {
		<-time.After(pause)
	}
	must(d.t, err, d.mount())
}

const filler = "filler"

// FillTo fills the disk with a file, which Free removes. left is the number of bytes that stay
// free.
func (d *Disk) FillTo(left int64) {
	d.t.Helper()
	file, err := os.OpenFile(filepath.Join(d.Folder, filler), os.O_CREATE|os.O_WRONLY, 0o600)
	must(d.t, err)
	defer func() { _ = file.Close() }()
	about, err := file.Stat()
	must(d.t, err)
	at := about.Size()
	for size := int64(1 << 30); ; {
		if size = min(size, free(d.Folder)-left); size < 1024 {
			return
		}
		switch err := unix.Fallocate(int(file.Fd()), 0, at, size); {
		case err == nil:
			at += size
		case errors.Is(err, unix.ENOSPC):
			size /= 2
		case !errors.Is(err, unix.EINTR):
			d.t.Fatalf("fill the disk: %v", err)
		}
	}
}

// Free removes the file that Fill or FillTo has made.
func (d *Disk) Free() {
	d.t.Helper()
	if err := os.Remove(filepath.Join(d.Folder, filler)); err != nil && !errors.Is(err, os.ErrNotExist) {
		d.t.Fatal(err)
	}
}

// Inject makes system calls of a process fail or wait until the caller calls end. fault is an argument of
// strace, like "fsync:error=EIO". err says why this machine cannot do this.
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
	return sync.OnceFunc(func() {
		_ = command.Process.Signal(os.Interrupt) // Makes strace detach.
		_ = command.Wait()
	}), nil
}

// Protect makes a file read-only for the user who runs the tests, until the caller calls release.
// err says why this machine cannot do this.
func Protect(path string) (release func() error, err error) {
	if os.Geteuid() != 0 {
		return func() error { return os.Chmod(path, 0o600) }, os.Chmod(path, 0o400)
	}
	// Root ignores file modes, but not the immutable attribute, if the file system has it.
	if err := run("chattr", "+i", path); err != nil {
		return nil, fmt.Errorf("the file system cannot protect a file from root: %w", err)
	}
	return sync.OnceValue(func() error { return run("chattr", "-i", path) }), nil
}
