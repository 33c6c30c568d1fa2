package fit

import (
	"math"
	"slices"
	"strings"

	"checkout/till/tui/theme"
)

// Must is the weight of a way that is never given up.
const Must = math.MaxInt

// Way is a text for a part of a row. A way with a smaller weight is given up earlier.
type Way struct {
	Weight int
	Text   string
	// Rest is the fewest columns of a text that takes the columns that the other parts leave: it is cut, or
	// filled with blanks at its end. A row has one such part. 0 is a text that takes its own width.
	Rest int
}

func (w Way) columns() int {
	if w.Rest > 0 {
		return w.Rest
	}
	return theme.Width(w.Text)
}

// Part is a part of a row: the ways to draw it, the longest first. If the last way is given up, the part is
// left out.
type Part []Way

// Fixed returns a part that is never left out.
func Fixed(text string) Part { return Part{{Weight: Must, Text: text}} }

// Rest returns a part that takes the columns that the other parts leave. Other parts are given up before it has
// fewer than least.
func Rest(weight, least int, text string) Part {
	return Part{{Weight: weight, Text: text, Rest: least}}
}

// Drop returns a part with one text, which may be left out.
func Drop(weight int, text string) Part { return Part{{Weight: weight, Text: text}} }

// Or returns the part with one more way, which is drawn if the ways before it were given up.
func (p Part) Or(weight int, text string) Part {
	return append(slices.Clip(p), Way{Weight: weight, Text: text})
}

// Line chooses a way for each part of a row of width columns. While the row is too wide, it gives up the way
// with the smallest weight; of equal ones, the last. line has the text of each part, "" for a part that is left
// out. whole is false if the row is too wide even so.
func Line(width int, parts ...Part) (line []string, whole bool) {
	at := make([]int, len(parts))
	for {
		line = make([]string, len(parts))
		next, rest := -1, -1
		sum := 0
		for i, part := range parts {
			if at[i] == len(part) {
				continue
			}
			way := part[at[i]]
			line[i] = way.Text
			sum += way.columns()
			if way.Rest > 0 {
				rest = i
			}
			if way.Weight < Must && (next < 0 || way.Weight <= parts[next][at[next]].Weight) {
				next = i
			}
		}
		if sum > width && next >= 0 {
			at[next]++
			continue
		}
		if rest >= 0 {
			line[rest] = theme.AlignLeft(line[rest], width-sum+parts[rest][at[rest]].Rest)
		}
		return line, sum <= width
	}
}

// Row returns the row of the ways that [Line] chooses, at most width columns wide.
func Row(width int, parts ...Part) string {
	line, _ := Line(width, parts...)
	return theme.Truncate(strings.Join(line, ""), width)
}
