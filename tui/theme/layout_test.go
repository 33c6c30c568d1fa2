package theme_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/lipgloss"

	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
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
		{"a list counts what it omits", theme.TruncateList("Eau vive, 12 × Savony", 15), "Eau vive +1"},
		{"a list keeps as many articles as fit", theme.TruncateList("Eau vive, Coca, Kafe, Koba", 17), "Eau vive, Coca +2"},
		{"one article has fewer blanks before it is cut", theme.TruncateList("2 × Vary sy laoka", 16), "2× Vary sy laoka"},
		{"one article that is too long is cut", theme.TruncateList("2 × Vary sy laoka", 15), "2 × Vary sy la…"},
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
		tuitest.Equal(t, tt.got, tt.want, "%s", tt.name)
	}
}

func TestCutTextEndsItsColour(t *testing.T) {
	th := theme.New(coloured(), theme.Auto)
	got := theme.AlignLeft(th.Danger.Render("insufficient funds"), 8)
	tuitest.Equal(t, theme.Width(got), 8, "the width of %q", got)
	tuitest.Contains(t, got, "\x1b[0m")
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
		tuitest.Equal(t, theme.Width(theme.AlignLeft(text, width)), width, "the width of Left(%q)", text)
		tuitest.Equal(t, theme.Width(theme.AlignRight(text, width)), width, "the width of Right(%q)", text)
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

func TestABarShowsItsShare(t *testing.T) {
	plain := theme.Plain()
	tests := []struct {
		name   string
		styles theme.Theme
		share  float64
		width  int
		want   string
	}{
		{"all", plain, 1, 4, "━━━━"},
		{"nearly all is not all", plain, 0.999, 4, "━━━─"},
		{"half", plain, 0.5, 4, "━━──"},
		{"nearly nothing is something", plain, 0.001, 4, "━───"},
		{"nothing", plain, 0, 4, "────"},
		{"less than nothing", plain, -1, 4, "────"},
		{"more than all", plain, 7, 4, "━━━━"},
		{"no room", plain, 0.5, 0, ""},
		{"less than no room", plain, 0.5, -3, ""},
	}
	for _, tt := range tests {
		tuitest.Equal(t, tt.styles.Bar(tt.styles.Line, tt.share, tt.width), tt.want, "%s", tt.name)
	}
	coloured := theme.Full(theme.Auto)
	if drawn := coloured.Bar(coloured.Line, 0.5, 80); strings.Count(drawn, "\x1b") > 4 {
		t.Errorf("a bar of two parts is coloured cell by cell: %q", drawn)
	}
}

func TestTextIsWrapped(t *testing.T) {
	rows := func(text string, width int) string { return strings.Join(theme.Rows(text, width), "\n") }
	even := func(text string, width int) string { return strings.Join(theme.Even(text, width), "\n") }
	tests := []struct{ name, got, want string }{
		{"text breaks between words", theme.Wrap("scan this code", 9), "scan this\ncode"},
		{"a French mark stays with its word", theme.Wrap("Fermez till. Quitter ?", 20), "Fermez till.\nQuitter ?"},
		{"an amount stays together", theme.Wrap("give back 12 500 Ar, please", 18), "give back\n12 500 Ar, please"},
		{"a flag stays together", theme.Wrap("say why with --take-back or (--all)", 19), "say why with\n--take-back or\n(--all)"},
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
		tuitest.Equal(t, tt.got, tt.want, "%s", tt.name)
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
			tuitest.Equal(t, strings.ReplaceAll(strings.Join(rows, ""), " ", ""), letters, "%s(%q, %d): the letters", name, text, width)
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
		tuitest.Equal(t, theme.WrapLines(test.text, 12), test.want, "%q, wrapped", test.text)
	}
}

func TestTheEnvironmentDeterminesTheCharset(t *testing.T) {
	tests := []struct {
		name string
		env  []string
		want theme.Charset
	}{
		{"a locale with UTF-8", []string{"TERM=xterm", "LANG=fr_FR.UTF-8"}, theme.Unicode},
		{"another spelling of UTF-8", []string{"TERM=xterm", "LANG=mg_MG.utf8"}, theme.Unicode},
		{"a locale of another encoding draws ASCII", []string{"TERM=xterm", "LANG=fr_FR.ISO-8859-15"}, theme.ASCII},
		{"a locale without an encoding draws ASCII", []string{"TERM=xterm", "LANG=fr_FR"}, theme.ASCII},
		{"the C locale draws ASCII", []string{"TERM=xterm", "LC_ALL=C", "LANG=fr_FR.UTF-8"}, theme.ASCII},
		{"LC_CTYPE wins over LANG", []string{"TERM=xterm", "LC_CTYPE=C.UTF-8", "LANG=C"}, theme.Unicode},
		{"no locale in a modern terminal, as in a container", []string{"TERM=xterm-256color"}, theme.Unicode},
		{"no locale on an old terminal draws ASCII", []string{"TERM=vt220"}, theme.ASCII},
		{"no locale on the Linux console draws ASCII", []string{"TERM=linux"}, theme.ASCII},
		{"the Linux console with UTF-8 may lack half blocks", []string{"TERM=linux", "LANG=fr_FR.UTF-8"}, theme.Lines},
		{"an old terminal with UTF-8 may lack half blocks", []string{"TERM=vt100", "LANG=fr_FR.UTF-8"}, theme.Lines},
		{"screen names the Linux console", []string{"TERM=screen.linux", "LANG=fr_FR.UTF-8"}, theme.Lines},
		{"tmux on a virtual console", []string{"TERM=tmux-256color", "LANG=fr_FR.UTF-8", "XDG_VTNR=1"}, theme.Lines},
		{"tmux in a window", []string{"TERM=tmux-256color", "LANG=fr_FR.UTF-8", "XDG_VTNR=1", "DISPLAY=:0"}, theme.Unicode},
		{"screen over the network", []string{"TERM=screen", "LANG=fr_FR.UTF-8"}, theme.Unicode},
		{"a dumb terminal draws ASCII", []string{"TERM=dumb", "LANG=fr_FR.UTF-8"}, theme.ASCII},
	}
	for _, tt := range tests {
		tuitest.Equal(t, theme.ForTerminal(new(bytes.Buffer), from(tt.env...), theme.Auto).Charset, tt.want, "%s", tt.name)
	}
}

func TestLargeLettersInASCIIAreReverseVideo(t *testing.T) {
	th := theme.Plain()
	th.Charset, th.Colours = theme.ASCII, 16
	if got, want := th.Encode("▄█▀ é"), "#\x1b[7m \x1b[27m\x1b[7m \x1b[27m e"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestEncodeReplacesMissingCharacters(t *testing.T) {
	tests := []struct {
		name    string
		charset theme.Charset
		view    string
		want    string
	}{
		{"all of it where there is UTF-8", theme.Unicode, "✓ PAYÉ …", "✓ PAYÉ …"},
		{"letters but no signs on the console", theme.Console, "✓ PAYÉ · À VÉRIFIER █", "v PAYÉ | À VÉRIFIER █"},
		{"full blocks as blanks in reverse video", theme.Lines, "✓ ██ \x1b[1m█\x1b[0m ▅▂", "v \x1b[7m \x1b[27m\x1b[7m \x1b[27m \x1b[1m\x1b[7m \x1b[27m\x1b[0m \x1b[7m \x1b[27m_"},
		{"full blocks in reverse video", theme.Lines, "\x1b[1;7ma█\x1b[0m█", "\x1b[1;7ma\x1b[27m \x1b[7m\x1b[0m\x1b[7m \x1b[27m"},
		{"letters without accents", theme.ASCII, "À VÉRIFIER : Épicerie, çà", "A VERIFIER : Epicerie, ca"},
		{"a combined letter", theme.ASCII, "Re\u0301sultat", "Resultat"},
		{"the sign of cash", theme.Lines, "¤ ▚", "$ ▒"},
		{"the frames of cash and of an unknown result", theme.Console, "▚▞▒", "▒▒░"},
		{"these frames in ASCII", theme.ASCII, "▚▞▒", "%%."},
		{"the sign of cash, which is not that of UNKNOWN", theme.ASCII, "¤ ▚", "$ %"},
		{"signs", theme.ASCII, "✓ ✗ ◆ ◇ ● › · ↑/↓ 2 × « » ’ — Nº", `v x * o * > | ^/v 2 x " " ' - No`},
		{"a frame", theme.ASCII, "╭─╮│╯", "+-+|+"},
		{"the frame of a chosen card", theme.ASCII, "┏━┓┃┛", "#####"},
		{"a frame on the console", theme.Console, "╭─╮│╯ ┏━┓┃┛", "┌─┐│┘ ╔═╗║╝"},
		{"standing bars and a spinner", theme.ASCII, "▁▄█ ⠙", "_## /"},
		{"a character without a replacement", theme.ASCII, "漢a", "??a"},
		{"the torn edges of a receipt", theme.ASCII, "▟▙ ▜▛", `/\ \/`},
		{"the torn edges on the console", theme.Console, "▟▙ ▜▛", "▄▄ ▀▀"},
		{"bars", theme.ASCII, "━━━── ██░░", "###-- ##.."},
		{"three dots if blanks follow", theme.ASCII, "Vary…    7 000", "Vary...  7 000"},
		{"a ligature keeps its first letter", theme.ASCII, "œufs", "oufs"},
		{"one sign if no blanks follow", theme.ASCII, "Vary… 7 000", "Vary~ 7 000"},
		{"a combining mark", theme.ASCII, "0\u302ea", "0a"},
		{"each row separately", theme.ASCII, "é\n\x1b[1mab\x1b[0m\n…", "e\n\x1b[1mab\x1b[0m\n~"},
	}
	for _, tt := range tests {
		th := theme.Plain()
		th.Charset = tt.charset
		tuitest.Equal(t, th.Encode(tt.view), tt.want, "%s", tt.name)
	}
}

func FuzzWhatIsWrittenInASCIIKeepsItsPlace(f *testing.F) {
	f.Add("À VÉRIFIER … 漢 ✓")
	f.Add("e\u0301…\x1b[0m  ")
	f.Fuzz(func(t *testing.T, text string) {
		if strings.ContainsFunc(text, func(r rune) bool { return r == 0xfffd || unicode.In(r, unicode.C, unicode.Zl, unicode.Zp) }) {
			t.Skip("text reaches the screen cleaned, on one line")
		}
		th := theme.Plain()
		th.Charset = theme.ASCII
		got := th.Encode(text)
		if strings.ContainsFunc(got, func(r rune) bool { return r >= 0x80 }) {
			t.Errorf("%q is not ASCII", got)
		}
	})
}

// from returns a function that looks up variables. The variables are given as in "TERM=dumb".
func from(pairs ...string) func(string) string {
	return func(key string) string {
		for _, pair := range pairs {
			if name, value, _ := strings.Cut(pair, "="); name == key {
				return value
			}
		}
		return ""
	}
}

func TestCompactKeepsWhatATerminalShows(t *testing.T) {
	for view, want := range map[string]string{
		"plain\ntext":                           "plain\ntext",
		"\x1b[1;32ma\x1b[0m\x1b[1;32mb\x1b[0m":  "\x1b[1;32mab\x1b[0m",
		"\x1b[31m\x1b[0m\x1b[32ma\x1b[0m":       "\x1b[32ma\x1b[0m",
		"\x1b[31ma\nb\x1b[0m":                   "\x1b[31ma\x1b[0m\n\x1b[31mb\x1b[0m",
		"\x1b[32ma\x1b[m\x1b[1mb\x1b[m":         "\x1b[32ma\x1b[0m\x1b[1mb\x1b[0m",
		"a\x1b[32mb\x1b[1mc\x1b[0md":            "a\x1b[32mb\x1b[1mc\x1b[0md",
		"\x1b[32ma\x1b[0m\x1b[31mb":             "\x1b[32ma\x1b[0m\x1b[31mb\x1b[0m",
		"\x1b[7m \x1b[27mä\x1b[0m":              "\x1b[7m \x1b[27mä\x1b[0m",
		"\x1b]8;;http://a\x1b\\x\x1b]8;;\x1b\\": "\x1b]8;;http://a\x1b\\x\x1b]8;;\x1b\\",
	} {
		tuitest.Equal(t, theme.Compact(view), want, "%q", view)
	}
}
