// Package catalog reads and writes the shop's articles as a table in a text
// file (CSV), as spreadsheets keep them.
//
// It guarantees that what [Write] wrote is read back by [Read] as it was, that
// no cell it writes is carried out as a formula, and that every line which
// cannot be used is named with its number and why.
//
// # The format
//
// A line is an article: label, unit price, code. A first line whose second cell has
// no figure holds headings. Commas, semicolons and tabs part the cells. The code may
// be missing or blank: then an article that is in the catalogue keeps its own.
package catalog

import (
	"errors"
	"fmt"
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
// error. The errors are [ErrEncoding], [ErrTooLarge] and [ErrEmpty].
func Read(file []byte) (Table, error) {
	lines, old, err := ReadCSV(file)
	if err != nil {
		return Table{}, err
	}
	if len(lines) == 0 {
		return Table{}, ErrEmpty
	}
	if first := lines[0].Cells; len(first) > 1 && strings.TrimSpace(first[price]) != "" && !strings.ContainsAny(first[price], "0123456789") {
		lines = lines[1:]
	}
	table, earlier := Table{Windows1252: old}, map[[2]string]int{}
	for _, line := range lines {
		row, fault := line.read()
		claims := [][2]string{{"label", row.Article.Label}, {"code", row.Article.Code}}
		for _, claim := range claims {
			if at := earlier[claim]; fault.Problem == "" && at != 0 && claim[1] != "" {
				fault = Fault{row.Line, claim[1], fmt.Sprintf("line %d has the same %s", at, claim[0])}
			}
		}
		if fault.Problem != "" {
			table.Faults = append(table.Faults, fault)
			continue
		}
		for _, claim := range claims {
			earlier[claim] = row.Line
		}
		table.Rows = append(table.Rows, row)
	}
	return table, nil
}

// The columns of a table.
const (
	label = iota
	price
	code
	columnCount
)

// read returns the article of a line, or why there is none.
func (l Line) read() (Row, Fault) {
	var cells [columnCount]string
	for i, cell := range l.Cells[:min(len(l.Cells), columnCount)] {
		cells[i] = unguard(strings.TrimSpace(cell))
	}
	fault := func(text, problem string, values ...any) (Row, Fault) {
		return Row{}, Fault{l.Number, payments.Clean(text, payments.MaxLabelWidth), fmt.Sprintf(problem, values...)}
	}
	amount, priceErr := payments.ParseAriary(cells[price])
	article, err := payments.NewArticle(cells[label], amount, cells[code])
	switch {
	case l.Broken != 0:
		return fault("", "its quotes do not match, to line %d: write a quote within a cell twice, and the cell in quotes", l.Broken)
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
	case err != nil:
		return fault(cells[code], "a code has no blanks and at most %d characters", payments.MaxCodeLength)
	}
	return Row{l.Number, article}, Fault{}
}

// shortened tells whether a code is a number as spreadsheets write long ones,
// as in 6,111E+12: most of its digits are lost.
func shortened(code string) bool {
	mantissa, exponent, found := strings.Cut(strings.ToUpper(code), "E+")
	digits := strings.Trim(mantissa, "0123456789")
	return found && mantissa != "" && (digits == "." || digits == ",") && strings.Trim(exponent, "0123456789") == ""
}
