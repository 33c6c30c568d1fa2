// Package catalog reads and writes the shop's articles as a table in a text
// file (CSV), as spreadsheets keep them.
//
// It guarantees that what [Write] wrote is read back by [Read] as it was, that
// no cell it writes is carried out as a formula, and that every line which
// cannot be used is named with its number and why.
//
// # The format
//
// A line is an article: label, unit price, code, and a favourite's place. A
// line of headings may stand above; then the columns may stand in any order,
// and those with other headings are left out. Commas, semicolons and tabs part
// the cells. The code and the place may be missing or blank: then an article
// that is in the catalogue keeps what it has. The place 0 takes it away. [Write]
// writes the column of places when an article has one.
package catalog

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"checkout/till/payments"
)

// MaxFile bounds a table, in bytes.
const MaxFile = 8 << 20

var (
	// ErrTooLarge says that a file is larger than MaxFile.
	ErrTooLarge = errors.New("the file is larger than 8 MiB")
	// ErrEmpty says that a file holds no line.
	ErrEmpty = errors.New("the file holds no articles")
	// ErrNoPriceColumn says that no heading names the labels or the prices.
	ErrNoPriceColumn = errors.New("the headings name no label or no price: call the columns label,unit_price,code")
	// ErrTwoColumns says that two headings name the same.
	ErrTwoColumns = errors.New("two headings name the same")
)

// Row is a line that can be used.
type Row struct {
	Line      int // The first is 1.
	Article   payments.Article
	Favourite bool // Whether the line says something of the favourite's place.
}

// Fault is a line that cannot be used.
type Fault struct {
	Line    int    `json:"line"`    // The first is 1.
	Text    string `json:"text"`    // What is wrong, cleaned; blank where that is missing.
	Problem string `json:"problem"` // Why, and what to do.
}

// Error names the line, what is wrong there and why.
func (f Fault) Error() string {
	if f.Text == "" {
		return fmt.Sprintf("line %d: %s", f.Line, f.Problem)
	}
	return fmt.Sprintf("line %d: %q: %s", f.Line, f.Text, f.Problem)
}

// Table is what was read.
type Table struct {
	Rows        []Row
	Faults      []Fault
	Windows1252 bool // The file was not in UTF-8, but in this.
}

// Read reads a table of articles. A line that cannot be used is a fault and no
// error. The errors are [ErrEncoding], [ErrTooLarge], [ErrEmpty],
// [ErrNoPriceColumn], [ErrTwoColumns], and those of the reader.
func Read(from io.Reader) (Table, error) {
	lines, old, err := ReadCSV(from)
	if err != nil {
		return Table{}, err
	}
	if len(lines) == 0 {
		return Table{}, ErrEmpty
	}
	order, isHead, err := heading(lines[0].Cells)
	if err != nil {
		return Table{}, err
	}
	if isHead {
		lines = lines[1:]
	}
	table, earlier := Table{Windows1252: old}, map[string]int{}
	for _, line := range lines {
		row, fault := line.read(order)
		if fault.Problem == "" {
			fault = row.repeats(earlier)
		}
		if fault.Problem != "" {
			table.Faults = append(table.Faults, fault)
			continue
		}
		table.Rows = append(table.Rows, row)
	}
	return table, nil
}

// The columns of a table. Without headings they stand in this order.
const (
	label = iota
	price
	code
	favourite
	columnCount
)

// columns say where a line has what; -1 says nowhere.
type columns [columnCount]int

// heading tells whether a line holds headings, and where the columns are.
func heading(cells []string) (found columns, isHead bool, err error) {
	found = columns{-1, -1, -1, -1}
	for i, cell := range cells {
		at := meaning(cell)
		if isPrice(cell) {
			isHead = false
			break
		}
		if at < 0 {
			continue
		}
		if found[at] >= 0 {
			err = fmt.Errorf("%w: %s", ErrTwoColumns, payments.Clean(cell, payments.MaxLabelWidth))
		}
		isHead, found[at] = true, i
	}
	switch {
	case !isHead:
		return columns{label, price, code, favourite}, false, nil
	case err == nil && (found[label] < 0 || found[price] < 0):
		err = ErrNoPriceColumn
	}
	return found, true, err
}

