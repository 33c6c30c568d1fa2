package cli

import (
	"encoding/csv"
	"io"

	"checkout/till/payments/catalog"
)

// writeCSV writes rows with the line ends that spreadsheets expect.
func writeCSV(out io.Writer, rows [][]string) error {
	table := csv.NewWriter(out)
	table.UseCRLF = true
	return table.WriteAll(rows)
}

// csvCell returns a text as it stands in a table, without what a spreadsheet
// would take for a formula and carry out.
func csvCell(text string) string { return catalog.Guard(text) }
