package storage_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"checkout/till/storage"
	"checkout/till/storage/sqlite"
)

// openMarked opens a database and closes it.
func openMarked(t *testing.T, path, marks string) error {
	t.Helper()
	store, err := storage.Open(t.Context(), path, storage.WithMarks(marks))
	if err != nil {
		return err
	}
	return store.Close()
}

func TestS9ADatabaseThatWasThereIsNotMadeAnew(t *testing.T) {
	folder, marks := filepath.Join(t.TempDir(), "disk"), filepath.Join(t.TempDir(), "state", "databases")
	path := filepath.Join(folder, "till.db")
	for range 2 {
		must(t, openMarked(t, path, marks))
	}
	noted, err := os.ReadDir(marks)
	if err != nil || len(noted) != 1 {
		t.Fatalf("%d marks (%v)", len(noted), err)
	}
	mark := filepath.Join(marks, noted[0].Name())
	// The disk is not there.
	must(t, os.Rename(folder, folder+".away"))
	err = openMarked(t, path, marks)
	if !errors.Is(err, storage.ErrGone) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), mark) {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(folder); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("something was made in its place (%v)", err)
	}
	must(t, openMarked(t, filepath.Join(t.TempDir(), "till.db"), marks)) // Another database is another matter.
	must(t, os.Rename(folder+".away", folder))
	must(t, openMarked(t, path, marks))
	// An empty file in its place is an alarm of its own.
	must(t, os.WriteFile(path, nil, 0o600))
	if err := openMarked(t, path, marks); !errors.Is(err, sqlite.ErrEmpty) {
		t.Errorf("an empty file: error %v", err)
	}
	must(t, os.Remove(path), os.Remove(mark), openMarked(t, path, marks))
	// A mark that cannot be made is no reason not to open.
	must(t, openMarked(t, filepath.Join(t.TempDir(), "till.db"), filepath.Join(path, "marks")))
}
