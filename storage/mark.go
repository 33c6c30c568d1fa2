package storage

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrGone says that a database was there and is there no more, so that an empty
// one in its place would hide what was stored.
var ErrGone = errors.New("the database that was here is gone: bring it back (is its disk there?), " +
	"or put the latest backup in its place")

// createdMarker is a file outside of the database's folder, which records that the
// database was created. Without it the empty mount point of a missing disk would
// pass for the folder of a new shop.
type createdMarker struct {
	file     string // Empty without a folder for markers.
	database string
}

func newCreatedMarker(folder, database string) (createdMarker, error) {
	path, err := filepath.Abs(database)
	if err != nil {
		return createdMarker{}, fmt.Errorf("find the database: %w", err)
	}
	if folder == "" {
		return createdMarker{database: path}, nil
	}
	sum := sha256.Sum256([]byte(path))
	return createdMarker{file: filepath.Join(folder, hex.EncodeToString(sum[:8])), database: path}, nil
}

// check returns [ErrGone] when the database was created and is not there.
func (m createdMarker) check() error {
	if m.file == "" {
		return nil
	}
	if _, err := os.Stat(m.database); !errors.Is(err, fs.ErrNotExist) {
		return nil // Opening it will tell.
	}
	if _, err := os.Stat(m.file); err != nil {
		return nil //nolint:nilerr // There is no marker, or none that can be read.
	}
	return fmt.Errorf("open the database %s: %w, or delete %s to begin anew", m.database, ErrGone, m.file)
}

// set writes the marker. An error is no reason not to work.
func (m createdMarker) set() {
	if m.file == "" {
		return
	}
	if _, err := os.Stat(m.file); err == nil {
		return
	}
	if err := os.MkdirAll(filepath.Dir(m.file), 0o700); err == nil {
		_ = os.WriteFile(m.file, []byte(m.database+"\n"), 0o600)
	}
}
