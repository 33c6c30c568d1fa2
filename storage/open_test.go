package storage_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"checkout/till/payments"
	"checkout/till/storage"
	"checkout/till/storage/postgres"
	"checkout/till/storage/sqlite"
)

func TestWhatIsNoDatabaseIsNeitherOpenedNorCopiedNorExamined(t *testing.T) {
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
		// What is no file is neither copied nor examined.
		_, copied := storage.Backup(t.Context(), address, "copy.db")
		_, examined := storage.Verify(t.Context(), address, nil)
		if copied == nil || examined == nil || errors.Is(copied, storage.ErrServed) != storage.Served(address) {
			t.Errorf("%q: errors %v and %v", address, copied, examined)
		}
	}
	if made, err := os.ReadDir("."); err != nil || len(made) > 0 {
		t.Errorf("an address became a file: %v %v", made, err)
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

// openMarked opens a database and closes it.
func openMarked(t *testing.T, path, marks string) error {
	t.Helper()
	store, err := storage.Open(t.Context(), path, storage.Options{Marks: marks})
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
