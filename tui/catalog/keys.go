package catalog

import (
	"github.com/charmbracelet/bubbles/key"

	"checkout/till/assets/i18n"
	"checkout/till/tui/component/screen"
)

// keyMap are the keys of the screen besides its list's: those of the list of
// articles, and those of the form.
type keyMap struct {
	New, Edit, Place, Remove, Back key.Binding
	Next, FieldDown, FieldUp, Save key.Binding
	screen.Answers
}

func newKeyMap(texts i18n.Texts) keyMap {
	words, bind := texts.Keys, screen.Bind
	return keyMap{
		New:       bind("ctrl+n", words.New, "ctrl+n", "insert"),
		Edit:      bind("enter", words.Edit, "enter"),
		Place:     bind("alt+0…9", words.Place, "alt+0", "alt+1", "alt+2", "alt+3", "alt+4", "alt+5", "alt+6", "alt+7", "alt+8", "alt+9"),
		Remove:    bind("del", words.Remove, "delete", "ctrl+d"),
		Back:      bind("esc", words.Back, "esc"),
		Next:      bind("enter", words.Next, "enter"),
		FieldDown: bind("tab", words.Field, "tab", "down"),
		FieldUp:   bind("tab", words.Field, "shift+tab", "up"),
		Save:      bind("ctrl+s", words.Save, "ctrl+s"),
		Answers:   screen.NewAnswers(),
	}
}

// ShortHelp returns the keys that matter now.
func (m Model) ShortHelp() []key.Binding {
	switch {
	case m.ask.says != nil:
		return nil // It names them itself.
	case m.form.open:
		return []key.Binding{m.keys.Next, m.keys.Save, m.keys.Back, m.keys.FieldDown}
	}
	return []key.Binding{m.keys.New, m.keys.Edit, m.keys.Back, m.keys.Place, m.keys.Remove, m.master.List.Move()}
}

// FullHelp returns all keys of the screen, in columns.
func (m Model) FullHelp() [][]key.Binding {
	all := m.keys
	return [][]key.Binding{
		append(m.master.List.FullHelp(), all.Back),
		{all.New, all.Edit, all.Place, all.Remove},
		{all.Next, all.FieldDown, all.Save},
	}
}
