package pay

import (
	"errors"

	"checkout/till/payments"
)

// read takes in an order that was read anew. One that is there no more came
// from a database that another one has taken the place of.
func (m Model) read(msg read) Model {
	switch {
	case msg.reference != m.order.Reference || m.sending:
		return m
	case errors.Is(msg.err, payments.ErrNotFound):
		return m.lose()
	case msg.err == nil:
		return m.adopt(msg.order)
	}
	return m
}

// lose shows that nothing is known of the order any more, whatever was shown of
// it before. The customer may have paid it: no other order is offered.
func (m Model) lose() Model {
	lost := m.order
	lost.Status, lost.Error = payments.StatusUnknown, ""
	lost.Facts, lost.Finding, lost.Link = payments.Facts{}, nil, payments.Link{}
	m = m.adopt(lost)
	m.looks.gone = true
	m.enable()
	return m
}
