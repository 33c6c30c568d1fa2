// Package keybar draws the last row of the console, which lists the active keys. It
// guarantees that an entry is never cut: it is drawn completely or dropped.
package keybar

import (
	"slices"
	"strconv"

	"github.com/charmbracelet/bubbles/key"

	"checkout/till/assets/i18n"
	"checkout/till/tui/theme"
)

// Entry is a key of the bar. Short replaces Label if there is too little room. A Count
// above 0 follows the label as a block.
type Entry struct {
	Key, Label, Short string
	Count             int
	Rank              Rank
}

// Rank decides which entries stay if there is little room. The highest rank is dropped
// first; among equal ranks, the rightmost entry.
type Rank int

// The ranks. Elsewhere and Uncounted are dropped before the gap shrinks to one column.
const (
	Essential Rank = iota
	Back           // Esc.
	Own            // Another key of the open screen.
	Elsewhere      // Opens another screen and shows how many items it has.
	Uncounted      // Opens another screen.
)

// Of returns the entries of the enabled bindings of a screen. The first is [Essential].
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

// Blocks draws the keys that answer a question in a row. The first one, the usual answer,
// is highlighted.
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

// form is a way to write the entries: as blocks or plain, with long or short labels, and
// with gap columns between them.
type form struct {
	block, long bool
	gap         int
}

// Draw returns the bar, width columns wide. Keys are blocks if at least two blank columns
// remain between the entries. Otherwise they are plain, with long labels or else with
// short ones. Entries that still do not fit are dropped by rank.
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

// space returns blank columns in the bar's style.
func space(styles theme.Theme, columns int) string {
	return styles.Header.Render(theme.Left("", columns))
}
