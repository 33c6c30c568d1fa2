// Package disk gives a test a small disk that can lose its power in the middle of
// a write, and that can be full. It also makes system calls of one process fail,
// and protects one file. Only tests import it.
//
// After a cut, data that had not reached the disk is lost, even if the system had it in memory. The
// disk is an ext4 file system in a file, mounted through a loop device. It needs Linux, root and
// mkfs.ext4. Without them the test is skipped with a reason. If TILL_TEST_REQUIRE is set and only
// the tool is missing, the test fails.
package disk

import (
	"errors"
	"testing"
)

// Disk is a disk of one test. Only one goroutine at a time may use it.
type Disk struct {
	Folder string

	t     testing.TB
	image string
}

// New makes a disk of size bytes, at least 16 MiB, until the test ends. Its image takes only the
// space that is written. The test is skipped if no disk can be made.
func New(t testing.TB, size int64) *Disk {
	t.Helper()
	disk, err := Make(t, size)
	if err != nil {
		t.Skip(err)
	}
	return disk
}

// Fill leaves no free space on the disk, until Free.
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
