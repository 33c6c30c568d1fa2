// Package screen contains what every screen of the console needs for sizes, messages and key
// bindings.
package screen

import (
	"cmp"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Size is the size of a screen, in cells.
type Size struct{ Width, Height int }

// SizeOf returns the size of a window, by default 80×24.
func SizeOf(msg tea.WindowSizeMsg) Size {
	return Size{Width: cmp.Or(msg.Width, 80), Height: cmp.Or(msg.Height, 24)}
}

// Bind returns a binding of keys. name and word are the texts for the help: the keys, and what they
// do.
func Bind(name, word string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(name, word))
}

// Keys is a titled group of keys in the full help of a screen.
type Keys struct {
	Title string
	Keys  []key.Binding
	Rare  bool // The help has the group after the others.
}

// Emit returns a command that sends msg to the console, which may pass it to the screens.
func Emit(msg tea.Msg) tea.Cmd { return func() tea.Msg { return msg } }

// Answers are the keys that answer a question. They have no help texts, because the question names
// its keys.
type Answers struct{ Yes, No key.Binding }

// NewAnswers returns Enter for yes and Esc for no.
func NewAnswers() Answers {
	return Answers{Yes: key.NewBinding(key.WithKeys("enter")), No: key.NewBinding(key.WithKeys("esc"))}
}
