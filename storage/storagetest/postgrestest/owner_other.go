//go:build !linux

package postgrestest

import "syscall"

// OwnerOf lets the server run as whoever runs the tests, who must not be an
// administrator.
func OwnerOf(string) (*syscall.SysProcAttr, error) { return &syscall.SysProcAttr{}, nil }
