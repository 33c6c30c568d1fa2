package payments

import (
	"slices"
	"time"

	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
)

// Left returns how much of the order can still be given back: in cash from a drawer if inCash is
// true, else in the payment service's merchant area. For an order without money, only a refund in
// the merchant area is possible: it implies that the customer had paid.
func (o Order) Left(inCash bool) money.Ariary {
	if inCash {
		return max(0, o.Net())
	}
	return o.Amount - o.Refunds.Sum()
}

// PlainlyPaid reports whether the shop got money for the order, and no person must look at the
// order. The reasons [PaidTwice], [PartGivenBack] and [DebtOverpaid] do not count, because a refund
// can end them.
func (o Order) PlainlyPaid(now time.Time) bool {
	other := func(reason Attention) bool {
		return reason != PaidTwice && reason != PartGivenBack && reason != DebtOverpaid
	}
	return o.Gross() > 0 && !slices.ContainsFunc(o.Attention(now), other)
}

// LastRefund returns the order's last refund that was not taken back. It returns false if there is
// none, or if [Order.Transfers] were not read.
func (o Order) LastRefund() (ledger.Transfer, bool) {
	refunds := ledger.Standing(o.Transfers)
	if len(refunds) == 0 {
		return ledger.Transfer{}, false
	}
	return refunds[len(refunds)-1], true
}

// LeftError is returned if the amount of a refund is not above zero, or is more than Left: the
// money that can still be given back. It wraps [money.ErrNotAmount].
type LeftError struct{ Left money.Ariary }

func (e *LeftError) Error() string { return "at most " + e.Left.String() + " Ar can be given back" }

func (e *LeftError) Unwrap() error { return money.ErrNotAmount }

// RefundIn posts a refund of the order that refund.Payment names. If all is true, the amount is all
// that is left. The errors are [ErrNotFound], [ErrOutdated] if [Order.Net] is no longer net, the
// money that the person saw, and [*LeftError] for a wrong amount.
//
// A refund implies that the customer had paid. For an order that is not [Order.PlainlyPaid],
// RefundIn records that as a finding.
func (s *Service) RefundIn(tx Tx, refund ledger.Transfer, all bool, net money.Ariary) error {
	inCash := refund.From.IsDrawer()
	err := s.change(tx, refund.Payment.Ref, refund.At, func(order Order) (Order, error) {
		if all {
			refund.Amount = order.Left(inCash)
		}
		switch {
		case order.Net() != net:
			return order, ErrOutdated
		case refund.Amount <= 0, refund.Amount > order.Left(inCash):
			return order, &LeftError{order.Left(inCash)}
		}
		if !order.PlainlyPaid(refund.At) {
			order = order.Resolve(Finding{
				Kind: FoundPaid, By: refund.By, At: refund.At, Note: refund.Note, Seen: order.Verdict(Conditions{}, refund.At),
			})
			if err := tx.InsertFinding(order.Reference, *order.Finding); err != nil {
				return order, err
			}
		}
		return order.refund(refund), nil
	})
	if err != nil {
		return err
	}
	return tx.Post(refund)
}

// TakeBackIn posts a transfer that reverses a refund of an order. It returns [money.ErrNotAmount]
// for a refund in the service's merchant area if the shop got no money for the order.
func (s *Service) TakeBackIn(tx Tx, back ledger.Transfer) error {
	err := s.change(tx, back.Payment.Ref, back.At, func(order Order) (Order, error) {
		if back.AtService() && order.Gross() == 0 {
			return order, money.ErrNotAmount
		}
		return order.refund(back), nil
	})
	if err != nil {
		return err
	}
	return tx.Post(back)
}

// refund returns the order after a refund, or after a transfer that reverses one.
func (o Order) refund(refund ledger.Transfer) Order {
	returned := refund.Into(refund.PaidFor())
	if refund.AtService() {
		o.Refunds.Area += returned
	} else {
		o.Refunds.Cash += returned
	}
	if returned > 0 {
		o.drop(DebtOverpaid)
	}
	o.Facts.GivenUp = o.Facts.GivenUp || o.GivenBack()
	o.Facts.Acknowledged = true
	return o
}
