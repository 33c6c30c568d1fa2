// Package space returns the free space of a disk, and reports whether two files are on the same
// disk.
package space

import (
	"path/filepath"

	"golang.org/x/sys/unix"
)

// Free returns the free space of the disk that contains the folder of path, in bytes.
func Free(path string) (int64, error) {
	var about unix.Statfs_t
	if err := unix.Statfs(filepath.Dir(path), &about); err != nil {
		return 0, err
	}
	return int64(about.Bavail) * int64(about.Bsize), nil //nolint:gosec,unconvert // The field types differ between machines.
}
