package tui

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/tui/component/badge"
)

// nextLanguage changes to the next language, and keeps the choice for the next
// start. Whatever is on the screen stays there: a text that is typed, a question,
// an order. Texts that cannot be loaded change nothing.
func (m *model) nextLanguage() tea.Cmd {
	next := i18n.Next(m.Language.Code)
	texts, err := m.Language.Load(next)
	if err != nil {
		return nil
	}
	m.Language.Code, m.Texts = next, texts
	m.keys, m.badge = newKeyMap(texts.Keys), badge.New(m.Theme, texts)
	for _, screen := range m.table() {
		screen.SetTexts(texts)
	}
	save := m.Language.Save
	if save == nil {
		return nil
	}
	return m.run(func(context.Context) tea.Msg {
		_ = save(next) // The next start then asks the locale, as before.
		return nil
	})
}
