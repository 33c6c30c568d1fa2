// Package catalog reads and writes the shop's articles as a CSV file, for use in
// spreadsheets.
//
// [Read] reads back exactly what [Rows] and [WriteTable] wrote. No written cell runs as a formula.
// Read reports every unusable line with its number and the reason.
//
// # The format
//
// A line is an article. Headings above the articles name the columns; without headings the columns
// are label, unit price, code, favourite, unit. Commas, semicolons or tabs separate the cells. Only
// label and price are required. An article in the catalogue keeps its code, favourite number and
// unit if their cells are missing or blank. A unit is kg, l, m, or "piece" for an article sold by
// the piece. Other units are ignored, because tables of other programs have many; Table.Units lists
// them.
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
	"checkout/till/payments/clean"
	"checkout/till/payments/money"
)

// MaxFile is the largest table, in bytes.
const MaxFile = 8 << 20

// Errors of [Read], besides [ErrEncoding] and [*HeadingsError].
var (
	ErrTooLarge = errors.New("the file is larger than 8 MiB")
	ErrEmpty    = errors.New("the file holds no articles")
)

// Row is the article of a valid line.
type Row struct {
	Line     int // Line number in the file, from 1.
	Article  payments.Article
	Placed   bool   // Whether the line has a favourite number, which may be 0.
	Measured bool   // Whether the line has a known unit, which may be "piece".
	unknown  string // Unit that is not known, or blank.
}

// LineError is an invalid line of a table.
type LineError struct {
	Line   int    // Line number in the file, from 1.
	Column string // Heading of the column, or its number if the table has no headings; blank if the whole line is wrong.
	Text   string // Text of the wrong cell, cleaned by [clean.Text]; may be blank.
	Problem
}

// Problem is the reason why a line is invalid.
type Problem struct {
	Kind   string // Key of the problem's text in each language.
	Detail string // Number or name that replaces %s in the translated text; may be blank.
	Says   string // Reason and what to do, in English.
}

func (f LineError) Error() string {
	where := fmt.Sprintf("line %d", f.Line)
	if f.Column != "" {
		where += ", column " + f.Column
	}
	if f.Text != "" {
		where += fmt.Sprintf(": %q", f.Text)
	}
	return where + ": " + f.Says
}

// Table is the result of [Read]: the articles of the valid lines, and the errors of the others.
type Table struct {
	Rows        []Row
	Faults      []LineError
	Units       []string // The unknown units of the valid lines, each once, cleaned by [clean.Text].
	Windows1252 bool
	columns     headings
}

