//go:build !linux

package sqlite

import "errors"

// writable always returns nil: on this system, a read-only file is noticed only when a write fails.
func writable(string) error { return nil }

// networkOf cannot detect a network file system on this system, so every path is accepted.
func networkOf(string) (string, error) { return "", errors.ErrUnsupported }
