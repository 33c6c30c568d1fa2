package drawer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/ledger"
)

// CashSale is a sale that was paid in cash. After it is stored, only Refunded and the fields
// about the void change.
type CashSale struct {
	Number      string // A [payments.CashNumber]. The numbers of a till have no gaps, except where a backup was restored.
	Sale        string // ID of the sale, shared with the orders made from it.
	Till        string
	Items       []payments.Item
	Description string
	Amount      payments.Ariary
	Given       payments.Ariary // Money that the customer gave, at least Amount.
	By          string
	At          time.Time
	Refunded    payments.Ariary // Money given back by refunds, not by a void; at most Amount.
	Refunds     []Move          // The refunds and their corrections, oldest first; only [Service.CashSales] fills them.
	VoidedAt    time.Time       // When the sale was voided; zero otherwise.
	VoidedBy    string
	Reason      string // Why the sale was voided.
}

// Change returns the money to give back to the customer.
func (c CashSale) Change() payments.Ariary { return c.Given - c.Amount }

// Voided reports whether the sale was voided.
func (c CashSale) Voided() bool { return !c.VoidedAt.IsZero() }

// ShortError says that the given money is less than the amount of the sale.
type ShortError struct{ Missing payments.Ariary }

// Error returns how much is missing.
func (e *ShortError) Error() string { return fmt.Sprintf("%s Ar are missing", e.Missing) }

// TakeCash records that cash was taken for a sale, and drops the unfinished sale. given is the
// money that the customer gave; 0 means the exact amount. by is the cashier's name; if it is empty,
// the till's name is stored. Afterwards no QR code of the sale is shown, and an order that is paid
// nevertheless gets [payments.PaidTwice].
//
// TakeCash returns [payments.ErrUnderWay] and a [*payments.Objection] as
// [payments.Service.Checkout] does, a [*ShortError], an [*UnknownError], and the errors of
// [payments.NewOrder].
func (s *Service) TakeCash(ctx context.Context, terms payments.Terms, given payments.Ariary, by string) (CashSale, error) {
	var taken CashSale
	asked := []any{"sale", terms.Till, terms.Items, terms.Description, given, by}
	err := s.once(ctx, nil, asked, func(tx Tx, _ payments.Cashier, request *Request, stored bool) (err error) {
		if stored {
			taken, err = tx.Cash(request.Ref)
			return err
		}
		now := request.At
		taken, err = s.newCash(tx, terms, given, now)
		if err != nil {
			return err
		}
		request.Ref = taken.Number
		taken.By = cmp.Or(payments.Clean(by, payments.MaxTillWidth), taken.Till)
		sale, err := tx.Siblings(taken.Sale)
		if err != nil {
			return err
		}
		earlier, err := tx.CashTaken(taken.Sale)
		if err != nil {
			return err
		}
		if err := s.MayCharge(sale, earlier, terms.Despite); err != nil {
			return err
		}
		if err := tx.InsertCash(taken); err != nil {
			return err
		}
		for _, item := range taken.Items {
			if err := tx.CountUse(item.Article()); err != nil {
				return err
			}
		}
		if err := s.post(tx, taken.transfer()); err != nil {
			return err
		}
		if err := settle(tx, taken.Sale); err != nil {
			return err
		}
		return tx.DropSale(taken.Sale)
	})
	if err != nil {
		return CashSale{}, err
	}
	// Remove the unfinished sale, which may be in a separate store (see payments.WithDrafts):
	// SaveSale removes a sale without items. After an error here, Recover removes it later.
	_ = s.SaveSale(context.WithoutCancel(ctx), payments.Sale{ID: taken.Sale, Till: taken.Till})
	return taken, nil
}

// transfer returns the transfer of the money that was taken.
func (c CashSale) transfer() ledger.Transfer {
	return ledger.Transfer{
		At: c.At, Booked: c.At, Kind: ledger.Sale, From: ledger.Sales, To: drawerOf(c.Till), Amount: c.Amount, Till: c.Till, By: c.By,
		Payment: c.payment(),
	}
}

