package tuitest

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The flag is looked up where it is needed, so that no variable has to hold it.
var _ = flag.Bool("update", false, "write the golden files of the screens anew")

// Golden compares the text of the view with testdata/NAME.golden, and fails the
// test where they differ or where the view does not fit its window. Blanks at
// the ends of lines do not count. With the flag -update it writes the file.
func (d *Driver) Golden(name string) *Driver {
	d.t.Helper()
	d.Fits()
	compare(d.t, name+".golden", d.text())
	return d
}

// compare compares a text with a file in testdata, or writes the file.
func compare(t testing.TB, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", filepath.FromSlash(name))
	if flag.Lookup("update").Value.String() == "true" {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s does not exist: run the test with -update, and look at what it writes\n%s", path, got)
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	// A checkout on Windows may have put in carriage returns.
	if expected := strings.ReplaceAll(string(want), "\r\n", "\n"); got != expected {
		t.Errorf("the view differs from %s; with -update it is written anew\n--- file\n%s--- view\n%s", path, expected, got)
	}
}

// trimmed takes the blanks off the ends of lines, and ends the last one.
func trimmed(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n") + "\n"
}
