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

// scale draws cells larger by a factor.
func scale(cells []string, factor int) []string {
	var pixels [][]bool // Two a cell; true is ink.
	for _, row := range cells {
		upper, lower := []bool{}, []bool{}
		for _, cell := range row {
			upper = append(upper, cell == '█' || cell == '▀')
			lower = append(lower, cell == '█' || cell == '▄')
		}
		pixels = append(pixels, upper, lower)
	}
	ink := func(x, y int) bool { return pixels[y/factor][x/factor] }
	rows := make([]string, len(cells)*factor)
	for y := range rows {
		var row strings.Builder
		for x := range len(pixels[0]) * factor {
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
