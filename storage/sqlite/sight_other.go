//go:build !linux

package sqlite

import (
	"os"
	"time"
)

// sight is what the system says of a name: which file it is, and how that is.
type sight struct {
	file     os.FileInfo
	size     int64
	modified time.Time
}

// lookAt returns what a name stands for.
func lookAt(path string, _ bool) (sight, error) {
	file, err := os.Stat(path)
	if err != nil {
		return sight{}, err
	}
	return sight{file: file, size: file.Size(), modified: file.ModTime()}, nil
}

// is tells whether two sights are of one file.
func (s sight) is(other sight) bool { return os.SameFile(s.file, other.file) }
