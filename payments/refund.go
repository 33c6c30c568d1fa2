package payments

import (
	"slices"
	"time"

	"checkout/till/payments/ledger"
)

// Left returns how much of the order can still be given back, from a drawer or in the merchant area. An
// order without money can be given back only there: the refund says that the customer had paid.
func (o Order) Left(inCash bool) Ariary {
	if inCash {
		return max(0, o.Net())
	}
	return o.Amount - o.Refunds.Sum()
}

// plainlyPaid reports whether the shop has money for the order, and no person must look at it for
// another reason than [PaidTwice].
func (o Order) plainlyPaid(now time.Time) bool {
	other := func(reason Attention) bool { return reason != PaidTwice }
	return o.Gross() > 0 && !slices.ContainsFunc(o.Attention(now), other)
}

// LastRefund returns the last refund of the order that was not taken back. It returns false if there is
// none, or if [Order.Transfers] were not read.
func (o Order) LastRefund() (ledger.Transfer, bool) {
	for _, transfer := range slices.Backward(o.Transfers) {
		takenBack := func(later ledger.Transfer) bool { return later.Corrects == transfer.ID && later.Back() }
		if transfer.Kind == ledger.Refund && !transfer.Back() && !slices.ContainsFunc(o.Transfers, takenBack) {
			return transfer, true
		}
	}
	return ledger.Transfer{}, false
}

// RefundIn posts a refund of an order, which names the order's reference. left is what the person saw
// of [Order.Left]. A refund tells that the customer had paid: if the order is not plainly paid, RefundIn
// records that as a finding, too. RefundIn returns [ErrOutdated] if less or more is left, and
// [ErrNotAmount] unless the amount is above zero and at most what is left.
func (s *Service) RefundIn(tx Tx, refund ledger.Transfer, left Ariary) error {
	inCash := refund.From.IsDrawer()
	err := s.change(tx, refund.Payment.Ref, func(order Order) (Order, error) {
		switch {
		case order.Left(inCash) != left:
			return order, ErrOutdated
		case refund.Amount <= 0, refund.Amount > left:
			return order, ErrNotAmount
		}
		if !order.plainlyPaid(refund.At) {
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

// TakeBackIn posts a transfer that takes a refund of an order back.
func (s *Service) TakeBackIn(tx Tx, back ledger.Transfer) error {
	err := s.change(tx, back.Payment.Ref, func(order Order) (Order, error) { return order.refund(back), nil })
	if err != nil {
		return err
	}
	return tx.Post(back)
}

// refund returns the order after a refund, or after a transfer that takes one back.
func (o Order) refund(refund ledger.Transfer) Order {
	returned := refund.Into(ledger.Sales)
	if refund.From == ledger.Service || refund.To == ledger.Service {
		o.Refunds.Area += returned
	} else {
		o.Refunds.Cash += returned
	}
	o.Facts.GivenUp = o.Facts.GivenUp || o.GivenBack()
	o.Facts.Acknowledged = true
	return o
}
