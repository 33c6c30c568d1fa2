package tui

import (
	"checkout/till/assets/i18n"
	"checkout/till/tui/component/badge"
)

// Language is what the console speaks, and how it learns another language.
type Language struct {
	Code string // That of the texts: "en", "fr" or "mg".
	// Load returns the texts of a language. Nil when there is one alone.
	Load func(code string) (i18n.Texts, error)
}

// speak changes to the next language. Whatever is on the screen stays there: a
// text that is typed, a question, an order. Texts that cannot be loaded change
// nothing.
func (m model) speak() model {
	next := i18n.Next(m.Language.Code)
	texts, err := m.Language.Load(next)
	if err != nil {
		return m
	}
	m.Language.Code, m.Texts = next, texts
	m.keys, m.badge = newKeyMap(texts.Keys), badge.New(m.Theme, texts)
	m.sale, m.pay, m.orders = m.sale.SetTexts(texts), m.pay.SetTexts(texts), m.orders.SetTexts(texts)
	m.catalog = m.catalog.SetTexts(texts)
	m.board, m.health = m.board.SetTexts(texts), m.health.SetTexts(texts)
	return m
}
