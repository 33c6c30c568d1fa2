package payments

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"checkout/till/payments/clean"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
)

// FindingKind says what a person found in the service's merchant area: the order was paid, or was
// not.
type FindingKind string

// The kinds of findings. A refund is no finding, but a transfer in the ledger.
const (
	FoundPaid   FindingKind = "paid"
	FoundUnpaid FindingKind = "unpaid"
)

// found returns the verdict of a person's decision, which is a finding or a refund of all money.
// Call it only if [Order.decided] returns true.
func (o Order) found() Verdict {
	switch {
	case o.Finding != nil && o.Finding.Kind == FoundUnpaid:
		return VerdictMarkedUnpaid
	case o.GivenBack():
		return VerdictRefunded
	}
	return VerdictMarkedPaid
}

// CountedAt returns the time at which the order counts in a report: when its proof came, else when
// a person first found it paid, else when it was created. After a finding of unpaid, earlier
// findings do not count. If Findings were not read, only the last finding counts.
func (o Order) CountedAt() time.Time {
	if o.Paid() {
		return o.Facts.PaidAt
	}
	counted := o.CreatedAt
	if o.Finding != nil && o.Finding.Kind != FoundUnpaid {
		counted = o.Finding.At
	}
	for _, finding := range slices.Backward(o.Findings) {
		if finding.Kind == FoundUnpaid {
			break
		}
		counted = finding.At
	}
	return counted
}

// contradicts reports whether an event with this status contradicts the person's decision: a success
// if the shop has no money for the order, or a failed, canceled or expired event if it has. Call it
// only if [Order.decided] returns true.
func (o Order) contradicts(status Status) bool {
	if o.Net() > 0 {
		return status.Unpaid()
	}
	return status == StatusSuccess
}

// Finding is what a person found out about an order in the merchant area, the payment service's
// website for merchants. An order keeps all its findings, but only the last one counts.
type Finding struct {
	Kind FindingKind
	By   string
	At   time.Time
	Note string
	Seen Verdict      // The verdict that the person saw; it is [Order.Verdict] with the zero [Conditions].
	Net  money.Ariary // The order's [Order.Net] that the person saw. Not stored.
}

// Resolve returns the order with this finding as its last one. It changes neither the status, nor
// the proof, nor the refunds.
func (o Order) Resolve(finding Finding) Order {
	finding.By = clean.Text(finding.By, MaxLabelWidth)
	finding.Note = clean.Text(finding.Note, MaxShownWidth)
	o.Finding = &finding
	o.drop(FindingContradicted)
	o.Facts.GivenUp = o.Facts.GivenUp || o.Net() <= 0
	o.Facts.Acknowledged = true
	return o
}

// ResolveIn records a person's finding about an order, for a cashier who has already been
// identified. ref is the order's reference or order reference. finding.By becomes the cashier's
// name, except in a shop without cashiers.
//
// ResolveIn returns [ErrOutdated] if the order's verdict is no longer finding.Seen, or its money no
// longer finding.Net: the finding must not hide a new payment or a refund. If a success came, a
// finding of unpaid needs a note, else the error is [ErrReasonNeeded]. ResolveIn also returns
// [ErrNotFound].
func (s *Service) ResolveIn(tx Tx, ref string, finding Finding, by staff.Cashier) error {
	finding.By, finding.At = cmp.Or(by.Name, finding.By), s.now().UTC()
	return s.change(tx, ref, finding.At, func(order Order) (Order, error) {
		if order.Verdict(Conditions{}, finding.At) != finding.Seen || order.Net() != finding.Net {
			return order, ErrOutdated
		}
		after := order.Resolve(finding)
		if order.Facts.SuccessSeen && finding.Kind != FoundPaid && after.Finding.Note == "" {
			return order, ErrReasonNeeded
		}
		return after, tx.InsertFinding(order.Reference, *after.Finding)
	})
}

// Acknowledge records that the cashier saw a verdict under these conditions, and returns the order.
// If the order has another verdict now, Acknowledge records nothing: a payment that comes at the
// moment of the key press must not count as seen. It returns [ErrNotFound] for an unknown order.
func (s *Service) Acknowledge(ctx context.Context, ref string, seen Verdict, conditions Conditions) (Order, error) {
	now := s.now()
	err := s.store.Update(ctx, func(tx Tx) error {
		return s.change(tx, ref, now, func(order Order) (Order, error) {
			if order.Verdict(conditions, now) != seen {
				return order, nil
			}
			return order.Acknowledge(conditions, now), nil
		})
	})
	if err != nil {
		return Order{}, err
	}
	order, _, err := s.Order(ctx, ref)
	return order, err
}

// change applies rule to an order. ref is the order's reference, or its order reference at the
// payment service. change saves the order that rule returns, and the other orders that [Settle]
// changes.
func (s *Service) change(tx Tx, ref string, now time.Time, rule func(Order) (Order, error)) error {
	order, err := tx.Order(ref)
	if errors.Is(err, ErrNotFound) {
		order, err = tx.OrderOf(ref)
	}
	if err != nil {
		return err
	}
	changed, err := rule(s.at(order, now))
	if err != nil {
		return err
	}
	_, err = settle(tx, order, changed, now)
	return err
}
