// Package catalog reads and writes the shop's articles as a table in a text
// file (CSV), as spreadsheets keep them.
//
// It guarantees that what [Write] wrote is read back by [Read] as it was, that
// no cell it writes is carried out as a formula, that every line which cannot
// be used is named with its number and why, and that nothing is guessed: a file
// whose characters may be read in two ways is refused with what to do about it.
//
// # The format
//
// A line is an article: label, unit price, code, and a favourite's place. A
// line of headings may stand above; then the columns may stand in any order,
// and those with other headings are left out. Commas, semicolons and tabs part
// the cells. The code and the place may be missing or blank: then an article
// that is in the catalogue keeps what it has. The place 0 takes it away. [Write]
// writes the column of places when an article has one.
package catalog
