package fit

import (
	"math"
	"slices"
	"strings"

	"checkout/till/tui/theme"
)

// Must is the weight of a text that is never dropped.
const Must = math.MaxInt

// Way is one text for a part of a row. Texts with smaller weights are dropped first.
type Way struct {
	Weight int
	Text   string
	// Minimum width of a text that fills the rest of the row; 0 for any other text. A row may have
	// one such part.
	Rest int
	List bool // A text that fills the rest of the row is a list of articles; see [theme.TruncateList].
}

func (w Way) columns() int {
	if w.Rest > 0 {
		return w.Rest
	}
	return theme.Width(w.Text)
}

// Part is a part of a row: the texts that it can show, the longest first. If all of them are
// dropped, the part is omitted.
type Part []Way

// Fixed returns a part that is never omitted.
func Fixed(text string) Part { return Part{{Weight: Must, Text: text}} }

// Rest returns a part that fills the columns that the other parts leave. least is its minimum
// width.
func Rest(weight, least int, text string) Part {
	return Part{{Weight: weight, Text: text, Rest: least}}
}

// List returns a part like [Rest] for a list of articles. If the list is too long, it counts the
// articles that it omits.
func List(weight, least int, articles string) Part {
	return Part{{Weight: weight, Text: articles, Rest: least, List: true}}
}

// Drop returns a part with one text, which may be omitted.
func Drop(weight int, text string) Part { return Part{{Weight: weight, Text: text}} }

// Or returns the part with one more text, for the case that the others were dropped.
func (p Part) Or(weight int, text string) Part {
	return append(slices.Clip(p), Way{Weight: weight, Text: text})
}

// Line chooses a text for each part of a row of width columns. It drops texts with small weights
// first. A part that is omitted is "" in line. whole is false if the row is too wide even with the
// shortest texts.
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
			way := parts[rest][at[rest]]
			room := width - sum + way.Rest
			if way.List {
				line[rest] = theme.TruncateList(way.Text, room)
			}
			line[rest] = theme.AlignLeft(line[rest], room)
		}
		return line, sum <= width
	}
}

// Row returns the row of the texts that [Line] chooses, cut to width columns.
func Row(width int, parts ...Part) string {
	line, _ := Line(width, parts...)
	return theme.Truncate(strings.Join(line, ""), width)
}

// Join returns the row of the texts that [Line] chooses, with a separator between them.
func Join(width int, separator string, parts ...Part) string {
	apart := make([]Part, len(parts))
	for i, part := range parts {
		for _, way := range part {
			apart[i] = apart[i].Or(way.Weight, separator+way.Text)
		}
	}
	line, _ := Line(width+theme.Width(separator), apart...) // The first text needs no separator.
	return strings.TrimPrefix(strings.Join(line, ""), separator)
}
