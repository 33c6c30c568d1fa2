// Package list is the cursor of a list, its window and its rows: the same keys,
// the same paging and the same marks in every list of the console. It knows how
// many rows there are, and asks for those that are in view.
//
// bubbles' table and list have keys and styles of their own, cut dressed cells in
// two, and know no day rows.
package list

import (
	"strconv"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/theme"
)

// List is a cursor among rows, and the window of those that are in view. The
// cursor is always in the window and on a row, if there is one. Heads and Abreast
// count from the next call on that changes the list.
type List struct {
	Keys Keys
	// Heads are the rows above which a head stands, as that of a day.
	Heads map[int]bool
	// Abreast is how many rows stand beside each other, as cards do: Up and Down go so
	// many further, and Left and Right one. 0 is for a list.
	Abreast int

	count  i18n.Phrase
	rows   int
	room   int
	cursor int
	top    int // The first row in view.
}

// Keys are the keys of a list.
type Keys struct{ Move, Across, Page, Ends key.Binding }

// New returns an empty list.
func New(texts i18n.Texts) List { return List{}.SetTexts(texts) }

// SetTexts changes the language.
func (l List) SetTexts(texts i18n.Texts) List {
	bind := screen.Bind
	l.count = texts.Catalog.Count
	l.Keys = Keys{
		Move:   bind("↑/↓", texts.Keys.Move, "up", "down"),
		Across: bind("←/→", texts.Keys.Move, "left", "right"),
		Page:   bind("pgup/dn", texts.Keys.Page, "pgup", "pgdown"),
		Ends:   bind("home/end", texts.Keys.Ends, "home", "end"),
	}
	return l.Select(l.cursor)
}

// SetRows says how many rows there are.
func (l List) SetRows(rows int) List {
	l.rows = rows
	return l.Select(l.cursor)
}

// SetRoom says how many rows there is room for.
func (l List) SetRoom(room int) List {
	l.room = room
	return l.Select(l.cursor)
}

// Select puts the cursor on a row, or on the nearest that there is, and brings it
// into view.
func (l List) Select(row int) List {
	room := max(1, l.room)
	l.cursor = max(0, min(row, l.rows-1))
	l.top = max(0, min(l.top, l.cursor))
	for l.top < l.cursor && l.height(l.top, l.cursor+1) > room {
		l.top++
	}
	for l.top > 0 && l.height(l.top-1, l.rows) <= room {
		l.top-- // No room is left blank at the end.
	}
	some := l.rows > 1
	l.Keys.Move.SetEnabled(some)
	l.Keys.Across.SetEnabled(some && l.Abreast > 0)
	l.Keys.Page.SetEnabled(l.height(0, l.rows) > room)
	l.Keys.Ends.SetEnabled(some)
	return l
}

// Update takes a key, and tells whether it is one of the list's.
func (l List) Update(msg tea.KeyMsg) (List, bool) {
	if !l.Moves(msg) {
		return l, false
	}
	page, row := max(1, l.room-1), max(1, l.Abreast)
	by := map[tea.KeyType]int{
		tea.KeyUp: -row, tea.KeyDown: row, tea.KeyLeft: -1, tea.KeyRight: 1,
		tea.KeyPgUp: -page, tea.KeyPgDown: page, tea.KeyHome: -l.rows, tea.KeyEnd: l.rows,
	}
	return l.Select(l.cursor + by[msg.Type]), true
}

// Cursor is the row under the cursor, from 0, be there rows or not.
func (l List) Cursor() int { return l.cursor }

// Count is how many rows there are.
func (l List) Count() int { return l.rows }

// height is how many rows of the window the rows from first to end take, with
// their heads.
func (l List) height(first, end int) int {
	height := end - first
	for row := range l.Heads {
		if row >= first && row < end {
			height++
		}
	}
	return height
}

// Window is the first row in view, and the one behind the last.
func (l List) Window() (first, end int) {
	end = l.top
	for end < l.rows && l.height(l.top, end+1) <= l.room {
		end++
	}
	return l.top, end
}

// Rows draws the rows in view, each width columns wide: row gives the cells of
// one, and head what stands above it where a day begins; nil where none do. The
// row of the cursor is a block with a mark before it, and its cells are dressed
// as one, since a style within would end the one around it.
func (l List) Rows(styles theme.Theme, width int, row, head func(i int) string) []string {
	var rows []string
	first, end := l.Window()
	for i := first; i < end; i++ {
		if l.Heads[i] && head != nil {
			rows = append(rows, theme.Left("  "+head(i), width))
		}
		if i == l.cursor {
			rows = append(rows, styles.Selected.Render(theme.Left("› "+theme.Bare(row(i)), width)))
			continue
		}
		rows = append(rows, theme.Left("  "+row(i), width))
	}
	return rows
}

// Scroll is the mark in the border of a pane in which the list begins in a row,
// from 0.
func (l List) Scroll(top int) pane.Scroll {
	first, end := l.Window()
	return pane.Scroll{First: first, End: end, Total: l.rows, Top: top}
}

// Position says which of how many rows the cursor is on, as in "3 of 17"; blank
// while all of them are in view. more stands behind the number where there are
// rows that the list does not know.
func (l List) Position(more string) string {
	if l.height(0, l.rows) <= l.room {
		return ""
	}
	return l.count.With(strconv.Itoa(l.cursor+1), strconv.Itoa(l.rows)+more)
}

// Moves tells whether a key is one of the list's.
func (l List) Moves(msg tea.KeyMsg) bool {
	return key.Matches(msg, l.Keys.Move, l.Keys.Across, l.Keys.Page, l.Keys.Ends)
}

// FullHelp returns the keys of every list.
func (l List) FullHelp() []key.Binding { return []key.Binding{l.Keys.Move, l.Keys.Page, l.Keys.Ends} }
