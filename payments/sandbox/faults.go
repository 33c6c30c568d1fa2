package sandbox

import (
	"time"

	"checkout/till/payments"
)

// Faults is what goes wrong on purpose. The zero value is a service without a
// fault.
type Faults struct {
	Call  CallFaults
	Event EventFaults
}

// CallFaults are the faults of the order call. Several may be set; where two
// exclude each other, the one that stands first here decides.
type CallFaults struct {
	// Break answers 500. No order is made.
	Break bool
	// Refuse answers 422 with this message, when it is not empty. No order is
	// made.
	Refuse string
	// EventFirst makes an event of this kind happen to the order, and waits
	// until it was delivered once, before the call is answered.
	EventFirst payments.EventKind
	// Slow holds the answer back for so long. The order exists meanwhile.
	Slow time.Duration
	// Cut closes the connection without an answer. The order exists.
	Cut bool
	// BreakAfter answers 500. The order exists.
	BreakAfter bool
	// Reply is what is wrong with the answer to an order that was made.
	Reply ReplyFault
	// CheckoutURL is answered instead of the order's own link.
	CheckoutURL string
}

// ReplyFault is what is wrong with the answer to the order call. The empty
// text is nothing.
type ReplyFault string

// The faults of the answer to the order call. All of them answer 200.
const (
	ReplyEmpty       ReplyFault = "empty"        // No body.
	ReplyHTML        ReplyFault = "html"         // A page of a proxy in between.
	ReplyCutJSON     ReplyFault = "cut-json"     // JSON that ends in the middle.
	ReplyWrongFields ReplyFault = "wrong-fields" // Sound JSON with fields of other names.
)

// EventFaults are the faults of events. All but Signature belong to an event
// from the moment it happens; Signature is looked at on every try, so that
// sending again after it was mended succeeds.
type EventFaults struct {
	// Drop sends nothing. The event can still be sent from the dashboard.
	Drop bool
	// Delay is how long the first try waits. Later events may overtake it.
	Delay time.Duration
	// Copies is how often an event is sent beside the first time, at most 10.
	// What is dropped has none.
	Copies int
	// Reorder holds a failed event back until the link is over, and then sends
	// the events of the order with the last one first.
	Reorder bool
	// Then sends an event of this kind too, right after the event that ended
	// the link, although the two contradict each other; with Reorder, before it.
	Then payments.EventKind
	// Signature is what is wrong with the signature.
	Signature SignatureFault
	// AmountOff is added to the amount of the event.
	AmountOff payments.Ariary
	// Currency stands in the event instead of the order's, when not empty.
	Currency string
	// Shape is what is wrong with the fields of the event.
	Shape ShapeFault
	// Reason stands in the event's error instead of the usual text, when not
	// empty; a success has none. It may hold anything, control characters too.
	Reason string
	// Padding is how many bytes of white space follow the event, at most 10
	// MiB.
	Padding int
	// Slow spreads the sending of the body over so long, by which a try may take
	// longer.
	Slow time.Duration
}

// SignatureFault is what is wrong with a signature. The empty text is nothing.
type SignatureFault string

// The faults of a signature.
const (
	SignatureWrong   SignatureFault = "wrong"   // Well formed, made with another secret.
	SignatureMissing SignatureFault = "missing" // There is no header.
	SignatureDoubled SignatureFault = "doubled" // The header stands there twice.
	SignatureStatic  SignatureFault = "static"  // By that scheme, whatever is set.
	SignatureBody    SignatureFault = "body"    // By that scheme, whatever is set.
)

// ShapeFault is what is wrong with the fields of an event. The empty text is
// nothing.
type ShapeFault string

// The faults of an event's fields.
const (
	ShapeAmountText       ShapeFault = "amount-text"      // "1500" instead of 1500.
	ShapeAmountDecimal    ShapeFault = "amount-decimal"   // 1500.0 instead of 1500.
	ShapeAmountMissing    ShapeFault = "amount-missing"   // There is none.
	ShapeCurrencyMissing  ShapeFault = "currency-missing" // There is none.
	ShapeCurrencyMisspelt ShapeFault = "curency"          // Under the name that the specification's receiver misspells.
	ShapeUnknownKind      ShapeFault = "unknown-kind"     // A kind that the specification does not know.
)

const (
	// maxCopies bounds [EventFaults.Copies].
	maxCopies = 10
	// maxPadding bounds [EventFaults.Padding], in bytes.
	maxPadding = 10 << 20
)

// Faults returns what goes wrong with all orders that have no faults of their
// own.
func (s *Sandbox) Faults() Faults {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.faults
}

// SetFaults sets what goes wrong from now on, for all orders that have no
// faults of their own.
func (s *Sandbox) SetFaults(faults Faults) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = faults
	s.watchers.wake()
}

// SetOrderFaults sets what goes wrong from now on with the events of one
// order, by its order reference, instead of what goes wrong with all. It
// returns [ErrNoSuchOrder].
func (s *Sandbox) SetOrderFaults(orderReference string, faults EventFaults) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	order, found := s.book.byName[orderReference]
	if !found {
		return ErrNoSuchOrder
	}
	order.faults = &faults
	s.orderChanged(order)
	return nil
}

// ClearOrderFaults ends the faults of one order's own, so that those of all
// orders are its faults again. It returns [ErrNoSuchOrder].
func (s *Sandbox) ClearOrderFaults(orderReference string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	order, found := s.book.byName[orderReference]
	if !found {
		return ErrNoSuchOrder
	}
	order.faults = nil
	s.orderChanged(order)
	return nil
}

// OrderFaults returns what goes wrong with the events of one order, its own
// faults or those of all orders. It returns [ErrNoSuchOrder].
func (s *Sandbox) OrderFaults(orderReference string) (EventFaults, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	order, found := s.book.byName[orderReference]
	if !found {
		return EventFaults{}, ErrNoSuchOrder
	}
	return s.eventFaults(order), nil
}

// signatureFault returns what is wrong now with the signatures of an order's
// events.
func (s *Sandbox) signatureFault(orderReference string) SignatureFault {
	s.mu.Lock()
	defer s.mu.Unlock()
	if order, found := s.book.byName[orderReference]; found {
		return s.eventFaults(order).Signature
	}
	return s.faults.Event.Signature
}

// eventFaults returns the faults of an order's events. The lock must be held.
func (s *Sandbox) eventFaults(order *order) EventFaults {
	if order.faults != nil {
		return *order.faults
	}
	return s.faults.Event
}
