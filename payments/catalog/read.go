// Package catalog reads and writes the shop's articles as a table in a text
// file (CSV), as spreadsheets keep them.
//
// It guarantees that what [Write] wrote is read back by [Read] as it was, that
// no cell it writes is carried out as a formula, and that every line which
// cannot be used is named with its number and why.
//
// # The format
//
// A line is an article. The headings of the first line name the columns; without
// headings they are label, unit price, code, favourite. Commas, semicolons or tabs
// separate the cells. Only label and price are needed: an article that is in the
// catalogue keeps a code and a favourite that are missing or blank.
package catalog

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
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
)

// Row is a line that can be used.
type Row struct {
	Line    int // The first is 1.
	Article payments.Article
	// Placed reports whether the line gives the place among the favourites. Else the
	// article keeps the place that it has in the catalogue.
	Placed bool
}

// Fault is a line that cannot be used.
type Fault struct {
	Line    int    // The first is 1.
	Column  string // The heading, or the number if there are no headings; blank if the whole line is wrong.
	Text    string // What is wrong, cleaned; blank where that is missing.
	Problem string // Why, and what to do.
}

// Error names the line, the column, what is wrong there and why.
func (f Fault) Error() string {
	where := fmt.Sprintf("line %d", f.Line)
	if f.Column != "" {
		where += ", column " + f.Column
	}
	if f.Text != "" {
		where += fmt.Sprintf(": %q", f.Text)
	}
	return where + ": " + f.Problem
}

// Table is what was read.
type Table struct {
	Rows        []Row
	Faults      []Fault
	Windows1252 bool // The file was not in UTF-8, but in this.
	columns     headings
}

// Read reads a table of articles. A line that cannot be used is a fault and no
// error. The errors are [ErrEncoding], [ErrTooLarge], [ErrEmpty] and a
// [*HeadingsError].
func Read(file []byte) (Table, error) {
	lines, old, err := ReadCSV(file)
	if err != nil {
		return Table{}, err
	}
	table := Table{Windows1252: old}
	if lines = lines[titles(lines):]; len(lines) > 0 {
		table.columns, err = readHeadings(lines[0].Cells)
	}
	if table.columns.line != nil {
		lines = lines[1:]
	}
	switch {
	case err != nil:
		return Table{}, err
	case len(lines) == 0:
		return Table{}, ErrEmpty
	}
	earlier := [columnCount]map[string]int{{}, {}, {}, {}} // In which line each column had a text.
	for _, line := range lines {
		row, fault := line.read(table.columns)
		claims := map[column]string{label: row.Article.Label, code: row.Article.Code, favourite: place(row.Article)}
		for _, c := range []column{label, code, favourite} {
			if at := earlier[c][claims[c]]; fault.Problem == "" && at != 0 && claims[c] != "" {
				fault = Fault{row.Line, table.columns.name(c), claims[c], fmt.Sprintf("line %d has the same %s: keep one of them", at, c)}
			}
		}
		if fault.Problem != "" {
			table.Faults = append(table.Faults, fault)
			continue
		}
		for c, text := range claims {
			earlier[c][text] = row.Line
		}
		table.Rows = append(table.Rows, row)
	}
	return table, nil
}

// titles returns how many lines stand above the headings, with one cell each.
func titles(lines []Line) int {
	for i, line := range lines {
		if found, err := readHeadings(line.Cells); err == nil && found.line != nil {
			return i
		}
		blank := func(cell string) bool { return strings.TrimSpace(cell) == "" }
		if len(slices.DeleteFunc(slices.Clone(line.Cells), blank)) != 1 {
			break
		}
	}
	return 0
}

// place writes an article's place among the favourites, or a blank text.
func place(article payments.Article) string {
	return strings.TrimPrefix(strconv.Itoa(article.Favourite), "0")
}

// read returns the article of a line, or why there is none.
func (l Line) read(h headings) (Row, Fault) {
	var cells [columnCount]string
	for c, at := range h.at {
		if at >= 0 && at < len(l.Cells) {
			cells[c] = unwrap(l.Cells[at])
		}
	}
	rank, rankErr := strconv.Atoi(cmp.Or(cells[favourite], "0"))
	amount, priceErr := ParsePrice(cells[price])
	article, err := payments.NewArticle(cells[label], amount, cells[code])
	article.Favourite = rank
	wrong, problem := column(0), ""
	switch {
	case l.Broken != 0:
		return Row{}, Fault{Line: l.Number, Problem: fmt.Sprintf(
			"its quotes do not match, to line %d: write a quote within a cell twice, and the cell in quotes", l.Broken)}
	case payments.Clean(cells[label], payments.MaxLabelWidth) == "":
		cells[label], problem = "", "the label is missing: write the article's name"
	case cells[price] == "":
		wrong, problem = price, "the price is missing: write it as 3500"
	case scientific.MatchString(cells[price]):
		wrong, problem = price, shortened
	case errors.Is(priceErr, payments.ErrTooLarge):
		wrong, problem = price, fmt.Sprintf("the price is too large: the highest is %d", payments.MaxAriary)
	case fraction.MatchString(cells[price]):
		wrong, problem = price, "a price has no cents: write a whole number, as 3500"
	case priceErr != nil:
		wrong, problem = price, "the price is not a whole number above zero: write it as 3500 or 3 500"
	case scientific.MatchString(cells[code]):
		wrong, problem = code, shortened
	case err != nil:
		wrong, problem = code, fmt.Sprintf("a code has no blanks and at most %d characters: correct it or leave it blank", payments.MaxCodeLength)
	case rankErr != nil || rank < 0 || rank > payments.MaxFavourite:
		wrong, problem = favourite, fmt.Sprintf("a favourite's place is 1 to %d, or 0 for none", payments.MaxFavourite)
	}
	if problem != "" {
		return Row{}, Fault{l.Number, h.name(wrong), payments.Clean(cells[wrong], payments.MaxLabelWidth), problem}
	}
	return Row{l.Number, article, cells[favourite] != ""}, Fault{}
}

// shortened says what is wrong with a number in scientific form.
const shortened = "a spreadsheet has shortened the number and lost digits: give its column the format text, and type it again"

// The forms of numbers in spreadsheets.
var (
	scientific = regexp.MustCompile(`^\d+([.,]\d+)?[eE]\+\d+$`)
	currency   = regexp.MustCompile(`(?i)^(ar|mga)\b|(ariary|ar|mga)\.?$`)
	noCents    = regexp.MustCompile(`[.,](0{1,2}|0{4,})$`) // Three zeros may be thousands.
	fraction   = regexp.MustCompile(`^[\d\pZ]+[.,](\d?[1-9]|[1-9]0)$`)
)

// ParsePrice reads a price as [payments.ParseAriary] does, also with its currency and
// with cents that are zero.
func ParsePrice(text string) (payments.Ariary, error) {
	bare := strings.TrimSpace(currency.ReplaceAllString(strings.TrimSpace(text), ""))
	return payments.ParseAriary(noCents.ReplaceAllString(bare, ""))
}

// unwrap returns what a cell says: without blanks around it, the formula ="…" that
// keeps a text a text, and the apostrophe of [guard].
func unwrap(cell string) string {
	cell = strings.TrimSpace(cell)
	if text, found := strings.CutPrefix(cell, `="`); found && strings.HasSuffix(text, `"`) {
		return strings.TrimSpace(strings.TrimSuffix(text, `"`))
	}
	return unguard(cell)
}
