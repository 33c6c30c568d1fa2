package tuitest

import (
	"slices"
	"strings"

	"checkout/till/tui/component/figures"
	"checkout/till/tui/theme"
)

// Shows reports whether a view contains a text, in normal or in large letters. For a text such as
// "✓ PAID", the word in large letters is enough.
func Shows(view, text string) bool {
	if strings.Contains(view, text) {
		return true
	}
	if sign, word, cut := strings.Cut(text, " "); cut && strings.Contains("✓✗!?…◆◇¤", sign) && large(view, word, true) {
		return true
	}
	return large(view, text, false)
}

// large reports whether a view contains a text in large letters. If first is true, only blanks and
// frames may precede the text in its rows.
func large(view, text string, first bool) bool {
	if len(text) > 20 || !strings.ContainsAny(view, "█▀▄") {
		return false
	}
	for _, high := range []int{figures.Small, figures.Large, figures.Medium, 2 * figures.Large, 3 * figures.Large} {
		drawn := figures.Draw(theme.Theme{}, text, high)
		if drawn == nil || !strings.Contains(view, strings.TrimRight(drawn[0], " ")) {
			continue
		}
		var letters [][]rune
		for _, row := range drawn {
			letters = append(letters, []rune(strings.TrimRight(row, " ")))
		}
		var rows [][]rune
		for row := range strings.SplitSeq(view, "\n") {
			rows = append(rows, []rune(row))
		}
		for y := range len(rows) - len(letters) + 1 {
			for x := range rows[y] {
				if stands(rows[y:], x, letters) && !(first && strings.Trim(string(rows[y][:x]), "▒▚│ ") != "") {
					return true
				}
			}
		}
	}
	return false
}

// stands reports whether the first rows contain letters at column x.
func stands(rows [][]rune, x int, letters [][]rune) bool {
	for i, want := range letters {
		if x+len(want) > len(rows[i]) || !slices.Equal(rows[i][x:x+len(want)], want) {
			return false
		}
	}
	return true
}

// wraps reports whether a view contains a sentence in several rows, which may be beside a QR code
// or in a frame.
func wraps(view, text string) bool {
	return strings.Contains(text, " ") && strings.Contains(folded(view), folded(text))
}

// folded returns a text in one row, without the characters of frames and of QR codes.
func folded(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \n█▀▄▒│|", r) })
	return strings.Join(words, " ")
}
