//go:build linux

package sqlite

// What the tests of file systems look at from outside.
var (
	NetworkName = networkName
	NetworkOf   = networkOf
	FuseName    = fuseName
	TypeOfMount = typeOfMount
)
