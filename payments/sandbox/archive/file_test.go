package archive_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"checkout/till/payments/sandbox"
	"checkout/till/payments/sandbox/archive"
)

// openAt opens a data file until the test ends.
func openAt(t testing.TB, path string) *archive.File {
	t.Helper()
	file, err := archive.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	return file
}

func order(name, body string) sandbox.Record {
	return sandbox.Record{Kind: sandbox.RecordOrder, Name: name, Body: []byte(body)}
}

func save(t testing.TB, file *archive.File, records ...sandbox.Record) {
	t.Helper()
	if err := file.Save(t.Context(), records); err != nil {
		t.Fatal(err)
	}
}

// content is what a data file holds, a line each.
func content(t testing.TB, file *archive.File) string {
	t.Helper()
	records, err := file.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, record := range records {
		lines = append(lines, fmt.Sprintf("%s %s %s", record.Kind, record.Name, record.Body))
	}
	return strings.Join(lines, "\n")
}

func TestRecordsComeBackInTheOrderInWhichTheyWereFirstSaved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "sandbox.db")
	file := openAt(t, path)
	if got := content(t, file); got != "" {
		t.Errorf("a new file holds %s", got)
	}
	save(t, file, order("REF_9", `{"a":1}`), order("REF_1", `{"a":2}`))
	save(t, file, sandbox.Record{Kind: sandbox.RecordDelivery, Name: "REF_9", Body: []byte(`{"a":3}`)})
	save(t, file, order("REF_5", `{"a":4}`), order("REF_9", `{"a":"é \u0000 <"}`), order("REF_1", ""))
	save(t, file, order("REF_1", `{"a":6}`), order("REF_none", ""))
	save(t, file)
	want := strings.Join([]string{
		`order REF_9 {"a":"é \u0000 <"}`, `delivery REF_9 {"a":3}`, `order REF_5 {"a":4}`, `order REF_1 {"a":6}`,
	}, "\n")
	if got := content(t, file); got != want {
		t.Errorf("got\n%s", got)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	if got := content(t, openAt(t, path)); got != want {
		t.Errorf("after a restart\n%s", got)
	}
}

func TestASaveHappensWhollyOrNotAtAll(t *testing.T) {
	file := openAt(t, filepath.Join(t.TempDir(), "sandbox.db"))
	save(t, file, order("REF_1", `{"a":1}`))
	if err := file.Save(t.Context(), []sandbox.Record{order("REF_1", ""), order("REF_2", `{}`), order("REF_3", `{`)}); err == nil {
		t.Error("what is no JSON is kept")
	}
	if got := content(t, file); got != `order REF_1 {"a":1}` {
		t.Errorf("got %s", got)
	}
	save(t, file, order("REF_2", `{}`))
}

func TestAClosedFileSaysSo(t *testing.T) {
	file := openAt(t, filepath.Join(t.TempDir(), "sandbox.db"))
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	if err := file.Save(t.Context(), []sandbox.Record{order("REF_1", `{}`)}); err == nil || !strings.Contains(err.Error(), "data file") {
		t.Errorf("saving gives %v", err)
	}
	if _, err := file.Load(t.Context()); err == nil || !strings.Contains(err.Error(), "data file") {
		t.Errorf("loading gives %v", err)
	}
}

func TestADataFileIsReadableByItsOwnerAlone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows keeps no such modes")
	}
	folder := filepath.Join(t.TempDir(), "a")
	path := filepath.Join(folder, "sandbox.db")
	save(t, openAt(t, path), order("REF_1", `{}`))
	for name, want := range map[string]os.FileMode{folder: 0o700, path: 0o600, path + "-wal": 0o600} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s: mode %o, want %o", name, got, want)
		}
	}
	if left := files(t, folder); !slices.Equal(left, []string{"sandbox.db", "sandbox.db-wal"}) {
		t.Errorf("there are %q", left)
	}
}

// files returns the names in a folder.
func files(t *testing.T, folder string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

func TestADataFileMayHaveAnyName(t *testing.T) {
	names := []string{"a b.db", "100%.db", "%41.db", "a#b.db", "a&mode=memory.db", "été.db", "a;b'c.db"}
	if runtime.GOOS != "windows" {
		names = append(names, "a?mode=memory.db", `"quoted".db`)
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			file := openAt(t, filepath.Join(folder, name))
			save(t, file, order("REF_1", `{}`))
			if err := file.Close(); err != nil {
				t.Fatal(err)
			}
			if left := files(t, folder); !slices.Equal(left, []string{name}) {
				t.Errorf("files %q", left)
			}
		})
	}
}

func TestAnEmptyFileIsANewOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sandbox.db")
	overwrite(t, path, nil)
	file := openAt(t, path)
	save(t, file, order("REF_1", `{}`))
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	if got := content(t, openAt(t, path)); got != "order REF_1 {}" {
		t.Errorf("got %s", got)
	}
}

func overwrite(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// script runs SQL on a file, as another program would.
func script(t *testing.T, path, text string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), text); err != nil {
		t.Fatal(err)
	}
}

// filled makes a data file of several pages.
func filled(t *testing.T, path string) {
	t.Helper()
	file := openAt(t, path)
	var records []sandbox.Record
	for i := range 200 {
		records = append(records, order(fmt.Sprint("REF_", i), `{"a":"`+strings.Repeat("x", 200)+`"}`))
	}
	save(t, file, records...)
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}

// harm changes a file in place.
func harm(t *testing.T, path string, change func([]byte) []byte) {
	t.Helper()
	bytes, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	overwrite(t, path, change(bytes))
}

func TestAFileThatIsNotAWholeDataFileIsRefusedAsItIs(t *testing.T) {
	tests := []struct {
		name string
		make func(t *testing.T, path string)
		want error
	}{
		{"a text", func(t *testing.T, path string) { overwrite(t, path, []byte("Dear customer")) }, archive.ErrForeign},
		{"a long text", func(t *testing.T, path string) {
			overwrite(t, path, bytes.Repeat([]byte("Dear customer. "), 1000))
		}, archive.ErrForeign},
		{"a folder", func(t *testing.T, path string) {
			if err := os.Mkdir(path, 0o700); err != nil {
				t.Fatal(err)
			}
		}, archive.ErrForeign},
		{"another program's database", func(t *testing.T, path string) {
			script(t, path, "CREATE TABLE records (a); PRAGMA application_id = 7")
		}, archive.ErrForeign},
		{"a shop's database", func(t *testing.T, path string) {
			script(t, path, "PRAGMA journal_mode = WAL; CREATE TABLE orders (a); PRAGMA application_id = 1953066092")
		}, archive.ErrForeign},
		{"a database that says nothing of itself", func(t *testing.T, path string) {
			script(t, path, "CREATE TABLE records (a)")
		}, archive.ErrForeign},
		{"a newer version's", func(t *testing.T, path string) {
			filled(t, path)
			script(t, path, "PRAGMA user_version = 2")
		}, archive.ErrNewer},
		{"a page without its content", func(t *testing.T, path string) {
			filled(t, path)
			harm(t, path, func(b []byte) []byte { clear(b[8192:12288]); return b })
		}, archive.ErrDamaged},
		{"the end is missing", func(t *testing.T, path string) {
			filled(t, path)
			harm(t, path, func(b []byte) []byte { return b[:len(b)/2] })
		}, archive.ErrDamaged},
		{"the beginning alone is left", func(t *testing.T, path string) {
			filled(t, path)
			harm(t, path, func(b []byte) []byte { return b[:100] })
		}, archive.ErrDamaged},
		{"its tables are gone", func(t *testing.T, path string) {
			filled(t, path)
			script(t, path, "DROP TABLE records")
		}, archive.ErrDamaged},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "sandbox.db")
			test.make(t, path)
			before, _ := os.ReadFile(path)
			_, err := archive.Open(t.Context(), path)
			if !errors.Is(err, test.want) || !strings.Contains(err.Error(), path) {
				t.Errorf("got %v", err)
			}
			if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
				t.Error("the file was changed")
			}
		})
	}
}

func TestALogWithoutItsFileIsNotMixedWithANewOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sandbox.db")
	overwrite(t, path+"-wal", []byte("not empty"))
	if _, err := archive.Open(t.Context(), path); !errors.Is(err, archive.ErrRemains) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file was made: %v", err)
	}
}

func TestOneSandboxAtATimeHasAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sandbox.db")
	first := openAt(t, path)
	if _, err := archive.Open(t.Context(), path); !errors.Is(err, archive.ErrInUse) {
		t.Errorf("the second gets %v", err)
	}
	save(t, first, order("REF_1", `{}`))
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	openAt(t, path)
}

func TestAPathThatCannotBeIsRefused(t *testing.T) {
	folder := t.TempDir()
	overwrite(t, filepath.Join(folder, "file"), []byte("x"))
	if _, err := archive.Open(t.Context(), filepath.Join(folder, "file", "sandbox.db")); err == nil {
		t.Error("a file was made within a file")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := archive.Open(ended, filepath.Join(folder, "sandbox.db")); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if left := files(t, folder); !slices.Equal(left, []string{"file"}) {
		t.Errorf("there are %q", left)
	}
}
