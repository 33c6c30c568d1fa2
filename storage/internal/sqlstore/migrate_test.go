package sqlstore_test

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"checkout/till/storage/internal/sqlstore"
)

// steps are migrations; the n-th text leads to version n.
func steps(texts ...string) fstest.MapFS {
	files := fstest.MapFS{"notes.txt": {Data: []byte("not a migration")}}
	for i, text := range texts {
		files["000"+string(rune('1'+i))+"_step.sql"] = &fstest.MapFile{Data: []byte(text)}
	}
	return files
}

const (
	makes   = "-- A comment.\nCREATE TABLE a (x INTEGER NOT NULL); INSERT INTO a VALUES (1), (2);"
	changes = "ALTER TABLE a ADD COLUMN y INTEGER NOT NULL DEFAULT 0; UPDATE a SET y = 10 * x;"
)

// migrated opens a file and migrates it.
func migrated(t *testing.T, path string, files fstest.MapFS) (*sql.DB, error) {
	t.Helper()
	db, _ := pool(t, path, 1)
	return db, sqlstore.Migrate(t.Context(), db, dialect{}, files, nil)
}

// number reads a single number.
func single(t *testing.T, db *sql.DB, query string) (value int) {
	t.Helper()
	if err := db.QueryRowContext(t.Context(), query).Scan(&value); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return value
}

func TestMigrationsRunInOrderAndOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	for _, files := range []fstest.MapFS{steps(makes), steps(makes, changes), steps(makes, changes)} {
		db, err := migrated(t, path, files)
		if err != nil {
			t.Fatal(err)
		}
		if version := single(t, db, "PRAGMA user_version"); version != len(files)-1 {
			t.Errorf("version %d, want %d", version, len(files)-1)
		}
		if count := single(t, db, "SELECT count(*) FROM a"); count != 2 {
			t.Errorf("%d rows, want 2", count)
		}
		_ = db.Close()
	}
	db, _ := pool(t, path, 1)
	if sum := single(t, db, "SELECT sum(y) FROM a"); sum != 30 {
		t.Errorf("sum %d, want 30", sum)
	}
}

func TestS10ANewerSchemaIsRefusedAndLeftAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	if _, err := migrated(t, path, steps(makes, changes)); err != nil {
		t.Fatal(err)
	}
	db, err := migrated(t, path, steps(makes))
	if !errors.Is(err, sqlstore.ErrNewerSchema) || !strings.Contains(err.Error(), "update till") {
		t.Errorf("error %v", err)
	}
	if version := single(t, db, "PRAGMA user_version"); version != 2 {
		t.Errorf("version %d, want 2", version)
	}
}

func TestS10AMigrationThatFailsLeavesTheOldSchema(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	if _, err := migrated(t, path, steps(makes)); err != nil {
		t.Fatal(err)
	}
	db, err := migrated(t, path, steps(makes, changes+" DELETE FROM a; INSERT INTO no_such_table VALUES (1);"))
	if err == nil || !strings.Contains(err.Error(), "from 1 to 2") {
		t.Errorf("error %v", err)
	}
	if version := single(t, db, "PRAGMA user_version"); version != 1 {
		t.Errorf("version %d, want 1", version)
	}
	if columns := single(t, db, "SELECT count(*) FROM pragma_table_info('a')"); columns != 1 {
		t.Errorf("%d columns, want 1", columns)
	}
	if count := single(t, db, "SELECT count(*) FROM a"); count != 2 {
		t.Errorf("%d rows, want 2", count)
	}
}

func TestAContextThatEndsLeavesTheOldSchema(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	db, _ := pool(t, path, 1)
	ctx, leave := context.WithCancel(t.Context())
	leave()
	if err := sqlstore.Migrate(ctx, db, dialect{}, steps(makes), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if tables := single(t, db, "SELECT count(*) FROM sqlite_master"); tables != 0 {
		t.Errorf("%d tables", tables)
	}
}

func TestSeveralProcessesMayMigrateAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	if _, err := migrated(t, path, steps(makes)); err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 4 {
		db, _ := pool(t, path, 1)
		group.Go(func() {
			if err := sqlstore.Migrate(t.Context(), db, dialect{}, steps(makes, changes), nil); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	db, _ := pool(t, path, 1)
	if sum := single(t, db, "SELECT sum(y) FROM a"); sum != 30 {
		t.Errorf("sum %d, want 30", sum)
	}
}

func TestS10WhatThereIsIsKeptOnceBeforeTheFirstStep(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	db, _ := pool(t, path, 1)
	others, _ := pool(t, path, 1)
	var kept []int
	keep := func(_ context.Context, version int) error {
		kept = append(kept, version)
		if has := single(t, others, "SELECT count(*) FROM pragma_table_info('a')"); has != 1 {
			t.Errorf("a step was taken before: %d columns", has)
		}
		return nil
	}
	// Nothing is kept of a new database, nor when there is nothing to do.
	for _, files := range []fstest.MapFS{steps(makes), steps(makes)} {
		if err := sqlstore.Migrate(t.Context(), db, dialect{}, files, keep); err != nil || len(kept) != 0 {
			t.Fatalf("kept %v (%v)", kept, err)
		}
	}
	refused := errors.New("no room")
	refuse := func(context.Context, int) error { return refused }
	more := steps(makes, changes, "CREATE TABLE b (x INTEGER)")
	if err := sqlstore.Migrate(t.Context(), db, dialect{}, more, refuse); !errors.Is(err, refused) {
		t.Errorf("error %v", err)
	}
	if version := single(t, db, "PRAGMA user_version"); version != 1 {
		t.Errorf("without a copy it was migrated to %d", version)
	}
	if err := sqlstore.Migrate(t.Context(), db, dialect{}, more, keep); err != nil || len(kept) != 1 || kept[0] != 1 {
		t.Errorf("kept %v (%v)", kept, err)
	}
}
