// Package screen is what every screen of the console needs: its size, its messages, and
// the making of its keys.
package screen

import (
	"cmp"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Size is the room that a screen was given, in cells.
type Size struct{ Width, Height int }

// SizeOf returns the size of a window. A terminal that does not know its size, as on a
// serial line, has 80 columns and 24 rows.
func SizeOf(msg tea.WindowSizeMsg) Size {
	return Size{Width: cmp.Or(msg.Width, 80), Height: cmp.Or(msg.Height, 24)}
}

// Bind makes a binding of keys; name is what stands on them, and word what they
// do.
func Bind(name, word string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(name, word))
}

// Emit returns a command that sends a message.
func Emit(msg tea.Msg) tea.Cmd { return func() tea.Msg { return msg } }

// Types tells whether a key types something.
func Types(msg tea.KeyMsg) bool {
	return (msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace) && !msg.Alt
}

// Answers are the keys that answer a question, which names them itself.
type Answers struct{ Yes, No key.Binding }

// NewAnswers returns the keys.
func NewAnswers() Answers {
	return Answers{Yes: key.NewBinding(key.WithKeys("enter")), No: key.NewBinding(key.WithKeys("esc"))}
}
