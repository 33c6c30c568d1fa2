package sale

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
)

// keyMap are the keys of the screen. Those for a chosen line are disabled
// while none is.
type keyMap struct {
	Enter, Charge, Back, Up, Down  key.Binding
	Edit, More, Less, Remove, Undo key.Binding
}

func newKeyMap(words i18n.Keys) keyMap {
	bind := func(help, word string, keys ...string) key.Binding {
		return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, word))
	}
	return keyMap{
		Enter:  bind("enter", words.Enter, "enter"),
		Charge: bind("enter", words.Charge, "enter"),
		Back:   bind("esc", words.Back, "esc"),
		Up:     bind("↑/↓", words.Move, "up"),
		Down:   bind("↑/↓", words.Move, "down"),
		Edit:   bind("enter", words.Edit, "enter"),
		More:   bind("+", words.More, "+"),
		Less:   bind("-", words.Less, "-"),
		Remove: bind("del", words.Remove, "delete", "backspace", "ctrl+d"),
		Undo:   bind("ctrl+z", words.Undo, "ctrl+z"),
	}
}

// choose enables the keys of a chosen line.
func (k *keyMap) choose(chosen bool) {
	for _, binding := range []*key.Binding{&k.Edit, &k.More, &k.Less, &k.Remove} {
		binding.SetEnabled(chosen)
	}
}

// ShortHelp returns the keys that matter now.
func (m Model) ShortHelp() []key.Binding {
	switch {
	case m.mode == asking:
		return []key.Binding{m.keys.Charge, m.keys.Back}
	case m.mode == choosing:
		return []key.Binding{m.keys.Edit, m.keys.More, m.keys.Less, m.keys.Remove, m.keys.Back}
	case m.mode == entering && m.input.Value() == "" && len(m.sale.Items) > 0:
		return []key.Binding{m.keys.Charge, m.keys.Up, m.keys.Undo}
	}
	return []key.Binding{m.keys.Enter, m.keys.Back}
}

// FullHelp returns all keys of the screen, in columns.
func (m Model) FullHelp() [][]key.Binding {
	all := newKeyMap(m.Texts.Keys)
	return [][]key.Binding{
		{all.Enter, all.Charge, all.Back, all.Undo},
		{all.Up, all.Edit, all.More, all.Less, all.Remove},
	}
}

// Takes tells whether a key does something now. Characters do unless the sale
// is about to be charged, or a question is open.
func (m Model) Takes(msg tea.KeyMsg) bool {
	switch m.mode {
	case charging:
		return false
	case asking:
		return key.Matches(msg, m.ShortHelp()...)
	}
	return msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace || key.Matches(msg, m.ShortHelp()...)
}
