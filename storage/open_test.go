package storage_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/storage"
	"checkout/till/storage/postgres"
	"checkout/till/storage/sqlite"
	"checkout/till/storage/storagetest"
)

func TestAnInvalidAddressIsRefused(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty.db")
	must(t, os.WriteFile(empty, nil, 0o600))
	t.Chdir(t.TempDir())
	for address, want := range map[string]error{
		"postgres://127.0.0.1:1/till":   postgres.ErrUnreachable,
		"postgresql://127.0.0.1:1/till": postgres.ErrUnreachable,
		"postgres://127.0.0.1:x/till":   postgres.ErrAddress,
		" POSTGRES://127.0.0.1:1/till":  postgres.ErrUnreachable,
		"mysql://127.0.0.1/till":        storage.ErrAddress,
		"sqlite:///srv/till.db":         storage.ErrAddress,
		"host=127.0.0.1 password=x":     storage.ErrAddress,
		"HOST = 127.0.0.1":              storage.ErrAddress,
		"":                              nil,
		empty:                           sqlite.ErrEmpty,
	} {
		store, err := storage.Open(t.Context(), address, storage.Options{})
		if err == nil || store != nil || want != nil && !errors.Is(err, want) {
			t.Errorf("%q: store %v, error %v, want %v", address, store, err, want)
		}
		// Backup and Verify must refuse this address, too.
		_, copied := storage.Backup(t.Context(), address, "copy.db", time.Now())
		_, examined := storage.Verify(t.Context(), address, storage.Checks{Now: time.Now()})
		if copied == nil || examined == nil || errors.Is(copied, storage.ErrPostgres) != storage.IsPostgres(address) {
			t.Errorf("%q: errors %v and %v", address, copied, examined)
		}
	}
	if made, err := os.ReadDir("."); err != nil || len(made) > 0 {
		t.Errorf("an address was created as a file: %v %v", made, err)
	}
}

func ExampleOpen() {
	folder, err := os.MkdirTemp("", "till")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(folder) }()
	path := filepath.Join(folder, "till.db")

	ctx := context.Background()
	store, err := storage.Open(ctx, path, storage.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = store.Close() }()

	orders, err := store.Orders(ctx, payments.Query{Status: payments.StatusPending})
	fmt.Println(len(orders), err)
	// Output: 0 <nil>
}

func openMarked(t *testing.T, path, marks string) error {
	t.Helper()
	store, err := storage.Open(t.Context(), path, storage.Options{Marks: marks})
	if err != nil {
		return err
	}
	return store.Close()
}

func TestAMissingDatabaseIsNotRecreated(t *testing.T) {
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
	// Move the database's folder away, as if its disk were not mounted.
	must(t, os.Rename(folder, folder+".away"))
	err = openMarked(t, path, marks)
	if !errors.Is(err, storage.ErrGone) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), mark) {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(folder); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder was created again (%v)", err)
	}
	must(t, openMarked(t, filepath.Join(t.TempDir(), "till.db"), marks)) // Another database may be created.
	must(t, os.Rename(folder+".away", folder))
	must(t, openMarked(t, path, marks))
	// An empty file instead of the database gives another error.
	must(t, os.WriteFile(path, nil, 0o600))
	if err := openMarked(t, path, marks); !errors.Is(err, sqlite.ErrEmpty) {
		t.Errorf("an empty file: error %v", err)
	}
	must(t, os.Remove(path), os.Remove(mark), openMarked(t, path, marks))
	// Open does not fail if it cannot write the marker.
	must(t, openMarked(t, filepath.Join(t.TempDir(), "till.db"), filepath.Join(path, "marks")))
}

func TestADatabaseMayBeASymbolicLink(t *testing.T) {
	folder := t.TempDir()
	link, target := filepath.Join(folder, "shop", "till.db"), filepath.Join(folder, "disk", "shop.db")
	for _, each := range []string{link, target} {
		must(t, os.Mkdir(filepath.Dir(each), 0o700))
	}
	if err := os.Symlink(filepath.Join("..", "disk", "shop.db"), link); err != nil {
		t.Skip(err)
	}
	if store, err := storage.Open(t.Context(), link, storage.Options{}); err == nil {
		_ = store.Close()
		t.Error("a link without a target is opened")
	}
	store := openStore(t, target)
	must(t, store.Update(t.Context(), storagetest.TakeNumber), store.Close())
	store = openStore(t, link)
	must(t, store.Update(t.Context(), storagetest.TakeNumber), store.Probe(t.Context()))
	_, err := storage.Examine(t.Context(), store)
	must(t, err, store.Close())
	_, err = storage.Verify(t.Context(), link, storage.Checks{Now: time.Now()})
	must(t, err)
	_, err = storage.Backup(t.Context(), link, filepath.Join(folder, "copy.db"), time.Now())
	must(t, err)
	release, err := storage.Lock(link)
	must(t, err)
	if _, err := storage.Lock(target); !errors.As(err, new(*storage.LockedError)) {
		t.Errorf("the target of a locked link: error %v", err)
	}
	release()
	if entries, err := os.ReadDir(filepath.Dir(link)); err != nil || len(entries) != 1 {
		t.Errorf("next to the link are %v (%v)", entries, err)
	}
}
