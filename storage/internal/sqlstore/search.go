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

// searchText is what an order's terms are found by, folded. It is written once
// with the order. The order reference comes later and is not in it.
func searchText(order payments.Order) string {
	text := fold(order.Reference) + "\n" + fold(order.Description)
	for _, item := range order.Items {
		// A description that was made from the items names them already.
		if label := fold(item.Label); !strings.Contains(text, label) {
			text += "\n" + label
		}
	}
	return text
}

// searchCondition returns the condition that an order's text contains the text
// searched for, whose pattern is the parameter. It is all that search knows of
// the database.
func searchCondition(parameter string) string {
	return `(search LIKE ` + parameter + ` ESCAPE '\' OR lower(order_reference) LIKE ` + parameter + ` ESCAPE '\')`
}

// searchPattern is the value of searchCondition's parameter.
func searchPattern(text string) string {
	text = fold(text)
	if utf8.RuneCountInString(text) > maxSearch {
		text = string([]rune(text)[:maxSearch])
	}
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