func (c CashSale) payment() ledger.Payment {
	return ledger.Payment{Kind: ledger.AtCounter, Ref: c.Number}
}

// newCash returns a cash sale with the next number of its till, but does not store it.
func (s *Service) newCash(tx Tx, terms payments.Terms, given payments.Ariary, now time.Time) (CashSale, error) {
	number, err := s.NextNumber(tx, payments.CashNumber, terms.Till)
	if err != nil {
		return CashSale{}, err
	}
	terms.Reference = number
	order, err := payments.NewOrder(terms, now) // An order has the same rules for items and amounts.
	if err != nil {
		return CashSale{}, err
	}
	if given == 0 {
		given = order.Amount
	}
	switch {
	case given < order.Amount:
		return CashSale{}, &ShortError{order.Amount - given}
	case given > payments.MaxAriary:
		return CashSale{}, payments.ErrTooLarge
	}
	return CashSale{
		Number: order.Reference, Sale: order.Sale, Till: order.Till, Items: order.Items,
		Description: order.Description, Amount: order.Amount, Given: given, At: now,
	}, nil
}

// settle saves the orders of a sale that change after cash was taken for the sale or a cash sale
// was voided.
func settle(tx Tx, id string) error {
	sale, err := tx.Siblings(id)
	if err != nil {
		return err
	}
	cash, err := tx.CashTaken(id) // After a void, another cash sale from the same sale may remain.
	if err != nil {
		return err
	}
	for _, order := range payments.SettleCash(sale, cash != "") {
		if err := tx.SaveOrder(order); err != nil {
			return err
		}
	}
	return nil
}

// VoidCash voids a cash sale, because it was a mistake or the money was given back. The money
// counts as taken out now from the drawer of the given till, even if another till made the sale.
// VoidCash returns [ErrNotFound], [ErrVoided], [ErrReasonNeeded], an [*UnknownError] and the errors of
// a [payments.Identity].
func (s *Service) VoidCash(ctx context.Context, till, number, reason string, who payments.Identity) (CashSale, error) {
	var voided CashSale
	reason = payments.Clean(reason, payments.MaxShownWidth)
	till = payments.Clean(till, payments.MaxTillWidth)
	if reason == "" {
		return CashSale{}, ErrReasonNeeded
	}
	asked := []any{Void, till, number, reason, who.Name}
	err := s.once(ctx, &who, asked, func(tx Tx, cashier payments.Cashier, request *Request, stored bool) (err error) {
		voided, err = tx.Cash(number)
		switch {
		case err != nil || stored:
			return err
		case voided.Voided():
			return ErrVoided
		}
		voided.VoidedAt, voided.Reason = request.At, reason
		voided.VoidedBy = cmp.Or(cashier.Name, till)
		if err := tx.SaveVoid(voided); err != nil {
			return err
		}
		if left := voided.Amount - voided.Refunded; left > 0 {
			back := voided.transfer()
			back.Kind = ledger.Void
			back.Till = till
			back.From, back.To = drawerOf(till), ledger.Sales
			back.Amount = left
			back.At, back.Booked = voided.VoidedAt, voided.VoidedAt
			back.By, back.Note = voided.VoidedBy, reason
			if err := s.post(tx, back); err != nil {
				return err
			}
		}
		return settle(tx, voided.Sale)
	})
	return voided, err
}

