//go:build linux

package sqlite

// How file systems are told apart.
var (
	NetworkOf   = networkOf
	NetworkName = networkName
	FuseName    = fuseName
	TypeOfMount = typeOfMount
)

// SameSight tells whether the two ways to look at a name see the same.
func SameSight(path string) (bool, error) {
	whole, err := lookAtAll(path)
	if err != nil {
		return false, err
	}
	part, err := lookAt(path, true)
	return part == whole, err
}
