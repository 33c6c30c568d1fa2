package disk

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// Disk is a disk of a test's own. Its methods are for one goroutine at a time.
type Disk struct {
	Folder string // Where it is mounted.

	t     testing.TB
	image string
}

// New makes a disk of so many bytes, at least 16 MiB, of which the image takes
// as much as is written. It is there until the test ends, which is skipped when
// there can be none.
func New(t testing.TB, size int64) *Disk {
	t.Helper()
	disk, err := Make(t, size)
	if err != nil {
		t.Skip(err)
	}
	return disk
}

// Make is New for a test that can do without: the error says why there is none.
func Make(t testing.TB, size int64) (*Disk, error) {
	t.Helper()
	for _, tool := range []string{"mkfs.ext4", "mount", "umount"} {
		if _, err := exec.LookPath(tool); err != nil && os.Getenv("TILL_TEST_REQUIRE") != "" {
			t.Fatal(err)
		} else if err != nil {
			return nil, fmt.Errorf("no disk can be made: %w", err)
		}
	}
	d := &Disk{Folder: t.TempDir(), t: t, image: filepath.Join(t.TempDir(), "image")}
	file, err := os.Create(d.image)
	if err == nil {
		err = errors.Join(file.Truncate(size), file.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := run("mkfs.ext4", "-q", "-m", "0", "-E", "lazy_itable_init=1,nodiscard", d.image); err != nil {
		t.Fatal(err)
	}
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

func (d *Disk) mount() error { return run("mount", "-o", "loop", d.image, d.Folder) }

// run runs a tool and returns what it said as its error.
func run(name string, arguments ...string) error {
	output, err := exec.Command(name, arguments...).CombinedOutput()
	if err != nil {
		return errors.New(name + ": " + strings.TrimSpace(string(output)))
	}
	return nil
}

// Cut cuts the power: nothing more reaches the disk, and every call of a program
// that has a file open there fails until the program ends.
func (d *Disk) Cut() {
	d.t.Helper()
	// FS_IOC_SHUTDOWN and "without flushing the log", which x/sys does not name.
	const shutdown, noLogFlush = 0x8004587d, 2
	folder, err := os.Open(d.Folder)
	if err != nil {
		d.t.Fatal(err)
	}
	err = unix.IoctlSetPointerInt(int(folder.Fd()), shutdown, noLogFlush)
	if err := errors.Join(err, folder.Close()); err != nil {
		d.t.Fatalf("cut the power: %v", err)
	}
}

// Return brings the power back, with what was on the disk. No program may have a
// file open there.
func (d *Disk) Return() {
	d.t.Helper()
	if err := unix.Unmount(d.Folder, 0); err != nil {
		d.t.Fatalf("unmount the disk: %v", err)
	}
	if err := d.mount(); err != nil {
		d.t.Fatal(err)
	}
}

// filler is the file that takes the room.
const filler = "filler"

// Fill leaves no room on the disk, until Free.
func (d *Disk) Fill() {
	d.t.Helper()
	d.FillTo(0)
}

// FillTo leaves so many bytes on the disk, until Free.
func (d *Disk) FillTo(left int64) {
	d.t.Helper()
	file, err := os.OpenFile(filepath.Join(d.Folder, filler), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		d.t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	about, err := file.Stat()
	if err != nil {
		d.t.Fatal(err)
	}
	at := about.Size()
	for size := int64(1 << 30); ; {
		var room unix.Statfs_t
		if err := unix.Statfs(d.Folder, &room); err != nil {
			d.t.Fatal(err)
		}
		if size = min(size, int64(room.Bavail)*room.Bsize-left); size < 1024 {
			return
		}
		err := unix.Fallocate(int(file.Fd()), 0, at, size)
		switch {
		case err == nil:
			at += size
		case errors.Is(err, unix.ENOSPC):
			size /= 2
		case !errors.Is(err, unix.EINTR):
			d.t.Fatalf("fill the disk: %v", err)
		}
	}
}

// Free ends what Fill did.
func (d *Disk) Free() {
	d.t.Helper()
	if err := os.Remove(filepath.Join(d.Folder, filler)); err != nil && !errors.Is(err, os.ErrNotExist) {
		d.t.Fatal(err)
	}
}
