package sale

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
)

// restored says which sales were on disk when the program began, newest first.
type restored struct {
	sales []payments.Sale
	err   error
}

// saved says how the write of a sale ended.
type saved struct {
	sale *payments.Sale
	err  error
}

// flush writes the next sale of the cart's queue, unless a write is under way.
func (m Model) flush() (Model, tea.Cmd) {
	unsaved := m.cart.Unsaved()
	if m.writing || len(unsaved) == 0 {
		return m, nil
	}
	m.writing = true
	desk, sale := m.Desk, unsaved[0]
	return m, m.Run(func(ctx context.Context) tea.Msg { return saved{sale, desk.SaveSale(ctx, *sale)} })
}

// Unsaved returns what is not on disk yet.
func (m Model) Unsaved() []*payments.Sale { return m.cart.Unsaved() }

// saved goes on after a write. One that failed is tried again later.
func (m Model) saved(msg saved) (Model, tea.Cmd) {
	m.writing = false
	if msg.err != nil {
		if !m.failing || m.mode == charging {
			m = m.Warn(storeFailed)
		}
		m.failing = true
		if m.mode == charging {
			m = m.become(entering)
		}
		return m, nil
	}
	m.cart = m.cart.Written(msg.sale)
	m.failing = false
	m, cmd := m.flush()
	if m.mode != charging || m.writing {
		return m, cmd
	}
	terms := m.cart.Terms()
	return m, func() tea.Msg { return ChargeRequested{terms} }
}

// restored brings back the sale that was being entered, and those that were
// held.
func (m Model) restored(msg restored) (Model, tea.Cmd) {
	if msg.err != nil {
		return m.Warn(storeFailed), nil
	}
	var resumed bool
	if m.cart, resumed = m.cart.Restore(msg.sales, m.Now()); resumed {
		m.Welcome = ""
		m = m.Say(func(t i18n.Texts) string { return t.Sale.Restored })
	}
	return m.flush()
}

func storeFailed(t i18n.Texts) string { return t.Hints.StoreFailed }
