package health

import "checkout/till/assets/i18n"

// SetTexts changes the language. What was found out stays as it is.
func (m Model) SetTexts(texts i18n.Texts) Model {
	m.Texts = texts
	m.back.SetHelp(m.back.Help().Key, texts.Keys.Back)
	m.again.SetHelp(m.again.Help().Key, texts.Health.Again)
	return m.fit()
}
