package catalog

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"

	"checkout/till/payments"
)

// formula are the characters with which a spreadsheet may begin a formula, and
// the apostrophe that keeps it from doing so.
const formula = "'=+-@\t\r\n|%＝＋－＠"

// Write writes articles as a table with headings, in the order they have. The cell
// of an article that is no favourite is blank. The errors are the writer's.
func Write(to io.Writer, articles []payments.Article) error {
	rows := [][]any{{label.String(), price.String(), code.String(), favourite.String()}}
	for _, article := range articles {
		rows = append(rows, []any{article.Label, article.UnitPrice, article.Code, place(article)})
	}
	if err := WriteCSV(to, rows); err != nil {
		return fmt.Errorf("write the articles: %w", err)
	}
	return nil
}

// WriteCSV writes a table with the line ends that spreadsheets expect, and with
// texts in which none finds a formula: an apostrophe stands before what begins
// like one, also behind a semicolon, where a French Excel begins another cell.
// What is no string is a number and stays as it is.
func WriteCSV(to io.Writer, rows [][]any) error {
	var table strings.Builder
	for _, row := range rows {
		for i, value := range row {
			if i > 0 {
				table.WriteByte(',')
			}
			cell := fmt.Sprint(value)
			if text, isText := value.(string); isText {
				cell = guard(text)
			}
			if strings.ContainsAny(cell, ",;\"\t\r\n") || strings.TrimSpace(cell) != cell {
				cell = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
			}
			table.WriteString(cell)
		}
		table.WriteString("\r\n")
	}
	_, err := io.WriteString(to, table.String())
	return err
}

// guard puts an apostrophe before what a spreadsheet would take for a formula.
// One that is there is doubled, so that [unguard] loses nothing.
func guard(text string) string {
	parts := strings.Split(text, ";")
	for i, part := range parts {
		if startsFormula(part) {
			parts[i] = "'" + part
		}
	}
	return strings.Join(parts, ";")
}

// unguard takes back what [guard] did. Any other text stays as it is.
func unguard(cell string) string {
	parts := strings.Split(cell, ";")
	for i, part := range parts {
		if text, found := strings.CutPrefix(part, "'"); found && startsFormula(text) {
			parts[i] = text
		}
	}
	return strings.Join(parts, ";")
}

func startsFormula(text string) bool {
	first, size := utf8.DecodeRuneInString(text)
	return size > 0 && strings.ContainsRune(formula, first)
}

// ErrEncoding says that a file is neither in UTF-8 nor in Windows-1252.
var ErrEncoding = errors.New("the file is not in UTF-8: save it anew as \"CSV UTF-8\"")

// Line is one line of a table.
type Line struct {
	Number int // The first is 1.
	Cells  []string
	Broken int // Where its quotes went wrong: this line or a later one; 0 when they are sound.
}

// ReadCSV reads the lines of a table, and tells whether it was in Windows-1252. Of
// that the letters of French and Malagasy are taken: the accents of older encodings
// show as other signs. The errors are [ErrEncoding] and [ErrTooLarge].
func ReadCSV(file []byte) (lines []Line, windows1252 bool, err error) {
	switch {
	case len(file) > MaxFile:
		return nil, false, ErrTooLarge
	case bytes.IndexByte(file, 0) >= 0:
		return nil, false, ErrEncoding
	}
	file = bytes.TrimPrefix(file, []byte("\ufeff"))
	if windows1252 = !utf8.Valid(file); windows1252 {
		file, err = charmap.Windows1252.NewDecoder().Bytes(file)
		foreign := func(r rune) bool { return r > 0xff && r != '’' && r != 'œ' }
		if err != nil || bytes.ContainsFunc(file, foreign) {
			return nil, false, ErrEncoding
		}
	}
	file = bytes.TrimRight(file, "\x1a")                          // The end of a file of DOS.
	return parse(norm.NFC.String(string(file))), windows1252, nil // A Mac writes an accent as a separate character.
}

// textFormula is a cell that a formula keeps a text, outside of quotes: ="00123".
var textFormula = regexp.MustCompile(`(?m)(^|[;,\t])="([^",;\t\r\n]+)"`)

// parse returns the lines of a table. Its separator is the most frequent one in the first
// line that has any. Empty lines are left out, and so is a line "sep=;", by which
// spreadsheets name the separator.
func parse(text string) (lines []Line) {
	if !strings.Contains(text, "\n") {
		text = strings.ReplaceAll(text, "\r", "\n")
	}
	text = textFormula.ReplaceAllString(text, `$1"$2"`)
	reader := csv.NewReader(strings.NewReader(text))
	reader.Comma, reader.FieldsPerRecord = '\t', -1
	var first string
	for first = range strings.Lines(text) {
		if strings.ContainsAny(first, "\t;,") {
			break
		}
	}
	for _, sign := range ";," { // Of as many the comma comes last: labels have it too.
		if strings.Count(first, string(sign)) > strings.Count(first, string(reader.Comma)) {
			reader.Comma = sign
		}
	}
	reader.TrimLeadingSpace = reader.Comma != '\t' // A quote may follow a blank.
	for {
		cells, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return lines
		}
		if broken, ok := errors.AsType[*csv.ParseError](err); ok {
			lines = append(lines, Line{Number: broken.StartLine, Broken: broken.Line})
			continue
		}
		if strings.Trim(strings.TrimPrefix(strings.Join(cells, ""), "sep="), ",;\t ") == "" {
			continue
		}
		number, _ := reader.FieldPos(0)
		lines = append(lines, Line{Number: number, Cells: cells})
	}
}
