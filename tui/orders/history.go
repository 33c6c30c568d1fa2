package orders

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
)

// history is what was read of the list that is shown.
type history struct {
	number  int // Which list it is: each that was begun has a number of its own.
	orders  []payments.Order
	reading bool
	stale   bool // Something changed since the reading began.
	whole   bool // There is nothing older.
	search  search
}

// list shows a list from its beginning.
func (m Model) list(tab tab) (Model, tea.Cmd) {
	m.tab, m.cursor, m.history = tab, 0, history{number: m.history.number + 1}
	m.enable()
	return m.refresh()
}

// refresh reads anew what was read of the history, after the reading that is
// under way.
func (m Model) refresh() (Model, tea.Cmd) {
	m.history.stale = m.history.reading
	if m.history.reading {
		return m, nil
	}
	m.history.reading = true
	return m, tea.Batch(m.page(""), m.count())
}

func (m Model) paged(msg paged) Model {
	if msg.list != m.history.number {
		return m
	}
	m.history.reading = false
	if msg.err != nil {
		m.notice = func(t i18n.Texts) string { return t.Frame.StoreDown }
		return m
	}
	known := m.history.orders
	switch {
	case msg.after == "" && len(msg.orders) < msg.limit:
		m.history.orders = msg.orders // There are no others.
	case msg.after == "":
		m.history.orders = merge(msg.orders, known)
	case len(known) > 0 && known[len(known)-1].Reference == msg.after:
		m.history.orders = append(slices.Clone(known), msg.orders...)
	default:
		return m // It follows a list that is not the one shown.
	}
	m.history.whole = m.history.whole || len(msg.orders) < msg.limit
	m.cursor = max(0, min(m.cursor, len(m.history.orders)-1))
	return m
}

// caughtUp reads again what became stale while it was read.
func (m Model) caughtUp() (Model, tea.Cmd) {
	if !m.history.stale {
		return m, nil
	}
	return m.refresh()
}

// merge puts what was read anew before what was read of older orders.
func merge(fresh, known []payments.Order) []payments.Order {
	if len(fresh) == 0 {
		return known
	}
	last := fresh[len(fresh)-1].Reference
	i := slices.IndexFunc(known, func(o payments.Order) bool { return o.Reference == last })
	if i < 0 {
		return fresh
	}
	return append(slices.Clone(fresh), known[i+1:]...)
}
