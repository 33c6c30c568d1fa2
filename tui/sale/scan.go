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
	before, behind := m.line.Around()
	head, typed := strings.CutSuffix(before, code)
	return head + behind, typed
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
	before, behind := m.line.Around()
	if head, typed := strings.CutSuffix(before, code); typed {
		m.line = m.line.Put(head, behind)
	}
	if !slices.Contains([]mode{noting, naming, discounting, editing}, m.mode) {
		m = m.become(entering)
	}
	article, known := m.stock.shelf.Coded(code)
	if !known {
		m = m.Warn(func(t i18n.Texts) string { return t.Hints.UnknownCode.With(code) })
		return m, nil, m.notice.message.In(m.Texts)
	}
	item, err := payments.NewItem(article.Label, article.UnitPrice, 1)
	cursor := m.cursor
	m, cmd := m.add(item, err, m.line.Text())
	m.cursor = cursor
	if m.notice.message == nil {
		m = m.Say(func(t i18n.Texts) string {
			return t.Selling.Added.With(article.Label, i18n.Money(article.UnitPrice))
		})
	}
	return m, cmd, m.notice.message.In(m.Texts)
}

// Knows tells whether a code is an article's.
func (m Model) Knows(code string) bool {
	_, known := m.stock.shelf.Coded(code)
	return known
}
