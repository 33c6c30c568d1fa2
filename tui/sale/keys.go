package sale

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
)

// keyMap are the keys of the screen.
type keyMap struct {
	Enter, Charge, Keep, Back, Undo, Note, Favourite key.Binding

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
	bind := func(help, word string, keys ...string) key.Binding {
		return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, word))
	}
	return keyMap{
		Enter:  bind("enter", words.Enter, "enter"),
		Charge: bind("enter", words.Charge, "enter"),
		Keep:   bind("enter", own.Keep, "enter"),
		Back:   bind("esc", words.Back, "esc"),
		Undo:   bind("ctrl+z", words.Undo, "ctrl+z"),
		Note:   bind("ctrl+n", own.Note, "ctrl+n"),
		Favourite: bind("alt+1…9", own.Quick,
			"alt+1", "alt+2", "alt+3", "alt+4", "alt+5", "alt+6", "alt+7", "alt+8", "alt+9"),
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
		return []key.Binding{keys.Held.Resume, keys.Held.Drop, keys.Back}
	case dropping:
		return []key.Binding{keys.Held.Yes, keys.Back}
	case editing, noting, naming, discounting:
		return []key.Binding{keys.Keep, keys.Back}
	}
	switch {
	case m.choice.offered():
		return []key.Binding{keys.Enter, keys.Pick.Next, keys.Back}
	case m.input.Value() == "" && len(m.sale.Items) > 0:
		return []key.Binding{keys.Charge, keys.Line.Up, keys.Undo}
	}
	return []key.Binding{keys.Enter, keys.Back}
}

// FullHelp returns all keys of the screen, in columns.
func (m Model) FullHelp() [][]key.Binding {
	all := newKeyMap(m.Texts)
	line := all.Line
	return [][]key.Binding{
		{all.Enter, all.Charge, all.Pick.Next, all.Favourite, all.Note, all.Undo, all.Back},
		{line.Up, line.Edit, line.More, line.Less, line.Reduce, line.Remove},
		{all.Held.Resume, all.Held.Drop},
	}
}

// Takes tells whether a key does something now. Characters do unless the sale
// is about to be charged, or a question is open.
func (m Model) Takes(msg tea.KeyMsg) bool {
	switch m.mode {
	case charging:
		return false
	case asking, dropping:
		return key.Matches(msg, m.ShortHelp()...)
	}
	return msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace || key.Matches(msg, m.ShortHelp()...)
}
