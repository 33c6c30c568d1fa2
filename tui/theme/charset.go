package theme

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Charset is what a terminal can draw.
type Charset int

const (
	// Unicode is a terminal that reads UTF-8 and has a font for our signs.
	Unicode Charset = iota
	// Console reads UTF-8, but its font has only letters, lines and blocks, as
	// some fonts of the Linux console.
	Console
	// Lines is a Console without known half blocks. Debian's default fonts lack them,
	// and a missing character is drawn as a diamond.
	Lines
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
	old := strings.HasSuffix(term, "linux") || term == "ansi" || strings.HasPrefix(term, "vt")
	// A screen or tmux that was started on the Linux console.
	inside := strings.HasPrefix(term, "screen") || strings.HasPrefix(term, "tmux")
	virtual := getenv("XDG_VTNR") != "" && getenv("DISPLAY")+getenv("WAYLAND_DISPLAY") == ""
	switch {
	case windows:
		return Unicode
	case term == "dumb", locale == "" && old, locale != "" && !strings.Contains(named, "utf8"):
		return ASCII
	case old, inside && virtual:
		return Lines
	}
	return Unicode
}

// ASCII tells whether nothing but ASCII may be drawn.
func (t Theme) ASCII() bool { return t.Charset == ASCII }

// HalfBlocks reports whether the terminal is known to draw half blocks. Otherwise a
// QR code and large letters are drawn with blanks on a ground.
func (t Theme) HalfBlocks() bool { return t.Charset < Lines }

// Pairs of a character and what stands in its place: the signs of texts, which no
// letter of ASCII is like, and what pictures are made of.
const (
	signs = "✓v✗x×x−-—-–-●*◆*◇o○o○o›>▸>→>‹<◂<←<↑^↓v·|•|…~«\"»\"“\"”\"’'‘'\u00a0 \u202f œoŒOæaÆAºo" +
		"⠋|⠙/⠹-⠸\\⠼|⠴/⠦-⠧\\⠇|⠏/"
	consoleBoxes = "╭┌╮┐╰└╯┘━═┃║┏╔┓╗┗╚┛╝▁▄▂▄▃▄▅█▆█▇█"
	noHalves     = "▁_▂_▃_▄█▅█▆█▇█▀█" // Before consoleBoxes.
	plainBoxes   = "─-━#│|┃#┏#┓#┗#┛#█#▓#▒#▀#▄#░.▁_▂_▃_▅#▆#▇#"
)

// Encode writes a finished view with what the terminal can draw: the accents of
// its texts go, and a sign becomes one that takes as many columns. Escape sequences
// are ASCII, and left alone.
func (t Theme) Encode(view string) string {
	if t.Charset == Unicode {
		return view
	}
	boxes := map[Charset]string{Console: consoleBoxes, Lines: noHalves + consoleBoxes, ASCII: plainBoxes}[t.Charset]
	pairs := append([]string{"…  ", "..."}, strings.Split(signs+boxes, "")...) // Three dots where there is room.
	plain := strings.NewReplacer(pairs...).Replace(norm.NFC.String(view))
	switch t.Charset {
	case Console:
		return plain
	case Lines:
		return reverseBlocks(plain)
	}
	var out strings.Builder
	for _, r := range plain {
		switch first := norm.NFD.String(string(r))[0]; {
		case first < 0x80:
			out.WriteByte(first)
		case unicode.Is(unicode.M, r):
			continue // An accent without a letter.
		case r >= 0x2500 && r < 0x2580: // A corner.
			out.WriteByte('+')
		default:
			out.WriteString(strings.Repeat("?", Width(string(r))))
		}
	}
	return out.String()
}

// reverseBlocks draws full blocks as blanks in reverse video, also within text in
// reverse video. It relies on this: each sequence of a view sets the whole style.
func reverseBlocks(view string) string {
	var out strings.Builder
	blank := "\x1b[7m \x1b[27m"
	for i, part := range strings.Split(view, "\x1b[") {
		if i > 0 {
			out.WriteString("\x1b[")
			blank = "\x1b[7m \x1b[27m"
			if codes, _, _ := strings.Cut(part, "m"); slices.Contains(strings.Split(codes, ";"), "7") {
				blank = "\x1b[27m \x1b[7m"
			}
		}
		out.WriteString(strings.ReplaceAll(part, "█", blank))
	}
	return out.String()
}
