package storage

import (
	"errors"
	"io"
	"os"
	"path/filepath"
)

// Replace writes a file that only its owner may read. It gets its name when it is
// whole and durable; until then what was there before stays.
func Replace(path string, write func(io.Writer) error) error {
	draft, err := os.CreateTemp(filepath.Dir(path), ".till-*") // Its mode is 0600.
	if err != nil {
		return err
	}
	err = errors.Join(write(draft), draft.Sync(), draft.Close())
	if err == nil {
		err = os.Rename(draft.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(draft.Name()))
	}
	if folder, err := os.Open(filepath.Dir(path)); err == nil {
		_ = errors.Join(folder.Sync(), folder.Close()) // Windows syncs no folders.
	}
	return nil
}
