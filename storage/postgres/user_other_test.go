//go:build !linux

package postgres_test

import (
	"syscall"
	"testing"
)

// asNobody is as whom a program runs that refuses to be an administrator: as
// whoever runs the tests.
func asNobody(*testing.T, string) *syscall.SysProcAttr { return nil }
