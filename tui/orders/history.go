package orders

import (
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/live"
)

const (
	// pageSize is how many orders are read at a time.
	pageSize = 50
	// maxRefreshed is how many of them are read anew after a change.
	maxRefreshed = 1000
)

// tab is the list that is shown.
type tab int

const (
	checking tab = iota // What a person must look at.
	own                 // The till's own orders, where several tills share the database.
	past                // All orders that ever were.
)

// history is what was read of the list that is shown.
type history struct {
	loader live.Loader[page]
	orders []payments.Order
	whole  bool // There is nothing older.
}

// page is a part of a list.
type page struct {
	after  string // The reference of the order that it follows; blank for the first.
	limit  int    // How many orders were asked for.
	orders []payments.Order
}

// show shows a list from its beginning.
func (m Model) show(tab tab) (Model, tea.Cmd) {
	m.tab, m.search, m.list = tab, search{}, m.list.Select(0)
	m.history.loader.Drop()
	m.history.orders, m.history.whole = nil, false
	cmd := m.refresh()
	return m, cmd
}

// after returns the list that follows one.
func (m Model) after(shown tab) tab {
	switch {
	case shown == past:
		return checking
	case shown == checking && m.Shared:
		return own
	}
	return past
}

// refresh reads anew what was read of the list, after the reading that is under
// way.
func (m *Model) refresh() tea.Cmd {
	limit := pageSize
	if !m.search.pending {
		limit = min(max(pageSize, len(m.history.orders)), maxRefreshed)
	}
	return m.load("", limit)
}

// readOn reads the next page before the list ends.
func (m Model) readOn() (Model, tea.Cmd) {
	orders := m.history.orders
	near := m.list.Cursor() > len(orders)-10
	if m.detail.shown() || !near || m.history.loader.Busy() || m.history.whole || len(orders) == 0 {
		return m, nil
	}
	cmd := m.load(orders[len(orders)-1].Reference, pageSize)
	return m, cmd
}

func (m *Model) load(after string, limit int) tea.Cmd {
	query := payments.Query{Before: after, Limit: limit}
	switch m.tab {
	case checking:
		query.Check = m.state.Now
	case own:
		query.Till = m.By
	case past:
		query = m.narrowed(query)
	}
	ledger := m.Ledger
	return m.history.loader.Load(m.Run, func(ctx context.Context) (page, error) {
		orders, err := ledger.Orders(ctx, query)
		return page{after: after, limit: limit, orders: orders}, err
	})
}

// paged takes in a page. Where it could not be read the orders of an earlier
// search go: they are not what the field says.
func (m Model) paged(msg live.Loaded[page]) (Model, tea.Cmd) {
	wanted, again := m.history.loader.Done(msg)
	if !wanted {
		return m, nil
	}
	if m.search.pending {
		m.search.pending, m.history.orders, m.list = msg.Err != nil, nil, m.list.Select(0)
	}
	known, read := m.history.orders, msg.Value
	switch {
	case msg.Err != nil:
		m.notice = func(t i18n.Texts) string { return t.Frame.StoreDown }
	case read.after != "":
		m.history.orders = append(slices.Clone(known), read.orders...)
	case len(read.orders) < read.limit:
		m.history.orders = read.orders // There are no others.
	default:
		m.history.orders = merge(read.orders, known)
	}
	m.history.whole = m.history.whole || msg.Err == nil && len(read.orders) < read.limit
	if again {
		cmd := m.refresh()
		return m, cmd
	}
	return m, nil
}

// merge puts what was read anew before what was read of older orders.
func merge(fresh, known []payments.Order) []payments.Order {
	last := fresh[len(fresh)-1].Reference
	i := slices.IndexFunc(known, func(o payments.Order) bool { return o.Reference == last })
	if i < 0 {
		return fresh
	}
	return append(slices.Clone(fresh), known[i+1:]...)
}

// chosen returns the order under the cursor.
func (m Model) chosen() (payments.Order, bool) {
	if m.list.Cursor() >= len(m.history.orders) || m.search.pending {
		return payments.Order{}, false
	}
	return m.history.orders[m.list.Cursor()], true
}
