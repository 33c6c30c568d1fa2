package board

import (
	"github.com/charmbracelet/bubbles/key"

	"checkout/till/assets/i18n"
)

// keyMap are the keys of the screen.
type keyMap struct {
	Up, Down, PageUp, PageDown, First, Last key.Binding
	Jump, Open, Back                        key.Binding
}

func newKeyMap(texts i18n.Texts) keyMap {
	bind := func(help, word string, keys ...string) key.Binding {
		return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, word))
	}
	return keyMap{
		Up:       bind("↑/↓", texts.Keys.Move, "up", "k"),
		Down:     bind("↑/↓", texts.Keys.Move, "down", "j"),
		PageUp:   bind("pgup/dn", texts.CatalogKeys.Page, "pgup"),
		PageDown: bind("pgup/dn", texts.CatalogKeys.Page, "pgdown"),
		First:    bind("home/end", texts.CatalogKeys.Ends, "home"),
		Last:     bind("home/end", texts.CatalogKeys.Ends, "end"),
		Jump:     bind("0-9", texts.Board.Jump, "0", "1", "2", "3", "4", "5", "6", "7", "8", "9"),
		Open:     bind("enter", texts.PayKeys.Open, "enter"),
		Back:     bind("esc", texts.Keys.Back, "esc"),
	}
}

// enable switches each key on where it does something.
func (m *Model) enable() {
	some, pages := len(m.rows) > 0, len(m.rows) > m.room()
	m.keys.Open.SetEnabled(some)
	for _, binding := range []*key.Binding{&m.keys.Up, &m.keys.Down, &m.keys.First, &m.keys.Last, &m.keys.Jump} {
		binding.SetEnabled(some)
	}
	m.keys.PageUp.SetEnabled(pages)
	m.keys.PageDown.SetEnabled(pages)
}

// ShortHelp returns the keys that matter now.
func (m Model) ShortHelp() []key.Binding {
	return []key.Binding{m.keys.Open, m.keys.Jump, m.keys.Up, m.keys.Back, m.keys.PageDown}
}

// FullHelp returns all keys of the screen, in columns.
func (m Model) FullHelp() [][]key.Binding {
	all := newKeyMap(m.Texts)
	return [][]key.Binding{{all.Jump, all.Up, all.PageUp, all.First}, {all.Open, all.Back}}
}
