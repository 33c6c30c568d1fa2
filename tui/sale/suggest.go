package sale

import (
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/entry"
	"checkout/till/tui/theme"
)

// choice are the articles that fit what is being typed.
type choice struct {
	fit      entry.Fit
	quantity int64         // Beside the letters.
	chosen   int           // From 1; 0 while none is.
	line     payments.Item // What is typed, where nothing is offered; without a label for none.
}

// offered tells whether there is something to choose.
func (c choice) offered() bool { return len(c.fit.Best) > 0 }

// suggest looks up what fits the entry line. An article that was chosen stays
// so while it is there.
func (m Model) suggest() Model {
	before := m.choice
	m.choice = choice{}
	if m.mode != entering || m.input.Value() == "" {
		return m
	}
	m.choice.fit, m.choice.quantity = m.stock.shelf.Fitting(m.input.Value())
	if !m.choice.offered() {
		// What is not understood, or not yet, has no line.
		m.choice.line, _ = m.wanted(m.input.Value())
	}
	if before.chosen == 0 {
		return m
	}
	for i, article := range m.choice.fit.Best {
		if article.ID == before.fit.Best[before.chosen-1].ID {
			m.choice.chosen = i + 1
		}
	}
	return m
}

// preview is the line that the entry stands for, so that a quantity that was
// read as a part of the label is seen before it is sold.
func (m Model) preview() string {
	line := m.choice.line
	facts := " · " + i18n.Number(line.Quantity) + " × " + i18n.Money(line.UnitPrice)
	if line.Quantity != 1 {
		facts += " = " + i18n.Money(line.Total())
	}
	room := max(0, m.size.width-theme.Width(previewMark+facts))
	return theme.Truncate(previewMark+theme.Truncate(line.Label, room)+facts, m.size.width)
}

// chosen moves the choice on by a step; beyond the last and before the first
// article none is chosen.
func (m Model) chosen(step int) Model {
	all := len(m.choice.fit.Best) + 1
	m.choice.chosen = (m.choice.chosen + step + all) % all
	m.notice = notice{}
	return m
}

// favourite adds the favourite of a key. A quantity alone in the entry line is
// its quantity; any other text stays.
func (m Model) favourite(msg tea.KeyMsg) (Model, tea.Cmd) {
	name := msg.String()
	place := int(name[len(name)-1] - '0')
	article, found := m.stock.shelf.Favourite(place)
	if !found {
		return m.Warn(func(t i18n.Texts) string { return t.Hints.NoFavourite.With(place) }), nil
	}
	quantity := int64(1)
	if alone, ok := entry.Quantity(m.input.Value()); ok && alone > 0 {
		quantity = alone
		m.input.Reset()
	}
	item, err := payments.NewItem(article.Label, article.UnitPrice, quantity)
	if err != nil {
		return m.Warn(hint(err)), nil
	}
	m, cmd, err := m.add(item)
	if err != nil {
		return m.Warn(hint(err)), nil
	}
	return m.become(entering), cmd
}