// RefundCash records that amount is all the money given back so far for a cash sale. The money
// comes from the drawer of the given till, even if another till made the sale. If amount is below
// the amount recorded before, the difference is a [Reversal] in the drawer that gave it;
// [payments.NoRefund] takes the whole refund back. seen is the refund that the person saw.
//
// RefundCash returns [ErrNotFound], [ErrVoided], [ErrReasonNeeded], an [*UnknownError], the errors of
// a [payments.Identity], [payments.ErrOutdated] if the refund is no longer the one that was seen, and
// [ErrNotAmount] unless amount is above zero and at most that of the sale.
func (s *Service) RefundCash(
	ctx context.Context, till, number string, amount, seen payments.Ariary, reason string, who payments.Identity,
) (CashSale, error) {
	var sale CashSale
	reason = payments.Clean(reason, payments.MaxShownWidth)
	till = payments.Clean(till, payments.MaxTillWidth)
	if reason == "" {
		return CashSale{}, ErrReasonNeeded
	}
	asked := []any{Refund, till, number, amount, reason, who.Name}
	err := s.once(ctx, &who, asked, func(tx Tx, cashier payments.Cashier, request *Request, stored bool) (err error) {
		total := amount // A copy, because the store may run this function more than once.
		sale, err = tx.Cash(number)
		switch {
		case err != nil || stored:
			return err
		case sale.Voided():
			return ErrVoided
		case sale.Refunded != seen:
			return payments.ErrOutdated
		case total == payments.NoRefund && sale.Refunded > 0:
			total = 0
		case total <= 0 || total > sale.Amount:
			return ErrNotAmount
		case total == sale.Refunded:
			return nil
		}
		given := total - sale.Refunded
		sale.Refunded = total
		return s.giveBack(tx, given, ledger.Transfer{
			At: request.At, Till: till, By: cmp.Or(cashier.Name, till), Note: reason, Payment: sale.payment(),
		})
	})
	return sale, err
}

// GiveBack records how much of an order or of a cash sale was given back in cash so far, by
// [Service.Resolve] or [Service.RefundCash]. ref is a reference, an order reference, or the number of
// a cash sale. 0 is the highest possible amount, and [payments.NoRefund] takes the refund back.
// GiveBack also returns [ErrNotAmount] for more than [MostCash].
func (s *Service) GiveBack(
	ctx context.Context, till, ref string, amount payments.Ariary, reason string, who payments.Identity,
) (order payments.Order, sale CashSale, err error) {
	order, _, err = s.Order(ctx, ref)
	if errors.Is(err, payments.ErrNotFound) {
		if sale, err = s.CashSale(ctx, ref); err == nil {
			sale, err = s.RefundCash(ctx, till, ref, cmp.Or(amount, sale.Amount), sale.Refunded, reason, who)
		}
		return order, sale, err
	}
	cash, most := order.RefundedInCash(), MostCash(order)
	amount = cmp.Or(amount, most)
	switch {
	case err != nil:
		return order, sale, err
	case amount == 0 || amount > most:
		return order, sale, ErrNotAmount
	case payments.Clean(reason, payments.MaxShownWidth) == "":
		return order, sale, ErrReasonNeeded
	}
	order, err = s.Resolve(ctx, till, order.Reference, payments.Finding{
		Kind: payments.FoundRefunded, Amount: amount, Cash: true, By: till, Note: reason,
		Seen: order.Verdict(payments.Conditions{}, s.Now()), SeenRefund: order.Refunded(), SeenInCash: cash,
	}, who)
	return order, sale, err
}

// MostCash returns how much of an order may be given back in cash, including what was given back in
// cash already.
func MostCash(order payments.Order) payments.Ariary {
	cash := order.RefundedInCash()
	return max(order.Gross(), cash) - (order.Refunded() - cash)
}

// CashSales returns the cash sales that were made, refunded or voided in a period, oldest first, with
// their Refunds of the period.
func (s *Service) CashSales(ctx context.Context, period payments.Period) (sales []CashSale, err error) {
	err = s.store.View(ctx, func(tx Tx) error {
		refunds, err := tx.Transfers(ledger.Query{Period: period, Kind: ledger.Refund})
		if err != nil {
			return err
		}
		sales, err = tx.CashSales(period)
		for i := range sales {
			for _, refund := range refunds {
				if refund.Payment == sales[i].payment() {
					sales[i].Refunds = append(sales[i].Refunds, moveOf(refund))
				}
			}
		}
		return err
	})
	return sales, err
}

// CashSale returns the cash sale with a number, or [ErrNotFound].
func (s *Service) CashSale(ctx context.Context, number string) (sale CashSale, err error) {
	err = s.store.View(ctx, func(tx Tx) error {
		sale, err = tx.Cash(number)
		return err
	})
	return sale, err
}
