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

// mark is a file outside of the database's folder, which says that there is a
// database. Without it a folder that is empty because its disk is not there
// would pass for that of a new shop.
type mark struct {
	file     string // Empty when marks are kept nowhere.
	database string
}

func newMark(folder, database string) (mark, error) {
	path, err := filepath.Abs(database)
	if err != nil {
		return mark{}, fmt.Errorf("find the database: %w", err)
	}
	if folder == "" {
		return mark{database: path}, nil
	}
	sum := sha256.Sum256([]byte(path))
	return mark{file: filepath.Join(folder, hex.EncodeToString(sum[:8])), database: path}, nil
}

// check returns [ErrGone] when the database is marked and not there.
func (m mark) check() error {
	if m.file == "" {
		return nil
	}
	if _, err := os.Stat(m.database); !errors.Is(err, fs.ErrNotExist) {
		return nil // Opening it will tell.
	}
	if _, err := os.Stat(m.file); err != nil {
		return nil //nolint:nilerr // There is no mark, or none that can be seen.
	}
	return fmt.Errorf("open the database %s: %w, or delete %s to begin anew", m.database, ErrGone, m.file)
}

// set marks the database. A mark that cannot be made is no reason not to work.
func (m mark) set() {
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
