//go:build !linux

package disk

import (
	"context"
	"errors"
	"testing"
)

var errElsewhere = errors.New("a disk that fails needs Linux")

// Make says that only Linux can do it, like what follows.
func Make(testing.TB, int64) (*Disk, error) { return nil, errElsewhere }

// Inject lets system calls fail.
func Inject(context.Context, int, string) (end func(), err error) { return nil, errElsewhere }

// Protect makes a file read-only.
func Protect(string) (release func() error, err error) { return nil, errElsewhere }

// Cut cuts the power.
func (d *Disk) Cut() {}

// Return brings the power back.
func (d *Disk) Return() {}

// FillTo leaves so much room.
func (d *Disk) FillTo(int64) {}

// Free ends what Fill did.
func (d *Disk) Free() {}
