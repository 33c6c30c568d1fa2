package cli

import (
	"encoding/csv"
	"io"
	"strings"
	"unicode/utf8"
)

// writeCSV writes rows with the line ends that spreadsheets expect.
func writeCSV(out io.Writer, rows [][]string) error {
	table := csv.NewWriter(out)
	table.UseCRLF = true
	return table.WriteAll(rows)
}

// csvCell returns a text as it stands in a table, with an apostrophe before
// what a spreadsheet would take for a formula and carry out. An apostrophe that
// is there is doubled, so that nothing is lost.
func csvCell(text string) string {
	first, _ := utf8.DecodeRuneInString(text)
	if strings.ContainsRune("'=+-@\t\r\n|%＝＋－＠", first) {
		return "'" + text
	}
	return text
}
