// Package keybar draws the last row of the console: which keys do something
// now. It guarantees that a key is named whole or not at all.
package keybar

import (
	"slices"
	"strconv"

	"github.com/charmbracelet/bubbles/key"

	"checkout/till/assets/i18n"
	"checkout/till/tui/theme"
)

// Entry is a key of the bar. Short is the label where Label takes too much room;
// a Count other than 0 stands behind it as a block.
type Entry struct {
	Key, Label, Short string
	Count             int
	Rank              Rank
}

// Rank says which entries stay where there is little room. The highest drops first,
// and of equal ones the rightmost.
type Rank int

// The ranks. Those from Elsewhere on drop before the others stand one column apart.
const (
	Essential Rank = iota
	Back           // Esc.
	Own            // Of the open screen.
	Elsewhere      // Leads away from the open screen, to what is counted.
	Uncounted      // Leads away from the open screen.
)

// Of returns the entries of a screen's bindings that are switched on, the first of
// which is [Essential].
func Of(names i18n.KeyNames, bindings ...key.Binding) []Entry {
	entries := make([]Entry, 0, len(bindings))
	for _, binding := range bindings {
		help, rank := binding.Help(), Own
		switch {
		case len(entries) == 0:
			rank = Essential
		case help.Key == "esc":
			rank = Back
		}
		if binding.Enabled() {
			entries = append(entries, Entry{Key: names.Of(help.Key), Label: help.Desc, Rank: rank})
		}
	}
	return entries
}

// Blocks returns the keys that answer a question, in a row; the first one is what
// most people press.
func Blocks(styles theme.Theme, entries []Entry) string {
	row, block := "", styles.Selected
	for i, entry := range entries {
		if i > 0 {
			row, block = row+"    ", styles.BarKeyBlock
		}
		row += block.Render(" "+entry.Key+" ") + "  " + entry.Label
	}
	return row
}

// form is how the entries are written, from the roomiest to the narrowest: as
// blocks, parted by gap, with long labels.
type form struct {
	block, long bool
	gap         int
}

// Draw returns the bar, width columns wide. Keys are blocks where two blank
// columns remain between the entries; else they are plain, with long labels and
// then with short ones. What still does not fit drops by its rank.
func Draw(styles theme.Theme, entries []Entry, width int) string {
	forms := []form{{true, true, 3}, {true, true, 2}, {true, false, 2}, {false, true, 2}, {false, false, 2}, {false, false, 1}}
	for entries = slices.Clone(entries); len(entries) > 0; {
		at := 0
		for i, entry := range entries {
			if entry.Rank >= entries[at].Rank {
				at = i
			}
		}
		for _, form := range forms {
			if form.gap == 1 && entries[at].Rank >= Elsewhere {
				break
			}
			if line := form.draw(styles, entries); theme.Width(line) <= width {
				return line + space(styles, width-theme.Width(line))
			}
		}
		entries = slices.Delete(entries, at, at+1)
	}
	return space(styles, width)
}

func (f form) draw(styles theme.Theme, entries []Entry) string {
	line := ""
	if !f.block {
		line = space(styles, 1)
	}
	for i, entry := range entries {
		if i > 0 {
			line += space(styles, f.gap)
		}
		label := entry.Label
		if !f.long && entry.Short != "" {
			label = entry.Short
		}
		if f.block {
			line += styles.BarKeyBlock.Render(" " + entry.Key + " ")
		} else {
			line += styles.BarKey.Render(entry.Key)
		}
		line += styles.Header.Render(" " + label)
		if entry.Count > 0 {
			line += space(styles, 1) + styles.Selected.Render(" "+strconv.Itoa(entry.Count)+" ")
		}
	}
	return line
}

// space returns blank columns of the bar.
func space(styles theme.Theme, columns int) string {
	return styles.Header.Render(theme.Left("", columns))
}
