// Package disk gives a test a small disk of its own, to which can happen what
// happens to disks: the power is cut in the middle of a write, or it is full. It
// also lets one process see a disk that fails, and protects one file. Only tests
// import it.
//
// It guarantees that a cut is one: what was not brought to the disk by then is
// not there afterwards, whatever the system had in memory. It is an ext4 in a
// file, mounted as a loop, so that it takes Linux, root and mkfs.ext4; where it
// cannot be had the test is skipped with a reason, or fails when
// TILL_TEST_REQUIRE is set and it is the tool that lacks.
package disk

import (
	"errors"
	"testing"
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

// Fill leaves no room on the disk, until Free.
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
