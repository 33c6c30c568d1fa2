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

// found returns the verdict that follows from the last finding. After a refund of a part, a proven
// payment stays paid if no event says otherwise.
func (o Order) found() Verdict {
	switch {
	case o.Finding.Kind == FoundUnpaid:
		return VerdictMarkedUnpaid
	case !o.foundPaid():
		return VerdictRefunded
	case o.Finding.Kind == FoundRefunded && o.Paid() && len(o.Facts.Attention) == 0:
		return VerdictPaid
	}
	return VerdictMarkedPaid
}

// foundPaid reports whether the shop has money for the order by the last finding: the order was
// paid, and not all of it was refunded.
func (o Order) foundPaid() bool { return o.Finding.Kind != FoundUnpaid && o.Finding.Amount < o.Amount }

// contradicts reports whether an event with this status contradicts the last finding.
func (o Order) contradicts(status Status) bool {
	return o.foundPaid() && status.Unpaid() || !o.foundPaid() && status == StatusSuccess
}

// NoRefund is the [Finding].Amount that takes a refund back.
const NoRefund Ariary = -1

// Finding is what a person found out in the service's merchant area. An order keeps all its
// findings; the last one decides.
type Finding struct {
	Kind       FindingKind
	Amount     Ariary // The total refund so far, from 0 to the order's amount.
	FromDrawer Ariary // How much of Amount was cash from a drawer.
	Cash       bool   // Whether [Order.Resolve] records a refund in cash. Not stored.
	By         string
	At         time.Time
	Note       string
	Seen       Verdict // The verdict that the person saw: [Order.Verdict] with the zero [Conditions].
	SeenRefund Ariary  // The refund that the person saw: [Order.Refunded]. Not stored.
	SeenInCash Ariary  // How much of SeenRefund was cash: [Order.RefundedInCash]. Not stored.
}

// Resolve returns the order with a person's finding added. It changes neither the status nor the
// proof. For [FoundRefunded], finding.Amount is the total that was given back in cash, if
// finding.Cash is true, or in the merchant area. 0, or more than the rest of the order, is the rest;
// [NoRefund] is nothing. Cash of an order that was found unpaid leaves it unpaid. The other kinds
// keep the refunds, but [FoundPaid] ends those in the merchant area if all was given back.
func (o Order) Resolve(finding Finding) Order {
	finding.By = Clean(finding.By, MaxLabelWidth)
	finding.Note = Clean(finding.Note, MaxShownWidth)
	last := o.lastFinding()
	cash, area := last.FromDrawer, last.Amount-last.FromDrawer
	switch {
	case finding.Kind == FoundRefunded && finding.Cash:
		cash = refund(finding.Amount, o.Amount-area)
		if last.Kind == FoundUnpaid && o.Gross() == 0 {
			finding.Kind = FoundUnpaid
		}
	case finding.Kind == FoundRefunded:
		area = refund(finding.Amount, o.Amount-cash)
	case finding.Kind == FoundPaid && last.Amount == o.Amount:
		area = 0
	}
	finding.Amount = cash + area
	finding.FromDrawer = cash
	o.Finding = &finding
	o.drop(FindingContradicted)
	o.Facts.GivenUp = o.Facts.GivenUp || !o.foundPaid()
	o.Facts.Acknowledged = true
	return o
}

// refund returns the refund for a [Finding].Amount, when rest is the highest possible refund.
func refund(amount, rest Ariary) Ariary {
	if amount == 0 {
		return rest
	}
	return min(max(0, amount), rest)
}

// Refunded returns the total refund of the order so far, in cash and in the merchant area. While a
// finding of unpaid decides, refunds in the merchant area do not count.
func (o Order) Refunded() Ariary {
	if o.Gross() == 0 {
		return o.RefundedInCash()
	}
	return o.lastFinding().Amount
}

// refundedInArea returns how much was given back in the merchant area, even if the order was found
// unpaid since.
func (o Order) refundedInArea() Ariary {
	last := o.lastFinding()
	return last.Amount - last.FromDrawer
}

// RefundedInCash returns how much of [Order.Refunded] was cash from a drawer.
func (o Order) RefundedInCash() Ariary { return o.lastFinding().FromDrawer }

func (o Order) lastFinding() (last Finding) {
	if o.Finding != nil {
		last = *o.Finding
	}
	return last
}

// Resolve records a person's finding about an order. finding.By becomes the cashier's name, except
// in a shop without cashiers.
//
// Resolve returns [ErrOutdated] if the order's verdict is no longer finding.Seen: the finding must
// not hide a new payment. The error is the same if the order's refunds are no longer those seen:
// two tills must not record one refund. If a success came, a finding of unpaid or refunded needs a note,
// else the error is [ErrReasonNeeded]. [NoRefund] without a refund is [ErrNotAmount].
func (s *Service) Resolve(ctx context.Context, ref string, finding Finding, who Identity) (Order, error) {
	err := s.Guarded(ctx, who, func(tx Tx, by Cashier) error {
		_, _, err := s.ResolveIn(tx, ref, finding, by)
		return err
	})
	return s.reread(ctx, ref, err)
}

// ResolveIn is [Service.Resolve] in a transaction, for a cashier whose identity was checked. It returns
// the order before and after the finding.
func (s *Service) ResolveIn(tx Tx, ref string, finding Finding, by Cashier) (before, after Order, err error) {
	finding.By, finding.At = cmp.Or(by.Name, finding.By), s.now().UTC()
	err = s.change(tx, ref, func(order Order) (Order, error) {
		if order.Verdict(Conditions{}, finding.At) != finding.Seen ||
			order.Refunded() != finding.SeenRefund || order.RefundedInCash() != finding.SeenInCash {
			return order, ErrOutdated
		}
		before, after = order, order.Resolve(finding)
		if finding.Amount == NoRefund && after.Refunded() == before.Refunded() {
			return order, ErrNotAmount
		}
		if order.Facts.SuccessSeen && finding.Kind != FoundPaid && after.Finding.Note == "" {
			return order, ErrReasonNeeded
		}
		return after, tx.InsertFinding(order.Reference, *after.Finding)
	})
	return before, after, err
}

// Acknowledge records that the cashier saw a verdict under these conditions, and returns the order.
// If the verdict has changed, the order stays unacknowledged: a payment that comes at the moment of
// the key press must not count as seen.
func (s *Service) Acknowledge(ctx context.Context, ref string, seen Verdict, conditions Conditions) (Order, error) {
	now := s.now()
	err := s.store.Update(ctx, func(tx Tx) error {
		return s.change(tx, ref, func(order Order) (Order, error) {
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
func (s *Service) change(tx Tx, ref string, rule func(Order) (Order, error)) error {
	order, err := tx.Order(ref)
	if errors.Is(err, ErrNotFound) {
		order, err = tx.OrderOf(ref)
	}
	if err != nil {
		return err
	}
	changed, err := rule(s.at(order, s.now()))
	if err != nil {
		return err
	}
	_, err = settle(tx, order, changed, s.now())
	return err
}

// reread returns the order after a change, or the error of the change.
func (s *Service) reread(ctx context.Context, ref string, err error) (Order, error) {
	if err != nil {
		return Order{}, err
	}
	order, _, err := s.Order(ctx, ref)
	return order, err
}
