// Package keybar draws keys: the function keys in the last row of the console, each in a fixed
// place, and the keys of a screen in the border of a pane.
package keybar

import (
	"cmp"
	"strconv"

	"github.com/charmbracelet/bubbles/key"

	"checkout/till/assets/i18n"
	"checkout/till/tui/component/fit"
	"checkout/till/tui/theme"
)

// Entry is a key with its label.
type Entry struct {
	Key, Label string
	Leaves     bool // The key leaves the screen or the question.
	Waits      bool // The key has no effect yet. It is drawn dimmed, so that no key moves.
}

// Of returns the entries of the enabled bindings of a screen.
func Of(names i18n.KeyNames, bindings ...key.Binding) []Entry {
	entries := make([]Entry, 0, len(bindings))
	for _, binding := range bindings {
		if help := binding.Help(); binding.Enabled() {
			entries = append(entries, Entry{Key: names.Of(help.Key), Label: help.Desc, Leaves: help.Key == "esc"})
		}
	}
	return entries
}

// Texts returns each entry as a styled text, which is dimmed if the key has no effect yet.
func Texts(styles theme.Theme, entries []Entry) []string {
	texts := make([]string, len(entries))
	for i, entry := range entries {
		texts[i] = styles.Accent.Render(entry.Key) + " " + entry.Label
		if entry.Waits {
			texts[i] = styles.Rule.Render(entry.Key + " " + entry.Label)
		}
	}
	return texts
}

// Offers returns the entries as parts of a row. The first entry and the entry that leaves the
// screen are omitted last.
func Offers(styles theme.Theme, entries []Entry) []fit.Part {
	parts := make([]fit.Part, len(entries))
	for i, text := range Texts(styles, entries) {
		weight := len(entries) - i
		if entries[i].Leaves {
			weight = len(entries) + 1
		}
		parts[i] = fit.Drop(weight, text)
	}
	return parts
}

// Row returns as many of the entries as fit in width columns.
func Row(styles theme.Theme, entries []Entry, width int) string {
	return fit.Join(width, "  ", Offers(styles, entries)...)
}

// Blocks draws the answers to a question, with each key as a block. The first key is highlighted.
func Blocks(styles theme.Theme, entries []Entry) []string {
	blocks := make([]string, len(entries))
	block := styles.Selected
	for i, entry := range entries {
		blocks[i] = block.Render(" "+entry.Key+" ") + "  " + entry.Label
		block = styles.BarKeyBlock
	}
	return blocks
}

// Slot is the place of a function key in the bar.
type Slot struct {
	Key, Label string
	Short      string // Label for a narrow bar; may be blank.
	Absent     bool   // The key has no effect now; it is drawn dimmed.
	Counts     bool   // The slot reserves space for Count.
	Count      int    // Number next to the label; 0 is not drawn, and a number above 9 is 9+.
	Check      bool   // Count is drawn as a warning.
	Rank       int    // A small window drops the slots with the largest Rank first.
}

// form is a way to write all slots. gap is the number of columns between a key and its label, apart
// the minimum number of columns between two slots.
type form struct {
	long       bool
	gap, apart int
}

// Draw returns the bar, width columns wide. The slots do not move when a key becomes absent or a
// count changes.
func Draw(styles theme.Theme, slots []Slot, width int) string {
	forms := []form{{true, 1, 2}, {true, 1, 1}, {false, 1, 1}, {false, 0, 1}}
	narrowest := forms[len(forms)-1]
	parts := make([]fit.Part, len(slots))
	for i, slot := range slots {
		parts[i] = fit.Drop(-slot.Rank, theme.AlignLeft("", narrowest.width(slot)+narrowest.apart))
	}
	row, _ := fit.Line(width+narrowest.apart, parts...)
	var kept []Slot
	for i, slot := range slots {
		if row[i] != "" {
			kept = append(kept, slot)
		}
	}
	for _, form := range forms {
		if line := form.draw(styles, kept, width); line != "" {
			return line
		}
	}
	return styles.Header.Render(theme.AlignLeft("", width))
}

func (f form) width(slot Slot) int {
	width := theme.Width(slot.Key) + f.gap + theme.Width(f.label(slot))
	if slot.Counts {
		width += f.gap + 2
	}
	return width
}

func (f form) draw(styles theme.Theme, slots []Slot, width int) string {
	spare := width
	widths := make([]int, len(slots))
	for i, slot := range slots {
		widths[i] = f.width(slot)
		spare -= widths[i]
	}
	gaps := max(1, len(slots)-1)
	if spare -= gaps * f.apart; spare < 0 {
		return ""
	}
	if f.gap > 0 && spare > 0 {
		spare-- // A blank column at the right edge.
	}
	line := ""
	for i, slot := range slots {
		if i < gaps {
			widths[i] += f.apart + spare*(i+1)/gaps - spare*i/gaps
		}
		drawn := f.slot(styles, slot)
		line += drawn + styles.Header.Render(theme.AlignLeft("", widths[i]-theme.Width(drawn)))
	}
	return line + styles.Header.Render(theme.AlignLeft("", width-theme.Width(line)))
}

func (f form) label(slot Slot) string {
	if f.long {
		return slot.Label
	}
	return cmp.Or(slot.Short, slot.Label)
}

func (f form) slot(styles theme.Theme, slot Slot) string {
	gap := theme.AlignLeft("", f.gap)
	if slot.Absent {
		return styles.HeaderAbsent.Render(slot.Key + gap + f.label(slot))
	}
	text := styles.BarKeyBlock.Render(slot.Key) + styles.Header.Render(gap+f.label(slot))
	if !slot.Counts || slot.Count == 0 {
		return text
	}
	count := strconv.Itoa(slot.Count)
	if slot.Count > 9 {
		count = "9+"
	}
	number := styles.HeaderStrong
	if slot.Check {
		number = styles.WarningBlock
	}
	return text + styles.Header.Render(gap) + number.Render(count)
}
