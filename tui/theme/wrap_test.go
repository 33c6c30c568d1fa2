package theme_test

import (
	"strings"
	"testing"

	"checkout/till/tui/theme"
)

func TestTextIsWrapped(t *testing.T) {
	rows := func(text string, width int) string { return strings.Join(theme.Rows(text, width), "\n") }
	even := func(text string, width int) string { return strings.Join(theme.Even(text, width), "\n") }
	tests := []struct{ name, got, want string }{
		{"text breaks between words", theme.Wrap("scan this code", 9), "scan this\ncode"},
		{"a French mark stays with its word", theme.Wrap("Fermez till. Quitter ?", 20), "Fermez till.\nQuitter ?"},
		{"an amount stays together", theme.Wrap("give back 12 500 Ar, please", 18), "give back\n12 500 Ar, please"},
		{"a number stays together", theme.Wrap("also by T1-20261121-GT-0007, sous-total", 24), "also by\nT1-20261121-GT-0007,\nsous-total"},
		{"a word that is too long is broken", theme.Wrap("abcdef", 4), "abcd\nef"},
		{"no room wraps to nothing", theme.Wrap("abc", 0), ""},
		{"a last word is not alone", rows("Keep the goods: n makes a new code.", 30), "Keep the goods: n makes a\nnew code."},
		{"a last word is alone rather than in a further row", rows("threefourfive six", 13), "threefourfive\nsix"},
		{"a word that is too long has only the last rows", rows("ab abcdefghij", 4), "ab\nabcd\nefgh\nij"},
		{"each paragraph is wrapped alone", rows("Shop: who?\nFara", 8), "Shop:\nwho?\nFara"},
		{"no room has one empty row", rows("abc", 0), ""},
		{"a centred text breaks after a sentence", even("Keep the goods. The lines are still here: n makes a new code.", 60), "Keep the goods.\nThe lines are still here: n makes a new code."},
		{"several sentences share a row", even("One. Two. Three and four. Five.", 21), "One. Two.\nThree and four. Five."},
		{"a long centred text has equal rows", even("one two three four five six", 20), "one two three\nfour five six"},
		{"a long sentence has equal rows of its own", even("It is new. One two three four five six seven. So?", 21), "It is new.\nOne two three four\nfive six seven. So?"},
		{"a mark inside a sentence ends nothing", even("It takes 3.5 s. at most, then it ends", 20), "It takes 3.5 s. at\nmost, then it ends"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.got != tt.want {
				t.Errorf("got %q, want %q", tt.got, tt.want)
			}
		})
	}
}

func TestEachLineHasItsStyleAndEndsIt(t *testing.T) {
	th := theme.New(coloured(), theme.Auto)
	text := "of it " + th.Warning.Render("12 500 Ar to check now") + " soon"
	begin, _, _ := strings.Cut(th.Warning.Render("x"), "x")
	want := []string{"of it", begin + "12 500 Ar" + "\x1b[0m", begin + "to check" + "\x1b[0m", begin + "now" + "\x1b[0m" + " soon"}
	if got := strings.Split(theme.Wrap(text, 9), "\n"); strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("got %q, want %q", got, want)
	}
}

func FuzzWrappedTextFitsAndLosesNothing(f *testing.F) {
	f.Add("Give back 12 500 Ar, please. Thank you !", 9)
	f.Add("", 3)
	f.Fuzz(func(t *testing.T, text string, width int) {
		if width < 2 || width > 200 || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > 0x17f || r >= 0x7f && r <= 0xa0 || r == 0xad }) {
			t.Skip("text reaches the screen cleaned")
		}
		text = strings.Join(strings.Fields(strings.ReplaceAll(text, "-", "")), " ") // ansi.Wrap can put a hyphen beyond the width.
		letters := strings.ReplaceAll(text, " ", "")
		for name, rows := range map[string][]string{
			"Wrap": strings.Split(theme.Wrap(text, width), "\n"), "Rows": theme.Rows(text, width), "Even": theme.Even(text, width),
		} {
			for _, row := range rows {
				if theme.Width(row) > width {
					t.Errorf("%s(%q, %d) has the row %q", name, text, width, row)
				}
			}
			if got := strings.ReplaceAll(strings.Join(rows, ""), " ", ""); got != letters {
				t.Errorf("%s(%q, %d) has the letters %q", name, text, width, got)
			}
		}
	})
}

func TestLongLinesAreWrappedBetweenWords(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"short", "short"},
		{"the copy is complete\nand sound", "the copy is\ncomplete\nand sound"},
		{"orders        3     5", "orders        3     5"},
		{"see https://a.example.mg/w/7GQX", "see https://a.example.mg/w/7GQX"},
		{"paid 12 500 Ar today", "paid\n12 500 Ar\ntoday"},
	} {
		if got := theme.WrapLines(test.text, 12); got != test.want {
			t.Errorf("%q became %q, want %q", test.text, got, test.want)
		}
	}
}
