//go:build !linux

package sqlite

import "errors"

// freeSpace is not supported: a full disk is found when a write fails.
func freeSpace(string) (int64, error) { return 0, errors.ErrUnsupported }

// writable is not supported: a read-only file is found when a write fails.
func writable(string) error { return nil }

// networkOf is not supported: the operator must use a local disk.
func networkOf(string) (string, error) { return "", errors.ErrUnsupported }
