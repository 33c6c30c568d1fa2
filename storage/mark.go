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

// marker returns the file in a folder which records that a database was created.
// It is outside of the database's folder: without it the empty mount point of a
// missing disk would pass for the folder of a new shop.
func marker(folder, database string) string {
	sum := sha256.Sum256([]byte(database))
	return filepath.Join(folder, hex.EncodeToString(sum[:8]))
}

// checkMarker returns [ErrGone] when the database was created and is not there.
// Whatever else is wrong, opening it will tell.
func checkMarker(marker, database string) error {
	if _, err := os.Stat(database); errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat(marker); err == nil {
			return fmt.Errorf("open the database %s: %w, or delete %s to begin anew", database, ErrGone, marker)
		}
	}
	return nil
}

// setMarker writes the marker. An error is no reason not to work.
func setMarker(marker, database string) {
	if _, err := os.Stat(marker); err == nil {
		return
	}
	if err := os.MkdirAll(filepath.Dir(marker), 0o700); err == nil {
		_ = os.WriteFile(marker, []byte(database+"\n"), 0o600)
	}
}
