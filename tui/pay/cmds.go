package pay

import (
	"context"
	"errors"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/payments"
)

// Cashier is what the screen asks for.
type Cashier interface {
	// Checkout creates an order and asks for its link once; see
	// payments.Service.Checkout for its errors.
	Checkout(ctx context.Context, terms payments.Terms) (payments.Order, error)
	// Order returns an order and its events, or payments.ErrNotFound.
	Order(ctx context.Context, ref string) (payments.Order, []payments.Record, error)
	// Acknowledge records that the cashier saw the verdict; an order whose
	// verdict is another one by now stays unseen.
	Acknowledge(ctx context.Context, ref string, seen payments.Verdict,
		conditions payments.Conditions) (payments.Order, error)
}

// Customer acts as the customer of an order in the demo.
type Customer func(ctx context.Context, orderReference string, kind payments.EventKind) error

// Accepted is sent when the service took an order: its sale is charged.
type Accepted struct{ Order payments.Order }

// Declined is sent when an order call ended otherwise: what it was for is still
// to be paid.
type Declined struct{ Terms payments.Terms }

// Corrected is sent when the cashier wants the lines of an order back to correct
// them. The order goes on waiting.
type Corrected struct{ Terms payments.Terms }

// Left is sent when the cashier leaves the screen.
type Left struct {
	// Seen is the order whose outcome was acknowledged, as it was then; the zero
	// order when it was not.
	Seen payments.Order
	// Waiting is an order that was left without a question although the customer
	// can still pay it; the zero order when there is none.
	Waiting payments.Order
	// Sale is the sale of an order call that goes on; blank when there is none.
	Sale string
}

// answered is how an order call ended.
type answered struct {
	number int
	terms  payments.Terms
	order  payments.Order
	err    error
}

// read is an order that was read anew.
type read struct {
	reference string // What was asked for.
	order     payments.Order
	err       error
}

// acknowledged is how the acknowledgement of an order ended.
type acknowledged struct {
	reference string
	order     payments.Order
	err       error
}

// copied says whether the link was sent to the clipboard, browsed whether its page
// was opened, and acted whether the demo's customer could act.
type (
	copied  struct{ err error }
	browsed struct{ err error }
	acted   struct{ err error }
)

// errNoBrowser says that this machine has no browser to show.
var errNoBrowser = errors.New("no browser")

func (m Model) checkout(terms payments.Terms) tea.Cmd {
	number := m.calls.number
	return m.Run(func(ctx context.Context) tea.Msg {
		order, err := m.Cashier.Checkout(ctx, terms)
		return answered{number: number, terms: terms, order: order, err: err}
	})
}

func (m Model) reread() tea.Cmd {
	reference := m.order.Reference
	return m.Run(func(ctx context.Context) tea.Msg {
		order, _, err := m.Cashier.Order(ctx, reference)
		return read{reference: reference, order: order, err: err}
	})
}

func (m Model) acknowledge() tea.Cmd {
	reference, seen, conditions := m.order.Reference, m.verdict(), m.state.Conditions
	return m.Run(func(ctx context.Context) tea.Msg {
		order, err := m.Cashier.Acknowledge(ctx, reference, seen, conditions)
		return acknowledged{reference, order, err}
	})
}

func (m Model) copyLink() tea.Cmd {
	link := m.order.Link.URL
	return m.Run(func(context.Context) tea.Msg { return copied{m.Copy(link)} })
}

func (m Model) browse() tea.Cmd {
	link := m.order.Link.URL
	return m.Run(func(context.Context) tea.Msg {
		if m.Browse == nil {
			return browsed{errNoBrowser}
		}
		return browsed{m.Browse(link)}
	})
}

func (m Model) act(kind payments.EventKind) tea.Cmd {
	reference := m.order.OrderReference
	return m.Run(func(ctx context.Context) tea.Msg { return acted{m.Customer(ctx, reference, kind)} })
}
