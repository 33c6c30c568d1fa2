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

// ErrTooLarge says that a file is larger than MaxFile.
var ErrTooLarge = errors.New("the file is larger than 8 MiB")

// ErrEmpty says that a file holds no line.
var ErrEmpty = errors.New("the file holds no articles")

// Row is a line that can be used.
type Row struct {
	Line      int // The first is 1.
	Article   payments.Article
	Favourite bool // Whether the line says something of the favourite's place.
}

// Fault is a line that cannot be used.
type Fault struct {
	Line    int    // The first is 1.
	Text    string // What is wrong, cleaned; blank where that is missing.
	Problem string // Why, and what to do.
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
	file, err := io.ReadAll(io.LimitReader(from, MaxFile+1))
	switch {
	case err != nil:
		return Table{}, fmt.Errorf("read the articles: %w", err)
	case len(file) > MaxFile:
		return Table{}, ErrTooLarge
	}
	text, old, err := decode(file)
	if err != nil {
		return Table{}, err
	}
	lines := split(text)
	if len(lines) == 0 {
		return Table{}, ErrEmpty
	}
	order := places()
	if found, isHead, err := heading(lines[0].cells); isHead {
		if err != nil {
			return Table{}, err
		}
		order, lines = found, lines[1:]
	}
	table := Table{Windows1252: old}
	for _, line := range lines {
		table.add(line, order)
	}
	table.once()
	return table, nil
}

// add reads a line.
func (t *Table) add(line line, order columns) {
	wrong := func(text, problem string) {
		t.Faults = append(t.Faults, Fault{line.number, payments.Clean(text, payments.MaxLabelWidth), problem})
	}
	label := Unguard(order.cell(line.cells, order.label))
	price := order.cell(line.cells, order.price)
	code := Unguard(order.cell(line.cells, order.code))
	place := order.cell(line.cells, order.favourite)
	favourite, err := strconv.Atoi(place)
	switch amount, priceErr := payments.ParseAriary(price); {
	case line.broken > line.number:
		wrong("", fmt.Sprintf("a quote begins a cell and none ends it, so that lines %d to %d cannot be read", line.number, line.broken))
	case line.broken != 0:
		wrong("", "its quotes do not match: write a quote within a cell twice, and the cell in quotes")
	case payments.Clean(label, payments.MaxLabelWidth) == "":
		wrong("", "the label is missing")
	case price == "":
		wrong(label, "the price is missing")
	case errors.Is(priceErr, payments.ErrTooLarge):
		wrong(price, "the price is too large")
	case priceErr != nil:
		wrong(price, "the price is no whole number above zero, as 3500 or 3 500")
	case shortened(code):
		wrong(code, "a spreadsheet has shortened the code: give its column the format text, and type the code anew")
	case place != "" && (err != nil || favourite < 0 || favourite > payments.MaxFavourite):
		wrong(place, fmt.Sprintf("a favourite's place is 1 to %d, or 0 for none", payments.MaxFavourite))
	default:
		article, err := payments.NewArticle(label, amount, code)
		if err != nil {
			wrong(code, fmt.Sprintf("a code has no blanks and at most %d characters", payments.MaxCodeLength))
			return
		}
		article.Favourite = favourite
		t.Rows = append(t.Rows, Row{Line: line.number, Article: article, Favourite: place != ""})
	}
}

// shortened tells whether a code is a number as spreadsheets write long ones,
// as in 6,111E+12: most of its digits are lost.
func shortened(code string) bool {
	mantissa, exponent, found := strings.Cut(strings.ToUpper(code), "E+")
	digits := strings.Trim(mantissa, "0123456789")
	return found && mantissa != "" && (digits == "." || digits == ",") && isPrice(exponent)
}

// once moves rows to the faults that say what an earlier one says.
func (t *Table) once() {
	labels, codes, places := map[string]int{}, map[string]int{}, map[int]int{}
	rows := t.Rows
	t.Rows = nil
	for _, row := range rows {
		article := row.Article
		switch {
		case labels[article.Label] != 0:
			t.refuse(row, article.Label, fmt.Sprintf("line %d has the same label", labels[article.Label]))
			continue
		case article.Code != "" && codes[article.Code] != 0:
			t.refuse(row, article.Code, fmt.Sprintf("line %d has the same code", codes[article.Code]))
			continue
		case places[article.Favourite] != 0:
			t.refuse(row, strconv.Itoa(article.Favourite), fmt.Sprintf("line %d has the same favourite's place", places[article.Favourite]))
			continue
		}
		labels[article.Label], codes[article.Code] = row.Line, row.Line
		if article.Favourite != 0 {
			places[article.Favourite] = row.Line
		}
		t.Rows = append(t.Rows, row)
	}
}

func (t *Table) refuse(row Row, text, problem string) {
	t.Faults = append(t.Faults, Fault{row.Line, text, problem})
}
