package sale

import "checkout/till/assets/i18n"

// SetTexts changes the language. The sale, what was typed, a question that is
// open and what can be undone stay as they are.
func (m Model) SetTexts(texts i18n.Texts) Model {
	m.Texts, m.keys = texts, newKeyMap(texts)
	m.input.Prompt = texts.Sale.Prompt
	return m.become(m.mode).SetSize(m.size.width, m.size.height)
}
