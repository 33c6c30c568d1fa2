//go:build !linux

package space

import "errors"

// Free always returns an error: on this system, a full disk is noticed only when a write fails.
func Free(string) (int64, error) { return 0, errors.ErrUnsupported }
