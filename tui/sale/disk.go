package sale

import (
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/live"
)

// disk sees to it that one write is under way at a time, so that an older state
// of a sale never lands on a newer one.
type disk struct {
	queue   []payments.Sale // To be written, each sale once.
	writing bool
	failing bool // The last write failed.
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

func save(run live.Runner, desk Desk, sale payments.Sale) tea.Cmd {
	return run(func(ctx context.Context) tea.Msg { return saved{sale, desk.SaveSale(ctx, sale)} })
}

// store writes the sale that is being entered to disk.
func (m Model) store() (Model, tea.Cmd) { return m.put(m.sale) }

// put writes a sale to disk, after what is on its way there.
func (m Model) put(sale payments.Sale) (Model, tea.Cmd) {
	m.disk.queue = append(others(m.disk.queue, sale.ID), sale)
	return m.flush()
}

// others are the sales but the one of an ID.
func others(sales []payments.Sale, id string) []payments.Sale {
	return slices.DeleteFunc(slices.Clone(sales), func(sale payments.Sale) bool { return sale.ID == id })
}

// flush begins the next write, unless one is under way.
func (m Model) flush() (Model, tea.Cmd) {
	if m.disk.writing || len(m.disk.queue) == 0 {
		return m, nil
	}
	next := m.disk.queue[0]
	m.disk.queue, m.disk.writing = m.disk.queue[1:], true
	return m, save(m.Run, m.Desk, next)
}

// retry writes what could not be written before.
func (m Model) retry() (Model, tea.Cmd) {
	if !m.disk.failing {
		return m, nil
	}
	return m.flush()
}

// saved goes on after a write. One that failed is made up for later, unless a
// newer state of its sale waits already.
func (m Model) saved(msg saved) (Model, tea.Cmd) {
	m.disk.writing = false
	if msg.err != nil {
		if !m.disk.failing || m.mode == charging {
			m = m.Warn(func(t i18n.Texts) string { return t.Hints.StoreFailed })
		}
		m.disk.failing = true
		if newer := others(m.disk.queue, msg.sale.ID); len(newer) == len(m.disk.queue) {
			m.disk.queue = append([]payments.Sale{msg.sale}, newer...)
		}
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
	terms := payments.Terms{
		Sale: m.sale.ID, Till: m.Till, Items: m.sale.Items, Description: m.sale.Description,
	}
	return m, func() tea.Msg { return Charged{terms} }
}

// restored brings back the sale that was being entered, and those that were
// held. Should there be another that was being entered, it is held as well: a
// line that was typed is never lost.
func (m Model) restored(msg restored) (Model, tea.Cmd) {
	if msg.err != nil {
		return m.Warn(func(t i18n.Texts) string { return t.Hints.StoreFailed }), nil
	}
	var strays []payments.Sale
	found := false
	for _, sale := range slices.Backward(msg.sales) {
		if m.knows(sale.ID) {
			continue
		}
		if sale.Name != "" {
			m.held.sales = append(m.held.sales, sale)
			continue
		}
		strays = append(strays, sale)
	}
	if last := len(strays) - 1; last >= 0 && m.untouched() {
		m.sale, strays, found = strays[last], strays[:last], true
		m.Welcome = ""
	}
	var cmds []tea.Cmd
	for _, sale := range strays {
		var cmd tea.Cmd
		m, cmd = m.putAside(sale, m.held.name())
		cmds = append(cmds, cmd)
	}
	if found {
		m = m.say(func(t i18n.Texts) string { return t.Sale.Restored })
	}
	return m, tea.Batch(cmds...)
}
