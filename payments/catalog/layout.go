package catalog

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

	"checkout/till/payments"
)

// ErrNoPriceColumn says that no heading names the labels or the prices.
var ErrNoPriceColumn = errors.New("the headings name no label or no price: call the columns label,unit_price,code")

// ErrTwoColumns says that two headings name the same.
var ErrTwoColumns = errors.New("two headings name the same")

// line is one line of a table.
type line struct {
	number int // The first is 1.
	cells  []string
	broken int // Where its quotes went wrong: this line or a later one; 0 when they are sound.
}

// split parts a text into the lines of a table by the sign that makes most of
// them articles.
func split(text string) []line {
	// Spreadsheets may say in a first line what parts the cells.
	if sign, body, found := separator(text); found {
		lines := splitBy(body, sign)
		for i := range lines {
			lines[i].number++
		}
		return lines
	}
	var best []line
	most := -1
	for _, comma := range []rune{',', ';', '\t'} {
		lines := splitBy(text, comma)
		if found := score(lines); found > most {
			best, most = lines, found
		}
	}
	return best
}

// separator reads a first line like "sep=;", and returns the lines below it.
func separator(text string) (sign rune, body string, found bool) {
	head, body, found := strings.Cut(text, "\n")
	head, told := strings.CutPrefix(strings.TrimSuffix(head, "\r"), "sep=")
	if !found || !told || len(head) != 1 || !strings.ContainsAny(head, ",;\t") {
		return 0, "", false
	}
	return rune(head[0]), body, true
}

// score tells how much lines look like articles: by their prices, and where
// those say nothing by how many cells there are.
func score(lines []line) int {
	if len(lines) == 0 {
		return 0
	}
	score, order := min(len(lines[0].cells), 9), places()
	if found, isHead, err := heading(lines[0].cells); isHead && err == nil {
		order = found
	}
	for _, line := range lines {
		if isPrice(order.cell(line.cells, order.price)) {
			score += 10
		}
	}
	return score
}

func isPrice(cell string) bool {
	_, err := payments.ParseAriary(cell)
	return err == nil
}

// splitBy parts a text at a sign. Lines that hold nothing are left out.
func splitBy(text string, comma rune) []line {
	reader := csv.NewReader(strings.NewReader(text))
	reader.Comma, reader.FieldsPerRecord = comma, -1
	var lines []line
	for {
		cells, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return lines
		}
		if broken, ok := errors.AsType[*csv.ParseError](err); ok {
			lines = append(lines, line{number: broken.StartLine, broken: broken.Line})
			continue
		}
		if strings.Trim(strings.Join(cells, ""), ",;\t ") == "" {
			continue
		}
		number, _ := reader.FieldPos(0)
		lines = append(lines, line{number: number, cells: cells})
	}
}

// columns say where a line has what; -1 says nowhere.
type columns struct{ label, price, code, favourite int }

// places are the columns of a table without headings.
func places() columns { return columns{0, 1, 2, 3} }

// cell returns a cell, and a blank where there is none.
func (columns) cell(cells []string, column int) string {
	if column < 0 || column >= len(cells) {
		return ""
	}
	return strings.TrimSpace(cells[column])
}

// heading tells whether a line holds headings, and what they say.
func heading(cells []string) (found columns, isHead bool, err error) {
	found = columns{-1, -1, -1, -1}
	column := map[string]*int{
		"label": &found.label, "price": &found.price, "code": &found.code, "favourite": &found.favourite,
	}
	for i, cell := range cells {
		if isPrice(cell) {
			return found, false, nil
		}
		at, known := column[meaning(cell)]
		if !known {
			continue
		}
		if *at >= 0 {
			err = fmt.Errorf("%w: %s", ErrTwoColumns, meaning(cell))
		}
		isHead, *at = true, i
	}
	if err == nil && (found.label < 0 || found.price < 0) {
		err = ErrNoPriceColumn
	}
	return found, isHead, err
}

// meaning returns what a heading names, in the languages of the console.
func meaning(cell string) string {
	word := strings.ToLower(payments.Clean(cell, payments.MaxLabelWidth))
	switch strings.NewReplacer("_", " ", "-", " ").Replace(word) {
	case "label", "article", "name", "item", "product", "libellé", "libelle", "nom", "désignation", "designation",
		"produit", "anarana", "entana":
		return "label"
	case "unit price", "price", "unitprice", "prix", "prix unitaire", "pu", "vidiny", "vidiny iray":
		return "price"
	case "code", "barcode", "bar code", "ean", "code barres", "code barre", "kaody":
		return "code"
	case "favourite", "favorite", "favori", "place":
		return "favourite"
	}
	return ""
}
