// Package sqlitetest opens empty SQLite databases for tests. They are copies of one database, so all
// have the same tag in the numbers of their orders.
package sqlitetest

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"checkout/till/storage/sqlite"
	"checkout/till/storage/storagetest/disk"
)

// empty returns the bytes of an empty database. Opening a copy is faster than creating a database.
var empty = sync.OnceValues(func() ([]byte, error) {
	folder, err := os.MkdirTemp("", "till-test-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	path := filepath.Join(folder, "till.db")
	store, err := sqlite.Open(context.Background(), path)
	if err != nil {
		return nil, err
	}
	if err := store.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// Open opens an empty database in the folder [disk.Memory], and closes it at the end of the test.
func Open(t testing.TB) *sqlite.Store {
	t.Helper()
	return OpenAt(t, filepath.Join(disk.Memory(t), "till.db"))
}

// OpenAt opens a new empty database at a path, and closes it at the end of the test.
func OpenAt(t testing.TB, path string) *sqlite.Store {
	t.Helper()
	bytes, err := empty()
	must(t, err)
	must(t, os.WriteFile(path, bytes, 0o600))
	store, err := sqlite.Open(t.Context(), path)
	must(t, err)
	t.Cleanup(func() { must(t, store.Close()) })
	return store
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
