package sale

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/payments"
)

// Gathered takes in the sales that came to the till's disk, like those that were
// there at the start, and lets those go that had been charged. One that has
// other lines by now is another sale, and is written again.
func (m Model) Gathered(done payments.Gathered) (Model, tea.Cmd) {
	var cmds []tea.Cmd
	for _, sale := range done.Closed {
		var cmd tea.Cmd
		m, cmd = m.closed(sale)
		cmds = append(cmds, cmd)
	}
	if len(done.Found) > 0 {
		var cmd tea.Cmd
		m, cmd = m.restored(restored{sales: done.Found})
		cmds = append(cmds, cmd)
	}
	return m, tea.Batch(cmds...)
}

// closed lets a sale go as it was when it had been charged. What stands in the
// entry line stays there.
func (m Model) closed(sale payments.Sale) (Model, tea.Cmd) {
	if m.sale.ID != sale.ID {
		m.held = m.held.without(sale.ID)
		if m.mode == dropping || m.mode == resuming && len(m.held.sales) == 0 {
			m = m.become(entering)
		}
		return m, nil
	}
	if m.mode == charging || m.sale.Description != sale.Description || !slices.Equal(m.sale.Items, sale.Items) {
		return m.store()
	}
	switch m.mode {
	case naming, editing, noting, discounting:
		m = m.told()
	}
	typed := m.input.Value()
	m = m.begin()
	m.input.SetValue(typed)
	m.input.CursorEnd()
	return m.suggest(), nil
}

// knows tells whether a sale is on the screen or held.
func (m Model) knows(id string) bool {
	return m.sale.ID == id || slices.ContainsFunc(m.held.sales, func(sale payments.Sale) bool { return sale.ID == id })
}
