package drawer

import (
	"cmp"
	"context"
	"slices"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/ledger"
)

// Entry is a sale in the journal. Amount minus Refunded, added up over a period, is [Day.Taken].
type Entry struct {
	At       time.Time
	Receipt  string // Number of the receipt; empty without a receipt.
	Till     string
	By       string // Cashier of the cash sale, of the order's last refund in the period, or of its last [payments.Finding]; may be blank.
	Ref      string // Number of the cash sale, or reference of the order.
	Articles string
	Tender   Tender
	Amount   payments.Ariary // Money received in the period, below zero if a payment of an earlier period was found unpaid.
	Refunded payments.Ariary // Money given back in the period, below zero if an earlier refund was corrected.
	Outcome  Settlement
}

// Tender is how a sale was paid.
type Tender string

// The ways to pay.
const (
	TenderCash  Tender = "cash"
	TenderMoney Tender = "mobile_money"
)

// Journal returns the sales of a period that received money or gave it back in the period,
// oldest first.
func (s *Service) Journal(ctx context.Context, period payments.Period) (entries []Entry, err error) {
	err = s.store.View(ctx, func(tx Tx) error {
		transfers, err := tx.Transfers(ledger.Query{Period: period})
		if err != nil {
			return err
		}
		entries = nil
		for _, moved := range byPayment(transfers) {
			entry, err := s.entry(tx, moved)
			if err != nil {
				return err
			}
			if entry.Amount != 0 || entry.Refunded != 0 {
				entries = append(entries, entry)
			}
		}
		return nil
	})
	slices.SortStableFunc(entries, func(a, b Entry) int { return a.At.Compare(b.At) })
	return entries, err
}

// byPayment returns the transfers of each order and each cash sale, in the order of their first one.
func byPayment(transfers []ledger.Transfer) (all [][]ledger.Transfer) {
	places := make(map[ledger.Payment]int)
	for _, transfer := range transfers {
		if transfer.Payment.Kind != ledger.ByOrder && transfer.Payment.Kind != ledger.AtCounter {
			continue
		}
		place, known := places[transfer.Payment]
		if !known {
			place = len(all)
			places[transfer.Payment] = place
			all = append(all, nil)
		}
		all[place] = append(all[place], transfer)
	}
	return all
}

// entry returns the journal entry of a payment from its transfers in a period. It counts at its first
// sale in the period, else at the last transfer.
func (s *Service) entry(tx Tx, moved []ledger.Transfer) (entry Entry, err error) {
	for _, transfer := range slices.Backward(moved) {
		amount := transfer.Amount
		if transfer.Back() {
			amount = -amount
		}
		if transfer.Kind == ledger.Sale {
			entry.Amount += amount
		} else {
			entry.Refunded += amount
			if transfer.By != transfer.Till { // The till's name stands for nobody.
				entry.By = cmp.Or(entry.By, transfer.By)
			}
		}
		if entry.At.IsZero() || transfer.Kind == ledger.Sale && !transfer.Back() {
			entry.At = transfer.At
		}
	}
	payment := moved[0].Payment
	entry.Ref = payment.Ref
	if payment.Kind == ledger.AtCounter {
		err = entry.describeCash(tx)
	} else {
		err = entry.describeOrder(tx, s.Now())
	}
	if err != nil {
		return entry, err
	}
	receipts, err := tx.Receipts(entry.Ref)
	for _, receipt := range receipts {
		// The receipt of the sale takes precedence over the receipt of its refund.
		if entry.Receipt == "" || receipt.Kind != ByRefund {
			entry.Receipt = receipt.Number
		}
	}
	return entry, err
}

func (e *Entry) describeOrder(tx Tx, now time.Time) error {
	order, err := tx.Order(e.Ref)
	if err != nil {
		return err
	}
	e.Till, e.Articles, e.Tender = order.Till, order.Description, TenderMoney
	e.Outcome = Settlement(order.Verdict(payments.Conditions{}, now))
	if order.Finding != nil {
		e.By = cmp.Or(e.By, order.Finding.By)
	}
	return nil
}

func (e *Entry) describeCash(tx Tx) error {
	sale, err := tx.Cash(e.Ref)
	if err != nil {
		return err
	}
	e.Till, e.Articles, e.Tender, e.Outcome = sale.Till, sale.Description, TenderCash, ByCash
	e.By = ""
	if sale.By != sale.Till { // TakeCash writes the till's name for a sale without a cashier.
		e.By = sale.By
	}
	if sale.Voided() {
		e.Outcome = Voided
	}
	return nil
}
