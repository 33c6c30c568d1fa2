package space

import (
	"path/filepath"
	"strings"
)

// Same reports whether two paths are on the same drive. It returns false if that is unknown.
func Same(a, b string) bool {
	first, err := filepath.Abs(a)
	if err != nil {
		return false
	}
	second, err := filepath.Abs(b)
	return err == nil && strings.EqualFold(filepath.VolumeName(first), filepath.VolumeName(second))
}
