//go:build !linux

package disk

import (
	"context"
	"errors"
	"testing"
)

var errElsewhere = errors.New("a disk that fails needs Linux")

// Make returns an error, because only Linux has such disks.
func Make(testing.TB, int64) (*Disk, error) { return nil, errElsewhere }

// Inject returns an error, because only Linux supports it.
func Inject(context.Context, int, string) (end func(), err error) { return nil, errElsewhere }

// Protect returns an error, because only Linux supports it.
func Protect(string) (release func() error, err error) { return nil, errElsewhere }

func free(string) int64 { return 0 }

// Cut does nothing, because Make returns no disk here.
func (d *Disk) Cut() {}

// Return does nothing; see Cut.
func (d *Disk) Return() {}

// FillTo does nothing; see Cut.
func (d *Disk) FillTo(int64) {}

// Free does nothing; see Cut.
func (d *Disk) Free() {}
