//go:build !linux

package sqlite

import "errors"

// freeSpace does not know: what fills the disk is noticed when a write fails.
func freeSpace(string) (int64, error) { return 0, errors.ErrUnsupported }

// writable does not know: a write will tell.
func writable(string) error { return nil }

// networkOf does not know: the operator keeps the database on a local disk.
func networkOf(string) (string, error) { return "", errors.ErrUnsupported }
