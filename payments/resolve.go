package payments

import (
	"cmp"
	"context"
	"errors"
	"time"
)

// FindingKind is what a person found out about an order.
type FindingKind string

// The kinds of findings.
const (
	FoundPaid     FindingKind = "paid"
	FoundUnpaid   FindingKind = "unpaid"
	FoundRefunded FindingKind = "refunded" // The order was paid, and the money was given back.
)

// Verdict returns the verdict of an order with a finding of this kind. A refund of a part has
// another verdict: see [Order.Verdict].
func (k FindingKind) Verdict() Verdict {
	switch k {
	case FoundPaid:
		return VerdictMarkedPaid
	case FoundRefunded:
		return VerdictRefunded
	}
	return VerdictMarkedUnpaid
}

// found returns the verdict that follows from the last finding. After a refund of a part, a proven
// payment stays paid if no event says otherwise.
func (o Order) found() Verdict {
	switch {
	case o.Finding.Kind != FoundRefunded || !o.foundPaid():
		return o.Finding.Kind.Verdict()
	case o.Paid() && len(o.Facts.Attention) == 0:
		return VerdictPaid
	}
	return VerdictMarkedPaid
}

// foundPaid reports whether the shop has money for the order by the last finding: the order was
// found paid, or only a part was refunded.
func (o Order) foundPaid() bool {
	return o.Finding.Kind == FoundPaid || o.Finding.Kind == FoundRefunded && o.Finding.Amount < o.Amount
}

// contradicts reports whether an event with this status contradicts the last finding.
func (o Order) contradicts(status Status) bool {
	if o.foundPaid() {
		return status.Unpaid()
	}
	return status == StatusSuccess
}

// Finding is what a person found out in the service's merchant area. An order keeps all its
// findings; the last one decides.
type Finding struct {
	Kind       FindingKind
	Amount     Ariary // For [FoundRefunded], the total refund so far, from 1 to the order's amount; else 0.
	FromDrawer Ariary // How much of Amount was cash from a drawer. Set by [Order.Resolve].
	Cash       bool   // Whether the increase of Amount since the last finding was paid in cash. Not stored.
	By         string
	At         time.Time
	Note       string
	Seen       Verdict // The verdict that the person saw: [Order.Verdict] with the zero [Conditions].
}

// Resolve returns the order with a person's finding added. It changes neither the status nor the
// proof. A refund of 0 or of more than the order's amount becomes a refund of the whole amount.
func (o Order) Resolve(finding Finding) Order {
	finding.By = Clean(finding.By, MaxLabelWidth)
	finding.Note = Clean(finding.Note, MaxShownWidth)
	switch {
	case finding.Kind != FoundRefunded:
		finding.Amount = 0
	case finding.Amount <= 0 || finding.Amount > o.Amount:
		finding.Amount = o.Amount
	}
	finding.FromDrawer = o.fromDrawer(finding)
	finding.Cash = false
	o.Finding = &finding
	o.drop(FindingContradicted)
	o.Facts.GivenUp = o.Facts.GivenUp || !o.foundPaid()
	o.Facts.Acknowledged = true
	return o
}

// fromDrawer returns how much of a new finding's amount is cash from a drawer.
func (o Order) fromDrawer(finding Finding) Ariary {
	var before Finding
	if o.Finding != nil {
		before = *o.Finding
	}
	if finding.Cash {
		return max(0, before.FromDrawer+finding.Amount-before.Amount)
	}
	return min(before.FromDrawer, finding.Amount)
}

// Resolve records a person's finding about an order. finding.By becomes the cashier's name, except
// in a shop without cashiers. Resolve calls each function of the parameter also in the same
// transaction, with the order before and after the finding. If one fails, nothing is stored.
//
// Resolve returns [ErrOutdated] if the order's verdict is no longer finding.Seen, so that the
// finding cannot hide a new payment. If a success came, a finding of unpaid or refunded needs a
// note, else the error is [ErrReasonNeeded]. Resolve also returns the errors of an [Identity].
func (s *Service) Resolve(
	ctx context.Context, ref string, finding Finding, who Identity, also ...func(tx Tx, before, after Order) error,
) (Order, error) {
	err := s.Guarded(ctx, who, func(tx Tx, cashier Cashier) error {
		finding.By, finding.At = cmp.Or(cashier.Name, finding.By), s.now().UTC()
		return change(tx, ref, func(order Order) (Order, error) {
			if order.Verdict(Conditions{}, finding.At) != finding.Seen {
				return order, ErrOutdated
			}
			resolved := order.Resolve(finding)
			if order.Facts.SuccessSeen && finding.Kind != FoundPaid && resolved.Finding.Note == "" {
				return order, ErrReasonNeeded
			}
			if err := tx.InsertFinding(order.Reference, *resolved.Finding); err != nil {
				return order, err
			}
			for _, change := range also {
				if err := change(tx, order, resolved); err != nil {
					return order, err
				}
			}
			return resolved, nil
		})
	})
	return s.reread(ctx, ref, err)
}

// Acknowledge records that the cashier saw a verdict under these conditions, and returns the order.
// If the verdict has changed, the order stays unacknowledged: a payment that comes at the moment of
// the key press must not count as seen.
func (s *Service) Acknowledge(ctx context.Context, ref string, seen Verdict, conditions Conditions) (Order, error) {
	now := s.now()
	err := s.store.Update(ctx, func(tx Tx) error {
		return change(tx, ref, func(order Order) (Order, error) {
			if order.Verdict(conditions, now) != seen {
				return order, nil
			}
			return order.Acknowledge(conditions, now), nil
		})
	})
	return s.reread(ctx, ref, err)
}

// change applies rule to an order. ref is the order's reference, or its order reference at the
// payment service. change saves the order that rule returns, and the other orders that [Settle]
// changes.
func change(tx Tx, ref string, rule func(Order) (Order, error)) error {
	order, err := tx.Order(ref)
	if errors.Is(err, ErrNotFound) {
		order, err = tx.OrderOf(ref)
	}
	if err != nil {
		return err
	}
	changed, err := rule(order)
	if err != nil {
		return err
	}
	return settle(tx, order, changed)
}

// reread returns the order after a change, or the error of the change.
func (s *Service) reread(ctx context.Context, ref string, err error) (Order, error) {
	if err != nil {
		return Order{}, err
	}
	order, _, err := s.store.Order(ctx, ref)
	return order, err
}
