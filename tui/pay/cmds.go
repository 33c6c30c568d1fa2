package pay

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
)

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
	// Sale is the sale of an order call that goes on; blank when there is none.
	Sale string
}

func left() tea.Msg { return Left{} }

// The results of commands.
type (
	// answered is how an order call ended.
	answered struct {
		number int
		terms  payments.Terms
		order  payments.Order
		err    error
	}
	// read is the order of a reference, read anew.
	read struct {
		reference string
		order     payments.Order
		err       error
	}
	// acknowledged is how the acknowledgement of an order ended.
	acknowledged read
	// noticed is what there is to say of what was tried; link shows the link whole.
	noticed struct {
		text i18n.Message
		link bool
	}
)

func (m Model) reread() tea.Cmd {
	reference := m.order.Reference
	return m.Run(func(ctx context.Context) tea.Msg {
		order, _, err := m.Service.Order(ctx, reference)
		return read{reference, order, err}
	})
}

func (m Model) acknowledge() tea.Cmd {
	reference, seen, conditions := m.order.Reference, m.verdict(), m.state.Conditions
	return m.Run(func(ctx context.Context) tea.Msg {
		order, err := m.Service.Acknowledge(ctx, reference, seen, conditions)
		return acknowledged{reference, order, err}
	})
}

// try does what may fail without harm, and says how it ended.
func (m Model) try(work func(context.Context) error, done, failed noticed) tea.Cmd {
	return m.Run(func(ctx context.Context) tea.Msg {
		if work(ctx) != nil {
			return failed
		}
		return done
	})
}
