package figures

import (
	"slices"
	"strings"
)

// shape is the drawing of a character, with slashes between its rows.
type shape = string

// small returns the shape of a character in 3 rows.
func small(char rune) shape {
	return pick(char, []shape{
		"█▀▀█/█  █/█▄▄█", "▄█/ █/▄█▄", "▀▀▀█/█▀▀▀/█▄▄▄", "▀▀▀█/ ▀▀█/▄▄▄█", "█  █/▀▀▀█/   █",
		"█▀▀▀/▀▀▀█/▄▄▄█", "█▀▀▀/█▀▀█/█▄▄█", "▀▀▀█/   █/   █", "█▀▀█/█▀▀█/█▄▄█", "█▀▀█/▀▀▀█/▄▄▄█",
		"█▀▀█/█▀▀█/█  █", "█▀▀▄/█▀▀▄/█▄▄▀", "█▀▀▀/█/█▄▄▄", "█▀▀▄/█  █/█▄▄▀", "█▀▀▀/█▀▀/█▄▄▄", "█▀▀▀/█▀▀/█",
		"█▀▀▀/█ ▀█/█▄▄█", "█  █/█▀▀█/█  █", "█/█/█", "   █/   █/█▄▄█", "█ ▄▀/█▀▄/█  █", "█/█/█▄▄▄",
		"█▄ ▄█/█ ▀ █/█   █", "█▄ █/█ ▀█/█  █", "█▀▀█/█  █/█▄▄█", "█▀▀█/█▀▀▀/█", "█▀▀█/█ ▄█/█▄▄█", "█▀▀█/█▀▀▄/█  █",
		"█▀▀▀/▀▀▀█/▄▄▄█", "▀█▀/ █/ █", "█  █/█  █/█▄▄█", "█  █/█  █/▀▄▄▀", "█   █/█ ▄ █/▀▄▀▄▀", "▀▄ ▄▀/  █/▄▀ ▀▄",
		"█   █/ ▀▄▀/  █", "▀▀▀█/▄▀▀/█▄▄▄",
		"    ▄█/▄  ▄█▀/▀█▄█▀", "▀▄ ▄▀/  █/▄▀ ▀▄", "█/▀/▄", "▀▀▀█/ ▄▀▀/ ▄", "▄/ /▀", " /▀▀/ ", "█/ / ", "▀▄▄▀/█  █/▄▀▀▄",
	})
}

// thin returns the shape of a digit, a colon or a minus sign in 3 rows, without half blocks. It
// returns "" for any other character.
func thin(char rune) shape {
	shapes := []shape{
		"╔══╗/║  ║/╚══╝", "═╗/ ║/═╩═", "═══╗/╔══╝/╚═══", "═══╗/ ══╣/═══╝", "║  ║/╚══╣/   ║", "╔═══/╚══╗/═══╝", "╔═══/╠══╗/╚══╝",
		"═══╗/   ║/   ║", "╔══╗/╠══╣/╚══╝", "╔══╗/╚══╣/═══╝", " /:/ ", " /═══/ ",
	}
	if at := strings.IndexRune("0123456789:-", char); at >= 0 {
		return shapes[at]
	}
	return ""
}

// medium returns the shape of a digit in 8 rows, or "".
func medium(char rune) shape {
	shapes := []shape{
		"▄███████▄/███▀▀▀███/███   ███/███   ███/███   ███/███   ███/███▄▄▄███/▀███████▀",
		"  ▄███/▄█████/▀▀▀███/   ███/   ███/   ███/▄▄▄███▄▄▄/█████████",
		"▄███████▄/▀▀▀▀▀▀███/      ███/   ▄▄████/▄████▀▀/███/███▄▄▄▄▄▄/█████████",
		"▄███████▄/▀▀▀▀▀▀███/      ███/  ▄████▀/  ▀▀▀███▄/      ███/▄▄▄▄▄▄███/▀███████▀",
		"███   ███/███   ███/███   ███/███▄▄▄███/▀████████/      ███/      ███/      ███",
		"█████████/███▀▀▀▀▀▀/███/████████▄/▀▀▀▀▀▀███/      ███/▄▄▄▄▄▄███/▀███████▀",
		"▄███████▄/███▀▀▀▀▀▀/███/████████▄/███▀▀▀███/███   ███/███▄▄▄███/▀███████▀",
		"█████████/▀▀▀▀▀▀███/     ▄███/    ▄███▀/   ▄███▀/   ███/   ███/   ███",
		"▄███████▄/███▀▀▀███/███▄▄▄███/▄███████▄/███▀▀▀███/███   ███/███▄▄▄███/▀███████▀",
		"▄███████▄/███▀▀▀███/███   ███/███▄▄▄███/▀████████/      ███/▄▄▄▄▄▄███/▀███████▀",
	}
	if digit(char) {
		return shapes[char-'0']
	}
	return ""
}

