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
// a Count other than 0 stands behind it as a block. One of the Console drops before
// the entries stand one column apart, those without a count first.
type Entry struct {
	Key, Label, Short string
	Count             int
	Console           bool
}

// Of returns the entries of bindings that are switched on.
func Of(names i18n.KeyNames, bindings ...key.Binding) []Entry {
	entries := make([]Entry, 0, len(bindings))
	for _, binding := range bindings {
		if help := binding.Help(); binding.Enabled() {
			entries = append(entries, Entry{Key: names.Of(help.Key), Label: help.Desc})
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
// then with short ones. What still does not fit drops from the right, but for
// the last entries that are kept.
func Draw(styles theme.Theme, entries []Entry, keep, width int) string {
	forms := []form{{true, true, 3}, {true, true, 2}, {true, false, 2}, {false, true, 2}, {false, false, 2}, {false, false, 1}}
	for entries = slices.Clone(entries); len(entries) > 0; {
		at := first(entries)
		for _, form := range forms {
			if form.gap == 1 && at >= 0 {
				break // It drops before the others become narrow.
			}
			if line := form.draw(styles, entries); theme.Width(line) <= width {
				return line + styles.Header.Render(theme.Left("", width-theme.Width(line)))
			}
		}
		if at < 0 {
			at = max(0, len(entries)-1-keep)
		}
		entries = slices.Delete(entries, at, at+1)
	}
	return styles.Header.Render(theme.Left("", width))
}

// first is the index of the entry that drops before the others; -1 for none.
func first(entries []Entry) int {
	at := -1
	for i, entry := range entries {
		if entry.Console && (entry.Count == 0 || at < 0 || entries[at].Count > 0) {
			at = i
		}
	}
	return at
}

func (f form) draw(styles theme.Theme, entries []Entry) string {
	space := func(columns int) string { return styles.Header.Render(theme.Left("", columns)) }
	line := ""
	if !f.block {
		line = space(1)
	}
	for i, entry := range entries {
		if i > 0 {
			line += space(f.gap)
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
			line += space(1) + styles.Selected.Render(" "+strconv.Itoa(entry.Count)+" ")
		}
	}
	return line
}
