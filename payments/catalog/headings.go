package catalog

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"checkout/till/payments"
)

// column is what a column of a table holds. The order is that of a table without
// headings.
type column int

const (
	label column = iota
	price
	code
	favourite
	columnCount
)

// String returns the heading that [Write] writes.
func (c column) String() string {
	return [...]string{"label", "unit_price", "code", "favourite"}[c]
}

// names returns the headings of a column as [fold] writes them, the best first: in
// English, French and Malagasy, and as other programs export them. Buying prices and
// prices without tax are in no list, so that they are never taken for the price.
func (c column) names() []string {
	return [...][]string{{
		"label", "libelle", "designation", "item name", "product name", "name", "nom", "nom de l article", "nom du produit",
		"anarana", "anaran ny entana", "intitule", "article", "produit", "product", "item", "entana", "title", "description",
	}, {
		"unit price", "prix de vente ttc", "prix vente ttc", "prix unitaire ttc", "prix ttc", "pv ttc", "pu ttc", "tarif ttc",
		"regular price", "selling price", "sale price", "sales price", "sell price", "pricesell", "retail price",
		"prix de vente", "prix vente", "prix public", "pv", "vidin ny fivarotana", "prix unitaire", "pu", "vidin ny iray",
		"default price", "variant price", "price", "prix", "tarif", "vidiny", "vidy", "list price",
	}, {
		"barcode", "bar code", "code barres", "code barre", "code a barres", "codes barres", "ean", "ean13", "ean 13", "gtin",
		"gtin upc ean or isbn", "item barcode", "variant barcode", "upc", "gencod", "gencode", "kaody bara", "code", "kaody", "code article", "item code", "product code",
	}, {
		"favourite", "favorite", "favori", "favoris", "tiana",
	}}[c]
}

// HeadingsError says that the headings of a table do not name a column that every
// article needs.
type HeadingsError struct {
	Column string // As [Write] calls it.
	Found  string // The headings of the table.
}

// Error names the headings and what to do.
func (e *HeadingsError) Error() string {
	return fmt.Sprintf("no heading names the column %s; the file has %s. Rename the right heading", e.Column, e.Found)
}

// headings says which columns of a table hold what.
type headings struct {
	line []string         // As the table has it; nil where it has none.
	at   [columnCount]int // -1 where a column is missing.
}

// readHeadings reads the first line of a table. Unless two of its cells are known
// headings, or its second cell has neither a figure nor is blank, the table has none.
// A heading that stands twice names no column.
func readHeadings(first []string) (headings, error) {
	h := headings{line: first}
	folded, found := make([]string, len(first)), make([]string, len(first))
	for i, heading := range first {
		folded[i], found[i] = fold(heading), strconv.Quote(payments.Clean(heading, payments.MaxLabelWidth))
	}
	known := 0
	for c := range columnCount {
		h.at[c] = -1
		for _, name := range c.names() {
			at := slices.Index(folded, name)
			if at >= 0 && !slices.Contains(folded[at+1:], name) {
				h.at[c] = at
				known++
				break
			}
		}
	}
	if known < 2 && (len(first) < 2 || strings.TrimSpace(first[price]) == "" || strings.ContainsFunc(first[price], unicode.IsDigit)) {
		return headings{at: [...]int{0, 1, 2, 3}}, nil
	}
	for _, c := range []column{label, price} {
		if h.at[c] < 0 {
			return h, &HeadingsError{c.String(), strings.Join(found, ", ")}
		}
	}
	return h, nil
}

// name returns the heading of a column, or its number in a table without headings.
func (h headings) name(c column) string {
	if at := h.at[c]; at >= 0 && at < len(h.line) {
		return payments.Clean(h.line[at], payments.MaxLabelWidth)
	}
	return strconv.Itoa(h.at[c] + 1)
}

// aside matches what other programs add to a heading: the name of a shop or a field,
// or the currency.
var aside = regexp.MustCompile(`\[[^\]]*\]|\(\w+\.\w+\)|(?i)\b(ar|mga|ariary)\b`)

// fold returns a heading in lower case, without accents, signs and what other
// programs add.
func fold(heading string) string {
	plain := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsMark(r):
			return -1
		case unicode.IsLetter(r), unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return ' '
	}, norm.NFKD.String(aside.ReplaceAllString(heading, " ")))
	return strings.Join(strings.Fields(plain), " ")
}
