package sale

import (
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/payments"
)

// keepNote makes a text the note to the customer; a blank one takes it away.
func (m Model) keepNote(text string) (Model, tea.Cmd) {
	note := payments.Clean(text, payments.MaxDescriptionWidth)
	if note == m.sale.Description {
		return m.told(), nil
	}
	m = m.remember().told()
	m.sale.Description = note
	return m.store()
}
