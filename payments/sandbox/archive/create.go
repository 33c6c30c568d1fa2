package archive

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

const (
	// applicationID marks the file as a sandbox's: the bytes of "tsbx".
	applicationID = 0x74736278
	// version is that of the schema. Fields of a record come and go without
	// another one.
	version = 1
)

// schema is that of a new file. Numbers stand in the order in which things were
// first saved.
const schema = `
CREATE TABLE records (
  number INTEGER PRIMARY KEY,
  kind   TEXT NOT NULL,
  name   TEXT NOT NULL,
  body   TEXT NOT NULL CHECK (json_valid(body)),
  UNIQUE (kind, name)
) STRICT`

// create makes a data file where there is none or an empty one. It is made
// under another name and moved when it is whole, so that nobody ever finds half
// of one.
func create(ctx context.Context, path string) error {
	info, err := os.Stat(path)
	switch {
	case err == nil && (!info.Mode().IsRegular() || info.Size() > 0):
		return nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	// A log without its file would be taken for the new one's.
	if info, err := os.Stat(path + "-wal"); err == nil && info.Size() > 0 {
		return ErrRemains
	}
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("make its folder: %w", err)
	}
	draft, err := os.CreateTemp(folder, filepath.Base(path)+".new-*") // Its owner's alone.
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(draft.Name()) }()
	if err := draft.Close(); err != nil {
		return err
	}
	if err := fill(ctx, draft.Name()); err != nil {
		return fmt.Errorf("make a new data file: %w", err)
	}
	return publish(draft.Name(), path)
}

// publish gives a file its name unless another process was quicker.
func publish(draft, path string) error {
	err := os.Link(draft, path)
	if err == nil {
		return nil
	}
	// An empty file gives way. File systems of memory cards know no second name
	// for a file.
	if info, err := os.Stat(path); err == nil && info.Size() > 0 {
		return nil
	}
	return os.Rename(draft, path)
}

// fill writes the schema into an empty file, and closes it with nothing left in
// a log.
func fill(ctx context.Context, path string) error {
	db, err := openDB(path)
	if err != nil {
		return err
	}
	defer db.Close()
	for _, step := range []string{
		schema, fmt.Sprint("PRAGMA application_id = ", applicationID), fmt.Sprint("PRAGMA user_version = ", version),
	} {
		if _, err := db.ExecContext(ctx, step); err != nil {
			return err
		}
	}
	return nil
}

// The beginning of an SQLite file.
const (
	magic         = "SQLite format 3\x00"
	headerLength  = 100
	versionAt     = 60
	applicationAt = 68
)

// inspect refuses what is no data file of a sandbox. It looks at the first
// bytes alone, and SQLite has not seen the file yet: another program's database
// stays as it is.
func inspect(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return ErrForeign
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	header := make([]byte, headerLength)
	if _, err := io.ReadFull(file, header); err != nil {
		return ErrForeign
	}
	switch {
	case string(header[:len(magic)]) != magic, binary.BigEndian.Uint32(header[applicationAt:]) != applicationID:
		return ErrForeign
	case binary.BigEndian.Uint32(header[versionAt:]) > version:
		return ErrNewer
	}
	return nil
}
