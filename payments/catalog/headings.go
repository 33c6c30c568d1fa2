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
	"checkout/till/payments/clean"
)

// column is a column of the table. The constants have the order of a table without headings.
type column int

const (
	label column = iota
	price
	code
	favourite
	unit
	columnCount
)

// String returns the heading of the column in English.
func (c column) String() string {
	return [...]string{"label", "unit_price", "code", "favourite", "unit"}[c]
}

// names returns the known headings of a column in the form of [Fold], the preferred one first. They
// are English, French or Malagasy, or come from the exports of other programs. Headings of purchase
// prices and of prices without tax are not in the list, so that these prices are never imported.
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
	}, {
		"unit", "unite", "u", "unite de vente", "unit of measure", "refim bidy", "refy",
	}}[c]
}

// HeadingsError says that no heading of a table names a required column.
type HeadingsError struct {
	Column string // Name of the missing column, in English.
	Found  string // The headings of the table, cleaned by [clean.Text].
}

func (e *HeadingsError) Error() string {
	return fmt.Sprintf("no heading names the column %s; the file has %s. Rename the right heading", e.Column, e.Found)
}

type headings struct {
	line []string         // The line with the headings; nil if the table has none.
	at   [columnCount]int // Index of each column; -1 if it is missing.
}

// readHeadings finds the columns of a table by its first line. Without headings, the columns have
// the default order.
func readHeadings(first []string) (headings, error) {
	h := headings{line: first}
	known := 0
	for c := range columnCount {
		if h.at[c] = Column(first, c.names()...); h.at[c] >= 0 {
			known++
		}
	}
	if known < 2 && (len(first) < 2 || strings.TrimSpace(first[price]) == "" || strings.ContainsFunc(first[price], unicode.IsDigit)) {
		return headings{at: [...]int{0, 1, 2, 3, 4}}, nil
	}
	for _, c := range []column{label, price} {
		if h.at[c] < 0 {
			return h, &HeadingsError{c.String(), clean.Text(strings.Join(first, ", "), payments.MaxShownWidth)}
		}
	}
	return h, nil
}

// Column returns the index of the heading that matches one of the names, or -1. It prefers earlier
// names, and skips a name that matches two headings. Names must be in lower case, without accents
// and punctuation.
func Column(headings []string, names ...string) int {
	folded := make([]string, len(headings))
	for i, heading := range headings {
		folded[i] = Fold(heading)
	}
	for _, name := range names {
		at := slices.Index(folded, name)
		if at >= 0 && !slices.Contains(folded[at+1:], name) {
			return at
		}
	}
	return -1
}

func (h headings) name(c column) string {
	if at := h.at[c]; at >= 0 && at < len(h.line) {
		return clean.Text(h.line[at], payments.MaxLabelWidth)
	}
	return strconv.Itoa(h.at[c] + 1)
}

var (
	marks = regexp.MustCompile(`\pM`)
	// aside matches the parts of a heading that [Fold] ignores.
	aside = regexp.MustCompile(`[^\pL\pN]*(\[[^\]]*\]|\(\w+\.\w+\)|\b(?i:ar|mga|ariary)\b)|[^\pL\pN]+`)
)

// Fold returns a heading or another word in lower case, without accents and punctuation, so that
// different spellings become equal. It also removes the name of the currency, text in square
// brackets, and a field name such as (product.price).
func Fold(heading string) string {
	plain := marks.ReplaceAllString(norm.NFKD.String(heading), "")
	return strings.ToLower(strings.TrimSpace(aside.ReplaceAllString(plain, " ")))
}
