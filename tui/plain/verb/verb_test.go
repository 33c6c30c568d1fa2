package verb_test

import (
	"errors"
	"slices"
	"testing"

	"checkout/till/tui/plain/verb"
)

func TestACommandHasTheWordsBeforeItsColon(t *testing.T) {
	for text, want := range map[string][]string{
		"charge, c: asks: then charges": {"charge", "c"},
		"Aide, h, ? : ces mots":         {"aide", "h", "?"},
		"yes, y":                        {"yes", "y"},
		": nothing":                     {},
	} {
		if got := verb.Words(text); !slices.Equal(got, want) {
			t.Errorf("Words(%q) = %q, want %q", text, got, want)
		}
	}
	if !verb.Means("OUI", "oui, o") || verb.Means("ouf", "oui, o") || verb.Means("", "oui, o") {
		t.Error("an answer means what it does not say")
	}
}

func TestALineCommandsWhatItBeginsWith(t *testing.T) {
	var book verb.Book
	if err := errors.Join(book.Add(3, "edit, e: corrects"), book.Add(4, "quit: leaves"), book.Add(3, "modifier, e")); err != nil {
		t.Fatal(err)
	}
	for typed, want := range map[string]struct {
		command int
		rest    string
		found   bool
	}{
		"edit 2  Vary 3000": {3, "2  Vary 3000", true},
		" E 2 ":             {3, "2", true},
		"Modifier":          {3, "", true},
		"editor 500":        {0, "500", false},
		"":                  {0, "", false},
	} {
		command, rest, found := book.Find(typed)
		if command != want.command || rest != want.rest || found != want.found {
			t.Errorf("Find(%q) = %d, %q, %v; want %+v", typed, command, rest, found, want)
		}
	}
	if err := book.Add(5, "exit, e: leaves"); !errors.Is(err, verb.ErrTaken) {
		t.Errorf("a word of two commands gives %v", err)
	}
	var none verb.Book
	if _, _, found := none.Find("edit"); found {
		t.Error("an empty book knows a command")
	}
}
