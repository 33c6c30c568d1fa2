package sqlite_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	driver "modernc.org/sqlite"

	"checkout/till/storage/sqlite"
)

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
	names := []string{"a b.db", "100%.db", "%41.db", "a#b.db", "a&mode=memory.db", "été.db", "a;b'c.db", "👍.db", "$1"}
	if runtime.GOOS != "windows" {
		names = append(names, "a?mode=memory.db", `back\slash.db`, `"quoted".db`, "a\nb.db", "file:x.db")
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
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
