package drawer

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
)

// Given describes a refund to record: money that was given back for an order or a cash sale.
type Given struct {
	Ref    string // Reference or order reference of the order, or number of the cash sale.
	InCash bool   // Whether the money came from the drawer. Otherwise the money went back the way it had come.
	Amount money.Ariary
	All    bool         // Give back all that is left, whatever Amount says.
	Net    money.Ariary // [payments.Order.Net] or [CounterSale.Left] that the person saw.
	// Seen is the [Refundable].Left that the person saw; nil for no comparison.
	Seen *money.Ariary
	// Verdict is the verdict that the person saw, by [payments.Order.Verdict] with the zero
	// [payments.Conditions]; empty for no comparison.
	Verdict payments.Verdict
	Note    string // Why the money was given back; must not be blank.
}

func (g Given) outdated(left money.Ariary) bool { return g.Seen != nil && *g.Seen != left }

// Refundable says how much can still be given back for an order or a cash sale, and how much was
// given back.
type Refundable struct {
	Net      money.Ariary // Money that the shop has for the order or the cash sale.
	Left     money.Ariary // Amount that can still be given back in the chosen way: in cash or not.
	Refunded money.Ariary // Amount that refunds gave back so far, in cash or not.
}

// RefundableOf returns how much can be given back for a cash sale or, if the cash sale has no
// number, for an order.
func RefundableOf(order payments.Order, sale CounterSale, inCash bool) Refundable {
	if sale.Number != "" {
		return Refundable{sale.Left(), sale.LeftFrom(inCash), sale.Refunded}
	}
	return Refundable{order.Net(), order.Left(inCash), order.Refunds.Sum()}
}

// Refundable reads how much can be given back for an order or a cash sale. It returns
// [payments.ErrNotFound] if neither exists.
func (s *Service) Refundable(ctx context.Context, ref string, inCash bool) (Refundable, error) {
	order, sale, err := s.Sale(ctx, ref)
	return RefundableOf(order, sale, inCash), err
}

// Refund records that money was given back. Cash leaves the drawer of the given till, even if
// another till made the order or the cash sale. If the order was not plainly paid (see
// [payments.Order.PlainlyPaid]), the refund also records a finding that it was paid.
//
// Refund returns [payments.ErrOutdated] if the payment has changed since the person saw it. It
// compares given.Net, and given.Seen and given.Verdict if they are set. The amount must be above
// zero and at most what is left, else the error is a [*payments.LeftError]. For a sale on account,
// given.InCash gives [ErrOnAccount]. Refund also returns [payments.ErrNotFound], [ErrVoided],
// [ErrReasonNeeded], an [*UnknownError] and the errors of a [staff.Identity].
func (s *Service) Refund(ctx context.Context, till string, given Given, who staff.Identity) error {
	till = clean.Text(till, payments.MaxTillWidth)
	given.Note = clean.Text(given.Note, payments.MaxShownWidth)
	if given.Note == "" {
		return ErrReasonNeeded
	}
	asked := []any{Refund, till, given.Ref, given.InCash, given.Amount, given.All, given.Note, who.Name}
	return s.unlessStored(ctx, who, asked, func(tx Tx, cashier staff.Cashier, request *Request) error {
		refund := ledger.Transfer{
			At: request.At, Booked: request.At, Kind: ledger.Refund, From: drawerOf(till), To: ledger.Sales, Amount: given.Amount,
			Till: till, By: cmp.Or(cashier.Name, till), Note: given.Note,
		}
		order, err := tx.Order(given.Ref)
		if errors.Is(err, payments.ErrNotFound) {
			order, err = tx.OrderOf(given.Ref)
		}
		switch {
		case errors.Is(err, payments.ErrNotFound):
			return s.refundCashSale(tx, refund, given)
		case err != nil:
			return err
		case given.outdated(order.Left(given.InCash)):
			return payments.ErrOutdated
		case given.Verdict != "" && given.Verdict != order.Verdict(payments.Conditions{}, request.At):
			return payments.ErrOutdated
		case !given.InCash:
			refund.From, refund.Till = ledger.Service, order.Till
		}
		if err := s.HoldTillIn(tx, refund.Till); err != nil {
			return err
		}
		refund.To = order.PaidFor()
		refund.Payment = ledger.Payment{Kind: ledger.ByOrder, Ref: order.Reference}
		return s.RefundIn(tx, refund, given.All, given.Net)
	})
}

