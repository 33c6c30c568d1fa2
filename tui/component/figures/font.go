package figures

import "strings"

// shape is how a character is drawn, its rows parted by slashes.
type shape = string

// small returns a character of 3 rows, its strokes half a row high.
func small(char rune) shape {
	digits := []shape{
		"█▀▀█/█  █/█▄▄█", "▄█/ █/▄█▄", "▀▀▀█/█▀▀▀/█▄▄▄", "▀▀▀█/ ▀▀█/▄▄▄█", "█  █/▀▀▀█/   █",
		"█▀▀▀/▀▀▀█/▄▄▄█", "█▀▀▀/█▀▀█/█▄▄█", "▀▀▀█/   █/   █", "█▀▀█/█▀▀█/█▄▄█", "█▀▀█/▀▀▀█/▄▄▄█",
	}
	letters := []shape{
		"█▀▀█/█▀▀█/█  █", "█▀▀▄/█▀▀▄/█▄▄▀", "█▀▀▀/█/█▄▄▄", "█▀▀▄/█  █/█▄▄▀", "█▀▀▀/█▀▀/█▄▄▄", "█▀▀▀/█▀▀/█",
		"█▀▀▀/█ ▀█/█▄▄█", "█  █/█▀▀█/█  █", "█/█/█", "   █/   █/█▄▄█", "█ ▄▀/█▀▄/█  █", "█/█/█▄▄▄",
		"█▄ ▄█/█ ▀ █/█   █", "█▄ █/█ ▀█/█  █", "█▀▀█/█  █/█▄▄█", "█▀▀█/█▀▀▀/█", "█▀▀█/█ ▄█/█▄▄█", "█▀▀█/█▀▀▄/█  █",
		"█▀▀▀/▀▀▀█/▄▄▄█", "▀█▀/ █/ █", "█  █/█  █/█▄▄█", "█  █/█  █/▀▄▄▀", "█   █/█ ▄ █/▀▄▀▄▀", "▀▄ ▄▀/  █/▄▀ ▀▄",
		"█   █/ ▀▄▀/  █", "▀▀▀█/▄▀▀/█▄▄▄",
	}
	signs := map[rune]shape{
		'✓': "    ▄█/▄  ▄█▀/▀█▄█▀", '✗': "▀▄ ▄▀/  █/▄▀ ▀▄", '!': "█/▀/▄", '?': "▀▀▀█/ ▄▀▀/ ▄", ':': "▄/ /▀", '-': " /▀▀/ ", '\'': "█/ / ",
	}
	return pick(char, digits, letters, signs)
}

// large returns a character of 5 rows, its stems 2 columns wide.
func large(char rune) shape {
	digits := []shape{
		"▄████▄/██  ██/██  ██/██  ██/▀████▀", " ▄██/▀▀██/  ██/  ██/██████", "▄████▄/▀▀  ██/ ▄▄██▀/██▀▀/██████",
		"▄████▄/▀▀  ██/  ███▄/▄▄  ██/▀████▀", "██  ██/██  ██/▀█████/    ██/    ██", "██████/██▄▄▄/▀▀▀▀██/▄▄  ██/▀████▀",
		"▄████▄/██/█████▄/██  ██/▀████▀", "██████/   ▄██/  ▄██▀/  ██/  ██", "▄████▄/██  ██/▄████▄/██  ██/▀████▀",
		"▄████▄/██  ██/▀█████/    ██/▀████▀",
	}
	letters := []shape{
		"▄████▄/██  ██/██████/██  ██/██  ██", "█████▄/██  ██/█████▄/██  ██/█████▀", "▄████▄/██  ▀▀/██/██  ▄▄/▀████▀",
		"█████▄/██  ██/██  ██/██  ██/█████▀", "██████/██/█████/██/██████", "██████/██/█████/██/██",
		"▄████▄/██/██ ███/██  ██/▀████▀", "██  ██/██  ██/██████/██  ██/██  ██", "██/██/██/██/██",
		"    ██/    ██/    ██/██  ██/▀████▀", "██  ██/██▄██▀/████/██▀██▄/██  ██", "██/██/██/██/██████",
		"██▄  ▄██/████████/██▀██▀██/██    ██/██    ██", "██▄  ██/███▄ ██/██▀█▄██/██ ▀███/██  ▀██",
		"▄████▄/██  ██/██  ██/██  ██/▀████▀", "█████▄/██  ██/█████▀/██/██", "▄████▄/██  ██/██  ██/██ ▀██/▀████▄",
		"█████▄/██  ██/█████▀/██▀██▄/██  ██", "▄████▄/██  ▀▀/▀████▄/▄▄  ██/▀████▀", "██████/  ██/  ██/  ██/  ██",
		"██  ██/██  ██/██  ██/██  ██/▀████▀", "██  ██/██  ██/██  ██/▀█▄▄█▀/ ▀██▀", "██    ██/██    ██/██ ▄▄ ██/███▀▀███/▀█▀  ▀█▀",
		"██  ██/▀█▄▄█▀/ ▄██▄/▄█▀▀█▄/██  ██", "██  ██/██  ██/▀████▀/  ██/  ██", "██████/   ▄██/ ▄██▀/██▀/██████",
	}
	signs := map[rune]shape{
		'✓': "        ▄█/      ▄██▀/█▄  ▄██▀/▀██▄██▀/  ▀█▀", '✗': "██▄  ▄██/ ▀████▀/  ▄██▄/▄██▀▀██▄/██▀  ▀██",
		'!': "██/██/██/▀▀/██", '?': "▄████▄/▀▀  ██/  ▄██▀/  ▀▀/  ██", ':': "██/▀▀/ /██/▀▀", '-': " / /████/ / ", '\'': "██/▀▀/ / / ",
	}
	return pick(char, digits, letters, signs)
}

func pick(char rune, digits, letters []shape, signs map[rune]shape) shape {
	if at := int(char - '0'); at >= 0 && at < len(digits) {
		return digits[at]
	}
	if at := int(char - 'A'); at >= 0 && at < len(letters) {
		return letters[at]
	}
	return signs[char]
}

// accent is what stands in the row above a letter; blank for a mark that is left
// out, as a cedilla is.
func accent(mark rune) string {
	switch mark {
	case '\u0301':
		return "▄▀"
	case '\u0300':
		return "▀▄"
	case '\u0302':
		return "▄▀▀▄"
	case '\u0308':
		return "▀  ▀"
	}
	return ""
}

// pixels are a drawing, two pixels a cell: true is ink.
type pixels [][]bool

func parse(rows []string) pixels {
	var grid pixels
	for _, row := range rows {
		upper, lower := []bool{}, []bool{}
		for _, cell := range row {
			upper = append(upper, cell == '█' || cell == '▀')
			lower = append(lower, cell == '█' || cell == '▄')
		}
		grid = append(grid, upper, lower)
	}
	return grid
}

func (p pixels) draw(factor int) []string {
	ink := func(x, y int) bool { return p[y/factor][x/factor] }
	rows := make([]string, len(p)/2*factor)
	for y := range rows {
		var row strings.Builder
		for x := range len(p[0]) * factor {
			switch upper, lower := ink(x, 2*y), ink(x, 2*y+1); {
			case upper && lower:
				row.WriteRune('█')
			case upper:
				row.WriteRune('▀')
			case lower:
				row.WriteRune('▄')
			default:
				row.WriteByte(' ')
			}
		}
		rows[y] = row.String()
	}
	return rows
}
