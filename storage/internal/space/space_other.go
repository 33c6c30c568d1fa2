//go:build !linux

package space

import "errors"

// Free always returns an error here: a full disk is found when a write fails.
func Free(string) (int64, error) { return 0, errors.ErrUnsupported }
