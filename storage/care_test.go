package storage_test

import (
	"errors"
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
