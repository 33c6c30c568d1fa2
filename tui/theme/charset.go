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
	// Console is UTF-8 with a font that has only letters, lines and blocks, such as some
	// fonts of the Linux console.
	Console
	// Lines is like Console, but the font may lack half blocks, as Debian's default fonts do.
	// The Linux console draws a missing character as a diamond.
	Lines
	// ASCII is for a terminal that draws only ASCII, or has an unknown encoding.
	ASCII
)

// charset returns the terminal's character set. On Windows this is always Unicode. On other systems
// charset uses only environment variables, so it returns Lines where [ForTerminal] may find out
// that it is Console. The first one of LC_ALL, LC_CTYPE and LANG that is set names the encoding. If
// all are unset, as in a container, charset assumes UTF-8, except for old terminals.
func charset(getenv func(string) string, windows bool) Charset {
	term := getenv("TERM")
	locale := cmp.Or(getenv("LC_ALL"), getenv("LC_CTYPE"), getenv("LANG"))
	named := strings.ReplaceAll(strings.ToLower(locale), "-", "")
	old := strings.HasSuffix(term, "linux") || term == "ansi" || strings.HasPrefix(term, "vt")
	// inside is true if the program runs in screen or tmux, which may themselves run on the Linux
	// console.
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

// HalfBlocks reports whether the terminal is known to draw half blocks, such as ▀. If HalfBlocks
// returns false, QR codes and large letters consist only of full blocks or coloured blanks.
func (t Theme) HalfBlocks() bool { return t.Charset < Lines }

// Each constant is a list of pairs of a character and its replacement. signs is for signs in texts.
// The other constants are for box-drawing and block characters.
const (
	signs = "✓v✗x×x−-—-–-●*◆*◇o○o○o›>▸>→>‹<◂<←<↑^▲^↓v·|•|…~¤$«\"»\"“\"”\"’'‘'\u00a0 \u202f œoŒOæaÆAºo" +
		"⠋|⠙/⠹-⠸\\⠼|⠴/⠦-⠧\\⠇|⠏/"
	consoleBoxes = "▔─╌─╎│▚▒▒░╭┌╮┐╰└╯┘━═┃║┏╔┓╗┗╚┛╝▁▄▂▄▃▄▅█▆█▇█▟▄▙▄▜▀▛▀"
	noHalves     = "▁_▂_▃_▄█▅█▆█▇█▀█▟█▙█▜█▛█" // Used together with consoleBoxes; where both replace a character, noHalves wins.
	plainBoxes   = "▔-╌-╎|▚%─-━#│|┃#┏#┓#┗#┛#█#▓#▒.▀#▄#░.▁_▂_▃_▅#▆#▇#▟/▙\\▜\\▛/"
)

// Encode replaces the characters of a finished view that the terminal cannot draw. The replacement
// of a sign has the same width as the sign. For ASCII, Encode also removes accents. It does not
// change escape sequences.
func (t Theme) Encode(view string) string {
	if t.Charset == Unicode {
		return view
	}
	boxes := map[Charset]string{Console: consoleBoxes, Lines: noHalves + consoleBoxes, ASCII: plainBoxes}[t.Charset]
	blocks := t.Charset == Lines
	if t.Charset == ASCII && t.Colours > 0 { // A terminal with colours can draw reverse video: reverseBlocks draws █ as a blank in reverse video.
		blocks = true
		boxes = "██▀█" + boxes // NewReplacer uses the first pair of a character.
	}
	pairs := append([]string{"…  ", "..."}, strings.Split(signs+boxes, "")...) // "..." is two columns wider than "…", so the pair also contains two blanks.
	view = strings.NewReplacer(pairs...).Replace(norm.NFC.String(view))
	if t.Charset == ASCII {
		view = toASCII(view)
	}
	if blocks {
		view = reverseBlocks(view)
	}
	return view
}

// toASCII removes accents. It replaces the other characters that are not ASCII: box-drawing
// characters by "+", all others by one "?" for each column. It keeps █, which reverseBlocks
// replaces.
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
		case r >= 0x2500 && r < 0x2580: // The corners and crossings of boxes. Encode has replaced the lines.
			out.WriteByte('+')
		default:
			out.WriteString(strings.Repeat("?", Width(string(r))))
		}
	}
	return out.String()
}

// reverseBlocks replaces full blocks by blanks in reverse video, or by normal blanks if the text
// around is in reverse video. Each escape sequence of the view must set the complete style.
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
