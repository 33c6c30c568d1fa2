package board

import (
	"github.com/charmbracelet/bubbles/key"

	"checkout/till/assets/i18n"
	"checkout/till/tui/component/screen"
)

type keyMap struct{ Jump, Open, Back key.Binding }

func newKeyMap(texts i18n.Texts) keyMap {
	return keyMap{
		Jump: screen.Bind("1-9", texts.Board.Jump, "1", "2", "3", "4", "5", "6", "7", "8", "9"),
		Open: screen.Bind("enter", texts.PayKeys.Open, "enter"),
		Back: screen.Bind("esc", texts.Keys.Back, "esc"),
	}
}

// ShortHelp returns the keys that matter now.
func (m Model) ShortHelp() []key.Binding {
	return []key.Binding{m.keys.Open, m.keys.Jump, m.master.List.Move(), m.keys.Back, m.master.List.Page()}
}

// FullHelp returns all keys of the screen, in columns.
func (m Model) FullHelp() [][]key.Binding {
	return [][]key.Binding{append([]key.Binding{m.keys.Jump}, m.master.List.FullHelp()...), {m.keys.Open, m.keys.Back}, m.Customer.Keys(m.Texts)}
}
