//go:build linux

package sqlite

// What the tests of file systems look at from outside.
var (
	NetworkType = networkType
	NetworkOf   = networkOf
)
