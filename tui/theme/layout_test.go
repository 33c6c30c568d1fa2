package theme_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"

	"checkout/till/tui/theme"
)

func TestTextIsCutAndFilledByColumns(t *testing.T) {
	tests := []struct{ name, got, want string }{
		{"short text is filled on the right", theme.AlignLeft("Vary", 6), "Vary  "},
		{"long text is cut with an ellipsis", theme.AlignLeft("Mofo gasy", 6), "Mofo …"},
		{"text that fits exactly stays", theme.AlignLeft("Kafe", 4), "Kafe"},
		{"wide characters count two columns", theme.AlignLeft("漢字漢字", 5), "漢字…"},
		{"a wide character is not halved", theme.AlignLeft("漢字漢字", 4), "漢… "},
		{"numbers end at the right", theme.AlignRight("9 000", 7), "  9 000"},
		{"too long a number is cut visibly", theme.AlignRight("1000000", 4), "100…"},
		{"no width leaves nothing", theme.AlignLeft("Vary", 0), ""},
		{"a negative width leaves nothing", theme.AlignRight("Vary", -3), ""},
		{"two texts take the two ends", theme.Spread("Vary", "7 000", 12), "Vary   7 000"},
		{"the left text gives way", theme.Spread("Mofo gasy", "7 000", 10), "Mof… 7 000"},
		{"only the right text is kept", theme.Spread("Mofo", "7 000", 5), "7 000"},
		{"a single text is filled", theme.Spread("Mofo", "", 6), "Mofo  "},
		{"each line is cut separately", theme.Truncate("abcd\nab", 3), "ab…\nab"},
		{"a list is not cut after a number", theme.TruncateList("Eau vive, 12 × Savony", 15), "Eau vive, …"},
		{"no room leaves no text", theme.Truncate("abcd", 0), ""},
		{"rows that fit stay", strings.Join(theme.Clip([]string{"ab", "abcd"}, 3, 2), "/"), "ab/ab…"},
		{"left out rows are marked", strings.Join(theme.Clip([]string{"ab", "", "c"}, 3, 2), "/"), "ab/…"},
		{"the last row gives way to the mark", strings.Join(theme.Clip([]string{"abc", "c"}, 3, 1), "/"), "ab…"},
		{"no room leaves no rows", strings.Join(theme.Clip([]string{"abc"}, 3, 0), "/"), ""},
		{"blocks side by side", theme.Beside("a\nb", "c"), "ac\nb "},
		{"a block is centred", theme.Center("a", 3, 3), "   \n a \n   "},
		{"a block too large stays whole", theme.Center("abc", 2, 1), "abc"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.got != tt.want {
				t.Errorf("got %q, want %q", tt.got, tt.want)
			}
		})
	}
}

func TestCutTextEndsItsColour(t *testing.T) {
	th := theme.New(coloured(), theme.Auto)
	got := theme.AlignLeft(th.Danger.Render("insufficient funds"), 8)
	if theme.Width(got) != 8 {
		t.Errorf("width of %q is %d, want 8", got, theme.Width(got))
	}
	if !strings.Contains(got, "\x1b[0m") {
		t.Errorf("%q does not end its colour", got)
	}
}

func FuzzLinesAreExactlyAsWideAsAsked(f *testing.F) {
	f.Add("Vary gasy", 5)
	f.Add("漢字", 3)
	f.Add("é\u0301", 1)
	f.Fuzz(func(t *testing.T, text string, width int) {
		if width < 0 || width > 200 || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f || r == 0xfffd }) {
			t.Skip("text reaches the screen cleaned, on one line")
		}
		if theme.Width(" "+text+" ") != theme.Width(text)+2 {
			t.Skip("a character that joins with a blank is a control that cleaning drops")
		}
		if got := theme.Width(theme.AlignLeft(text, width)); got != width {
			t.Errorf("Left(%q, %d) is %d wide", text, width, got)
		}
		if got := theme.Width(theme.AlignRight(text, width)); got != width {
			t.Errorf("Right(%q, %d) is %d wide", text, width, got)
		}
	})
}

func TestTheWidthOfEveryCharacterIsThatOfLipgloss(t *testing.T) {
	for r := range rune(0x3000) {
		for _, text := range []string{string(r), "a" + string(r) + "b", "é" + string(r) + "─"} {
			if got, want := theme.Width(text), lipgloss.Width(text); got != want {
				t.Errorf("%q (%U) has %d columns, want %d", text, r, got, want)
			}
		}
	}
}
