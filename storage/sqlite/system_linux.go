package sqlite

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// freeSpace returns how much room there is for a file, in bytes.
func freeSpace(path string) (int64, error) {
	var about unix.Statfs_t
	if err := unix.Statfs(filepath.Dir(path), &about); err != nil {
		return 0, err
	}
	return int64(about.Bavail) * int64(about.Bsize), nil //nolint:gosec,unconvert // Their types differ between machines.
}

// allocate takes blocks for a file without writing to them.
func allocate(file *os.File, size int64) error {
	return unix.Fallocate(int(file.Fd()), 0, 0, size)
}

// deleted tells whether a file that this process has open was deleted under its
// name; one that was moved has another name.
func deleted(path string) bool {
	const folder = "/proc/self/fd"
	entries, _ := os.ReadDir(folder)
	for _, entry := range entries {
		if name, err := os.Readlink(filepath.Join(folder, entry.Name())); err == nil && name == path+" (deleted)" {
			return true
		}
	}
	return false
}

// writable returns why a file may not be written to. It asks the file system
// too, which makes itself read-only when its disk is damaged.
func writable(path string) error {
	err := unix.Access(path, unix.W_OK)
	switch err {
	case unix.EACCES, unix.EPERM, unix.EROFS:
		return err
	}
	return nil // Whatever else there is, others find it.
}
