package storage_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"checkout/till/storage"
)

// restoredAt is the time of every restore, and formerName the file of the former database.
var restoredAt = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

const formerName = "till-before-2026-11-21-090000.db"

func TestRestoreKeepsTheFormerDatabaseWithItsLog(t *testing.T) {
	_, backup := newShop(t, 1, 30)
	path := filepath.Join(t.TempDir(), "till.db")
	must(t, os.WriteFile(path, []byte("damaged"), 0o600), os.WriteFile(path+"-wal", []byte("log"), 0o600))
	must(t, os.WriteFile(path+".restoring", []byte("rest of an interrupted restore"), 0o600))
	restored, err := storage.Restore(t.Context(), path, backup, restoredAt)
	must(t, err)
	former := filepath.Join(filepath.Dir(path), formerName)
	if restored.Kept != former || read(t, former) != "damaged" || read(t, former+"-wal") != "log" || restored.Orders == 0 {
		t.Errorf("got %+v", restored)
	}
	if _, err := os.Stat(path + "-wal"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the log of the former database is still there: %v", err)
	}
	must(t, openStore(t, path).Close())
}

func TestRestoreChangesNothingIfItCannotFinish(t *testing.T) {
	_, backup := newShop(t, 1, 5)
	path := filepath.Join(t.TempDir(), "till.db")
	must(t, os.WriteFile(path, []byte("mine"), 0o600))
	broken := filepath.Join(t.TempDir(), "broken.db")
	must(t, os.WriteFile(broken, []byte("this is no database of till"), 0o600))
	if _, err := storage.Restore(t.Context(), path, broken, restoredAt); err == nil {
		t.Error("a broken backup was restored")
	}
	demo := filepath.Join(t.TempDir(), "demo.db")
	store, err := storage.Open(t.Context(), demo, storage.Options{Ahead: -3 * time.Hour})
	must(t, err)
	must(t, store.Close())
	if _, err := storage.Restore(t.Context(), path, demo, restoredAt); !errors.Is(err, storage.ErrDemo) {
		t.Errorf("the demo: %v", err)
	}
	if _, err := os.Stat(path + ".restoring"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the copy of the demo is still there: %v", err)
	}
	release, err := storage.Lock(path)
	must(t, err)
	if _, err := storage.Restore(t.Context(), path, backup, restoredAt); !errors.As(err, new(*storage.LockedError)) {
		t.Errorf("a database in use: %v", err)
	}
	release()
	if _, err := storage.Restore(t.Context(), "postgres://till@server/shop", backup, restoredAt); !errors.Is(err, storage.ErrPostgres) {
		t.Errorf("a server: %v", err)
	}
	if read(t, path) != "mine" {
		t.Error("the database was changed")
	}
}
