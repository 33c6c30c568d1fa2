package tui

import (
	"github.com/charmbracelet/bubbles/key"

	"checkout/till/assets/i18n"
)

// CommonKeys are the keys that work on every screen.
func CommonKeys(words i18n.Keys) []key.Binding {
	common := newKeyMap(words)
	return []key.Binding{common.Help, common.News, common.Orders, common.Quit}
}
