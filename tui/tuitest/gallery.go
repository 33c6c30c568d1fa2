package tuitest

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// A Gallery is how a screen looks: in each of its states, in every language and
// in windows of 40×15, 80×24 and 120×40, plain and in colour. Style is what a
// screen is drawn with.
type Gallery[Style any] struct {
	States    []string
	Languages []string
	// Beside is how many rows of each window are not the screen's.
	Beside int
	// Plain draws no colours, and Colored draws them. Modes are other choices of
	// colours, by their names; they are kept in the first language at 80×24.
	Plain, Colored Style
	Modes          map[string]Style
	// Show brings a new screen into a state.
	Show func(t *testing.T, state, language string, style Style) *Driver
}

// window is a size of the gallery.
type window struct{ width, height int }

func (w window) String() string { return fmt.Sprintf("%dx%d", w.width, w.height) }

func windows() []window { return []window{{40, 15}, {80, 24}, {120, 40}} }

// Test compares every picture with its golden file: STATE-LANGUAGE-SIZE.golden
// holds one plain picture, STATE-LANGUAGE.ansi all sizes in colour, and
// STATE.ansi the modes; the last two can be looked at with cat. A picture
// without a file fails the test, as does a file without a picture, one that does
// not fit its window, and one whose text is another in colour.
func (g Gallery[Style]) Test(t *testing.T) {
	wanted := make(map[string]bool)
	for _, state := range g.States {
		wanted[state+".ansi"] = len(g.Modes) > 0
		for _, language := range g.Languages {
			name := state + "-" + language
			wanted[name+".ansi"] = true
			for _, window := range windows() {
				wanted[fmt.Sprintf("%s-%v.golden", name, window)] = true
			}
			t.Run(state+" in "+language, func(t *testing.T) { g.compare(t, state, language) })
		}
		if len(g.Modes) > 0 {
			t.Run(state+" in other colours", func(t *testing.T) { g.compareModes(t, state) })
		}
	}
	t.Run("no file is left over", func(t *testing.T) { leftOver(t, wanted) })
}

// compare looks at a state in a language.
func (g Gallery[Style]) compare(t *testing.T, state, language string) {
	t.Helper()
	name := state + "-" + language
	plain := g.Show(t, state, language, g.Plain)
	for _, window := range windows() {
		plain.Resize(window.width, window.height-g.Beside).Golden(fmt.Sprintf("%s-%v", name, window))
	}
	var all strings.Builder
	colored := g.Show(t, state, language, g.Colored)
	for _, window := range windows() {
		plain.Resize(window.width, window.height-g.Beside)
		view := colored.Resize(window.width, window.height-g.Beside).Fits().View()
		if text := ansi.Strip(view); trimmed(text) != trimmed(ansi.Strip(plain.View())) {
			t.Errorf("in colour and at %v the text is another\n%s", window, text)
		}
		fmt.Fprintf(&all, "%v\n%s\x1b[0m\n", window, view)
	}
	golden(t, name+".ansi", all.String())
}

// compareModes looks at a state in other colours.
func (g Gallery[Style]) compareModes(t *testing.T, state string) {
	t.Helper()
	var all strings.Builder
	for _, mode := range slices.Sorted(maps.Keys(g.Modes)) {
		view := g.Show(t, state, g.Languages[0], g.Modes[mode]).Resize(80, 24-g.Beside).Fits().View()
		fmt.Fprintf(&all, "%s\n%s\x1b[0m\n", mode, view)
	}
	golden(t, state+".ansi", all.String())
}

// leftOver looks for files that no picture is compared with.
func leftOver(t *testing.T, wanted map[string]bool) {
	t.Helper()
	files, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name := file.Name()
		if kept := strings.HasSuffix(name, ".golden") || strings.HasSuffix(name, ".ansi"); kept && !wanted[name] {
			t.Errorf("testdata/%s is no picture of this screen: delete it", name)
		}
	}
}
