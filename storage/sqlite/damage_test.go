package sqlite_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"checkout/till/storage/internal/sqlstore"
	"checkout/till/storage/sqlite"
)

func cut(size int64) func(t *testing.T, path string) {
	return func(t *testing.T, path string) {
		t.Helper()
		must(t, os.Truncate(path, size))
	}
}

func TestAnUnusableFileIsRefusedWithAdvice(t *testing.T) {
	for _, c := range []struct {
		name   string
		harm   func(t *testing.T, path string)
		want   error
		advice string
	}{
		{"garbage", func(t *testing.T, path string) {
			overwrite(t, path, bytes.Repeat([]byte("not a database. "), 1000))
		}, sqlite.ErrDamaged, "put the latest backup in its place"},
		{"a header and nothing sensible after it", func(t *testing.T, path string) {
			text := content(t, path)
			for i := 100; i < len(text); i++ {
				text[i] = 0
			}
			overwrite(t, path, text)
		}, sqlite.ErrDamaged, "do not delete"},
		{"cut in the middle", cut(20_000), sqlite.ErrDamaged, "put the latest backup in its place"},
		{"cut within a page", cut(5000), sqlite.ErrDamaged, "put the latest backup in its place"},
		{"cut within the header", cut(50), sqlite.ErrDamaged, "put the latest backup in its place"},
		{"empty", cut(0), sqlite.ErrEmpty, "or delete it to begin anew"},
		{"gone while its log is there", func(t *testing.T, path string) {
			overwrite(t, path+"-wal", []byte("log"))
			must(t, os.Remove(path))
		}, sqlite.ErrRemains, "bring the file back"},
		{"of a newer version", func(t *testing.T, path string) {
			script(t, path, "UPDATE meta SET value = 99 WHERE key = 'schema'")
		}, sqlstore.ErrNewerSchema, "update till"},
		{"of version 2", func(t *testing.T, path string) {
			script(t, path, "UPDATE meta SET value = 2 WHERE key = 'schema'")
		}, &sqlstore.OldSchemaError{Version: 2, Needed: sqlstore.SchemaVersion}, "keep it"},
		{"of version 1, which stored no version", func(t *testing.T, path string) {
			script(t, path, "DELETE FROM meta WHERE key = 'schema'")
		}, &sqlstore.OldSchemaError{Version: 1, Needed: sqlstore.SchemaVersion}, "begin with a new one"},
		{"another program's", func(t *testing.T, path string) {
			must(t, os.Remove(path))
			script(t, path, "CREATE TABLE places (url TEXT)")
		}, sqlite.ErrForeign, "name another file"},
		{"a folder", func(t *testing.T, path string) {
			must(t, errors.Join(os.Remove(path), os.Mkdir(path, 0o700)))
		}, sqlite.ErrForeign, "name another file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := whole(t)
			c.harm(t, path)
			before, _ := os.ReadFile(path)
			store, err := sqlite.Open(t.Context(), path)
			if err == nil {
				_ = store.Close()
			}
			if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.advice) || !strings.Contains(err.Error(), path) {
				t.Errorf("error %v, want %v", err, c.want)
			}
			if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
				t.Error("the file was changed")
			}
		})
	}
}

func TestAPathThatCannotHoldAFileIsRefused(t *testing.T) {
	folder := t.TempDir()
	overwrite(t, filepath.Join(folder, "file"), []byte("x"))
	for _, path := range []string{filepath.Join(folder, "file", "till.db"), filepath.Join(folder, "a\x00b")} {
		if store, err := sqlite.Open(t.Context(), path); err == nil {
			_ = store.Close()
			t.Errorf("%q was opened", path)
		}
	}
	if left := files(t, folder); len(left) != 1 {
		t.Errorf("files %q are left", left)
	}
}

func TestADatabaseOnANetworkFileSystemIsRefused(t *testing.T) {
	share := t.TempDir()
	there := filepath.Join(share, "there.db")
	overwrite(t, there, content(t, whole(t)))
	// onNetwork reports NFS for existing paths on the share.
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
		t.Errorf("got files %q on the share, want one", left)
	}
	openAt(t, filepath.Join(t.TempDir(), "a", "till.db"), onNetwork)
	// An unknown file system counts as local.
	for _, err := range []error{fs.ErrNotExist, fs.ErrPermission} {
		openAt(t, filepath.Join(t.TempDir(), "till.db"), func(o *sqlite.Options) {
			o.Network = func(string) (string, error) { return "", err }
		})
	}
}
