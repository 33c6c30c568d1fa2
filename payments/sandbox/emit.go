package sandbox

import (
	"bytes"
	"strconv"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
)

// unknownKind is an event that the specification does not know.
const unknownKind payments.EventKind = "payment.pending"

// emit sends the event of a kind with the faults of the moment, and returns
// its first delivery, nil when a fault keeps it back. The lock must be held.
func (s *Sandbox) emit(order *order, kind payments.EventKind) *delivery {
	faults := s.eventFaults(order)
	batch := order.deliveries(kind, faults)
	if faults.Then != "" && order.state != open {
		then := order.deliveries(faults.Then, faults)
		if faults.Reorder {
			batch, then = then, batch
		}
		batch = append(batch, then...)
	}
	switch {
	case faults.Drop:
		for _, added := range batch {
			s.sender.keep(added, dropped)
		}
		return nil
	case faults.Reorder && order.state == open:
		for _, added := range batch {
			s.sender.keep(added, held)
		}
		order.held = append(batch, order.held...)
		return nil
	}
	for _, added := range batch {
		s.sender.keep(added, waiting)
	}
	for _, sent := range append(batch, order.held...) {
		s.sender.send(sent, faults.Delay)
	}
	order.held = nil
	return batch[0]
}

// deliveries returns the event of a kind as often as the faults have it sent,
// once when they have it dropped.
func (o *order) deliveries(kind payments.EventKind, faults EventFaults) []*delivery {
	copies := min(max(faults.Copies, 0), maxCopies)
	if faults.Drop {
		copies = 0
	}
	if faults.Shape == ShapeUnknownKind {
		kind = unknownKind
	}
	sent := parcel{
		body: faults.body(o.notification(kind)), slow: faults.Slow,
		padding: min(max(faults.Padding, 0), maxPadding),
	}
	var batch []*delivery
	for range 1 + copies {
		batch = append(batch, &delivery{order: o.reference, kind: kind, parcel: sent, tried: make(chan struct{})})
	}
	return batch
}

// body returns the JSON of an event with what is wrong with its fields.
func (f EventFaults) body(sent gateway.Notification) []byte {
	sent.Amount += f.AmountOff
	if f.Currency != "" {
		sent.Currency = f.Currency
	}
	if f.Reason != "" && sent.Error != "" {
		sent.Error = f.Reason
	}
	if f.Shape == ShapeCurrencyMissing {
		sent.Currency = ""
	}
	digits := strconv.FormatInt(int64(sent.Amount), 10)
	amount := `,"amount":` + digits
	sound, wrong := "", ""
	switch f.Shape {
	case ShapeAmountText:
		sound, wrong = amount, `,"amount":"`+digits+`"`
	case ShapeAmountDecimal:
		sound, wrong = amount, amount+".0"
	case ShapeAmountMissing:
		sound = amount
	case ShapeCurrencyMissing:
		sound = `,"currency":""`
	case ShapeCurrencyMisspelt:
		sound, wrong = `,"currency":`, `,"curency":`
	case ShapeUnknownKind: // The notification is of that kind already.
	}
	// A text cannot hold what is looked for: its quotes would be escaped.
	return bytes.Replace(gateway.EncodeEvent(sent), []byte(sound), []byte(wrong), 1)
}
