//go:build !linux

package postgrestest

import "syscall"

// OwnerOf returns attributes without a user, so the server runs as the user who runs the tests.
// That user must not be an administrator.
func OwnerOf(string) (*syscall.SysProcAttr, error) { return &syscall.SysProcAttr{}, nil }
