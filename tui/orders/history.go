package orders

import (
	"context"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/field"
	"checkout/till/tui/live"
)

// pageSize is how many orders are read at first, and how many more near their end.
const pageSize = 50

type tab int

const (
	checking tab = iota // What a person must look at.
	own                 // The till's own orders, where several tills share the database.
	past                // All orders that ever were.
)

// page is what was read of a list.
type page struct {
	sought string // What the list was searched for.
	orders []payments.Order
	days   map[time.Time]payments.Sum // What was paid, by the first moment of a day; none where a list is a part of the day.
	whole  bool                       // There is nothing older.
}

func (m Model) show(tab tab) (Model, tea.Cmd) {
	m.tab, m.field, m.typing = tab, field.Field{}, false
	m.page = page{}
	cmd := m.renew()
	return m, cmd
}

func (m *Model) renew() tea.Cmd {
	m.master.List = m.master.List.Select(0)
	m.pages.Drop()
	m.limit = pageSize
	return m.refresh()
}

func (m Model) after(shown tab) tab {
	next := (shown + 1) % (past + 1)
	if next == own && !m.Shared {
		return past
	}
	return next
}

// readOn reads more before the list ends.
func (m Model) readOn() (Model, tea.Cmd) {
	near := m.master.List.Cursor() > m.count()-10
	if m.inside() || !near || m.pages.Busy() || m.page.whole {
		return m, nil
	}
	m.limit = len(m.page.orders) + pageSize
	cmd := m.refresh()
	return m, cmd
}

// refresh reads the list, after the reading that is under way.
func (m *Model) refresh() tea.Cmd {
	query := payments.Query{Limit: m.limit}
	switch m.tab {
	case checking:
		query.Check = m.state.Now
	case own:
		query.Till = m.Till
	case past:
		query = m.narrowed(query)
	}
	service, zone, sought, sums := m.Service, m.Zone, m.field.Value(), m.tab == past && !m.sought()
	return m.pages.Load(m.Run, func(ctx context.Context) (page, error) {
		orders, err := service.Orders(ctx, query)
		read := page{sought: sought, orders: orders, days: make(map[time.Time]payments.Sum), whole: len(orders) < query.Limit}
		for _, order := range orders {
			day := payments.Day(order.CreatedAt.In(zone))
			if _, known := read.days[day.From.UTC()]; known || !sums || err != nil {
				continue
			}
			var report payments.Report
			report, err = service.Report(ctx, day)
			read.days[day.From.UTC()] = report.Verdicts[payments.VerdictPaid]
		}
		return read, err
	})
}

// paged takes in a page. Where it could not be read the orders of an earlier
// search go: they are not what the field says.
func (m Model) paged(msg live.Loaded[page]) (Model, tea.Cmd) {
	wanted, next := m.pages.Done(msg)
	was, _ := m.chosen()
	switch {
	case !wanted:
	case msg.Err == nil:
		m.page = msg.Value
		at := slices.IndexFunc(m.page.orders, func(o payments.Order) bool { return o.Reference == was.Reference })
		if at >= 0 {
			m.master.List = m.master.List.SetRows(m.count()).Select(at + len(m.orphans()))
		}
	default:
		m.notice = storeDown
		if m.pending() {
			m.page.orders = nil
		}
	}
	return m, next
}

func storeDown(t i18n.Texts) string { return t.Frame.StoreDown }

// orphans are the payments that no order has and that wait for a person, the
// oldest first: they are the first rows of the list of what there is to check.
func (m Model) orphans() []payments.Record {
	if m.tab != checking {
		return nil
	}
	orphans := m.state.Orphans()
	slices.Reverse(orphans)
	return orphans
}

func (m Model) count() int { return len(m.orphans()) + len(m.page.orders) }

// at returns the order of a row, if it is one's.
func (m Model) at(row int) (payments.Order, bool) {
	row -= len(m.orphans())
	if row < 0 || row >= len(m.page.orders) {
		return payments.Order{}, false
	}
	return m.page.orders[row], true
}

// chosen returns the order under the cursor; none while the list is that of an
// earlier search.
func (m Model) chosen() (payments.Order, bool) {
	if m.pending() {
		return payments.Order{}, false
	}
	return m.at(m.master.List.Cursor())
}

func (m Model) chosenOrphan() (payments.Record, bool) {
	orphans, at := m.orphans(), m.master.List.Cursor()
	if at >= len(orphans) || m.inside() {
		return payments.Record{}, false
	}
	return orphans[at], true
}
