//go:build linux

package sqlite

// How file systems are told apart.
var (
	NetworkOf   = networkOf
	NetworkName = networkName
	FuseName    = fuseName
	TypeOfMount = typeOfMount
)
