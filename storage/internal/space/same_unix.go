//go:build unix

package space

import (
	"os"
	"syscall"
)

// Same reports whether two existing files or folders are on the same file system. It returns false if that
// is unknown.
func Same(a, b string) bool {
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	if err != nil {
		return false
	}
	one, known := first.Sys().(*syscall.Stat_t)
	other, alsoKnown := second.Sys().(*syscall.Stat_t)
	return known && alsoKnown && one.Dev == other.Dev
}
