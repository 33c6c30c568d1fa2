package catalog

import "checkout/till/assets/i18n"

// SetTexts changes the language. What was typed, the chosen article and a
// question that is open stay as they are.
func (m Model) SetTexts(texts i18n.Texts) Model {
	m.Texts, m.keys, m.stock.list = texts, newKeyMap(texts), m.stock.list.SetTexts(texts)
	m.filter = m.filter.SetPrompt(texts.Catalog.Find + " ")
	m = m.SetSize(m.size.Width, m.size.Height)
	m.enable()
	return m
}
