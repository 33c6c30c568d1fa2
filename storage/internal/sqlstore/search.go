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

// searchPattern returns a query's text, folded and truncated.
func searchPattern(text string) string {
	text = fold(text)
	if utf8.RuneCountInString(text) > maxSearch {
		text = string([]rune(text)[:maxSearch])
	}
	return text
}

// searchText is the content of an order's column search: its terms and its order
// reference, folded.
func searchText(o payments.Order) string {
	text := fold(o.Reference) + "\n" + fold(o.Description)
	for _, item := range o.Items {
		// A description that was made from the items names them already.
		if label := fold(item.Label); !strings.Contains(text, label) {
			text += "\n" + label
		}
	}
	return text + lateText(o.OrderReference)
}

// lateText is the part of searchText that is known after the order call.
func lateText(orderReference string) string {
	if orderReference == "" {
		return ""
	}
	return "\n" + fold(orderReference)
}

// fold normalizes a text for searching: NFKD without combining marks, in lower
// case, every white space as a blank, nothing that is not printable.
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
