package storage_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"checkout/till/storage"
)

func TestWhatIsNoFileIsNeitherCopiedNorExamined(t *testing.T) {
	for _, address := range []string{"", "postgres://127.0.0.1:1/till"} {
		target := filepath.Join(t.TempDir(), "copy.db")
		_, copied := storage.Backup(t.Context(), address, target)
		_, examined := storage.Verify(t.Context(), address, true, nil)
		if copied == nil || examined == nil || errors.Is(copied, storage.ErrServed) != (address != "") {
			t.Errorf("%q: errors %v and %v", address, copied, examined)
		}
		if _, err := os.Stat(target); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%q: there is a copy (%v)", address, err)
		}
	}
}
