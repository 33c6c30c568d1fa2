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

// pageSize is how many orders are read at a time.
const pageSize = 50

type tab int

const (
	checking tab = iota // What a person must look at.
	own                 // The till's own orders, where several tills share the database.
	past                // All orders that ever were.
)

type history struct {
	loader live.Loader[page]
	page
}

type page struct {
	after  string // The reference of the order that it follows; blank for the first.
	sought string // What the list was searched for.
	orders []payments.Order
	days   map[time.Time]payments.Sum // What was paid, by the first moment of a day; none where a list is a part of the day.
	whole  bool                       // There is nothing older.
}

func (m Model) show(tab tab) (Model, tea.Cmd) {
	m.tab, m.search = tab, search{}
	m.history.page = page{}
	cmd := m.renew()
	return m, cmd
}

func (m *Model) renew() tea.Cmd {
	m.master.List = m.master.List.Select(0)
	m.history.loader.Drop()
	return m.refresh()
}

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
	if !m.pending() {
		limit = max(limit, len(m.history.orders))
	}
	if m.history.whole {
		limit += pageSize // What came meanwhile pushes nothing out.
	}
	return m.load("", limit)
}

// readOn reads the next page before the list ends.
func (m Model) readOn() (Model, tea.Cmd) {
	orders := m.history.orders
	near := m.master.List.Cursor() > m.count()-10
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
	ledger, zone, sought, sums := m.Ledger, m.Zone, m.search.field.Value(), m.tab == past && !m.sought()
	return m.history.loader.Load(m.Run, func(ctx context.Context) (page, error) {
		orders, err := ledger.Orders(ctx, query)
		read := page{after: after, sought: sought, orders: orders, days: make(map[time.Time]payments.Sum), whole: len(orders) < limit}
		for _, order := range orders {
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
	wanted, next := m.history.loader.Done(msg)
	was, _ := m.chosen()
	read := msg.Value
	switch {
	case !wanted:
		return m, nil
	case msg.Err != nil:
		m.notice = storeDown
		if m.pending() {
			m.history.orders = nil
		}
		return m, next
	case read.after == "" && !read.whole && !m.pending() && len(read.orders) < len(m.history.orders):
		again := m.refresh() // A page came meanwhile.
		return m, tea.Batch(next, again)
	case read.after != "":
		read.orders = slices.Concat(m.history.orders, read.orders)
		maps.Copy(read.days, m.history.days)
	}
	m.history.page = read
	return m.to(was.Reference), next
}

func (m Model) to(reference string) Model {
	at := slices.IndexFunc(m.history.orders, func(o payments.Order) bool { return o.Reference == reference })
	if at >= 0 {
		m.master.List = m.master.List.SetRows(m.count()).Select(at + len(m.orphans()))
	}
	return m
}

func storeDown(t i18n.Texts) string { return t.Frame.StoreDown }
