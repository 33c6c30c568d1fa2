package tui

import (
	"github.com/charmbracelet/bubbles/key"

	"checkout/till/assets/i18n"
	"checkout/till/tui/component/screen"
)

// keyMap are the keys that work on every screen.
type keyMap struct {
	Help, Question, News, Orders, Board, Hold, Catalog, Language, Health, Today, Quit key.Binding
}

func newKeyMap(words i18n.Keys) keyMap {
	return keyMap{
		Help:     screen.Bind("F1", words.Help, "f1"),
		Question: screen.Bind("?", words.Help, "?"),
		News:     screen.Bind("F2", words.News, "f2"),
		Orders:   screen.Bind("F3", words.Orders, "f3"),
		Board:    screen.Bind("F4", words.Board, "f4"),
		Hold:     screen.Bind("F5", words.Hold, "f5"),
		Catalog:  screen.Bind("F6", words.Catalog, "f6"),
		Language: screen.Bind("F7", words.Language, "f7"),
		Health:   screen.Bind("F8", words.Health, "f8"),
		Today:    screen.Bind("F10", words.Today, "f10"),
		Quit:     screen.Bind("ctrl+c", words.Quit, "ctrl+c"),
	}
}

func (k keyMap) common() []key.Binding {
	return []key.Binding{k.Help, k.News, k.Orders, k.Board, k.Hold, k.Catalog, k.Health, k.Today, k.Language, k.Quit}
}
