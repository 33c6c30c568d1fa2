package sqlite_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"checkout/till/storage/sqlite"
)

func TestS10ACopyOfAnOlderSchemaIsKeptBeforeItIsMigrated(t *testing.T) {
	newest, err := sqlite.SchemaVersion()
	must(t, err)
	for version := 1; version <= newest; version++ {
		path := filepath.Join(t.TempDir(), "till.db")
		script(t, path, string(content(t, fmt.Sprintf("testdata/schema-%d.sql", version))))
		for range 2 {
			must(t, openAt(t, path).Close())
		}
		kept := fmt.Sprintf("%s.schema-%d", path, version)
		if version == newest {
			if left := files(t, filepath.Dir(path)); len(left) != 1 {
				t.Errorf("nothing was to be migrated, and there are %q", left)
			}
			continue
		}
		expectMode(t, kept, 0o600)
		expectWhole(t, kept)
		if got := count(t, kept, "PRAGMA user_version"); got != version {
			t.Errorf("the copy of schema %d has schema %d", version, got)
		}
		if got, want := count(t, kept, "SELECT count(*) FROM orders"), count(t, path, "SELECT count(*) FROM orders"); got != want {
			t.Errorf("the copy has %d orders, want %d", got, want)
		}
	}
}

func TestS10WithoutACopyNothingIsMigrated(t *testing.T) {
	damaged := filepath.Join(t.TempDir(), "till.db")
	script(t, damaged, string(content(t, "testdata/schema-1.sql")))
	text := content(t, damaged)
	clear(text[len(text)-4096:])
	overwrite(t, damaged, text)
	if store, err := sqlite.Open(t.Context(), damaged); err == nil {
		_ = store.Close()
		t.Error("a damaged database was migrated")
	}
	if got := count(t, damaged, "PRAGMA user_version"); got != 1 {
		t.Errorf("its schema is %d", got)
	}
}
