package orders

import (
	"context"
	"maps"
	"slices"
	"time"

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
	days   map[time.Time]payments.Sum // What was paid, by the first moment of a day.
	whole  bool                       // There is nothing older.
}

// page is a part of a list.
type page struct {
	after  string // The reference of the order that it follows; blank for the first.
	limit  int    // How many orders were asked for.
	orders []payments.Order
	days   map[time.Time]payments.Sum // Of those orders; none where a list is a part of the day.
}

// show shows a list from its beginning.
func (m Model) show(tab tab) (Model, tea.Cmd) {
	m.tab, m.search, m.list = tab, search{}, m.list.Select(0)
	m.history.loader.Drop()
	m.history.orders, m.history.days, m.history.whole = nil, nil, false
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
	near := m.list.Cursor() > m.count()-10
	if m.inside() || !near || m.history.loader.Busy() || m.history.whole || len(orders) == 0 {
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
	ledger, zone, sums := m.Ledger, m.Zone, m.tab == past && !m.sought()
	return m.history.loader.Load(m.Run, func(ctx context.Context) (page, error) {
		read := page{after: after, limit: limit, days: make(map[time.Time]payments.Sum)}
		var err error
		read.orders, err = ledger.Orders(ctx, query)
		for _, order := range read.orders {
			day := payments.Day(order.CreatedAt.In(zone))
			if _, known := read.days[day.From.UTC()]; known || !sums || err != nil {
				continue
			}
			var report payments.Report
			report, err = ledger.Report(ctx, day)
			read.days[day.From.UTC()] = report.Verdicts[payments.VerdictPaid]
		}
		return read, err
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
	was, _ := m.chosen()
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
	m = m.to(was.Reference)
	if msg.Err == nil && read.after == "" {
		m.history.days = read.days
	} else if msg.Err == nil {
		m.history.days = maps.Clone(m.history.days)
		maps.Copy(m.history.days, read.days)
	}
	m.history.whole = m.history.whole || msg.Err == nil && len(read.orders) < read.limit
	if again {
		cmd := m.refresh()
		return m, cmd
	}
	return m, nil
}

// to puts the cursor on the order of a reference, where the list has it.
func (m Model) to(reference string) Model {
	at := slices.IndexFunc(m.history.orders, func(o payments.Order) bool { return o.Reference == reference })
	if at >= 0 {
		m.list = m.list.SetRows(m.count()).Select(at + len(m.strays()))
	}
	return m
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
