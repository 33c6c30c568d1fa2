package storagetest

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// HostileText is a text that can harm a terminal, a log or a reader, and the same text cleaned by
// [clean.Text].
type HostileText struct{ Name, Raw, Clean string }

// HostileTexts returns the texts that tests pass to every place where text comes from outside.
func HostileTexts() []HostileText {
	return []HostileText{
		{"NUL", "a\x00b", "ab"},
		{"bell", "a\ab", "ab"},
		{"backspaces that rub out a word", "NOT PAID\b\b\b\b\b\b\b\bPAID", "NOT PAIDPAID"},
		{"a carriage return that draws over a line", "1 500 Ar\rPAID", "1 500 Ar PAID"},
		{"line breaks", "a\n\nPAID\n", "a PAID"},
		{"tabs", "a\t\tb", "a b"},
		{"vertical tab and form feed", "a\vb\fc", "a b c"},
		{"shift out and shift in", "a\x0eb\x0fc", "abc"},
		{"delete", "a\x7fb", "ab"},
		{"colours", "\x1b[32mPAID\x1b[0m", "[32mPAID[0m"},
		{"clearing the screen", "\x1b[2J\x1b[HPAID", "[2J[HPAID"},
		{"moving the cursor", "a\x1b[1A\x1b[9Db", "a[1A[9Db"},
		{"OSC 0, the window's title", "\x1b]0;owned\a", "]0;owned"},
		{"OSC 52, the clipboard", "\x1b]52;c;cm0gLXJm\x1b\\", `]52;c;cm0gLXJm\`},
		{"OSC 8, a link", "\x1b]8;;https://evil.example\x1b\\pay\x1b]8;;\x1b\\", `]8;;https://evil.example\pay]8;;\`},
		{"DCS, a query of the terminal", "\x1bP+q544e\x1b\\", `P+q544e\`},
		{"APC and PM", "\x1b_x\x1b\\\x1b^y\x1b\\", `_x\^y\`},
		{"C1 as UTF-8", "a\u009b31mb\u009d0;x\u009c\u0090", "a31mb0;x"},
		{"C1 as a raw byte", "a\x9b31mb", "a\ufffd31mb"},
		{"next line", "a\u0085b", "a b"},
		{"bidirectional overrides", "amount \u202e0051\u202c", "amount 0051"},
		{"bidirectional isolates and marks", "\u2066a\u2067b\u2068c\u2069\u200e\u200f\u061c", "abc"},
		{"zero-width characters", "P\u200bA\u200cI\u200dD\u2060", "PAID"},
		{"byte order mark and soft hyphen", "\ufeffPA\u00adID", "PAID"},
		{"tag characters", "PAID\U000e0041\U000e007f", "PAID"},
		{"line and paragraph separators", "a\u2028b\u2029c", "a b c"},
		{"private use", "\ue000a\uf8ff\U000f0000\U0010fffd", "a"},
		{"a flood of combining marks", "e" + strings.Repeat("\u0301", 500) + "x", "e" + strings.Repeat("\u0301", 4) + "x"},
		{"broken UTF-8", "caf\xe9 \xc0\xaf\xed\xa0\x80\xf8", "caf\ufffd \ufffd"},
		{"invisible letters and characters that are none", "a\u3164\u115f\u034f\u2065\u0378\uffffb", "ab"},
	}
}

// Harm describes the first part of a text that must not be shown, or returns "" for a clean text.
func Harm(text string) string {
	if !utf8.ValidString(text) {
		return "broken UTF-8"
	}
	marks := 0
	for _, r := range text {
		switch {
		case r < 0x20, r >= 0x7f && r <= 0x9f:
			return fmt.Sprintf("the control character %U", r)
		case unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co, unicode.Cs):
			return fmt.Sprintf("%U", r)
		case unicode.IsMark(r):
			if marks++; marks > 4 {
				return "a flood of marks"
			}
		default:
			marks = 0
		}
	}
	return ""
}
