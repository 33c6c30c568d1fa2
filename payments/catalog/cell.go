package catalog

import (
	"strings"
	"unicode/utf8"
)

// guarded are the characters with which a spreadsheet may begin a formula, and
// the apostrophe that keeps it from doing so.
const guarded = "'=+-@\t\r\n|%＝＋－＠"

// Guard returns a text as it stands in a table, with an apostrophe before what
// a spreadsheet would take for a formula and carry out. An apostrophe that is
// there is doubled, so that [Unguard] loses nothing.
func Guard(text string) string {
	if isGuarded(text) {
		return "'" + text
	}
	return text
}

// Unguard takes back what [Guard] did. Any other text stays as it is.
func Unguard(cell string) string {
	if text, found := strings.CutPrefix(cell, "'"); found && isGuarded(text) {
		return text
	}
	return cell
}

func isGuarded(text string) bool {
	first, size := utf8.DecodeRuneInString(text)
	return size > 0 && strings.ContainsRune(guarded, first)
}