// meaning returns the column that a heading names in one of the console's
// languages, -1 for none.
func meaning(cell string) int {
	word := strings.ToLower(payments.Clean(cell, payments.MaxLabelWidth))
	switch strings.NewReplacer("_", " ", "-", " ").Replace(word) {
	case "label", "article", "name", "item", "product", "libellé", "libelle", "nom", "désignation", "designation",
		"produit", "anarana", "entana":
		return label
	case "unit price", "price", "unitprice", "prix", "prix unitaire", "pu", "vidiny", "vidiny iray":
		return price
	case "code", "barcode", "bar code", "ean", "code barres", "code barre", "kaody":
		return code
	case "favourite", "favorite", "favori", "place":
		return favourite
	}
	return -1
}

func isPrice(cell string) bool {
	_, err := payments.ParseAriary(cell)
	return err == nil
}

// read returns the article of a line, or why there is none.
func (l Line) read(order columns) (Row, Fault) {
	var cells [columnCount]string
	for column, at := range order {
		if at >= 0 && at < len(l.Cells) {
			cells[column] = unguard(strings.TrimSpace(l.Cells[at]))
		}
	}
	fault := func(text, problem string, values ...any) (Row, Fault) {
		return Row{}, Fault{l.Number, payments.Clean(text, payments.MaxLabelWidth), fmt.Sprintf(problem, values...)}
	}
	amount, priceErr := payments.ParseAriary(cells[price])
	place, placeErr := strconv.Atoi(cells[favourite])
	article, err := payments.NewArticle(cells[label], amount, cells[code])
	switch {
	case l.Broken > l.Number:
		return fault("", "a quote begins a cell and none ends it, so that lines %d to %d cannot be read", l.Number, l.Broken)
	case l.Broken != 0:
		return fault("", "its quotes do not match: write a quote within a cell twice, and the cell in quotes")
	case payments.Clean(cells[label], payments.MaxLabelWidth) == "":
		return fault("", "the label is missing")
	case cells[price] == "":
		return fault(cells[label], "the price is missing")
	case errors.Is(priceErr, payments.ErrTooLarge):
		return fault(cells[price], "the price is too large")
	case priceErr != nil:
		return fault(cells[price], "the price is not a whole number above zero, as 3500 or 3 500")
	case shortened(cells[code]):
		return fault(cells[code], "a spreadsheet has shortened the code: give its column the format text, and type the code anew")
	case cells[favourite] != "" && (placeErr != nil || place < 0 || place > payments.MaxFavourite):
		return fault(cells[favourite], "a favourite's place is 1 to %d, or 0 for none", payments.MaxFavourite)
	case err != nil:
		return fault(cells[code], "a code has no blanks and at most %d characters", payments.MaxCodeLength)
	}
	article.Favourite = place
	return Row{Line: l.Number, Article: article, Favourite: cells[favourite] != ""}, Fault{}
}

// shortened tells whether a code is a number as spreadsheets write long ones,
// as in 6,111E+12: most of its digits are lost.
func shortened(code string) bool {
	mantissa, exponent, found := strings.Cut(strings.ToUpper(code), "E+")
	digits := strings.Trim(mantissa, "0123456789")
	return found && mantissa != "" && (digits == "." || digits == ",") && isPrice(exponent)
}

// repeats notes what a row claims, and returns what an earlier one claimed.
func (r Row) repeats(earlier map[string]int) Fault {
	claims := []struct{ what, text string }{{"label", r.Article.Label}, {"code", r.Article.Code}, {"favourite's place", strconv.Itoa(r.Article.Favourite)}}
	if r.Article.Favourite == 0 {
		claims = claims[:2]
	}
	for _, claim := range claims {
		if at := earlier[claim.what+claim.text]; at != 0 && claim.text != "" {
			return Fault{r.Line, claim.text, fmt.Sprintf("line %d has the same %s", at, claim.what)}
		}
	}
	for _, claim := range claims {
		earlier[claim.what+claim.text] = r.Line
	}
	return Fault{}
}
