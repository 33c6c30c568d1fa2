package catalog

import (
	"bytes"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ErrEncoding says that nobody can tell which characters a file has.
var ErrEncoding = errors.New("the file is not in UTF-8: save it anew as \"CSV UTF-8\"")

// decode returns the text of a file, without the mark at its beginning, and
// whether it was in Windows-1252. That is taken for certain when every
// character beyond ASCII is one that French or Malagasy needs, where it needs
// it: other old encodings then give signs of other kinds.
func decode(file []byte) (text string, old bool, err error) {
	file = bytes.TrimPrefix(file, []byte("\ufeff"))
	switch {
	case bytes.ContainsRune(file, 0):
		return "", false, ErrEncoding
	case utf8.Valid(file):
		return string(file), false, nil
	}
	runes := make([]rune, len(file))
	for i, b := range file {
		runes[i] = fromWindows(b)
	}
	for i, r := range runes {
		if r >= utf8.RuneSelf && !certain(r, at(runes, i-1), at(runes, i+1)) {
			return "", false, ErrEncoding
		}
	}
	return string(runes), true, nil
}

func at(runes []rune, i int) rune {
	if i < 0 || i >= len(runes) {
		return ' '
	}
	return runes[i]
}

// fromWindows returns the character of a byte in Windows-1252, and U+FFFD for
// those that are of no use here.
func fromWindows(b byte) rune {
	switch {
	case b == 0x92:
		return '’'
	case b == 0x9c:
		return 'œ'
	case b >= utf8.RuneSelf && b < 0xa0:
		return utf8.RuneError
	}
	return rune(b)
}

// certain tells whether a character between two others is no other encoding's.
func certain(r, before, after rune) bool {
	switch {
	case r == '’' || r == 'œ':
		return unicode.IsLetter(before) && unicode.IsLetter(after)
	case strings.ContainsRune("àâçèéêëîïôùûü", r):
		return r == 'à' || unicode.IsLetter(before) || unicode.IsLetter(after)
	case strings.ContainsRune("ÀÂÇÈÉÊÎÔ", r):
		return unicode.IsLetter(after) && !unicode.IsLower(before) || unicode.IsUpper(before)
	}
	return strings.ContainsRune("\u00a0«»°", r)
}
