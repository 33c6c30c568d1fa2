package sqlstore

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"checkout/till/payments"
)

// maxSearch bounds a text that is searched for, in characters. A longer one is
// cut: databases limit the length of a pattern.
const maxSearch = 1000

// searchText is what an order is found by, folded: its terms, and its order
// reference once that is known.
func searchText(order payments.Order) string {
	text := fold(order.Reference) + "\n" + fold(order.Description)
	for _, item := range order.Items {
		// A description that was made from the items names them already.
		if label := fold(item.Label); !strings.Contains(text, label) {
			text += "\n" + label
		}
	}
	return text + lateText(order.OrderReference)
}

// lateText is the part of searchText that follows the terms.
func lateText(orderReference string) string {
	if orderReference == "" {
		return ""
	}
	return "\n" + fold(orderReference)
}

// searched is a text that is searched for, folded and cut.
func searched(text string) string {
	text = fold(text)
	if utf8.RuneCountInString(text) > maxSearch {
		text = string([]rune(text)[:maxSearch])
	}
	return text
}

// searchPattern is the pattern of a folded text for LIKE.
func searchPattern(text string) string {
	return `%` + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text) + `%`
}

// fold makes texts comparable that people take for the same: lower case,
// without accents, ligatures and wide forms taken apart, blanks as blanks, and
// nothing that cannot be seen.
func fold(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsMark(r), !unicode.IsPrint(r):
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(strings.ToValidUTF8(text, "")))
}
