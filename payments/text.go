package payments

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxMarks is how many combining marks stay on one base character. Malagasy
// and French need one; more are used to draw over neighbouring lines.
const maxMarks = 4

// emojiStyle is the selector that makes a character an emoji. Terminals then
// give it two columns, so that the selector counts for one.
const emojiStyle = '\ufe0f'

// ellipsis ends a text that was cut. It is one column wide.
const ellipsis = "…"

// Clean makes text from outside safe to store, print and draw: valid UTF-8,
// without control, format, bidirectional, private-use, unassigned and other
// invisible characters, line and paragraph separators as blanks, runs of blanks folded
// to one, at most four combining marks on a base, and cut with an ellipsis to
// maxWidth terminal columns. A maxWidth below 1 gives the empty text. Clean is
// idempotent.
func Clean(text string, maxWidth int) string {
	// Most texts are clean already: printable ASCII with no blank too many.
	ascii := !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' })
	if ascii && len(text) <= maxWidth && !strings.Contains(text, "  ") && strings.TrimSpace(text) == text {
		return text
	}
	var kept strings.Builder
	blank, marks := false, 0
	for _, r := range strings.ToValidUTF8(text, "\ufffd") {
		switch {
		case unicode.IsSpace(r):
			blank = true
			continue
		case !unicode.IsPrint(r), unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r):
			continue
		case unicode.IsMark(r):
			marks++
			if marks > maxMarks || kept.Len() == 0 || blank {
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

// cut shortens cleaned text to a width and marks that something is missing.
func cut(text string, maxWidth int) string {
	width, end := 0, 0
	for i, r := range text {
		width += runeWidth(r)
		if width > maxWidth {
			if maxWidth < 1 {
				return ""
			}
			return strings.TrimRight(text[:end], " ") + ellipsis
		}
		if width < maxWidth {
			end = i + utf8.RuneLen(r)
		}
	}
	return text
}

// runeWidth is the number of terminal columns of a printable character: none
// for a mark that takes no room, two for East Asian wide characters and emoji.
// It may say two where a terminal draws one; it never says less than a
// terminal draws.
func runeWidth(r rune) int {
	switch {
	case r == emojiStyle:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case r < 0x1100:
		return 1
	case r <= 0x115f, r >= 0x2600 && r <= 0x27bf, r >= 0x2e80 && r <= 0xd7a3,
		r >= 0xf900 && r <= 0xfaff, r >= 0xfe10 && r <= 0xfe6f,
		r >= 0xff00 && r <= 0xff60, r >= 0xffe0 && r <= 0xffe6, r >= 0x16fe0:
		return 2
	case r >= 0x231a && r <= 0x23ff, r >= 0x25fd && r <= 0x25fe, r >= 0x2b1b && r <= 0x2b55:
		return 2
	}
	return 1
}
