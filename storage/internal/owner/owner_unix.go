//go:build unix

// Package owner gives files that root creates to the owner of their folder, so that the user who
// runs the shop can use them.
package owner

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// Give gives a new file to the owner of its folder, if root runs the program. Otherwise it does
// nothing. Create the file with O_EXCL, so that it is not a link to another file.
func Give(file *os.File) error {
	if os.Geteuid() != 0 {
		return nil
	}
	folder, err := os.Stat(filepath.Dir(file.Name()))
	if err != nil {
		return fmt.Errorf("find the folder's owner: %w", err)
	}
	about, known := folder.Sys().(*syscall.Stat_t)
	if !known || about.Uid == 0 {
		return nil
	}
	return file.Chown(int(about.Uid), int(about.Gid))
}
