package figures

import (
	"slices"
	"strings"
)

// shape is the drawing of a character as text, with slashes between its rows.
type shape = string

// small returns the shape of a character in 3 rows, with strokes half a row high.
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

// thin returns the shape of a digit, a colon or a minus sign in 3 rows of box-drawing characters,
// for a terminal that may lack half blocks. It returns "" for any other character.
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

// large returns the shape of a character in 5 rows, with stems 2 columns wide.
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

// pick returns the shape of a character, or "" for an unknown one. shapes must be in the order of
// the characters in the string below.
func pick(char rune, shapes []shape) shape {
	if at := slices.Index([]rune("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ✓✗!?:-'¤"), char); at >= 0 {
		return shapes[at]
	}
	return ""
}

func scale(cells []string, factor int) []string {
	if cells == nil {
		return nil
	}
	var runes [][]rune
	for _, row := range cells {
		runes = append(runes, []rune(row))
	}
	// ink reports whether a pixel is drawn. A cell has two pixels, one above the other.
	ink := func(x, y int) bool {
		y /= factor
		cell := runes[y/2][x/factor]
		return cell == '█' || cell == '▀' && y%2 == 0 || cell == '▄' && y%2 == 1
	}
	glyphs := map[[2]bool]string{{true, true}: "█", {true, false}: "▀", {false, true}: "▄", {false, false}: " "}
	rows := make([]string, len(cells)*factor)
	for y := range rows {
		for x := range len(runes[0]) * factor {
			rows[y] += glyphs[[2]bool{ink(x, 2*y), ink(x, 2*y+1)}]
		}
	}
	return rows
}
