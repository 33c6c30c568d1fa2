package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
)

// checkPlace refuses a place on a network file system: SQLite's locks and its
// shared memory do not hold there, and two machines would write at once. find
// names the network file system of a path, or returns nothing for a local one.
// A file that is not there yet lies where its nearest folder does.
//
// What cannot be found out is taken for local: the settings that protect the
// data are read back in any case.
func checkPlace(path string, find func(path string) (string, error)) error {
	for {
		name, err := find(path)
		if errors.Is(err, fs.ErrNotExist) && filepath.Dir(path) != path {
			path = filepath.Dir(path)
			continue
		}
		if err == nil && name != "" {
			return fmt.Errorf("%w (it lies on a network file system, %s)", ErrUnsafe, name)
		}
		return nil
	}
}
