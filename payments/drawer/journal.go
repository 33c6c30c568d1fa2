package drawer

import (
	"cmp"
	"context"
	"slices"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
)

// Entry is an order or a cash sale in the journal. Order or Cash is set, and the other one is zero.
// The sum of Amount minus Refunded over a period is the amount of [Day.Taken].
type Entry struct {
	At      time.Time
	Receipt string // Number of the receipt; empty without a receipt.
	Order   payments.Order
	Cash    CounterSale
	// By is the name of a person, or blank. For a cash sale it is the person who sold. For an order
	// it is the person of the last refund in the period, else of the last [payments.Finding], else
	// the cashier who sold.
	By       string
	Amount   money.Ariary // What the sale took in the period, also on account; below zero if a payment of an earlier period was found unpaid.
	Refunded money.Ariary // Refunds and voids of the sale in the period; below zero if a refund of an earlier period was taken back.
	Outcome  Settlement   // For an order, its current verdict; for a sale at the counter, its tender or Voided.
	Debt     money.Ariary // Amount of a debt that was paid in the period, minus refunds of such payments. It is not part of the takings.
}

// Journal returns the orders and cash sales with a transfer in the period, oldest first. It leaves
// out those whose amounts in the period are all zero, such as an order that was paid and then found
// unpaid.
func (s *Service) Journal(ctx context.Context, period money.Period) (entries []Entry, err error) {
	err = s.store.View(ctx, func(tx Tx) error {
		transfers, err := tx.Transfers(ledger.Query{Period: period})
		if err != nil {
			return err
		}
		blank, err := s.entries(tx, period)
		if err != nil {
			return err
		}
		entries = nil
		for _, moved := range byPayment(transfers) {
			if entry := blank[moved[0].Payment].with(moved); entry.Amount != 0 || entry.Refunded != 0 || entry.Debt != 0 {
				entries = append(entries, entry)
			}
		}
		return nil
	})
	slices.SortStableFunc(entries, func(a, b Entry) int { return a.At.Compare(b.At) })
	return entries, err
}

// entries returns an entry without amounts for each order and each cash sale of a period.
func (s *Service) entries(tx Tx, period money.Period) (map[ledger.Payment]Entry, error) {
	orders, err := tx.Takings(period)
	if err != nil {
		return nil, err
	}
	sales, err := tx.CashSales(period)
	if err != nil {
		return nil, err
	}
	receipts, err := tx.ReceiptsOf(period)
	numbers := make(map[string]string)
	for _, receipt := range receipts {
		// The receipt of the sale takes precedence over the receipt of its refund.
		if numbers[receipt.Ref] == "" || receipt.Kind != ByRefund {
			numbers[receipt.Ref] = receipt.Number
		}
	}
	entries := make(map[ledger.Payment]Entry)
	for _, order := range orders {
		entry := Entry{
			Receipt: numbers[order.Reference], Order: order.Order, By: order.By, Outcome: Settlement(order.Verdict(payments.Conditions{}, s.Now())),
		}
		if order.Finding != nil {
			entry.By = order.Finding.By
		}
		entries[ledger.Payment{Kind: ledger.ByOrder, Ref: order.Reference}] = entry
	}
	for _, sale := range sales {
		entry := Entry{Receipt: numbers[sale.Number], Cash: sale, Outcome: Settlement(sale.Tender())}
		if sale.By != sale.Till { // Take stores the till's name for a sale without a cashier.
			entry.By = sale.By
		}
		if sale.Voided() {
			entry.Outcome = Voided
		}
		entries[sale.payment()] = entry
	}
	return entries, err
}

// byPayment groups the transfers by order and cash sale, and leaves out the others.
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

// with returns the entry with the amounts of its transfers in a period. The entry gets the time of
// its first payment in the period, else of its last transfer.
func (e Entry) with(moved []ledger.Transfer) Entry {
	by := ""
	for _, transfer := range slices.Backward(moved) {
		amount := transfer.Amount
		if transfer.Back() {
			amount = -amount
		}
		switch {
		case transfer.OfDebt():
			e.Debt -= transfer.Into(transfer.PaidFor())
		case transfer.Kind == ledger.Sale:
			e.Amount += amount
		default:
			e.Refunded += amount
			if transfer.By != transfer.Till { // Without cashiers, the till's name is stored.
				by = cmp.Or(by, transfer.By)
			}
		}
		if e.At.IsZero() || (transfer.Kind == ledger.Sale || transfer.Kind == ledger.Paid) && !transfer.Back() {
			e.At = transfer.At
		}
	}
	if e.Order.Reference != "" {
		e.By = cmp.Or(by, e.By)
	}
	return e
}
