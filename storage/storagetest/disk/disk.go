// Package disk gives a test a folder in memory, or a small disk that can lose its power in the
// middle of a write and can be full. [Inject] makes system calls of a process fail, and [Protect]
// makes a file read-only. Only test code imports the package.
//
// After a power cut, the small disk has only the data that had reached it. It is an ext4 file
// system in a file, mounted through a loop device. It needs Linux, root and mkfs.ext4. Without them
// the test is skipped with a reason. If TILL_TEST_REQUIRE is set, a missing program fails the test.
package disk

import (
	"errors"
	"os"
	"runtime/debug"
	"testing"
)

// Disk is a disk for one test. Only one goroutine at a time may use it.
type Disk struct {
	Folder string

	t     testing.TB
	image string
}

// New makes a disk of size bytes (at least 16 MiB), which is unmounted at the end of the test. The
// image needs only space for data that is written. If no disk can be made, New skips the test; with
// TILL_TEST_REQUIRE, a missing program fails it.
func New(t testing.TB, size int64) *Disk {
	t.Helper()
	disk, err := Make(t, size)
	if err != nil {
		t.Skip(err)
	}
	return disk
}

// Fill fills the disk until Free is called.
func (d *Disk) Fill() {
	d.t.Helper()
	d.FillTo(0)
}

func must(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// Test binaries that import the package collect garbage less often. This costs memory and saves
// time.
var _ = debug.SetGCPercent(400)

// enough is the minimum free space for using a folder in memory, in bytes. By default, Docker gives
// a container only 64 MiB.
const enough = 1 << 30

// Root returns the folder that contains the folders of [Memory]: /dev/shm if it has enough free
// space, otherwise the system's folder for temporary files.
func Root() string {
	const memory = "/dev/shm"
	if free(memory) < enough {
		return os.TempDir()
	}
	return memory
}

// Memory returns an empty folder in [Root], which is removed at the end of the test. A test about
// the disk itself, for example with kills or a full disk, uses t.TempDir instead.
func Memory(t testing.TB) string {
	t.Helper()
	folder, err := os.MkdirTemp(Root(), "till-test-") //nolint:usetesting // t.TempDir is not in memory.
	must(t, err)
	t.Cleanup(func() { must(t, os.RemoveAll(folder)) })
	return folder
}
