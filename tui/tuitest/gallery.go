package tuitest

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"checkout/till/assets/i18n"
	"checkout/till/tui/theme"
)

// A Gallery tests the views of a screen in each of the screen's states.
type Gallery struct {
	States []string
	// States that also have a golden file at 120×36.
	Wide []string
	// Rows of the window that the screen cannot use.
	Beside int
	// Texts that the states type or load, which are the same in all languages.
	Data []string
	// Keys of texts that the screen may omit if there is no room.
	Yields []string
	// Keys of texts that windows larger than 80×24 may omit.
	Narrow []string
	// Returns a new screen in a state.
	Show func(t *testing.T, state, language string, styles theme.Theme) *Driver
}

type window struct{ width, height int }

// usual and wide are the sizes of the windows that have golden files.
func usual() window { return window{80, 24} }
func wide() window  { return window{120, 36} }

func (w window) golden(state string) string {
	return fmt.Sprintf("%s-%dx%d.golden", state, w.width, w.height)
}

// Test compares the English screen at 80×24 with STATE-SIZE.golden, and the states in Wide also at
// 120×36. It also draws each state in every language, at more sizes if [Long] returns true.
//
// The test fails if a view
//
//   - is larger than its window
//   - is English and larger than 80×24, and lacks a text or the QR code of the view at 80×24
//   - has different texts with and without colours
//   - contains a text of another language
//   - cuts or omits a text of the English view of the same size
//
// With -short the test draws only the English screen, at the sizes that have a golden file.
func (g Gallery) Test(t *testing.T) {
	wanted := make(map[string]bool)
	words := newVocabulary(t, g.Data, g.Yields)
	for _, state := range g.States {
		wanted[usual().golden(state)] = true
		t.Run(state, func(t *testing.T) { g.draw(t, state, words) })
	}
	for _, state := range g.Wide {
		wanted[wide().golden(state)] = true
	}
	leftOver(t, wanted)
}

func (g Gallery) draw(t *testing.T, state string, words vocabulary) {
	t.Helper()
	plain := g.Show(t, state, "en", theme.Plain())
	drawn := make(map[string]*Driver)
	if !testing.Short() {
		for _, language := range i18n.Languages() {
			drawn[language] = g.Show(t, state, language, theme.Full(theme.Auto))
		}
	}
	var first []string // Keys of the texts at 80×24.
	var code string
	for _, window := range []window{{40, 15}, usual(), wide(), {200, 60}} {
		golden := window == usual() || window == wide() && slices.Contains(g.Wide, state)
		if plain.Resize(window.width, window.height-g.Beside); testing.Short() && !golden {
			continue
		}
		plain.Fits()
		english := plain.text()
		if golden {
			compare(t, window.golden(state), english)
		}
		link, err := plain.Screen().read()
		if err != nil && !errors.Is(err, ErrNoCode) {
			t.Errorf("at %v: %v\n%s", window, err, english)
		}
		if window == usual() {
			// Larger windows need not show the texts in Narrow.
			first = slices.DeleteFunc(words.keysIn(english), func(key string) bool { return slices.Contains(g.Narrow, key) })
			code = link
		}
		for _, fault := range words.faults(first, english, "en", false) {
			t.Errorf("at %v, unlike %v, %s\n%s", window, usual(), fault, english)
		}
		if code != "" && link != code {
			t.Errorf("at %v the code contains %q, want %q\n%s", window, link, code, english)
		}
		shown := words.keysIn(english)
		for language, d := range drawn {
			if d.Resize(window.width, window.height-g.Beside); window != usual() && !Long() {
				continue
			}
			d.Fits()
			text := d.text()
			if language == "en" && text != english {
				t.Errorf("at %v the text differs in colour\n%s", window, text)
			}
			for _, fault := range words.faults(shown, text, language, window.width < 80) {
				t.Errorf("in %s at %v %s\n%s", language, window, fault, text)
			}
		}
	}
}

// text returns the view without colours and without blanks at line ends.
func (d *Driver) text() string {
	lines := strings.Split(ansi.Strip(d.View()), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

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

// Languages returns all languages. With -short, it returns only English.
func Languages() []string {
	if testing.Short() {
		return []string{"en"}
	}
	return i18n.Languages()
}

// Windows draws a screen in windows of the given widths and of the [Heights]. With -short, it draws
// only every second width. shows returns the parts that a view shows. Windows fails the test if a
// window lacks a part that a lower window of the same width shows.
func Windows(t testing.TB, widths []int, draw func(width, height int) string, shows func(view string) []string) {
	t.Helper()
	for i, width := range Some(2, widths) {
		var before []string
		for _, height := range Heights(i) {
			view := draw(width, height)
			shown := shows(view)
			for _, part := range before {
				if !slices.Contains(shown, part) {
					t.Errorf("%d×%d hides %q, which a lower window shows\n%s", width, height, part, view)
				}
			}
			before = shown
		}
	}
}

// Heights returns the heights of the windows that tests draw for a width, from 6 to 61 rows: all if
// [Long] returns true, else some. number is the position of the width in a list, so that widths
// have different heights.
func Heights(number int) (heights []int) {
	step := 5
	switch {
	case Long():
		step = 1
	case testing.Short():
		step = 11
	}
	for height := 6 + number%step; height <= 61; height += step {
		heights = append(heights, height)
	}
	return heights
}

// Forms is the set of forms in which a screen was drawn, by name.
type Forms map[string]bool

// Want fails the test unless each of the forms was drawn.
func (f Forms) Want(t testing.TB, forms ...string) {
	t.Helper()
	for _, form := range forms {
		if !f[form] {
			t.Errorf("no window has the form: %s", form)
		}
	}
}

// Among returns those of the parts that the view contains, in the given order.
func Among(view string, parts ...string) (shown []string) {
	for _, part := range parts {
		if strings.Contains(view, part) {
			shown = append(shown, part)
		}
	}
	return shown
}
