package drawer

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
)

// Settlement is how a sale was paid or ended, for its receipts and its [Entry] in the journal.
type Settlement string

// The settlements of orders, and Voided. The settlement of a sale at the counter that was not
// voided is its [Tender].
const (
	ByLink     Settlement = "paid"        // Proof of payment came.
	ByFinding  Settlement = "marked_paid" // A person found the order paid.
	ByRefund   Settlement = "refunded"
	Voided     Settlement = "voided" // A sale at the counter that was voided. Only the journal has it.
	notSettled Settlement = ""
)

// Receipt is the receipt of a sale. An order can have several receipts with different Kinds, for
// example after a refund of all its money. The first call of [Service.IssueReceipt] for a Kind
// gives the receipt its number.
type Receipt struct {
	Till   string
	Number string // Such as T1-GT-000123.
	Ref    string // Reference of the order, or number of the cash sale.
	Kind   Settlement
	At     time.Time
}

// Settled is a sale with its receipt. Order or Cash is set, and the other one is zero.
type Settled struct {
	Receipt Receipt
	Copy    bool // The receipt was already printed.
	Order   payments.Order
	Cash    CounterSale
	Parts   []Part // The payments of a sale that was paid in parts; else empty.
	// Debtor is the customer of a sale on account or of a paid debt, with the balance after that
	// sale or payment.
	Debtor Debtor
}

// IssueReceipt returns the receipt for an order or a cash sale, and issues a number if the receipt
// has none. ref is the reference or the order reference of an order, or the number of a cash sale.
// The errors are [payments.ErrNotFound], and [ErrNoReceipt] for a sale that is unpaid or voided and
// for an order that a person must check.
func (s *Service) IssueReceipt(ctx context.Context, ref string) (Settled, error) {
	settled, err := s.settled(ctx, ref)
	if err != nil {
		return Settled{}, err
	}
	wanted := settled.Receipt
	err = s.store.Update(ctx, func(all payments.Tx) error {
		tx := in(all)
		if err := s.stillSettled(tx, settled); err != nil {
			return err
		}
		if settled.Parts, err = parts(tx, settled); err != nil {
			return err
		}
		if settled.Debtor, err = settled.debtor(tx); err != nil {
			return err
		}
		receipts, err := tx.Receipts(wanted.Ref)
		if err != nil {
			return err
		}
		issued := slices.IndexFunc(receipts, func(r Receipt) bool { return r.Kind == wanted.Kind })
		settled.Copy = false
		if issued >= 0 {
			settled.Receipt = receipts[issued]
			printed, err := tx.Request(printOf(settled.Receipt))
			settled.Copy = printed.ID != ""
			return err
		}
		settled.Receipt = wanted
		if settled.Receipt.Number, err = s.NextNumber(tx, payments.ReceiptNumber, wanted.Till); err != nil {
			return err
		}
		settled.Receipt.At = s.Now().UTC().Truncate(time.Millisecond)
		return tx.InsertReceipt(settled.Receipt)
	})
	return settled, err
}

func (s Settled) debtor(tx Tx) (debtor Debtor, err error) {
	account, payment := s.Order.Debt, ledger.Payment{Kind: ledger.ByOrder, Ref: s.Order.Reference}
	if s.Cash.Number != "" {
		account, payment = s.Cash.owing(), s.Cash.payment()
	}
	if !account.IsCustomer() {
		return debtor, nil
	}
	if debtor, err = debtorOf(tx, account); err != nil {
		return debtor, err
	}
	moved, err := tx.Transfers(ledger.Query{Account: account})
	var owed money.Ariary
	for _, transfer := range moved {
		owed += transfer.Into(account)
		if transfer.Payment == payment && (transfer.Kind == ledger.Sale || transfer.Kind == ledger.Paid) {
			debtor.Owed = owed
		}
	}
	return debtor, err
}

// NotePrinted records that a receipt was printed. Every later print of the receipt is a copy.
func (s *Service) NotePrinted(ctx context.Context, printed Receipt) error {
	note := func(Tx, staff.Cashier, *Request, bool) error { return nil } // The stored request itself is the note.
	return s.Once(printOf(printed)).once(ctx, nil, []any{"printed", printed.Number}, note)
}

func printOf(printed Receipt) string { return "printed " + printed.Number }

// stillSettled reads the sale again. It returns [ErrNoReceipt] if the sale no longer has the
// settlement of the receipt.
func (s *Service) stillSettled(tx Tx, found Settled) (err error) {
	var again Settled
	if found.Cash.Number != "" {
		again.Cash, err = tx.Cash(found.Cash.Number)
	} else {
		again.Order, err = tx.Order(found.Order.Reference)
	}
	if err == nil && again.settlement(s.Now()) != found.Receipt.Kind {
		err = ErrNoReceipt
	}
	return err
}

// settled returns the sale with this ref; see [Service.IssueReceipt]. The receipt in the result has
// no number yet. If IssueReceipt may not issue a receipt, settled returns [ErrNoReceipt].
func (s *Service) settled(ctx context.Context, ref string) (found Settled, err error) {
	found.Order, found.Cash, err = s.Sale(ctx, ref)
	if err != nil {
		return Settled{}, err
	}
	found.Receipt = Receipt{
		Till: cmp.Or(found.Cash.Till, found.Order.Till), Ref: cmp.Or(found.Cash.Number, found.Order.Reference), Kind: found.settlement(s.Now()),
	}
	if found.Receipt.Kind == notSettled {
		return Settled{}, ErrNoReceipt
	}
	return found, nil
}

// Sale returns the order or the cash sale that ref names; the other result is zero. ref is the same
// as for [Service.IssueReceipt]. Sale returns [payments.ErrNotFound] if neither exists.
func (s *Service) Sale(ctx context.Context, ref string) (order payments.Order, cash CounterSale, err error) {
	order, _, err = s.Order(ctx, ref)
	if !errors.Is(err, payments.ErrNotFound) {
		return order, CounterSale{}, err
	}
	cash, err = s.CounterSale(ctx, ref)
	if errors.Is(err, ErrNotFound) {
		err = payments.ErrNotFound
	}
	return payments.Order{}, cash, err
}

// settlement returns how the sale was settled, or notSettled. ByLink, ByFinding and ByRefund are the
// same strings as the corresponding verdicts.
func (s Settled) settlement(now time.Time) Settlement {
	switch {
	case s.Cash.Voided():
		return notSettled
	case s.Cash.Number != "":
		return Settlement(s.Cash.Tender())
	}
	switch kind := Settlement(s.Order.Verdict(payments.Conditions{}, now)); kind {
	case ByLink, ByFinding, ByRefund:
		return kind
	}
	return notSettled
}
