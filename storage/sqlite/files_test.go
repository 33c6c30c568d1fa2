package sqlite_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"checkout/till/storage/sqlite"
)

func TestS1ADatabaseOnANetworkFileSystemIsRefused(t *testing.T) {
	share := t.TempDir()
	there := filepath.Join(share, "there.db")
	overwrite(t, there, content(t, whole(t)))
	// Knows what is on the share, and nothing of what is not there.
	onNetwork := func(o *sqlite.Options) {
		o.Network = func(path string) (name string, err error) {
			if _, err = os.Stat(path); err == nil && strings.HasPrefix(path, share) {
				name = "NFS"
			}
			return name, err
		}
	}
	for _, path := range []string{there, filepath.Join(share, "new.db"), filepath.Join(share, "a", "b", "new.db")} {
		store, err := sqlite.OpenWith(t.Context(), path, onNetwork)
		if err == nil {
			_ = store.Close()
		}
		if !errors.Is(err, sqlite.ErrUnsafe) || !strings.Contains(err.Error(), "NFS") ||
			!strings.Contains(err.Error(), "put the database on a local disk") {
			t.Errorf("%s: error %v", path, err)
		}
	}
	if left := files(t, share); len(left) != 1 {
		t.Errorf("files %q are on the share", left)
	}
	openAt(t, filepath.Join(t.TempDir(), "a", "till.db"), onNetwork)
	// What nobody knows is taken for local.
	for _, err := range []error{fs.ErrNotExist, fs.ErrPermission} {
		openAt(t, filepath.Join(t.TempDir(), "till.db"), func(o *sqlite.Options) {
			o.Network = func(string) (string, error) { return "", err }
		})
	}
}
