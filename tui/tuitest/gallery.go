package tuitest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"checkout/till/assets/i18n"
	"checkout/till/tui/theme"
)

// A Gallery is how a screen looks in each of its states.
type Gallery struct {
	States []string
	// Beside is how many rows of each window are not the screen's.
	Beside int
	// Data are texts that the states enter, which are the same in all languages.
	Data []string
	// Yields are the keys of texts that give way where there is no room for them,
	// as those of the bar of keys do.
	Yields []string
	// Show brings a new screen into a state.
	Show func(t *testing.T, state, language string, styles theme.Theme) *Driver
}

// window is a size of the gallery; recorded ones have golden files.
type window struct {
	width, height int
	recorded      bool
}

func windows() []window {
	return []window{{40, 15, false}, {80, 24, true}, {120, 36, true}, {200, 60, false}}
}

func (w window) golden(state string) string {
	return fmt.Sprintf("%s-%dx%d.golden", state, w.width, w.height)
}

// Test compares the English screen at 80×24 and 120×36 with STATE-SIZE.golden. It
// draws each state in every language and window, too, and fails where a view is
// larger than its window, has another text in colour than without, says something
// in another language, or cuts or leaves out a text that the English one shows;
// with -short it draws the English screen alone.
func (g Gallery) Test(t *testing.T) {
	wanted := make(map[string]bool)
	var words vocabulary
	if !testing.Short() {
		words = newVocabulary(t, g.Data, g.Yields)
	}
	for _, state := range g.States {
		for _, window := range windows() {
			wanted[window.golden(state)] = window.recorded
		}
		t.Run(state, func(t *testing.T) { g.draw(t, state, words) })
	}
	leftOver(t, wanted)
}

// draw draws one state in every language and window.
func (g Gallery) draw(t *testing.T, state string, words vocabulary) {
	t.Helper()
	plain := g.Show(t, state, "en", theme.Plain())
	drawn := make(map[string]*Driver)
	if !testing.Short() {
		for _, language := range i18n.Languages() {
			drawn[language] = g.Show(t, state, language, theme.Full(theme.Auto))
		}
	}
	for _, window := range windows() {
		english := plain.Resize(window.width, window.height-g.Beside).Fits().text()
		if window.recorded {
			compare(t, window.golden(state), english)
		}
		if len(drawn) == 0 {
			continue
		}
		shown := words.keysIn(english)
		for language, d := range drawn {
			text := d.Resize(window.width, window.height-g.Beside).Fits().text()
			if language == "en" && text != english {
				t.Errorf("in colour and at %v the text is another\n%s", window, text)
			}
			for _, fault := range words.faults(shown, text, language, window.width < 80) {
				t.Errorf("in %s at %v %s\n%s", language, window, fault, text)
			}
		}
	}
}

// text is the view without its colours, and without blanks at the ends of lines.
func (d *Driver) text() string {
	lines := strings.Split(ansi.Strip(d.View()), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n") + "\n"
}
