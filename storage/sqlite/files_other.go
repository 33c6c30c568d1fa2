//go:build !linux

package sqlite

import "errors"

// writable is not supported: a read-only file is found when a write fails.
func writable(string) error { return nil }

// networkOf is not supported: the operator must use a local disk.
func networkOf(string) (string, error) { return "", errors.ErrUnsupported }