func (s *Service) refundCashSale(tx Tx, refund ledger.Transfer, given Given) error {
	sale, err := tx.Cash(given.Ref)
	switch {
	case errors.Is(err, ErrNotFound):
		return payments.ErrNotFound
	case err != nil:
		return err
	case sale.Voided():
		return ErrVoided
	case given.InCash && sale.Account.IsCustomer():
		return ErrOnAccount
	case sale.Left() != given.Net, given.outdated(sale.LeftFrom(given.InCash)):
		return payments.ErrOutdated
	}
	left := sale.LeftFrom(given.InCash)
	if given.All {
		refund.Amount = left
	}
	if !given.InCash {
		refund.From = sale.Account
	}
	if refund.Amount <= 0 || refund.Amount > left {
		return &payments.LeftError{Left: left}
	}
	refund.To = sale.paidFor()
	refund.Payment = sale.payment()
	if err := s.post(tx, refund); err != nil {
		return err
	}
	if err := s.reclaim(tx, refund); err != nil {
		return err
	}
	_, err = settle(tx, sale, false)
	return err
}

// TakeBack reverses a refund that was recorded by mistake. The money returns to the account or the
// drawer that it came from. If the refund of a sale on account reversed write-offs or moves of the
// debt, they are made again. ref is the reference of the order or the number of the cash sale. number
// is the ID of the refund's transfer.
//
// TakeBack returns [ErrNoRefund] if there is no such refund or it was taken back already. It
// returns the same error for a refund in the payment service's merchant area if the order was found
// unpaid afterwards. It also returns [ErrVoided], [ErrReasonNeeded], an [*UnknownError] and the
// errors of a [staff.Identity].
func (s *Service) TakeBack(ctx context.Context, till, ref string, number int64, note string, who staff.Identity) error {
	till = clean.Text(till, payments.MaxTillWidth)
	note = clean.Text(note, payments.MaxShownWidth)
	if note == "" {
		return ErrReasonNeeded
	}
	asked := []any{Reversal, till, ref, number, note, who.Name}
	return s.unlessStored(ctx, who, asked, func(tx Tx, cashier staff.Cashier, request *Request) error {
		refund, err := refundOf(tx, ref, number)
		if err != nil {
			return err
		}
		back := refund
		back.At = request.At
		back.Booked = request.At
		back.Corrects = number
		back.From, back.To = back.To, back.From
		back.By, back.Note = cmp.Or(cashier.Name, till), note
		if back.Payment.Kind == ledger.ByOrder {
			err := s.TakeBackIn(tx, back)
			if errors.Is(err, money.ErrNotAmount) {
				err = ErrNoRefund
			}
			return err
		}
		sale, err := tx.Cash(back.Payment.Ref)
		if err != nil {
			return err
		}
		if err := tx.Post(back); err != nil { // HoldTillIn is not needed: it checked the refund, which has the same till.
			return err
		}
		if err := waiveAgain(tx, refund, back); err != nil {
			return err
		}
		_, err = settle(tx, sale, sale.Left() == 0)
		return err
	})
}

// waiveAgain reverses what [Service.reclaim] posted for a refund that is taken back. Otherwise the
// customer would owe again what was written off or moved to another name. back is the transfer that
// reverses the refund.
func waiveAgain(tx Tx, refund, back ledger.Transfer) error {
	if !refund.From.IsCustomer() {
		return nil
	}
	moment := money.Period{From: refund.At, To: refund.At.Add(time.Millisecond)} // Both were recorded at the same time.
	later, err := tx.Transfers(ledger.Query{Till: refund.Till, After: refund.ID, Period: moment})
	last := refund.ID
	var reclaimed []ledger.Transfer
	for _, transfer := range later {
		last++
		of := transfer.Kind == ledger.Waived && transfer.Back() || transfer.Kind == ledger.Renamed && transfer.Note == refund.Note
		if transfer.ID != last || !of {
			break
		}
		reclaimed = append(reclaimed, transfer)
	}
	for _, transfer := range slices.Backward(reclaimed) {
		transfer.At, transfer.Booked = back.At, back.Booked
		transfer.By, transfer.Note = back.By, back.Note
		transfer.From, transfer.To = transfer.To, transfer.From
		err = cmp.Or(err, tx.Post(transfer))
	}
	return err
}

// refundOf returns the refund with this number, which is the ID of its transfer. ref is the order
// or cash sale that the refund must belong to. The errors are [ErrNoRefund], also for a refund that
// was taken back, and [ErrVoided].
func refundOf(tx Tx, ref string, number int64) (ledger.Transfer, error) {
	found, err := tx.Transfers(ledger.Query{After: number - 1, Until: max(1, number), Kind: ledger.Refund})
	if err != nil {
		return ledger.Transfer{}, err
	}
	if len(found) == 0 || found[0].ID != number || found[0].Payment.Ref != ref || found[0].Back() {
		return ledger.Transfer{}, ErrNoRefund
	}
	later, err := tx.Transfers(ledger.Query{Payment: found[0].Payment, After: number})
	for _, transfer := range later {
		switch {
		case transfer.Corrects == number:
			return ledger.Transfer{}, ErrNoRefund
		case transfer.Kind == ledger.Void:
			return ledger.Transfer{}, ErrVoided
		}
	}
	return found[0], err
}
