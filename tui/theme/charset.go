package theme

import (
	"cmp"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/text/unicode/norm"
)

// Charset is what a terminal can draw.
type Charset int

const (
	// Unicode is a terminal that reads UTF-8 and has a font for our signs.
	Unicode Charset = iota
	// Console reads UTF-8, but its font has letters and blocks alone, as that
	// of the Linux console.
	Console
	// ASCII reads no UTF-8, or nobody knows what.
	ASCII
)

// charset finds out what the terminal can draw, from the environment alone:
// the first of LC_ALL, LC_CTYPE and LANG that is set says so. Where none is,
// as in a container, only an old terminal is taken for one without UTF-8.
func charset(getenv func(string) string, windows bool) Charset {
	term := getenv("TERM")
	locale := cmp.Or(getenv("LC_ALL"), getenv("LC_CTYPE"), getenv("LANG"))
	named := strings.ReplaceAll(strings.ToLower(locale), "-", "")
	old := term == "linux" || term == "ansi" || strings.HasPrefix(term, "vt")
	switch {
	case windows:
		return Unicode
	case term == "dumb", locale == "" && old, locale != "" && !strings.Contains(named, "utf8"):
		return ASCII
	case term == "linux":
		return Console
	}
	return Unicode
}

// ASCII tells whether nothing but ASCII may be drawn: a QR code with blanks
// alone, and no large figures.
func (t Theme) ASCII() bool { return t.Charset == ASCII }

// Encode writes a view of width columns with what the terminal can draw. Every
// sign becomes one that takes as many columns, so that nothing is moved; only
// where blanks follow may it take more. Escape sequences survive.
func (t Theme) Encode(view string, width int) string {
	if t.Charset == Unicode || ascii(view) {
		return view
	}
	lines := strings.Split(view, "\n")
	for i, line := range lines {
		switch {
		case ascii(line):
		case t.Charset == Console:
			lines[i] = strings.Map(plainSign, line)
		default:
			lines[i] = encode(line, width)
		}
	}
	return strings.Join(lines, "\n")
}

func ascii(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r >= 0x80 })
}

// encode writes a line in ASCII.
func encode(line string, width int) string {
	var out strings.Builder
	seen, state := "", ansi.NormalState
	// What belongs together is taken together: a letter and its accents, or the
	// parts of an escape sequence.
	for rest := norm.NFC.String(line); rest != ""; {
		part, _, size, next := ansi.DecodeSequence(rest, state, nil)
		before := seen
		seen, rest, state = seen+part, rest[size:], next
		if ascii(part) {
			out.WriteString(part)
			continue
		}
		// A sign's columns are those that the text has more for it: one that
		// joins with the letter before it has none.
		columns := max(0, Width(seen)-Width(before))
		if long := longSign([]rune(part)[0]); long != "" && columns == 1 {
			tail, fits := makeRoom(rest, len(long)-1, width-Width(out.String())-1)
			if fits {
				out.WriteString(long)
				rest = tail
				continue
			}
		}
		out.WriteString(short(part, columns))
	}
	return out.String()
}

// makeRoom takes columns away from the blanks that a text begins with, one of
// which stays, or from those that it ends with when it is nothing else. room is
// how many columns there are for the text.
func makeRoom(text string, columns, room int) (rest string, fits bool) {
	if strings.HasPrefix(text, strings.Repeat(" ", columns+1)) {
		return text[columns:], true
	}
	if strings.TrimSpace(ansi.Strip(text)) != "" {
		return text, false
	}
	for columns > room-Width(text) && strings.HasSuffix(text, " ") {
		text = text[:len(text)-1]
	}
	return text, columns <= room-Width(text)
}

// longSign is how a sign is written where there is room; empty when it takes
// none.
func longSign(r rune) string {
	switch r {
	case '…':
		return "..."
	case 'œ':
		return "oe"
	case 'Œ':
		return "OE"
	case 'æ':
		return "ae"
	case 'Æ':
		return "AE"
	}
	return ""
}

// short is how a character is written in its own columns.
func short(character string, columns int) string {
	var plain strings.Builder
	for _, r := range character {
		if sign := letter(r); plain.Len()+len(sign) <= columns {
			plain.WriteString(sign)
		}
	}
	return plain.String() + strings.Repeat("?", columns-plain.Len())
}

// letter is a sign's place in ASCII: its letter without the accents, or nothing
// for what has none.
func letter(r rune) string {
	if plain := plainSign(r); plain < 0x80 {
		return string(plain)
	}
	switch r {
	case '…':
		return "~"
	case '«', '»', '“', '”':
		return `"`
	case '’', '‘':
		return "'"
	case '—', '–':
		return "-"
	case '\u00a0', '\u202f':
		return " "
	case '█', '▓', '▒', '▀', '▄':
		return "#"
	case '░':
		return "."
	case '─', '═':
		return "-"
	case '│', '║':
		return "|"
	case 'œ', 'Œ', 'æ', 'Æ':
		return longSign(r)[:1]
	}
	if r >= 0x2500 && r < 0x2580 {
		return "+" // The corners of a frame.
	}
	for _, part := range norm.NFD.String(string(r)) {
		if part < 0x80 {
			return string(part)
		}
	}
	return ""
}

// plainSign gives the sign of ASCII that stands for one of ours, and any other
// character as it is.
func plainSign(r rune) rune {
	switch r {
	case '✓':
		return 'v'
	case '✗', '×':
		return 'x'
	case '●', '◆':
		return '*'
	case '◇', '○':
		return 'o'
	case '›', '▸', '→':
		return '>'
	case '‹', '◂', '←':
		return '<'
	case '↑':
		return '^'
	case '↓':
		return 'v'
	case '·', '•':
		return '|'
	}
	return r
}