// large returns the shape of a character in 5 rows.
func large(char rune) shape {
	return pick(char, []shape{
		"▄████▄/██  ██/██  ██/██  ██/▀████▀", " ▄██/▀▀██/  ██/  ██/██████", "▄████▄/▀▀  ██/ ▄▄██▀/██▀▀/██████",
		"▄████▄/▀▀  ██/  ███▄/▄▄  ██/▀████▀", "██  ██/██  ██/▀█████/    ██/    ██", "██████/██▄▄▄/▀▀▀▀██/▄▄  ██/▀████▀",
		"▄████▄/██/█████▄/██  ██/▀████▀", "██████/   ▄██/  ▄██▀/  ██/  ██", "▄████▄/██  ██/▄████▄/██  ██/▀████▀",
		"▄████▄/██  ██/▀█████/    ██/▀████▀",
		"▄████▄/██  ██/██████/██  ██/██  ██", "█████▄/██  ██/█████▄/██  ██/█████▀", "▄████▄/██  ▀▀/██/██  ▄▄/▀████▀",
		"█████▄/██  ██/██  ██/██  ██/█████▀", "██████/██/█████/██/██████", "██████/██/█████/██/██",
		"▄████▄/██/██ ███/██  ██/▀████▀", "██  ██/██  ██/██████/██  ██/██  ██", "██/██/██/██/██",
		"    ██/    ██/    ██/██  ██/▀████▀", "██  ██/██▄██▀/████/██▀██▄/██  ██", "██/██/██/██/██████",
		"██▄  ▄██/████████/██▀██▀██/██    ██/██    ██", "██▄  ██/███▄ ██/██▀█▄██/██ ▀███/██  ▀██",
		"▄████▄/██  ██/██  ██/██  ██/▀████▀", "█████▄/██  ██/█████▀/██/██", "▄████▄/██  ██/██  ██/██ ▀██/▀████▄",
		"█████▄/██  ██/█████▀/██▀██▄/██  ██", "▄████▄/██  ▀▀/▀████▄/▄▄  ██/▀████▀", "██████/  ██/  ██/  ██/  ██",
		"██  ██/██  ██/██  ██/██  ██/▀████▀", "██  ██/██  ██/██  ██/▀█▄▄█▀/ ▀██▀", "██    ██/██    ██/██ ▄▄ ██/███▀▀███/▀█▀  ▀█▀",
		"██  ██/▀█▄▄█▀/ ▄██▄/▄█▀▀█▄/██  ██", "██  ██/██  ██/▀████▀/  ██/  ██", "██████/   ▄██/ ▄██▀/██▀/██████",
		"        ▄█/      ▄██▀/█▄  ▄██▀/▀██▄██▀/  ▀█▀", "██▄  ▄██/ ▀████▀/  ▄██▄/▄██▀▀██▄/██▀  ▀██",
		"██/██/██/ /██", "▄████▄/▀▀  ██/  ▄██▀/ /  ██", "██/▀▀/ /██/▀▀", " / /████/ / ", "██/▀▀/ / / ", "██▄▄▄▄██/▄██▀▀██▄/██    ██/▀██▄▄██▀/██▀▀▀▀██",
	})
}

// pick returns the shape of a character, or "". shapes must be in the order of the string below.
func pick(char rune, shapes []shape) shape {
	if at := slices.Index([]rune("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ✓✗!?:-'¤"), char); at >= 0 {
		return shapes[at]
	}
	return ""
}

func scale(cells []string, factor int) []string {
	var runes [][]rune
	for _, row := range cells {
		runes = append(runes, []rune(row))
	}
	// A cell has two pixels, one above the other.
	ink := func(cell rune, pixel int) bool {
		return cell == '█' || cell == '▀' && pixel%2 == 0 || cell == '▄' && pixel%2 == 1
	}
	var rows []string
	for y := range len(cells) * factor {
		upper, lower := 2*y/factor, (2*y+1)/factor
		var row strings.Builder
		for x := range runes[0] {
			glyph := " "
			switch above, below := ink(runes[upper/2][x], upper), ink(runes[lower/2][x], lower); {
			case above && below:
				glyph = "█"
			case above:
				glyph = "▀"
			case below:
				glyph = "▄"
			}
			row.WriteString(strings.Repeat(glyph, factor))
		}
		rows = append(rows, row.String())
	}
	return rows
}

// wide draws each cell factor times as wide.
func wide(cells []string, factor int) []string {
	if factor == 1 {
		return cells
	}
	var rows []string
	for _, row := range cells {
		row = strings.NewReplacer(" ▄▀ ", " ▄█▀", " ▀▄ ", " ▀█▄").Replace(row) // Strokes as thick as the letters.
		var wider strings.Builder
		for _, cell := range row {
			wider.WriteString(strings.Repeat(string(cell), factor))
		}
		rows = append(rows, wider.String())
	}
	return rows
}
