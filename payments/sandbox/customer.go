package sandbox

import (
	"context"
	"slices"

	"checkout/till/payments"
)

// maxHistory is how many deliveries are kept. The oldest finished ones above this number are
// deleted.
const maxHistory = 500

// Act does what a button of the hosted page does. For [payments.PaymentExpired] it ends the link
// now. The errors are [ErrNoSuchOrder], [ErrLinkOver], [ErrNoSuchAction] and [ErrSnapshot].
func (s *Sandbox) Act(_ context.Context, orderReference string, kind payments.EventKind) error {
	return s.changeOrder(orderReference, func(order *Order) error { return s.act(order, kind, LowBalance) })
}

// AskPhone asks the customer's phone to pay an order. The phone answers later: with a payment if
// failure is blank, else with the failure. number is the phone number, which must be masked. The
// errors are [ErrNumber] for a blank number, [ErrAsked] if the phone is already asked,
// [ErrNoSuchOrder], [ErrLinkOver] and [ErrSnapshot].
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
			pause *= 8 // A phone that does not answer counts as silent only after a longer time.
		}
		now := s.config.Now().UTC()
		order.Request, order.Failure = &PaymentRequest{Number: number, Failure: failure, Asked: now, Due: now.Add(pause)}, ""
		return nil
	})
}

// act changes an order after an action of the customer or after the end of the link, and queues the
// event. Only a success or an expiry closes the link. The caller holds s.mu.
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
		if order.State == Paid {
			order.PaidAt = s.config.Now().UTC()
		}
	}
	order.Request = nil
	s.record(Activity{Kind: "act", OrderReference: order.OrderReference, Reference: order.Reference, Event: kind})
	s.emit(order, kind)
	return nil
}

// over reports whether an order's link has expired. If so, it wakes [Sandbox.Run], because Run's
// timer is late if the machine slept. The caller holds s.mu.
func (s *Sandbox) over(order *Order) bool {
	over := order.over(s.config.Now())
	if over {
		s.wake()
	}
	return over
}

// emit queues the deliveries of an event, with the faults that are set now. Unless they are dropped
// or held, it also queues the order's held deliveries. The caller holds s.mu.
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
			kind = "payment.pending"
		}
		for range 1 + faults.Copies {
			s.lastID++
			added := &Delivery{
				ID: s.lastID, Order: order.OrderReference, WebhookURL: order.WebhookURL, Event: kind, Stage: stage,
				CreatedAt: s.config.Now().UTC(), Body: order.body(faults, kind, s.Reason(kind, order.Failure)), Tries: []Try{},
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
