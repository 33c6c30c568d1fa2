package tuitest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"checkout/till/assets"
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
	// Show brings a new screen into a state.
	Show func(t *testing.T, state, language string, styles theme.Theme) *Driver
}

// window is a size of the gallery; recorded ones have golden files.
type window struct {
	width, height int
	recorded      bool
}

func (w window) String() string { return fmt.Sprintf("%dx%d", w.width, w.height) }

func windows() []window {
	return []window{{40, 15, false}, {80, 24, true}, {120, 36, true}, {200, 60, false}}
}

// Test compares the English screen at 80×24 and 120×36 with STATE-SIZE.golden. It
// draws each state in every language and window, too, and fails where a view is
// larger than its window, has another text in colour than without, says something
// in another language, or cuts or leaves out a text that the English one shows;
// with -short it draws the English screen alone.
func (g Gallery) Test(t *testing.T) {
	wanted := make(map[string]bool)
	words := newVocabulary(t, g.Data)
	for _, state := range g.States {
		for _, window := range windows() {
			wanted[golden(state, window)] = window.recorded
		}
		t.Run(state, func(t *testing.T) { g.draw(t, state, words) })
	}
	leftOver(t, wanted)
}

func golden(state string, size window) string { return fmt.Sprintf("%s-%v.golden", state, size) }

// draw draws one state in every language and window.
func (g Gallery) draw(t *testing.T, state string, words vocabulary) {
	t.Helper()
	plain := g.Show(t, state, "en", theme.Plain())
	drawn, languages := make(map[string]*Driver), i18n.Languages()
	if testing.Short() {
		languages = nil
	}
	for _, language := range languages {
		drawn[language] = g.Show(t, state, language, theme.Full(theme.Auto))
	}
	for _, window := range windows() {
		english := plain.Resize(window.width, window.height-g.Beside).Fits().text()
		if window.recorded {
			compare(t, golden(state, window), english)
		}
		for language, d := range drawn {
			text := d.Resize(window.width, window.height-g.Beside).Fits().text()
			if language == "en" && text != english {
				t.Errorf("in colour and at %v the text is another\n%s", window, text)
			}
			for _, fault := range words.faults(english, text, language, window.width < 80) {
				t.Errorf("in %s at %v %s\n%s", language, window, fault, text)
			}
		}
	}
}

// text is the view without its colours, and without blanks at the ends of lines.
func (d *Driver) text() string { return trimmed(ansi.Strip(d.View())) }

// leftOver looks for files that no picture is compared with.
func leftOver(t *testing.T, wanted map[string]bool) {
	t.Helper()
	files, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name := file.Name()
		if slices.Contains([]string{".golden", ".ansi"}, filepath.Ext(name)) && !wanted[name] {
			t.Errorf("testdata/%s is no picture of this screen: delete it", name)
		}
	}
}

// vocabulary tells in which language a view is. For each language it has the
// words of every text.
type vocabulary struct {
	phrases map[string]map[string][]string
	// spoken are all texts of a language, and data what is said in none.
	spoken map[string]string
	data   string
}

// newVocabulary takes the texts of all languages apart.
func newVocabulary(t *testing.T, data []string) vocabulary {
	t.Helper()
	v := vocabulary{
		phrases: make(map[string]map[string][]string), spoken: make(map[string]string),
		data: words(strings.Join(data, "\n")),
	}
	for _, language := range i18n.Languages() {
		texts, err := i18n.Load(assets.Locales, language)
		if err != nil {
			t.Fatal(err)
		}
		v.phrases[language] = make(map[string][]string)
		for key, text := range texts.All() {
			v.phrases[language][key] = phrases(text)
			v.spoken[language] += words(text)
		}
	}
	return v
}

