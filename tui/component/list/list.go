// Package list is a scrolling list with a cursor. It stores only the IDs of the rows. Unlike the
// list and the table of charmbracelet/bubbles, it draws styled cells, and heads such as a date
// between two rows.
package list

import (
	"slices"
	"strconv"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/theme"
)

// List is the cursor of a list, and the visible rows (the window).
type List struct {
	Keys Keys
	// Rows with a head above them, such as the date of a new day.
	Heads map[int]bool

	count  i18n.Phrase
	ids    []string
	room   int
	cursor int
	top    int
}

// Keys are the keys that move the cursor of a list.
type Keys struct{ Move, Page, Ends key.Binding }

// New returns a list without rows; see [List.SetRows].
func New(texts i18n.Texts) List { return List{}.SetTexts(texts) }

// SetTexts changes the language of the keys' help and of [List.Position].
func (l List) SetTexts(texts i18n.Texts) List {
	bind := screen.Bind
	l.count = texts.Catalog.Count
	l.Keys = Keys{
		Move: bind("↑/↓", texts.Keys.Move, "up", "down"),
		Page: bind("pgup/dn", texts.Keys.Page, "pgup", "pgdown"),
		Ends: bind("home/end", texts.Keys.Ends, "home", "end"),
	}
	return l.Select(l.cursor)
}

// SetRows sets the IDs of the rows. The cursor stays on its row. If that row is gone or has the ID
// "", the cursor keeps its index.
func (l List) SetRows(ids []string) List {
	var chosen string
	if l.cursor < len(l.ids) {
		chosen = l.ids[l.cursor]
	}
	l.ids = ids
	return l.SelectID(chosen)
}

// IDs returns the IDs of rows for [List.SetRows].
func IDs[Row any](rows []Row, id func(Row) string) []string {
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = id(row)
	}
	return ids
}

// SelectID puts the cursor on the row with an ID. Without such a row, or for the ID "", the cursor
// keeps its index.
func (l List) SelectID(id string) List {
	if at := slices.Index(l.ids, id); at >= 0 && id != "" {
		return l.Select(at)
	}
	return l.Select(l.cursor)
}

// SetRoom sets the height of the window, in rows.
func (l List) SetRoom(room int) List {
	l.room = room
	return l.Select(l.cursor)
}

// Select puts the cursor on a row, or the nearest one, and scrolls to it.
func (l List) Select(row int) List {
	room := max(1, l.room)
	l.cursor = max(0, min(row, l.Count()-1))
	l.top = max(0, min(l.top, l.cursor))
	for l.top < l.cursor && l.height(l.top, l.cursor+1) > room {
		l.top++
	}
	for l.top > 0 && l.height(l.top-1, l.Count()) <= room {
		l.top-- // Without this, blank rows would follow the last row.
	}
	some := l.Count() > 1
	l.Keys.Move.SetEnabled(some)
	l.Keys.Page.SetEnabled(l.height(0, l.Count()) > room)
	l.Keys.Ends.SetEnabled(some)
	return l
}

// Update handles a key, and reports whether the list uses that key.
func (l List) Update(msg tea.KeyMsg) (List, bool) {
	if !key.Matches(msg, l.Keys.Move, l.Keys.Page, l.Keys.Ends) {
		return l, false
	}
	page := max(1, l.room-1)
	by := map[tea.KeyType]int{
		tea.KeyUp: -1, tea.KeyDown: 1,
		tea.KeyPgUp: -page, tea.KeyPgDown: page, tea.KeyHome: -l.Count(), tea.KeyEnd: l.Count(),
	}
	return l.Select(l.cursor + by[msg.Type]), true
}

// Cursor returns the index of the row under the cursor, or 0 in an empty list.
func (l List) Cursor() int { return l.cursor }

// Chosen returns the element of rows at the cursor, if there is one.
func Chosen[Row any](l List, rows []Row) (chosen Row, found bool) {
	if l.cursor < len(rows) {
		return rows[l.cursor], true
	}
	return chosen, false
}

// Count returns the number of all rows, visible or not.
func (l List) Count() int { return len(l.ids) }

// height returns the height of the rows with first <= row < end, with their heads.
func (l List) height(first, end int) int {
	height := end - first
	for row := range l.Heads {
		if row >= first && row < end {
			height++
		}
	}
	return height
}

// Window returns the first visible row and the one after the last.
func (l List) Window() (first, end int) {
	end = l.top
	for end < l.Count() && l.height(l.top, end+1) <= l.room {
		end++
	}
	return l.top, end
}

// Rows draws the visible rows, each width columns wide. row and head return the text of a row and
// of the head above it.
func (l List) Rows(styles theme.Theme, width int, row, head func(i int) string) []string {
	var rows []string
	for i, end := l.Window(); i < end; i++ {
		if l.Heads[i] {
			rows = append(rows, theme.AlignLeft("  "+head(i), width))
		}
		if i == l.cursor {
			rows = append(rows, styles.Selected.Render(theme.AlignLeft("› "+theme.Bare(row(i)), width)))
			continue
		}
		rows = append(rows, theme.AlignLeft("  "+row(i), width))
	}
	return rows
}

// Scroll returns the scroll mark for a pane in which the list begins in row top.
func (l List) Scroll(top int) pane.Scroll {
	first, end := l.Window()
	return pane.Scroll{First: first, End: end, Total: l.Count(), Top: top}
}

// Position returns the position of the cursor, such as "3 of 17", or "" if all rows are visible.
// more follows the number of rows, such as "+" if not all rows are loaded.
func (l List) Position(more string) string {
	if l.height(0, l.Count()) <= l.room {
		return ""
	}
	return l.count.With(strconv.Itoa(l.cursor+1), strconv.Itoa(l.Count())+more)
}

// FullHelp returns the keys of the list for the help, also those that are disabled now.
func (l List) FullHelp() []key.Binding { return []key.Binding{l.Keys.Move, l.Keys.Page, l.Keys.Ends} }
