//go:build !linux

package sqlite

import "errors"

// writable always returns nil here: a read-only file is found when a write fails.
func writable(string) error { return nil }

// networkOf cannot detect a network file system here, so every path is accepted. The operator must
// choose a local disk.
func networkOf(string) (string, error) { return "", errors.ErrUnsupported }
