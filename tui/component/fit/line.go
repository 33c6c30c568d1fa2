package fit

import (
	"math"
	"slices"

	"checkout/till/tui/theme"
)

// Must is the weight of a way that is never given up.
const Must = math.MaxInt

// Way is a text for a part of a row. A way with a smaller weight is given up earlier.
type Way struct {
	Weight int
	Text   string
}

// Part is a part of a row: the ways to draw it, the longest first. If the last way is given up, the part is
// left out.
type Part []Way

// Fixed returns a part that is never left out.
func Fixed(text string) Part { return Part{{Must, text}} }

// Drop returns a part with one text, which may be left out.
func Drop(weight int, text string) Part { return Part{{weight, text}} }

// Or returns the part with one more way, which is drawn if the ways before it were given up.
func (p Part) Or(weight int, text string) Part { return append(slices.Clip(p), Way{weight, text}) }

// Line chooses a way for each part of a row of width columns. While the row is too wide, it gives up the way
// with the smallest weight; of equal ones, the last. line has the text of each part, "" for a part that is left
// out. whole is false if the row is too wide even so.
func Line(width int, parts ...Part) (line []string, whole bool) {
	at := make([]int, len(parts))
	for {
		line = make([]string, len(parts))
		next := -1
		sum := 0
		for i, part := range parts {
			if at[i] == len(part) {
				continue
			}
			way := part[at[i]]
			line[i] = way.Text
			sum += theme.Width(way.Text)
			if way.Weight < Must && (next < 0 || way.Weight <= parts[next][at[next]].Weight) {
				next = i
			}
		}
		if sum <= width || next < 0 {
			return line, sum <= width
		}
		at[next]++
	}
}