// Read reads a table of articles. Invalid lines are in Table.Faults and are not an error.
// The errors are [ErrEncoding], [ErrTooLarge], [ErrEmpty] and a [*HeadingsError].
func Read(file []byte) (Table, error) {
	lines, old, err := ReadCSV(file)
	if err != nil {
		return Table{}, err
	}
	table := Table{Windows1252: old}
	hasHeadings := func(cells []string) bool {
		found, err := readHeadings(cells)
		return err == nil && found.line != nil
	}
	if lines = SkipTitles(lines, hasHeadings); len(lines) > 0 {
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
	// For each column, earlier maps a text to the number of the line that has it.
	earlier := [columnCount]map[string]int{{}, {}, {}, {}, {}}
	for _, line := range lines {
		row, fault := line.read(table.columns)
		claims := map[column]string{label: row.Article.Label, code: row.Article.Code, favourite: place(row.Article)}
		for _, c := range []column{label, code, favourite} {
			if at := earlier[c][claims[c]]; fault.Kind == "" && at != 0 && claims[c] != "" {
				fault = LineError{row.Line, table.columns.name(c), claims[c], Problem{
					"same_text", strconv.Itoa(at), fmt.Sprintf("line %d has the same %s: keep one of them", at, c),
				}}
			}
		}
		if fault.Kind != "" {
			table.Faults = append(table.Faults, fault)
			continue
		}
		for c, text := range claims {
			earlier[c][text] = row.Line
		}
		table.Rows = append(table.Rows, row)
		if row.unknown != "" && !slices.Contains(table.Units, row.unknown) {
			table.Units = append(table.Units, row.unknown)
		}
	}
	return table, nil
}

// SkipTitles returns the lines from the one with the headings, without the title lines above it. A
// title line has only one filled cell. If no headings follow the title lines, SkipTitles returns
// all lines.
func SkipTitles(lines []Line, hasHeadings func(cells []string) bool) []Line {
	for i, line := range lines {
		if hasHeadings(line.Cells) {
			return lines[i:]
		}
		filled := 0
		for _, cell := range line.Cells {
			if strings.TrimSpace(cell) != "" {
				filled++
			}
		}
		if filled != 1 {
			break
		}
	}
	return lines
}

func place(article payments.Article) string {
	return strings.TrimPrefix(strconv.Itoa(article.Favourite), "0")
}

func (l Line) read(h headings) (Row, LineError) {
	var cells [columnCount]string
	for c, at := range h.at {
		if at >= 0 && at < len(l.Cells) {
			cells[c] = Unwrap(l.Cells[at])
		}
	}
	rank, rankErr := strconv.Atoi(cmp.Or(cells[favourite], "0"))
	amount, priceErr := money.ParseAriary(bare(cells[price]))
	article, err := payments.NewArticle(cells[label], amount, cells[code])
	article.Favourite = rank
	name, known := ParseUnit(cells[unit])
	article.Unit = name
	var wrong column
	var problem Problem
	switch {
	case l.Broken != 0:
		return Row{}, LineError{Line: l.Number, Problem: Problem{"quotes", strconv.Itoa(l.Broken), fmt.Sprintf(
			"its quotes do not match, to line %d: write a quote within a cell twice, and the cell in quotes", l.Broken)}}
	case clean.Text(cells[label], payments.MaxLabelWidth) == "":
		cells[label], problem = "", Problem{"no_label", "", "the label is missing: write the article's name"}
	case cells[price] == "":
		wrong, problem = price, Problem{"no_price", "", "the price is missing: write it as 3500"}
	case scientific.MatchString(cells[price]):
		wrong, problem = price, shortened()
	case errors.Is(priceErr, money.ErrTooLarge):
		wrong, problem = price, Problem{"too_large", fmt.Sprint(money.MaxAriary), fmt.Sprintf("the price is too large: the highest is %d", money.MaxAriary)}
	case fraction.MatchString(cells[price]):
		wrong, problem = price, Problem{"cents", "", "a price has no cents: write a whole number, as 3500"}
	case priceErr != nil:
		wrong, problem = price, Problem{"not_price", "", "the price is not a whole number above zero: write it as 3500 or 3 500"}
	case scientific.MatchString(cells[code]):
		wrong, problem = code, shortened()
	case err != nil:
		wrong, problem = code, Problem{"code", strconv.Itoa(payments.MaxCodeLength), fmt.Sprintf(
			"a code has no blanks and at most %d characters: correct it or leave it blank", payments.MaxCodeLength)}
	case rankErr != nil || rank < 0 || rank > payments.MaxFavourite:
		wrong, problem = favourite, Problem{"favourite", strconv.Itoa(payments.MaxFavourite), fmt.Sprintf(
			"a favourite's place is 1 to %d, or 0 for none", payments.MaxFavourite)}
	}
	if problem.Kind != "" {
		return Row{}, LineError{l.Number, h.name(wrong), clean.Text(cells[wrong], payments.MaxLabelWidth), problem}
	}
	unknown := ""
	if !known {
		unknown = clean.Text(cells[unit], payments.MaxLabelWidth)
	}
	return Row{l.Number, article, cells[favourite] != "", known, unknown}, LineError{}
}

// ParseUnit returns the unit that a text names; the unit of an article sold by the piece is blank.
// known is false for a blank text and for any text that names no unit.
func ParseUnit(text string) (name string, known bool) {
	name, known = map[string]string{
		"kg": "kg", "kilo": "kg", "kilos": "kg", "kilao": "kg", "l": "l", "litre": "l", "litres": "l", "litatra": "l",
		"m": "m", "metre": "m", "metres": "m", "metatra": "m",
		"piece": "", "pieces": "", "pc": "", "pcs": "", "pce": "", "isa": "",
	}[Fold(text)]
	return name, known
}

func shortened() Problem {
	return Problem{"shortened", "", "a spreadsheet has shortened the number and lost digits: give its column the format text, and type it again"}
}

var (
	scientific = regexp.MustCompile(`^\d+([.,]\d+)?[eE]\+\d+$`)
	currency   = regexp.MustCompile(`(?i)^(ar|mga)\b|(ariary|ar|mga)\.?$`)
	noCents    = regexp.MustCompile(`[.,](0{1,2}|0{4,})$`) // Not three zeros: 9.000 may be nine thousand.
	grouped    = regexp.MustCompile(`^\d{1,3}((,\d{3})+|(\.\d{3})+)$`)
	fraction   = regexp.MustCompile(`^[\d\pZ]+[.,](\d?[1-9]|[1-9]0)$`)
)

// ParseAmount parses an amount like [money.ParseAriary]. It also accepts a currency after or before
// the number, cents that are zero, and commas or dots between groups of three digits, such as
// "3,500". [Read] accepts no such groups, because another program may write a price with three
// decimals.
func ParseAmount(text string) (money.Ariary, error) {
	digits := bare(text)
	if grouped.MatchString(digits) {
		digits = strings.NewReplacer(",", "", ".", "").Replace(digits)
	}
	return money.ParseAriary(digits)
}

// bare returns the text of an amount without its currency, and without cents that are zero.
func bare(text string) string {
	number := strings.TrimSpace(currency.ReplaceAllString(strings.TrimSpace(text), ""))
	return noCents.ReplaceAllString(number, "")
}

// Unwrap returns the text of a cell without surrounding blanks, without a formula ="…" around it,
// and without the apostrophes of [WriteTable].
func Unwrap(cell string) string {
	cell = strings.TrimSpace(cell)
	if text, found := strings.CutPrefix(cell, `="`); found && strings.HasSuffix(text, `"`) {
		return strings.TrimSpace(strings.TrimSuffix(text, `"`))
	}
	return guarded.ReplaceAllString(cell, "$1$2")
}
