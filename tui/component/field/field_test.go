package field_test

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/tui/component/field"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
)

func paste(f field.Field, text string) field.Field {
	f, _ = f.Type(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: true})
	return f
}

func TestPastedTextIsCleaned(t *testing.T) {
	empty := field.New(theme.Plain(), "> ", 20).Focus(true).SetWidth(30)
	for name, tt := range map[string]struct{ text, want string }{
		"a word":                           {"Vary", "Vary"},
		"a paste with line ends":           {"Vary\ngasy\r\n", "Vary gasy"},
		"a paste with escape sequences":    {"\x1b[31mVary", "[31mVary"},
		"characters that reverse the text": {"Va\u202ery", "Vary"},
		"more marks than a letter has":     {"e" + strings.Repeat("\u0301", 12) + "\u2028x", "e" + strings.Repeat("\u0301", 4) + " x"},
		"blanks":                           {"  ", ""},
		"more than the limit":              {strings.Repeat("a", 30), strings.Repeat("a", 20)},
	} {
		f := paste(empty, tt.text)
		tuitest.Equal(t, f.Value(), tt.want, "%s", name)
		if view := f.View(); theme.Width(view) > 30 || !strings.HasPrefix(view, "> ") {
			t.Errorf("%s: got the view %q", name, view)
		}
	}
	if f := paste(empty, "a "); f.Empty() || !empty.Empty() || paste(f, "b").Value() != "a b" {
		t.Errorf("the blank between two words is lost: %q", paste(f, "b").Value())
	}
}

func TestAFieldWithoutFocusTakesNoText(t *testing.T) {
	f := field.New(theme.Plain(), "", 20).SetText("Vary")
	tuitest.Equal(t, paste(f, "x").Value(), "Vary", "the field without focus")
	f = f.Focus(true)
	alt, _ := f.Type(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("1"), Alt: true})
	if alt.Value() != "Vary" || paste(f, "x").Value() != "Varyx" || paste(f.Focus(false), "x").Value() != "Vary" {
		t.Errorf("got %q and %q", alt.Value(), paste(f, "x").Value())
	}
}

func TestTextIsInsertedAtTheCursor(t *testing.T) {
	f := field.New(theme.Plain(), "", 20).Focus(true).SetText("Vary")
	f, _ = f.Type(tea.KeyMsg{Type: tea.KeyHome})
	f = paste(f, "\u202eA")
	f = paste(f, "B")
	tuitest.Equal(t, f.Value(), "ABVary", "the text")
}

func TestAFieldTakesBackWhatWasJustTyped(t *testing.T) {
	types := func(f field.Field, text string) field.Field {
		for _, char := range text {
			f, _ = f.Type(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{char}})
		}
		return f
	}
	left := func(f field.Field) field.Field {
		f, _ = f.Type(tea.KeyMsg{Type: tea.KeyLeft})
		return f
	}
	empty := field.New(theme.Plain(), "", 8).Focus(true)
	for name, c := range map[string]struct {
		field       field.Field
		typed, want string
	}{
		"at the end":                  {types(empty, "Vary611"), "611", "Vary"},
		"in the middle":               {types(left(types(empty, "Vary")), "611"), "611", "Vary"},
		"above the limit":             {types(empty, "Vary6111000"), "6111000", "Vary"},
		"with characters it refuses":  {types(empty.Only("0123456789"), "12RN7"), "RN7", "12"},
		"with characters it cleans":   {types(empty, "ab\x1d1"), "b\x1d1", "a"},
		"in several keys at once":     {paste(types(empty, "V"), "611"), "611", "V"},
		"not what another edit moved": {left(types(empty, "Vary611")), "611", "Vary611"},
		"not another text":            {types(empty, "Vary611"), "612", "Vary611"},
		"nothing":                     {types(empty, "Vary"), "", "Vary"},
	} {
		tuitest.Equal(t, c.field.Untype(c.typed).Value(), c.want, "%s", name)
	}
	cursor := types(types(left(left(types(empty, "Vary"))), "61").Untype("61"), "o")
	tuitest.Equal(t, cursor.Value(), "Vaory", "the field with the cursor where it was")
	before := types(empty, "Va")
	types(before, "x")
	tuitest.Equal(t, types(before, "y").Untype("y").Value(), "Va", "a copy of the field")
}

func TestABoxShowsItsWholeWidth(t *testing.T) {
	for name, tt := range map[string]struct {
		styles theme.Theme
		mark   string
	}{
		"with colours":    {theme.Full(theme.Dark), "48;2;42;43;54m"},
		"without colours": {theme.Full(theme.Contrast), "4m"},
	} {
		for _, prompt := range []string{"", "› "} {
			for _, focused := range []bool{false, true} {
				box := field.New(tt.styles, prompt, 40).Focus(focused).SetText("Coca").Box(24)
				cells := 0
				for styled := range strings.SplitSeq(box, "\x1b[") {
					if _, text, found := strings.Cut(styled, tt.mark); found {
						cells += theme.Width(text)
					}
				}
				if focused {
					cells++ // The cursor's background is another one.
				}
				if want := 24 - theme.Width(strings.TrimRight(prompt, " ")); cells != want || theme.Width(box) != 24 {
					t.Errorf("%s, prompt %q, focused %v: %d of %d cells are marked: %q", name, prompt, focused, cells, want, box)
				}
			}
		}
	}
}
