package sandbox

import (
	"context"
	"slices"

	"checkout/till/payments"
)

// maxHistory is how many deliveries are kept. Deliveries that are not finished are always
// kept.
const maxHistory = 500

// Act does what the customer's buttons do, or for [payments.PaymentExpired] expires the
// link now. Its errors are [ErrNoSuchOrder], [ErrLinkOver], [ErrNoSuchAction] and
// [ErrSnapshot].
func (s *Sandbox) Act(_ context.Context, orderReference string, kind payments.EventKind) error {
	return s.changeOrder(orderReference, func(order *Order) error { return s.act(order, kind, LowBalance) })
}

// AskPhone asks the customer's phone to pay a link. The phone answers later: it pays, or
// fails for the given reason. The number must be masked. AskPhone returns [ErrNumber] for a
// blank number, [ErrAsked] while the phone is already asked, and the errors of
// [Sandbox.Act].
func (s *Sandbox) AskPhone(orderReference, number string, failure Failure) error {
	return s.changeOrder(orderReference, func(order *Order) error {
		switch {
		case order.State != Open, s.over(order):
			return ErrLinkOver
		case order.Request != nil:
			return ErrAsked
		case number == "":
			return ErrNumber
		}
		pause := s.config.AnswerTime
		if failure == NoAnswer {
			pause *= 8 // Wait longer for a silent phone.
		}
		order.Request, order.Failure = &PaymentRequest{Number: number, Failure: failure, Due: s.config.Now().Add(pause).UTC()}, ""
		return nil
	})
}

// act changes an order after an action of the customer or the clock, and queues the event.
// After a failed or canceled attempt the link stays open; a success or an expiry closes the
// link. The caller holds s.mu.
func (s *Sandbox) act(order *Order, kind payments.EventKind, failure Failure) error {
	status, known := kind.Status()
	switch {
	case !known:
		return ErrNoSuchAction
	case order.State != Open, kind != payments.PaymentExpired && s.over(order):
		return ErrLinkOver
	case kind == payments.PaymentFailed:
		order.FailedTries++
		order.Failure = failure
	case kind == payments.PaymentCanceled:
		order.Failure = Canceled
	default:
		order.State, order.Failure = State(status), ""
	}
	order.Request = nil
	s.record(Activity{Kind: "act", OrderReference: order.OrderReference, Reference: order.Reference, Event: kind})
	s.emit(order, kind)
	return nil
}

// over reports whether a link's time is over. If so, over wakes [Sandbox.Run], which lets
// the link expire: Run's timer is late after the machine slept. The caller holds s.mu.
func (s *Sandbox) over(order *Order) bool {
	over := order.over(s.config.Now())
	if over {
		s.wake()
	}
	return over
}

// emit queues the event of a kind with the current faults. Deliveries of one order never
// overlap, and are sent in the order in which they were queued. The caller holds s.mu.
func (s *Sandbox) emit(order *Order, kind payments.EventKind) {
	faults := s.eventFaults(order)
	kinds := []payments.EventKind{kind}
	stage := Waiting
	if faults.Then != "" && order.State != Open {
		kinds = append(kinds, faults.Then)
	}
	if faults.Reorder {
		slices.Reverse(kinds)
	}
	if faults.Drop {
		stage = Dropped
	} else if faults.Reorder && order.State == Open {
		stage = Held
	}
	for _, kind := range kinds {
		if faults.Shape == ShapeUnknownKind {
			kind = "payment.pending" // The specification does not have this kind.
		}
		for range 1 + faults.Copies {
			s.lastID++
			added := &Delivery{
				ID: s.lastID, Order: order.OrderReference, Event: kind, Stage: stage,
				CreatedAt: s.config.Now().UTC(), Body: order.body(faults, kind), Tries: []Try{},
			}
			s.deliveries = append(s.deliveries, added)
			if stage == Waiting {
				s.plan(added, faults.Delay)
			}
		}
	}
	surplus := len(s.deliveries) - maxHistory
	s.deliveries = slices.DeleteFunc(s.deliveries, func(d *Delivery) bool {
		forget := surplus > 0 && d.Done()
		if forget {
			surplus--
		}
		return forget
	})
	for _, held := range slices.Backward(s.deliveries) {
		if stage == Waiting && held.Order == order.OrderReference && held.Stage == Held {
			s.plan(held, faults.Delay)
		}
	}
}
