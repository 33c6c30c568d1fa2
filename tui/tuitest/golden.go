package tuitest

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// flag.Lookup reads the value of the flag, so that no package variable is needed.
var _ = flag.Bool("update", false, "update the golden files of the screens")

// Table compares a generated table with the part of a guide between the marks <!-- name: … --> and
// <!-- /name -->. With -update, it writes the table into that part.
func Table(t testing.TB, guide, name, table string) {
	t.Helper()
	text, err := os.ReadFile(guide)
	Must(t, err)
	part := regexp.MustCompile(`(?s)(<!-- ` + name + `: [^\n]*-->\n).*?(<!-- /` + name + ` -->)`)
	if !part.Match(text) {
		t.Fatalf("%s lacks the marks around its table %s", guide, name)
	}
	got := part.ReplaceAllString(string(text), "${1}"+strings.ReplaceAll(table, "$", "$$")+"${2}")
	if got == string(text) {
		return
	}
	if flag.Lookup("update").Value.String() != "true" {
		t.Errorf("the table %s of %s differs from the program: run go generate ./...", name, guide)
	} else if err := os.WriteFile(guide, []byte(got), 0o644); err != nil {
		t.Fatal(err)
	}
}

// compare compares a text with a file in the folder testdata. With -update, it writes the file.
func compare(t testing.TB, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if flag.Lookup("update").Value.String() == "true" {
		Must(t, os.MkdirAll("testdata", 0o755))
		Must(t, os.WriteFile(path, []byte(got), 0o644))
		return
	}
	want, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	// Git on Windows may have changed the line ends to CRLF.
	if expected := strings.ReplaceAll(string(want), "\r\n", "\n"); got != expected {
		t.Errorf("the view differs from %s; -update writes it\n--- file\n%s--- view\n%s", path, expected, got)
	}
}

// leftOver fails the test for each golden file that is not in wanted.
func leftOver(t *testing.T, wanted map[string]bool) {
	t.Helper()
	files, err := filepath.Glob("testdata/*.golden")
	Must(t, err)
	for _, file := range files {
		if !wanted[filepath.Base(file)] {
			t.Errorf("%s belongs to no state of this screen: delete it", file)
		}
	}
}
