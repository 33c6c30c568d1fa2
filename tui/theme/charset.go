package theme

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Charset is the set of characters that a terminal can draw.
type Charset int

const (
	// Unicode is UTF-8 with a font for all characters of this program.
	Unicode Charset = iota
	// Console is UTF-8 with a font that has only letters, lines and blocks, such as some fonts of
	// the Linux console.
	Console
	// Lines is like Console, but the font may lack half blocks. The Linux console draws a missing
	// character as a diamond.
	Lines
	// ASCII is for a terminal that draws only ASCII, or whose encoding is unknown.
	ASCII
)

// charset returns the terminal's character set according to the environment. Without a locale, as
// in a container, it assumes UTF-8, except for old or dumb terminals. [ForTerminal] may change
// Lines to Console.
func charset(getenv func(string) string, windows bool) Charset {
	term := getenv("TERM")
	locale := cmp.Or(getenv("LC_ALL"), getenv("LC_CTYPE"), getenv("LANG"))
	named := strings.ReplaceAll(strings.ToLower(locale), "-", "")
	old := strings.HasSuffix(term, "linux") || term == "ansi" || strings.HasPrefix(term, "vt")
	// screen and tmux may themselves run on the Linux console.
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

// ASCII reports whether the terminal can draw only ASCII.
func (t Theme) ASCII() bool { return t.Charset == ASCII }

// HalfBlocks reports whether the terminal is known to draw half blocks, such as ▀.
func (t Theme) HalfBlocks() bool { return t.Charset < Lines }

// Pairs of a character and its replacement: signs for texts, the others for box-drawing and block
// characters.
const (
	signs = "✓v✗x×x−-—-–-●*◆*◇o○o○o›>▸>→>‹<◂<←<↑^▲^↓v·|•|…~¤$«\"»\"“\"”\"’'‘'\u00a0 \u202f œoŒOæaÆAºo" +
		"⠋|⠙/⠹-⠸\\⠼|⠴/⠦-⠧\\⠇|⠏/"
	consoleBoxes = "▔─╌─╎│▚▒▞▒▒░╭┌╮┐╰└╯┘━═┃║┏╔┓╗┗╚┛╝▁▄▂▄▃▄▅█▆█▇█▟▄▙▄▜▀▛▀"
	noHalves     = "▁_▂_▃_▄█▅█▆█▇█▀█▟█▙█▜█▛█" // Used before consoleBoxes: where both replace a character, noHalves wins.
	plainBoxes   = "▔-╌-╎|▚%▞%─-━#│|┃#┏#┓#┗#┛#█#▓#▒.▀#▄#░.▁_▂_▃_▅#▆#▇#▟/▙\\▜\\▛/"
)

// Encode replaces the characters of a finished view that the terminal cannot draw, without changing
// its width. It does not change escape sequences.
func (t Theme) Encode(view string) string {
	if t.Charset == Unicode {
		return view
	}
	boxes := map[Charset]string{Console: consoleBoxes, Lines: noHalves + consoleBoxes, ASCII: plainBoxes}[t.Charset]
	blocks := t.Charset == Lines
	if t.Charset == ASCII && t.Colours > 0 { // A terminal with colours has reverse video: reverseBlocks draws █.
		blocks = true
		boxes = "██▀█" + boxes // NewReplacer uses the first pair of a character.
	}
	pairs := append([]string{"…  ", "..."}, strings.Split(signs+boxes, "")...) // "..." is two columns wider than "…", so blanks complete the pair.
	view = strings.NewReplacer(pairs...).Replace(norm.NFC.String(view))
	if t.Charset == ASCII {
		view = toASCII(view)
	}
	if blocks {
		view = reverseBlocks(view)
	}
	return view
}

// toASCII removes accents, and replaces the other characters by "+" or "?". It keeps █ for
// reverseBlocks.
func toASCII(view string) string {
	var out strings.Builder
	for _, r := range view {
		switch first := norm.NFD.String(string(r))[0]; {
		case r == '█':
			out.WriteRune(r)
		case first < 0x80:
			out.WriteByte(first)
		case unicode.Is(unicode.M, r):
			continue // Drop a combining mark without a letter.
		case r >= 0x2500 && r < 0x2580: // Corners and crossings of boxes; Encode has replaced the lines.
			out.WriteByte('+')
		default:
			out.WriteString(strings.Repeat("?", Width(string(r))))
		}
	}
	return out.String()
}

// reverseBlocks replaces full blocks by blanks in reverse video or, within reverse video, by normal
// blanks. Each escape sequence of the view must set the complete style.
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
