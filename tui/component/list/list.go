// Package list is the cursor of a list and its window: the same keys and the same
// paging in every list of the console. It knows how many rows there are, and
// draws none of them.
package list

import (
	"strconv"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
)

// List is a cursor among rows, and the window of those that are in view. The
// cursor is always in the window and on a row, if there is one.
type List struct {
	keys   keyMap
	letter bool // j and k move the cursor, too.
	count  i18n.Phrase
	rows   int
	room   int
	cursor int
	top    int // The first row in view.
}

type keyMap struct{ Up, Down, PageUp, PageDown, First, Last key.Binding }

// New returns an empty list. With letters j and k move its cursor, too.
func New(texts i18n.Texts, letters bool) List { return List{letter: letters}.SetTexts(texts) }

// SetTexts changes the language.
func (l List) SetTexts(texts i18n.Texts) List {
	bind := func(help, word string, keys ...string) key.Binding {
		return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, word))
	}
	up, down := []string{"up"}, []string{"down"}
	if l.letter {
		up, down = append(up, "k"), append(down, "j")
	}
	l.count = texts.Catalog.Count
	l.keys = keyMap{
		Up:       bind("↑/↓", texts.Keys.Move, up...),
		Down:     bind("↑/↓", texts.Keys.Move, down...),
		PageUp:   bind("pgup/dn", texts.CatalogKeys.Page, "pgup"),
		PageDown: bind("pgup/dn", texts.CatalogKeys.Page, "pgdown"),
		First:    bind("home/end", texts.CatalogKeys.Ends, "home"),
		Last:     bind("home/end", texts.CatalogKeys.Ends, "end"),
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
	l.top = max(l.cursor-room+1, min(l.top, l.cursor))
	l.top = max(0, min(l.top, l.rows-room))
	some, pages := l.rows > 1, l.rows > room
	for _, binding := range []*key.Binding{&l.keys.Up, &l.keys.Down, &l.keys.First, &l.keys.Last} {
		binding.SetEnabled(some)
	}
	l.keys.PageUp.SetEnabled(pages)
	l.keys.PageDown.SetEnabled(pages)
	return l
}

// Update takes a key, and tells whether it is one of the list's.
func (l List) Update(msg tea.KeyMsg) (List, bool) {
	page := max(1, l.room-1)
	switch {
	case key.Matches(msg, l.keys.Up):
		return l.Select(l.cursor - 1), true
	case key.Matches(msg, l.keys.Down):
		return l.Select(l.cursor + 1), true
	case key.Matches(msg, l.keys.PageUp):
		return l.Select(l.cursor - page), true
	case key.Matches(msg, l.keys.PageDown):
		return l.Select(l.cursor + page), true
	case key.Matches(msg, l.keys.First):
		return l.Select(0), true
	case key.Matches(msg, l.keys.Last):
		return l.Select(l.rows - 1), true
	}
	return l, false
}

// Cursor is the row under the cursor, from 0, be there rows or not.
func (l List) Cursor() int { return l.cursor }

// Window is the first row in view, and the one behind the last.
func (l List) Window() (first, end int) { return l.top, min(l.rows, l.top+max(0, l.room)) }

// Position says which of how many rows the cursor is on, as in "3 of 17"; blank
// while all of them are in view. more stands behind the number where there are
// rows that the list does not know.
func (l List) Position(more string) string {
	if l.rows <= l.room {
		return ""
	}
	return l.count.With(strconv.Itoa(l.cursor+1), strconv.Itoa(l.rows)+more)
}

// Move is the key that moves the cursor.
func (l List) Move() key.Binding { return l.keys.Up }

// Page is the key that turns pages.
func (l List) Page() key.Binding { return l.keys.PageDown }

// Keys are all keys of the list.
func (l List) Keys() []key.Binding {
	return []key.Binding{l.keys.Up, l.keys.Down, l.keys.PageUp, l.keys.PageDown, l.keys.First, l.keys.Last}
}

// FullHelp returns all keys of the list, switched on.
func (l List) FullHelp() []key.Binding {
	all := []key.Binding{l.keys.Up, l.keys.PageUp, l.keys.First}
	for i := range all {
		all[i].SetEnabled(true)
	}
	return all
}
