package tui

import (
	"github.com/charmbracelet/bubbles/key"

	"checkout/till/assets/i18n"
)

// keyMap are the keys that work on every screen.
type keyMap struct {
	Help, Question, News, Orders, Board, Hold, Catalog, Language, Health, Today, Quit key.Binding
	Yes, No                                                                           key.Binding
}

func newKeyMap(words i18n.Keys) keyMap {
	bind := func(help, word string, keys ...string) key.Binding {
		return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, word))
	}
	return keyMap{
		Help:     bind("F1", words.Help, "f1"),
		Question: bind("?", words.Help, "?"),
		News:     bind("F2", words.News, "f2"),
		Orders:   bind("F3", words.Orders, "f3"),
		Board:    bind("F4", words.Board, "f4"),
		Hold:     bind("F5", words.Hold, "f5"),
		Catalog:  bind("F6", words.Catalog, "f6"),
		Language: bind("F7", words.Language, "f7"),
		Health:   bind("F8", words.Health, "f8"),
		Today:    bind("F10", words.Today, "f10"),
		Quit:     bind("ctrl+c", words.Quit, "ctrl+c"),
		Yes:      key.NewBinding(key.WithKeys("enter")),
		No:       key.NewBinding(key.WithKeys("esc")),
	}
}

func (m *model) enable() {
	m.keys.Language.SetEnabled(m.Language.Load != nil)
	m.keys.Question.SetEnabled(!m.table()[m.route].Typing() && (m.route != routeSale || m.sale.Blank()))
}

func (k keyMap) common() []key.Binding {
	return []key.Binding{k.Help, k.News, k.Orders, k.Board, k.Hold, k.Catalog, k.Health, k.Today, k.Language, k.Quit}
}
