package theme

import (
	"cmp"
	"strings"
	"unicode"

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
// alone.
func (t Theme) ASCII() bool { return t.Charset == ASCII }

// Pairs of a character and what stands in its place: the signs of texts, which no
// letter of ASCII is like, and what pictures are made of.
const (
	signs = "✓v✗x×x−-—-–-●*◆*◇o○o○o›>▸>→>‹<◂<←<↑^↓v·|•|…~«\"»\"“\"”\"’'‘'\u00a0 \u202f œoŒOæaÆAºo" +
		"⠋|⠙/⠹-⠸\\⠼|⠴/⠦-⠧\\⠇|⠏/"
	consoleBoxes = "╭┌╮┐╰└╯┘━═┃║┏╔┓╗┗╚┛╝▁▄▂▄▃▄▅█▆█▇█"
	plainBoxes   = "─-━#│|┃#┏#┓#┗#┛#█#▓#▒#▀#▄#░.▁_▂_▃_▅#▆#▇#"
)

// Encode writes a finished view with what the terminal can draw: the accents of
// its texts go, and a sign becomes one that takes as many columns. Escape sequences
// are ASCII, and left alone.
func (t Theme) Encode(view string) string {
	if t.Charset == Unicode {
		return view
	}
	boxes := plainBoxes
	if t.Charset == Console {
		boxes = consoleBoxes
	}
	pairs := append([]string{"…  ", "..."}, strings.Split(signs+boxes, "")...) // Three dots where there is room.
	plain := strings.NewReplacer(pairs...).Replace(norm.NFC.String(view))
	if t.Charset == Console {
		return plain
	}
	var out strings.Builder
	for _, r := range plain {
		switch first := norm.NFD.String(string(r))[0]; {
		case first < 0x80:
			out.WriteByte(first)
		case unicode.Is(unicode.M, r): // An accent alone.
		case r >= 0x2500 && r < 0x2580: // A corner.
			out.WriteByte('+')
		default:
			out.WriteString(strings.Repeat("?", Width(string(r))))
		}
	}
	return out.String()
}
