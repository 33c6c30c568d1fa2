package catalog

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"

	"checkout/till/payments"
)

// unguarded matches a character that begins a formula in a spreadsheet, or an apostrophe. It
// matches at the start of a cell and after a semicolon, because a French Excel starts a new cell
// there. guarded matches the same characters after the apostrophe that [WriteTable] adds.
var (
	unguarded = regexp.MustCompile("(^|;)(['=+\\-@\t\r\n|%＝＋－＠])")
	guarded   = regexp.MustCompile("(^|;)'(['=+\\-@\t\r\n|%＝＋－＠])")
)

// Rows returns the rows of a table of articles, in the given order, for [WriteTable]: label, price,
// code, favourite and unit.
func Rows(articles []payments.Article) (rows [][]any) {
	for _, article := range articles {
		rows = append(rows, []any{article.Label, article.UnitPrice, article.Code, place(article), article.Unit})
	}
	return rows
}

// WriteTable writes a table as CSV with CRLF line ends, as spreadsheets expect. It adds an
// apostrophe where a text could begin a formula in a spreadsheet, and before an apostrophe in such
// a place; [Read] removes the added ones. Each value must be a string or a number.
func WriteTable(to io.Writer, separator byte, rows [][]any) error {
	var table strings.Builder
	for _, row := range rows {
		for i, value := range row {
			if i > 0 {
				table.WriteByte(separator)
			}
			cell := fmt.Sprint(value)
			if text, isText := value.(string); isText {
				cell = unguarded.ReplaceAllString(text, "$1'$2")
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

// ErrEncoding says that the encoding of a file is probably neither UTF-8 nor Windows-1252.
var ErrEncoding = errors.New("the file is not in UTF-8: save it again as \"CSV UTF-8\"")

// Line is one line of a table, as [ReadCSV] returns it. A line with a quoting error has no cells.
type Line struct {
	Number int // Line number in the file, from 1.
	Cells  []string
	Broken int // Line where a quoting error was found: Number or a later one; 0 without an error.
}

// ReadCSV reads the lines of a table. If the file is not valid UTF-8, ReadCSV reads it as
// Windows-1252 and returns windows1252 as true. It returns [ErrTooLarge] for a file above
// [MaxFile], and [ErrEncoding] for a NUL byte or for signs that suggest an older encoding, such as
// a DOS code page.
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
		if err != nil || suspicious(string(file)) {
			return nil, false, ErrEncoding
		}
	}
	file = bytes.TrimRight(file, "\x1a") // End-of-file character of DOS.
	// A Mac writes a letter and its accent as two characters; NFC joins them.
	return parse(norm.NFC.String(string(file))), windows1252, nil
}

// suspicious reports whether the decoded text has signs that suggest an older encoding than
// Windows-1252. In a DOS code page, the byte of Œ is î, which often follows a lower-case letter.
func suspicious(text string) bool {
	before := ' '
	for _, r := range text {
		switch {
		case r == 'Œ' && unicode.IsLower(before), r > 0xff && !strings.ContainsRune("’œŒ", r):
			return true
		}
		before = r
	}
	return false
}

// textFormula matches an unquoted cell such as ="00123". This formula makes a spreadsheet show a
// number as text.
var textFormula = regexp.MustCompile(`(?m)(^|[;,\t])="([^",;\t\r\n]+)"`)

// parse returns the lines of a table. It skips lines without text, and a line such as "sep=;",
// which tells spreadsheets the separator.
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
	for _, sign := range ";," { // At equal counts, a semicolon is chosen before a comma, because labels contain commas, too.
		if strings.Count(first, string(sign)) > strings.Count(first, string(reader.Comma)) {
			reader.Comma = sign
		}
	}
	// Blanks may precede a quoted cell. With tabs as separators, trimming would remove empty cells.
	reader.TrimLeadingSpace = reader.Comma != '\t'
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