// faults compares what a view says with the English one. In a narrow window a
// text may be cut where "…" shows it, and single words are not looked for: there
// they are often the visible part of another text that is cut.
func (v vocabulary) faults(english, text, language string, narrow bool) []string {
	var faults []string
	said, shown := words(text), words(english)
	for other, all := range v.phrases {
		if other == language {
			continue
		}
		for key, phrases := range all {
			if foreign(phrases, v.spoken[language]+v.data) && says(said, phrases) {
				faults = append(faults, fmt.Sprintf("%s is in %s: %q", key, other, phrases))
			}
		}
	}
	for key, whole := range v.keysIn(shown) {
		if !whole {
			continue
		}
		if !v.sees(said, language, key) && !(narrow && (oneWord(v.phrases["en"][key]) || begun(said, v.phrases[language][key]))) {
			faults = append(faults, fmt.Sprintf("%s is cut or missing: %q", key, v.phrases[language][key]))
		}
	}
	slices.Sort(faults)
	return faults
}

// keysIn finds the texts that an English view says, the longest first: what is a
// part of another one is not looked for.
func (v vocabulary) keysIn(shown string) map[string]bool {
	all := v.phrases["en"]
	keys := make([]string, 0, len(all))
	for key := range all {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b string) int {
		return letters(all[b]) - letters(all[a])
	})
	found := make(map[string]bool)
	for _, key := range keys {
		if letters(all[key]) < 4 || !says(shown, all[key]) {
			continue
		}
		// The bar of keys shows as many as have room; the help has all.
		section, _, _ := strings.Cut(key, ".")
		found[key] = section != "key_names" && !strings.HasSuffix(section, "keys")
		for _, phrase := range all[key] {
			shown = strings.ReplaceAll(shown, phrase, " | ")
		}
	}
	return found
}

// sees tells whether a view has all words of a text, or of another text that is
// the same in English. The words need not be in one row: texts are wrapped.
func (v vocabulary) sees(said, language, key string) bool {
	english := strings.Join(v.phrases["en"][key], "")
	for other, phrases := range v.phrases[language] {
		if strings.Join(v.phrases["en"][other], "") != english {
			continue
		}
		if !slices.ContainsFunc(strings.Fields(strings.Join(phrases, "")), func(word string) bool {
			return !strings.Contains(said, " "+word+" ")
		}) {
			return true
		}
	}
	return false
}

func oneWord(phrases []string) bool { return len(strings.Fields(strings.Join(phrases, ""))) == 1 }

// begun tells whether a text has the beginning of a phrase, and the sign of a cut
// behind it.
func begun(text string, phrases []string) bool {
	return slices.ContainsFunc(phrases, func(phrase string) bool {
		for end := range phrase {
			start := strings.TrimRight(phrase[:end], " ")
			if end > 1 && (strings.Contains(text, start+"…") || strings.Contains(text, start+" …")) {
				return true
			}
		}
		return false
	})
}

// foreign tells whether the phrases are no words of a language.
func foreign(phrases []string, spoken string) bool {
	return letters(phrases) >= 4 && slices.ContainsFunc(phrases, func(phrase string) bool {
		return !strings.Contains(spoken, phrase)
	})
}

// says tells whether all of phrases are in a text; without any there is nothing
// to say.
func says(text string, phrases []string) bool {
	return len(phrases) > 0 && !slices.ContainsFunc(phrases, func(phrase string) bool { return !strings.Contains(text, phrase) })
}

// phrases are the words of a text between its placeholders.
func phrases(text string) []string {
	var all []string
	for _, part := range regexp.MustCompile(`%[-+# 0-9.\[\]*]*[a-z]|%%`).Split(text, -1) {
		if phrase := words(part); strings.TrimSpace(phrase) != "" {
			all = append(all, phrase)
		}
	}
	return all
}

// words are the words of a text, with one blank around each.
func words(text string) string {
	return " " + strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && r != '…'
	}), " ") + " "
}

func letters(phrases []string) int { return len(strings.Join(phrases, "")) - 2*len(phrases) }
