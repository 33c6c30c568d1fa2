//go:build !linux

package sqlite

import (
	"errors"
	"os"
)

// freeSpace does not know: what fills the disk is noticed when a write fails.
func freeSpace(string) (int64, error) { return 0, errors.ErrUnsupported }

// allocate cannot take blocks without writing to them.
func allocate(*os.File, int64) error { return errors.ErrUnsupported }

// deleted does not know.
func deleted(string) bool { return false }

// writable does not know: a write will tell.
func writable(string) error { return nil }
