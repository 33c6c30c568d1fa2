package sale

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/entry"
)

// Scans tells, when a scanner has typed a code on this screen, whether its
// Enter shall only add the article, by Scan. Otherwise the Enter is one like
// any other: the code stands alone in the entry line, or may be a price or a
// part of a text.
func (m Model) Scans(code string) bool {
	_, known := m.stock.shelf.Coded(code)
	switch m.mode {
	case entering, editing:
		rest, typed := m.beside(code)
		return typed && len(code) >= entry.MinCode && (m.mode == editing || !alone(rest))
	case noting, naming, discounting:
		return known && len(code) >= entry.MinCode
	}
	return true
}

// beside is what stands in the entry line beside a code that was just typed.
func (m Model) beside(code string) (rest string, typed bool) {
	value := []rune(m.input.Value())
	head, typed := strings.CutSuffix(string(value[:m.input.Position()]), code)
	return head + string(value[m.input.Position():]), typed
}

// alone tells whether there is nothing beside a code but a quantity.
func alone(rest string) bool {
	_, ok := entry.Quantity(rest)
	return ok
}

// Scan adds the article of a code that a scanner typed, on whatever screen, and
// returns what to say of it. The code goes from the entry line, and what else
// stands there stays; a question that was open is closed, for the sale is
// another one now.
func (m Model) Scan(code string) (Model, tea.Cmd, string) {
	if m.mode == charging {
		return m, nil, m.Texts.Selling.ScanLater
	}
	if rest, typed := m.beside(code); typed && m.mode != asking {
		position := m.input.Position() - len(code)
		m.input.SetValue(rest)
		m.input.SetCursor(position)
	}
	if !slices.Contains([]mode{noting, naming, discounting, editing}, m.mode) {
		m = m.become(entering)
	}
	article, known := m.stock.shelf.Coded(code)
	if !known {
		m = m.Warn(func(t i18n.Texts) string { return t.Hints.UnknownCode.With(code) })
		return m, nil, m.notice.text.In(m.Texts)
	}
	var cmd tea.Cmd
	item, err := payments.NewItem(article.Label, article.UnitPrice, 1)
	if err == nil {
		m, cmd, err = m.add(item)
	}
	if err != nil {
		m = m.Warn(hint(err))
		return m, nil, m.notice.text.In(m.Texts)
	}
	if m.notice.text == nil {
		m = m.say(func(t i18n.Texts) string {
			return t.Selling.Added.With(article.Label, i18n.Money(article.UnitPrice))
		})
	}
	return m, cmd, m.notice.text.In(m.Texts)
}

// Knows tells whether a code is an article's.
func (m Model) Knows(code string) bool {
	_, known := m.stock.shelf.Coded(code)
	return known
}
