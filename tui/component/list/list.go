// Package list is a scrolling list with a cursor. It stores only the number of rows, and asks the
// caller for the text of the visible rows.
//
// The module charmbracelet/bubbles has a table and a list, but they cut styled cells in two, and
// cannot draw a head such as a date between two rows.
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

// List is the cursor of a list, and the range of its visible rows, called the window. The cursor is
// always in the window.
type List struct {
	Keys Keys
	// Heads contains the indexes of the rows with a head above them, such as the date of a new day.
	Heads map[int]bool

	count  i18n.Phrase
	rows   int
	room   int
	cursor int
	top    int
}

// Keys are the keys that move the cursor of a list.
type Keys struct{ Move, Page, Ends key.Binding }

// New returns a list without rows. It shows nothing before [List.SetRows] and [List.SetRoom].
func New(texts i18n.Texts) List { return List{}.SetTexts(texts) }

// SetTexts changes the language of the help for the keys and of [List.Position].
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

// SetRows sets the number of rows. If the row at the cursor no longer exists, the cursor goes to
// the last row.
func (l List) SetRows(rows int) List {
	l.rows = rows
	return l.Select(l.cursor)
}

// SetRoom sets the height of the window, in rows.
func (l List) SetRoom(room int) List {
	l.room = room
	return l.Select(l.cursor)
}

// Select puts the cursor on a row and scrolls to it. If the row does not exist, Select takes the
// nearest one.
func (l List) Select(row int) List {
	room := max(1, l.room)
	l.cursor = max(0, min(row, l.rows-1))
	l.top = max(0, min(l.top, l.cursor))
	for l.top < l.cursor && l.height(l.top, l.cursor+1) > room {
		l.top++
	}
	for l.top > 0 && l.height(l.top-1, l.rows) <= room {
		l.top-- // Scroll back if blank rows would be visible after the last row.
	}
	some := l.rows > 1
	l.Keys.Move.SetEnabled(some)
	l.Keys.Page.SetEnabled(l.height(0, l.rows) > room)
	l.Keys.Ends.SetEnabled(some)
	return l
}

// Update handles a key. It returns false if the list does not use the key.
func (l List) Update(msg tea.KeyMsg) (List, bool) {
	if !key.Matches(msg, l.Keys.Move, l.Keys.Page, l.Keys.Ends) {
		return l, false
	}
	page := max(1, l.room-1)
	by := map[tea.KeyType]int{
		tea.KeyUp: -1, tea.KeyDown: 1,
		tea.KeyPgUp: -page, tea.KeyPgDown: page, tea.KeyHome: -l.rows, tea.KeyEnd: l.rows,
	}
	return l.Select(l.cursor + by[msg.Type]), true
}

// Cursor returns the index of the row under the cursor. It returns 0 for an empty list.
func (l List) Cursor() int { return l.cursor }

// Chosen returns the element of rows at the cursor. It returns false if rows has no element there.
func Chosen[Row any](l List, rows []Row) (chosen Row, found bool) {
	if l.cursor < len(rows) {
		return rows[l.cursor], true
	}
	return chosen, false
}

// Count returns the number of all rows, visible or not.
func (l List) Count() int { return l.rows }

// height returns the number of screen rows for the list's rows with first <= row < end, including
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

// Window returns the index of the first visible row and the index after the last visible row.
func (l List) Window() (first, end int) {
	end = l.top
	for end < l.rows && l.height(l.top, end+1) <= l.room {
		end++
	}
	return l.top, end
}

// Rows draws the visible rows, each width columns wide. row returns the text of a row, and head the
// text of the head above a row. The row at the cursor has a mark and the style of a selected row;
// Rows removes styles from its text, because they would end that style.
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

// Scroll returns the scroll mark for the border of a pane. top is the row of the pane,
// from 0, in which the list begins.
func (l List) Scroll(top int) pane.Scroll {
	first, end := l.Window()
	return pane.Scroll{First: first, End: end, Total: l.rows, Top: top}
}

// Position returns the position of the cursor, such as "3 of 17", or "" if all rows are visible.
// more follows the number of rows, such as "+" if not all rows were read.
func (l List) Position(more string) string {
	if l.height(0, l.rows) <= l.room {
		return ""
	}
	return l.count.With(strconv.Itoa(l.cursor+1), strconv.Itoa(l.rows)+more)
}

// FullHelp returns the keys of the list for the help of its screen, including disabled keys.
func (l List) FullHelp() []key.Binding { return []key.Binding{l.Keys.Move, l.Keys.Page, l.Keys.Ends} }
