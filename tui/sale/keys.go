package sale

import (
	"github.com/charmbracelet/bubbles/key"

	"checkout/till/assets/i18n"
	"checkout/till/tui/component/screen"
)

// keyMap are the keys of the screen.
type keyMap struct {
	Enter, Charge, Keep, Back, Undo, Note, Favourite, Tab, Drop key.Binding

	Pick pickKeys
	Line lineKeys
	Held heldKeys
}

// pickKeys choose one of the articles that fit.
type pickKeys struct{ Next, Previous key.Binding }

// lineKeys choose a line and change it.
type lineKeys struct{ Up, Down, Edit, More, Less, Reduce, Remove key.Binding }

// heldKeys are those of the list of the sales that are held.
type heldKeys struct{ Resume, Drop, Yes key.Binding }

func newKeyMap(texts i18n.Texts) keyMap {
	words, own := texts.Keys, texts.SaleKeys
	bind := screen.Bind
	return keyMap{
		Enter:     bind("enter", words.Enter, "enter"),
		Charge:    bind("enter", words.Charge, "enter"),
		Keep:      bind("enter", own.Keep, "enter"),
		Back:      bind("esc", words.Back, "esc"),
		Undo:      bind("ctrl+z", words.Undo, "ctrl+z"),
		Note:      bind("ctrl+n", own.Note, "ctrl+n"),
		Favourite: bind("alt+1…9", own.Quick, favouriteKeys()...),
		Tab:       bind("1…9 tab", own.Quick, "tab"),
		Drop:      bind("esc", own.Drop, "esc"),
		Pick: pickKeys{
			Next:     bind("tab", own.Pick, "tab", "down"),
			Previous: bind("tab", own.Pick, "shift+tab", "up"),
		},
		Line: lineKeys{
			Up:     bind("↑/↓", words.Move, "up"),
			Down:   bind("↑/↓", words.Move, "down"),
			Edit:   bind("enter", words.Edit, "enter"),
			More:   bind("+", words.More, "+"),
			Less:   bind("-", words.Less, "-"),
			Reduce: bind("d", own.Reduce, "d"),
			Remove: bind("del", words.Remove, "delete", "backspace", "ctrl+d"),
		},
		Held: heldKeys{
			Resume: bind("enter", own.Resume, "enter"),
			Drop:   bind("del", own.Drop, "delete", "backspace", "ctrl+d"),
			Yes:    bind("enter", own.Yes, "enter"),
		},
	}
}

// ShortHelp returns the keys that matter now.
func (m Model) ShortHelp() []key.Binding {
	keys := m.keys
	switch m.mode {
	case asking:
		return []key.Binding{keys.Charge, keys.Back}
	case choosing:
		line := keys.Line
		return []key.Binding{line.Edit, line.More, line.Less, line.Reduce, line.Remove, keys.Back}
	case resuming:
		return []key.Binding{keys.Held.Resume, keys.Held.Drop, m.list.Move(), m.list.Page(), keys.Back}
	case dropping, droppingHeld:
		return []key.Binding{keys.Held.Yes, keys.Back}
	case editing, noting, naming, discounting:
		return []key.Binding{keys.Keep, keys.Back}
	}
	_, place := singleDigit(m.line.Text())
	switch {
	case m.choice.offered():
		return []key.Binding{keys.Enter, keys.Pick.Next, keys.Back}
	case place:
		return []key.Binding{keys.Enter, keys.Tab, keys.Back}
	case !m.line.Empty():
		return []key.Binding{keys.Enter, keys.Back}
	case !m.cart.Empty():
		return []key.Binding{keys.Charge, keys.Line.Up, keys.Undo, keys.Drop}
	case !m.cart.Untouched():
		return []key.Binding{keys.Enter, keys.Undo, keys.Drop}
	}
	if len(m.favourites()) > 0 {
		return []key.Binding{keys.Enter, keys.Tab}
	}
	return []key.Binding{keys.Enter}
}

// FullHelp returns all keys of the screen, in columns.
func (m Model) FullHelp() [][]key.Binding {
	all := newKeyMap(m.Texts)
	line := all.Line
	return [][]key.Binding{
		{all.Enter, all.Charge, all.Pick.Next, all.Tab, all.Favourite, all.Note, all.Undo, all.Back, all.Drop},
		{line.Up, line.Edit, line.More, line.Less, line.Reduce, line.Remove},
		{all.Held.Resume, all.Held.Drop},
	}
}
