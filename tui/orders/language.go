package orders

import (
	"checkout/till/assets/i18n"
	"checkout/till/tui/component/badge"
)

// SetTexts changes the language. The list, the chosen order and a question
// that is open stay as they are.
func (m Model) SetTexts(texts i18n.Texts) Model {
	m.Texts, m.keys, m.badge = texts, newKeyMap(texts), badge.New(m.Theme, texts)
	m.history.search.field = m.history.search.field.SetPrompt(m.prompt()).SetWidth(m.size.width)
	m.enable()
	return m.scroll(0)
}
