//go:build unix

package settings

import (
	"io/fs"
	"os"
	"syscall"
)

// foreign tells whether a file belongs neither to the user nor to root.
func foreign(about fs.FileInfo) bool {
	owner, known := about.Sys().(*syscall.Stat_t)
	return known && owner.Uid != 0 && int(owner.Uid) != os.Geteuid()
}
