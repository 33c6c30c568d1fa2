// Package clean makes text from outside safe to store, print and draw.
package clean

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text makes text from outside safe to store, print and draw. It replaces invalid UTF-8, and
// removes control and other invisible characters. It trims white space and makes each run of it one
// blank. It keeps at most four combining marks of a character. It cuts the text to maxWidth
// terminal columns with an ellipsis. If maxWidth is below 1, the result is empty. Text is
// idempotent.
func Text(text string, maxWidth int) string {
	if isPlain(text) {
		return cut(text, maxWidth)
	}
	var kept strings.Builder
	blank := false // Whether white space came after the last kept character.
	marks := 0     // Number of combining marks since the last base character.
	for _, r := range strings.ToValidUTF8(text, "\ufffd") {
		switch {
		case r > ' ' && r <= '~': // Most characters match here and skip the slower checks below.
			marks = 0
		case unicode.IsSpace(r):
			blank = true
			continue
		case !unicode.IsPrint(r), unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r):
			continue
		case unicode.IsMark(r):
			marks++ // Malagasy and French need one mark; a long run of marks would cover other lines.
			if marks > 4 || kept.Len() == 0 || blank {
				continue
			}
		default:
			marks = 0
		}
		if blank && kept.Len() > 0 {
			kept.WriteByte(' ')
		}
		blank = false
		kept.WriteRune(r)
	}
	return cut(kept.String(), maxWidth)
}

func isPlain(text string) bool {
	former := byte(' ')
	for _, char := range []byte(text) {
		if char < ' ' || char > '~' || char == ' ' && former == ' ' {
			return false
		}
		former = char
	}
	return former != ' ' || text == ""
}

func cut(text string, maxWidth int) string {
	if len(text) <= maxWidth { // A character has at least as many bytes as columns.
		return text
	}
	width, end := 0, 0 // end is the last byte offset at which the ellipsis fits.
	for i, r := range text {
		width += runeWidth(r)
		if width > maxWidth {
			if maxWidth < 1 {
				return ""
			}
			return strings.TrimRight(text[:end], " ") + "…"
		}
		if width < maxWidth {
			end = i + utf8.RuneLen(r)
		}
	}
	return text
}

// runeWidth returns the terminal columns of a printable character: 0 for most combining marks, 2
// for an emoji or a wide East Asian character. It may return more than a terminal uses, but not
// less.
func runeWidth(r rune) int {
	switch {
	case r == '\ufe0f':
		return 1 // U+FE0F makes the character before it an emoji, which is one column wider.
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case r < 0x1100:
		return 1
	case r <= 0x115f, r >= 0x231a && r <= 0x23ff, r >= 0x25fd && r <= 0x25fe, r >= 0x2600 && r <= 0x27bf,
		r >= 0x2b1b && r <= 0x2b55, r >= 0x2e80 && r <= 0xd7a3, r >= 0xf900 && r <= 0xfaff, r >= 0xfe10 && r <= 0xfe6f,
		r >= 0xff00 && r <= 0xff60, r >= 0xffe0 && r <= 0xffe6, r >= 0x16fe0:
		return 2
	}
	return 1
}
