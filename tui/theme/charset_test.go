package theme_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode"

	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
)

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
