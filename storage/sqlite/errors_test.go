package sqlite_test

import (
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"checkout/till/storage/sqlite"
)

// fails runs statements on a connection and returns the error of the last one.
func fails(t *testing.T, name string, statements ...string) (err error) {
	t.Helper()
	db, openErr := sql.Open("sqlite", name)
	if openErr != nil {
		t.Fatal(openErr)
	}
	t.Cleanup(func() { _ = db.Close() })
	db.SetMaxOpenConns(1)
	for _, statement := range statements {
		_, err = db.ExecContext(t.Context(), statement)
	}
	return err
}

func TestAnErrorOfSQLiteSaysWhatToDo(t *testing.T) {
	path := whole(t)
	const write = "UPDATE meta SET value = value + 1"
	if err := fails(t, "file:"+path, "BEGIN IMMEDIATE", write); err != nil {
		t.Fatal(err)
	}
	full := filepath.Join(t.TempDir(), "full.db")
	for name, c := range map[string]struct {
		err    error
		advice string
	}{
		"another program holds it": {fails(t, "file:"+path, write), "end that program"},
		"it cannot be written":     {fails(t, "file:"+path+"?mode=ro", write), "you must be its owner"},
		"it cannot be opened":      {fails(t, "file:"+path+".gone?mode=rw", write), "you must be its owner"},
		"the disk is full": {
			fails(t, "file:"+full, "CREATE TABLE a (x)", "PRAGMA max_page_count = 2", "INSERT INTO a VALUES (zeroblob(100000))"),
			"make room",
		},
		"another error": {errors.New("unplugged"), "unplugged"},
	} {
		if c.err == nil {
			t.Errorf("%s: no error to advise on", name)
			continue
		}
		advised := sqlite.Advise(c.err)
		if !errors.Is(advised, c.err) || !strings.Contains(advised.Error(), c.advice) {
			t.Errorf("%s: error %v, want advice to %q", name, advised, c.advice)
		}
	}
}
