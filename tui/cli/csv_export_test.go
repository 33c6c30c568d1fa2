package cli

// What the tests look at of tables.
var (
	CSVCell  = csvCell
	WriteCSV = writeCSV
)
