package sqlite_test

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"

	"checkout/till/payments"
	"checkout/till/storage/sqlite"
	"checkout/till/storage/storagetest"
)

func TestContract(t *testing.T) {
	storagetest.Run(t, synctest.Test, func(t *testing.T) storagetest.Database {
		path := filepath.Join(t.TempDir(), "till.db")
		return storagetest.Database{
			Open:   func(t *testing.T) storagetest.Store { return openAt(t, path) },
			Break:  func(t *testing.T) { must(t, os.Rename(path, path+".away")) },
			Mend:   func(t *testing.T) { must(t, os.Rename(path+".away", path)) },
			Script: func(t *testing.T, statement string) { script(t, path, statement) },
			Char:   "char",
		}
	})
}

func must(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// openAt opens a database for the length of a test.
func openAt(t testing.TB, path string, changes ...func(*sqlite.Options)) *sqlite.Store {
	t.Helper()
	store, err := sqlite.OpenWith(t.Context(), path, changes...)
	must(t, err)
	t.Cleanup(func() { _ = store.Close() })
	return store
}

// insert stores an order.
func insert(t *testing.T, store *sqlite.Store, n int) error {
	t.Helper()
	return store.Update(t.Context(), func(tx payments.Tx) error { return tx.InsertOrder(storagetest.Order(n)) })
}

// whole makes a database with an order and returns its file.
func whole(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "till.db")
	store := openAt(t, path)
	must(t, insert(t, store, 1), store.Close())
	return path
}

// script runs SQL on a file, as another program would.
func script(t *testing.T, path, text string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	must(t, err)
	defer db.Close()
	_, err = db.ExecContext(t.Context(), text)
	must(t, err)
}

// ask reads the only value of a query, as a tool of the operator would.
func ask[T any](t testing.TB, path, query string, args ...any) (value T) {
	t.Helper()
	db, err := sql.Open("sqlite", sqlite.DataSource(path, sqlite.ModeTool))
	must(t, err)
	defer db.Close()
	must(t, db.QueryRowContext(t.Context(), query, args...).Scan(&value))
	return value
}

func count(t testing.TB, path, query string, args ...any) int {
	t.Helper()
	return ask[int](t, path, query, args...)
}

func content(t *testing.T, path string) []byte {
	t.Helper()
	bytes, err := os.ReadFile(path)
	must(t, err)
	return bytes
}

func overwrite(t *testing.T, path string, content []byte) {
	t.Helper()
	must(t, os.WriteFile(path, content, 0o600))
}

// files returns the names in a folder.
func files(t *testing.T, folder string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	must(t, err)
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// noticed tells whether a notice lies ready.
func noticed(notices <-chan struct{}) bool {
	select {
	case _, open := <-notices:
		return open
	default:
		return false
	}
}
