package sqlite_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	driver "modernc.org/sqlite"

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

func TestAConnectionWithUnsafeSettingsIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "till.db")
	openAt(t, path)
	good := sqlite.DataSource(path, sqlite.ModeWrite)
	if err := sqlite.Connect(t.Context(), good); err != nil {
		t.Fatalf("a good connection: %v", err)
	}
	for setting, weak := range map[string]string{
		"_synchronous=FULL": "_synchronous=NORMAL", "_foreign_keys=1": "_foreign_keys=0",
		"_busy_timeout=5000": "_busy_timeout=0",
	} {
		name := strings.Replace(good, setting, weak, 1)
		if name == good {
			t.Fatalf("%s is not set by %s", setting, good)
		}
		if err := sqlite.Connect(t.Context(), name); !errors.Is(err, sqlite.ErrUnsafe) {
			t.Errorf("%s: error %v", weak, err)
		}
	}
	memory := "file::memory:?" + good[strings.Index(good, "?")+1:]
	memory = strings.Replace(memory, "mode=rw", "mode=memory", 1)
	if err := sqlite.Connect(t.Context(), memory); !errors.Is(err, sqlite.ErrUnsafe) {
		t.Errorf("a database without a write-ahead log: error %v", err)
	}
}

func TestADatabaseAndItsBackupMayHaveAnyName(t *testing.T) {
	t.Parallel()
	names := []string{"a b.db", "100%.db", "%41.db", "a#b.db", "a&mode=memory.db", "été.db", "a;b'c.db", "👍.db", "$1"}
	if runtime.GOOS != "windows" {
		names = append(names, "a?mode=memory.db", `back\slash.db`, `"quoted".db`, "a\nb.db", "file:x.db")
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path, backup := filepath.Join(t.TempDir(), "new", name, name), filepath.Join(t.TempDir(), name)
			store := openAt(t, path)
			must(t, insert(t, store, 1), store.Close())
			_, err := sqlite.Backup(t.Context(), path, backup)
			must(t, err)
			for _, path := range []string{path, backup} {
				if left := files(t, filepath.Dir(path)); !slices.Equal(left, []string{name}) {
					t.Errorf("got files %q, want only %q", left, name)
				}
				if number := count(t, path, "SELECT count(*) FROM orders"); number != 1 {
					t.Errorf("%d orders", number)
				}
			}
		})
	}
}

func TestOnlyTheOwnerCanReadADatabase(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such file modes")
	}
	folder := filepath.Join(t.TempDir(), "a", "b")
	path := filepath.Join(folder, "till.db")
	must(t, openAt(t, path).Probe(t.Context())) // This creates the log and its index.
	for name, want := range map[string]os.FileMode{
		folder: 0o700, filepath.Dir(folder): 0o700, path: 0o600, path + "-wal": 0o600, path + "-shm": 0o600,
	} {
		expectMode(t, name, want)
	}
}

func expectMode(t *testing.T, path string, want os.FileMode) {
	t.Helper()
	info, err := os.Stat(path)
	must(t, err)
	if got := info.Mode().Perm(); got != want {
		t.Errorf("%s: mode %o, want %o", path, got, want)
	}
}

func TestLocksSurviveOpeningAndClosingTheFile(t *testing.T) {
	openAt(t, filepath.Join(t.TempDir(), "till.db"))
	if runtime.GOOS == "linux" && !driver.OFDLockingEnabled() {
		t.Error("SQLite uses locks that any close of the file drops")
	}
}
