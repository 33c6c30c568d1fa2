package storage_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
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
		store, err := storage.Open(t.Context(), address)
		if err == nil || store != nil || want != nil && !errors.Is(err, want) {
			t.Errorf("%q: store %v, error %v, want %v", address, store, err, want)
		}
		// What is no file is neither copied nor examined.
		_, copied := storage.Backup(t.Context(), address, "copy.db")
		_, examined := storage.Verify(t.Context(), address, true, nil)
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
	store, err := storage.Open(ctx, path)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = store.Close() }()

	orders, err := store.Orders(ctx, payments.Query{Status: payments.StatusPending})
	fmt.Println(len(orders), err)
	// Output: 0 <nil>
}
