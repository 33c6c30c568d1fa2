package sale

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/live"
)

// disk sees to it that one write is under way at a time.
type disk struct {
	writing bool
	sale    payments.Sale // What is being written.
	failing bool          // The last write failed.
}

// restored says which sales were on disk when the program began, newest first.
type restored struct {
	sales []payments.Sale
	err   error
}

// saved says how the write of a sale ended.
type saved struct {
	sale payments.Sale
	err  error
}

func restore(run live.Runner, desk Desk, till string) tea.Cmd {
	return run(func(ctx context.Context) tea.Msg {
		sales, err := desk.Sales(ctx, till)
		return restored{sales: sales, err: err}
	})
}

// flush writes the next sale of the cart's queue, unless a write is under way.
func (m Model) flush() (Model, tea.Cmd) {
	if m.disk.writing {
		return m, nil
	}
	c, sale, ok := m.cart.NextWrite()
	if !ok {
		return m, nil
	}
	m.cart, m.disk.writing, m.disk.sale = c, true, sale
	desk := m.Desk
	return m, m.Run(func(ctx context.Context) tea.Msg { return saved{sale, desk.SaveSale(ctx, sale)} })
}

// Unsaved returns what is not on disk yet: the sale whose write is under way, and
// those that wait, each in its newest state last.
func (m Model) Unsaved() []payments.Sale {
	var unsaved []payments.Sale
	if m.disk.writing {
		unsaved = append(unsaved, m.disk.sale)
	}
	for c, sale, waits := m.cart.NextWrite(); waits; c, sale, waits = c.NextWrite() {
		unsaved = append(unsaved, sale)
	}
	return unsaved
}

// saved goes on after a write. One that failed is made up for later.
func (m Model) saved(msg saved) (Model, tea.Cmd) {
	m.disk.writing = false
	if msg.err != nil {
		if !m.disk.failing || m.mode == charging {
			m = m.Warn(func(t i18n.Texts) string { return t.Hints.StoreFailed })
		}
		m.disk.failing, m.cart = true, m.cart.RetryWrite(msg.sale)
		if m.mode == charging {
			m = m.become(entering)
		}
		return m, nil
	}
	m.disk.failing = false
	m, cmd := m.flush()
	if m.mode != charging || m.disk.writing {
		return m, cmd
	}
	terms := m.cart.Terms()
	return m, func() tea.Msg { return Charged{terms} }
}

// restored brings back the sale that was being entered, and those that were
// held.
func (m Model) restored(msg restored) (Model, tea.Cmd) {
	if msg.err != nil {
		return m.Warn(func(t i18n.Texts) string { return t.Hints.StoreFailed }), nil
	}
	var resumed bool
	if m.cart, resumed = m.cart.Restore(msg.sales, m.Now()); resumed {
		m.Welcome = ""
		m = m.Say(func(t i18n.Texts) string { return t.Sale.Restored })
	}
	return m.flush()
}
