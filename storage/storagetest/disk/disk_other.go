//go:build !linux

package disk

import (
	"context"
	"errors"
	"testing"
)

var errElsewhere = errors.New("a disk that fails needs Linux")

// Make returns an error: only Linux has these disks. So do Inject and Protect.
func Make(testing.TB, int64) (*Disk, error) { return nil, errElsewhere }

// Inject lets system calls fail.
func Inject(context.Context, int, string) (end func(), err error) { return nil, errElsewhere }

// Protect makes a file read-only.
func Protect(string) (release func() error, err error) { return nil, errElsewhere }

// Cut cuts the power.
func (d *Disk) Cut() {}

// Return brings the power back.
func (d *Disk) Return() {}

// FillTo leaves this number of bytes free.
func (d *Disk) FillTo(int64) {}

// Free undoes Fill.
func (d *Disk) Free() {}
