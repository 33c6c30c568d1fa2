package sale

import (
	"errors"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/payments"
)

// maxUndo is how many steps can be undone.
const maxUndo = 100

// enter takes what the entry line holds: a new line, a correction, or, when it
// is empty, the wish to charge.
func (m Model) enter() (Model, tea.Cmd) {
	entry := strings.TrimSpace(m.input.Value())
	if entry == "" {
		if m.mode == entering && len(m.sale.Items) > 0 {
			return m.become(asking), nil
		}
		return m.back(), nil
	}
	item, err := Parse(entry, m.Articles, m.Texts.Sale.FreeAmount)
	if err == nil {
		err = m.fits(item)
	}
	if err != nil {
		m.notice = notice{text: m.hint(err), fault: true}
		return m, nil
	}
	if m.mode == editing {
		m = m.become(entering)
		m.input.Reset()
		return m.replace(item.Label, item.UnitPrice, item.Quantity)
	}
	m.input.Reset()
	items := append(slices.Clone(m.sale.Items), item)
	return m.change(items)
}

// fits tells whether the sale's total stays in bounds with one more item.
func (m Model) fits(item payments.Item) error {
	_, err := payments.Total(append(slices.Clone(m.sale.Items), item))
	return err
}

// replace puts another item in the place of the chosen one.
func (m Model) replace(label string, price payments.Ariary, quantity int64) (Model, tea.Cmd) {
	item, err := payments.NewItem(label, price, quantity)
	items := slices.Clone(m.sale.Items)
	if err == nil {
		items[m.cursor] = item
		_, err = payments.Total(items)
	}
	if err != nil {
		m.notice = notice{text: m.hint(err), fault: true}
		return m, nil
	}
	return m.change(items)
}

// remove takes the chosen line out.
func (m Model) remove() (Model, tea.Cmd) {
	items := slices.Delete(slices.Clone(m.sale.Items), m.cursor, m.cursor+1)
	m.cursor = max(0, min(m.cursor, len(items)-1))
	if len(items) == 0 {
		m = m.become(entering)
	}
	return m.change(items)
}

// undo takes the last change of the lines back. The entry line keeps what was
// typed, unless it corrects a line that may be another one now.
func (m Model) undo() (Model, tea.Cmd) {
	if len(m.history) == 0 {
		return m, nil
	}
	last := len(m.history) - 1
	m.sale.Items, m.history = m.history[last], m.history[:last]
	m.cursor, m.notice = 0, notice{}
	if m.mode == editing {
		m.input.Reset()
	}
	m = m.become(entering)
	return m.store()
}

// change makes items the lines of the sale, and stores them.
func (m Model) change(items []payments.Item) (Model, tea.Cmd) {
	m.history = append(slices.Clone(m.history), m.sale.Items)
	if len(m.history) > maxUndo {
		m.history = m.history[1:]
	}
	m.sale.Items, m.notice, m.Welcome = items, notice{}, ""
	return m.store()
}

// hint says what to do about an entry that was not understood.
func (m Model) hint(err error) string {
	hints := m.Texts.Hints
	var several *SeveralError
	switch {
	case errors.As(err, &several):
		return hints.Several.With(strings.Join(several.Labels, ", "))
	case errors.Is(err, ErrNoPrice):
		return hints.NoPrice
	case errors.Is(err, ErrQuantity):
		return hints.BadQuantity
	case errors.Is(err, ErrTwoQuantities):
		return hints.TwoQuantities
	case errors.Is(err, payments.ErrTooLarge):
		return hints.TooLarge
	case errors.Is(err, payments.ErrNotAmount):
		return hints.BadPrice
	}
	return hints.NotUnderstood
}
