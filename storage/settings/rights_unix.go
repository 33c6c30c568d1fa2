//go:build unix

package settings

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// checkRights returns an error for a file that belongs to neither this user nor root. It also
// returns an error if the group of the file, or others, have one of the forbidden rights.
func checkRights(file *os.File, path string, forbidden fs.FileMode) error {
	about, err := file.Stat()
	if err != nil {
		return err
	}
	owner, known := about.Sys().(*syscall.Stat_t)
	switch {
	case known && owner.Uid != 0 && int(owner.Uid) != os.Geteuid():
		return &RightsError{show(path), fmt.Sprintf("chown %d %s", os.Geteuid(), shellWord(path))}
	case about.Mode().Perm()&forbidden != 0:
		return &RightsError{show(path), "chmod 600 " + shellWord(path)}
	}
	return nil
}
