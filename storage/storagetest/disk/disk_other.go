//go:build !linux

package disk

import (
	"context"
	"errors"
	"testing"
)

// Disk is a disk of a test's own.
type Disk struct{ Folder string }

// New skips the test: only Linux can mount a file and shut it down.
func New(t testing.TB, size int64) *Disk {
	t.Helper()
	disk, err := Make(t, size)
	if err != nil {
		t.Skip(err)
	}
	return disk
}

// Make says that only Linux can do it.
func Make(testing.TB, int64) (*Disk, error) {
	return nil, errors.New("a disk of the test's own needs Linux")
}

// Inject says that only Linux can do it.
func Inject(context.Context, int, string) (end func(), err error) {
	return nil, errors.New("only on Linux can a system call be made to fail")
}

// Protect says that it is not done elsewhere.
func Protect(string) (release func() error, err error) {
	return nil, errors.New("files are protected on Linux alone")
}

// Cut cuts the power.
func (d *Disk) Cut() {}

// Return brings the power back.
func (d *Disk) Return() {}

// Fill leaves no room.
func (d *Disk) Fill() {}

// FillTo leaves so much room.
func (d *Disk) FillTo(int64) {}

// Free ends what Fill did.
func (d *Disk) Free() {}
