package storage_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"checkout/till/storage"
)

func TestWhatIsNoFileIsNeitherCopiedNorExamined(t *testing.T) {
	for address, want := range map[string]error{"": nil, "postgres://127.0.0.1:1/till": nil} {
		target := filepath.Join(t.TempDir(), "copy.db")
		_, copied := storage.Backup(t.Context(), address, target)
		_, examined := storage.Verify(t.Context(), address, true, nil)
		for _, err := range []error{copied, examined} {
			if err == nil || want != nil && !errors.Is(err, want) {
				t.Errorf("%q: error %v, want %v", address, err, want)
			}
		}
		if _, err := os.Stat(target); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%q: there is a copy (%v)", address, err)
		}
	}
}

func TestACopyOfADatabaseAtAServerIsTheServersToMake(t *testing.T) {
	_, err := storage.Backup(t.Context(), "postgres://127.0.0.1:1/till", filepath.Join(t.TempDir(), "copy.db"))
	if !errors.Is(err, storage.ErrServed) {
		t.Errorf("error %v, want %v", err, storage.ErrServed)
	}
}

func ExampleBackup() {
	folder, err := os.MkdirTemp("", "till")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(folder) }()
	ctx, path := context.Background(), filepath.Join(folder, "till.db")
	store, err := storage.Open(ctx, path)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = store.Close() }()

	copied, err := storage.Backup(ctx, path, filepath.Join(folder, "copy.db"))
	if err != nil {
		fmt.Println(err)
		return
	}
	found, err := storage.Verify(ctx, copied.Path, false, nil)
	fmt.Println(copied.Orders, found.Found, err)
	// Output: 0 0 <nil>
}
