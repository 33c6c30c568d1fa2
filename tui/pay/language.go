package pay

import (
	"checkout/till/assets/i18n"
	"checkout/till/tui/component/badge"
)

// SetTexts changes the language. The order, its code and a question that is
// open stay as they are.
func (m Model) SetTexts(texts i18n.Texts) Model {
	m.Texts, m.keys, m.badge = texts, newKeyMap(texts), badge.New(m.Theme, texts)
	m.enable()
	return m
}
