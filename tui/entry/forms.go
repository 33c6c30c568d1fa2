package entry

import "strings"

// Indexes of rows of [Forms].
const (
	FormSeveral = 2
	FormMeasure = 4
)

// Forms returns the table of what can be typed. Each row contains entries with the same meaning,
// the best one first; the meanings are the texts guide.forms. mark is the decimal mark.
func Forms(mark string) [][]string {
	rows := [][]string{
		{"coca"},
		{"6111000000017"},
		{"2 coca", "2*coca", "2xcoca", "coca x2", "coca 2x"},
		{"tomate"},
		{"0,75 tomate", "0,75*tomate", "tomate 0,75kg", "750g tomate", "tomate x0,75"},
		{"½ tomate", "0,5 tomate", "1/2 kg tomate", "tomate 500g"},
		{"coca 1800"},
		{"Savony 1500"},
		{"Savony 1500x3", "3*Savony 1500", "Savony 1500 x3"},
		{"Vary 2500x1,2", "1,2*Vary 2500"},
		{"1500", "1 500"},
		{"3x1500", "1500x3", "3*1500"},
		{"1500+2000", "1500 + 2000"},
		{"-10%", "-10 %"},
		{"-500"},
		{"coca 2", "tomate 750", "1500 2000"},
		{"T1-2026…"},
	}
	for _, row := range rows {
		for i := range row {
			row[i] = strings.ReplaceAll(row[i], ",", mark)
		}
	}
	return rows
}
