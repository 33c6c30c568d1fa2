package orders

import (
	"context"
	"errors"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/payments"
)

const (
	// pageSize is how many orders are read at a time.
	pageSize = 50
	// maxRefreshed is how many of them are read anew after a change.
	maxRefreshed = 1000
)

// Ledger is what the screen reads and records.
type Ledger interface {
	// Orders returns the orders that fit, newest first.
	Orders(ctx context.Context, query payments.Query) ([]payments.Order, error)
	// Order returns an order and its events, or payments.ErrNotFound.
	Order(ctx context.Context, ref string) (payments.Order, []payments.Record, error)
	// Unmatched returns events that belong to no order, those that a person must
	// look at first.
	Unmatched(ctx context.Context, limit int) ([]payments.Record, error)
	// Resolve records what a person found out about an order.
	Resolve(ctx context.Context, ref string, finding payments.Finding) (payments.Order, error)
	// ResolveAs records it under a cashier's name.
	ResolveAs(ctx context.Context, ref string, finding payments.Finding, who payments.Identity) (payments.Order, error)
	// Cashiers returns the shop's cashiers by name.
	Cashiers(ctx context.Context) ([]payments.Cashier, error)
	// Notice records that a person looked at an event that no order has.
	Notice(ctx context.Context, event payments.Record) error
	// Match gives an order of unknown outcome its order reference.
	Match(ctx context.Context, reference, orderReference string) (payments.Order, error)
}

// paged is a page of a list.
type paged struct {
	list   int    // The number of the list that it was asked for.
	after  string // The reference that the page follows; blank for the first.
	limit  int    // How many orders were asked for.
	orders []payments.Order
	err    error
}

// counted says which events belong to no order.
type counted struct {
	unmatched []payments.Record
	err       error
}

// opened is the whole of one order.
type opened struct {
	reference string // What was asked for.
	order     payments.Order
	events    []payments.Record
	err       error
}

// settled is how a finding or a match ended.
type settled struct {
	reference string
	err       error
}

// page reads the page after an order, or, from the newest on, as much as was
// read before.
func (m Model) page(after string) tea.Cmd {
	limit := pageSize
	if after == "" && !m.history.search.asked {
		limit = min(max(pageSize, len(m.history.orders)), maxRefreshed)
	}
	query := payments.Query{Before: after, Limit: limit}
	switch m.tab {
	case checking:
		query.Check = m.state.Now
	case own:
		query.Till = m.By
	case past:
		query = m.narrowed(query)
	}
	return m.Run(func(ctx context.Context) tea.Msg {
		orders, err := m.Ledger.Orders(ctx, query)
		return paged{list: m.history.number, after: after, limit: limit, orders: orders, err: err}
	})
}

func (m Model) count() tea.Cmd {
	return m.Run(func(ctx context.Context) tea.Msg {
		records, err := m.Ledger.Unmatched(ctx, pageSize)
		return counted{unmatched: records, err: err}
	})
}

func (m Model) open(reference string) tea.Cmd {
	return m.Run(func(ctx context.Context) tea.Msg {
		order, events, err := m.Ledger.Order(ctx, reference)
		return opened{reference: reference, order: order, events: events, err: err}
	})
}

func (m Model) resolve(reference string, finding payments.Finding) tea.Cmd {
	finding.By, finding.Seen = m.By, m.detail.order.Verdict(payments.Conditions{}, m.state.Now)
	return m.Run(func(ctx context.Context) tea.Msg {
		_, err := m.Ledger.Resolve(ctx, reference, finding)
		if errors.Is(err, payments.ErrIdentityNeeded) {
			return m.whoMay(ctx, reference, finding)
		}
		return settled{reference: reference, err: err}
	})
}

// noticed is how recording a look at a stray payment ended.
type noticed struct{ err error }

func (m Model) see(stray payments.Record) tea.Cmd {
	return m.Run(func(ctx context.Context) tea.Msg { return noticed{m.Ledger.Notice(ctx, stray)} })
}

func (m Model) match(reference, orderReference string) tea.Cmd {
	return m.Run(func(ctx context.Context) tea.Msg {
		_, err := m.Ledger.Match(ctx, reference, orderReference)
		return settled{reference: reference, err: err}
	})
}
