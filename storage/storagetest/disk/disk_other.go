//go:build !linux

package disk

import "testing"

// Disk is a disk of a test's own.
type Disk struct{ Folder string }

// New skips the test: only Linux can mount a file and shut it down.
func New(t testing.TB, _ int64) *Disk {
	t.Helper()
	t.Skip("a disk of the test's own needs Linux")
	return nil
}

// Cut cuts the power.
func (d *Disk) Cut() {}

// Return brings the power back.
func (d *Disk) Return() {}

// Fill leaves no room.
func (d *Disk) Fill() {}

// Free ends what Fill did.
func (d *Disk) Free() {}
