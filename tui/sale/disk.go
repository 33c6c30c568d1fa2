package sale

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/payments"
	"checkout/till/tui/live"
)

// disk sees to it that one write of the sale is under way at a time, so that
// an older state never lands on a newer one.
type disk struct {
	writing bool
	dirty   bool // The sale changed since the write began.
}

// restored says which sale was on disk when the program began.
type restored struct {
	sale  payments.Sale
	found bool
	err   error
}

// saved says how the write of a sale ended.
type saved struct{ err error }

func restore(run live.Runner, desk Desk, till string) tea.Cmd {
	return run(func(ctx context.Context) tea.Msg {
		sales, err := desk.Sales(ctx, till)
		if err != nil || len(sales) == 0 {
			return restored{err: err}
		}
		return restored{sale: sales[0], found: true}
	})
}

func save(run live.Runner, desk Desk, sale payments.Sale) tea.Cmd {
	return run(func(ctx context.Context) tea.Msg { return saved{desk.SaveSale(ctx, sale)} })
}

// store writes the sale to disk, after the write that is under way.
func (m Model) store() (Model, tea.Cmd) {
	if m.disk.writing {
		m.disk.dirty = true
		return m, nil
	}
	m.disk = disk{writing: true}
	return m, save(m.Run, m.Desk, m.sale)
}

func (m Model) saved(msg saved) (Model, tea.Cmd) {
	m.disk.writing = false
	switch {
	case msg.err != nil:
		m.notice = notice{text: m.Texts.Hints.StoreFailed, fault: true}
		if m.mode == charging {
			m = m.become(entering)
		}
		return m, nil
	case m.disk.dirty:
		return m.store()
	case m.mode == charging:
		terms := payments.Terms{
			Sale: m.sale.ID, Till: m.Till, Items: m.sale.Items, Description: m.sale.Description,
		}
		return m, func() tea.Msg { return Charged{terms} }
	}
	return m, nil
}

func (m Model) restored(msg restored) (Model, tea.Cmd) {
	switch {
	case msg.err != nil:
		m.notice = notice{text: m.Texts.Hints.StoreFailed, fault: true}
	case msg.found && len(m.sale.Items) == 0:
		m.sale, m.Welcome = msg.sale, ""
		m.notice = notice{text: m.Texts.Sale.Restored}
	}
	return m, nil
}
