//go:build unix

package settings

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// checkRights refuses a file that belongs to neither this user nor root, and a file that
// gives its group or others any of the forbidden rights.
func checkRights(file *os.File, path string, forbidden fs.FileMode) error {
	about, err := file.Stat()
	if err != nil {
		return err
	}
	owner, known := about.Sys().(*syscall.Stat_t)
	switch {
	case known && owner.Uid != 0 && int(owner.Uid) != os.Geteuid():
		return fmt.Errorf("%s belongs to another user of this machine, who can change it: run  chown %d %s",
			show(path), os.Geteuid(), shellWord(path))
	case about.Mode().Perm()&forbidden != 0:
		return fmt.Errorf("other users of this machine can read %s: run  chmod 600 %s", show(path), shellWord(path))
	}
	return nil
}
