package i18n_test

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"checkout/till/assets/i18n"
	"checkout/till/tui/tuitest"
)

// glossary returns the rows of the glossary's tables, by the key of the text that they are about. A
// row contains the word in each language, and the reason for the choice.
func glossary(t *testing.T) map[string][]string {
	t.Helper()
	page, err := os.ReadFile("../locales/glossary.md")
	tuitest.Must(t, err)
	rows := map[string][]string{}
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i, cell := range cells {
			cells[i] = strings.TrimSpace(cell)
		}
		name, isRow := strings.CutPrefix(cells[0], "`")
		if !isRow || !strings.HasPrefix(line, "|") {
			continue
		}
		name = strings.TrimSuffix(name, "`")
		if _, twice := rows[name]; twice || len(cells) != len(i18n.Languages())+2 {
			t.Errorf("the row of %s is a duplicate, or has %d cells", name, len(cells))
			continue
		}
		rows[name] = cells[1:]
	}
	return rows
}

func TestTheGlossaryHasTheWordsOfTheLocales(t *testing.T) {
	rows := glossary(t)
	for at, language := range i18n.Languages() {
		texts := i18n.Load(language).All()
		for name, words := range rows {
			if texts[name] == "" {
				t.Errorf("no text has the key %s", name)
			} else if words[at] != texts[name] {
				t.Errorf("%s has %q for %s, the glossary has %q", language, texts[name], name, words[at])
			}
		}
	}
	for name, words := range rows {
		if len(words[len(words)-1]) < 10 {
			t.Errorf("the glossary has no reason for %s", name)
		}
	}
}

func TestTheGlossaryNamesEveryVerdictAndEveryScreen(t *testing.T) {
	rows := glossary(t)
	for _, name := range slices.Sorted(maps.Keys(i18n.Load("en").All())) {
		named := strings.HasPrefix(name, "verdicts.") || strings.HasSuffix(name, ".title")
		if _, there := rows[name]; named && !there {
			t.Errorf("the glossary lacks %s", name)
		}
	}
}

// The French and Malagasy texts use these words for shell commands, so they must not use them for
// orders. In Malagasy, a till is always a kesy.
func TestATextDoesNotUseTheWordOfAnotherThing(t *testing.T) {
	english := i18n.Load("en").All()
	for language, command := range map[string]string{"fr": "commande", "mg": "baiko"} {
		for name, text := range i18n.Load(language).All() {
			about, text := strings.ToLower(english[name]), strings.ToLower(text)
			order := strings.Contains(about, "order") && !strings.Contains(about, "command")
			if order && strings.Contains(text, command) || strings.Contains(text, "kesika") {
				t.Errorf("%s of %s has the word of another thing: %q", name, language, text)
			}
		}
	}
}
