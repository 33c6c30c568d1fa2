package drawer

import (
	"context"
	"slices"
	"time"

	"checkout/till/payments"
)

// back is the money of one cash sale that was given back in a period as refunds, not by a void.
type back struct {
	given payments.Ariary
	last  time.Time
}

// cashOf returns the cash sales that were made, refunded or voided in a period. refunded maps the
// number of a cash sale to the money given back for it.
func cashOf(tx Tx, period payments.Period) (sales []CashSale, refunded map[string]back, err error) {
	moves, err := tx.CashRefunds(period)
	if err != nil {
		return nil, nil, err
	}
	refunded = make(map[string]back)
	for _, move := range moves {
		refunded[move.Ref] = back{refunded[move.Ref].given - move.Kind.Sign()*move.Amount, move.At}
	}
	sales, err = tx.CashSales(period)
	return sales, refunded, err
}

// Entry is a sale in the journal. Amount minus Refunded, added up over a period, is [Day.Taken].
type Entry struct {
	At       time.Time
	Receipt  string // Number of the receipt; empty without a receipt.
	Till     string
	By       string // Cashier of the cash sale or of the order's last [payments.Finding]; may be blank.
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
	orders, err := s.store.Takings(ctx, period)
	if err != nil {
		return nil, err
	}
	err = s.store.View(ctx, func(tx Tx) error {
		entries = nil
		for _, order := range orders {
			entry, found := s.orderEntry(order, period)
			if !found {
				continue
			}
			order, err := tx.Order(order.Reference) // Read the whole order: Takings fills only a few fields.
			if err != nil {
				return err
			}
			entry.Till, entry.Articles = order.Till, order.Description
			entries = append(entries, entry)
		}
		sales, refunded, err := cashOf(tx, period)
		for _, sale := range sales {
			entries = append(entries, cashEntry(sale, refunded[sale.Number], period))
		}
		if err != nil {
			return err
		}
		for i, entry := range entries {
			receipts, err := tx.Receipts(entry.Ref)
			if err != nil {
				return err
			}
			for _, receipt := range receipts {
				// The receipt of the sale takes precedence over the receipt of its refund.
				if entries[i].Receipt == "" || receipt.Kind != ByRefund {
					entries[i].Receipt = receipt.Number
				}
			}
		}
		return nil
	})
	slices.SortStableFunc(entries, func(a, b Entry) int { return a.At.Compare(b.At) })
	return entries, err
}

// orderEntry returns the journal entry of an order. It returns false if the order neither received
// nor lost money in the period.
func (s *Service) orderEntry(order payments.Order, period payments.Period) (entry Entry, found bool) {
	ended := order.Before(period.To)
	entry = Entry{
		Ref: order.Reference, At: ended.CountedAt(), Tender: TenderMoney,
		Outcome: Settlement(ended.Verdict(payments.Conditions{}, s.Now())),
	}
	if ended.Finding != nil {
		entry.By = ended.Finding.By
	}
	var last time.Time
	entry.Amount, entry.Refunded, last = moneyIn(order, period)
	if !period.Contains(entry.At) || entry.Amount <= 0 {
		entry.At = last
	}
	return entry, entry.Amount != 0 || entry.Refunded != 0
}

// cashEntry returns the entry of a cash sale that was made, refunded or voided in the period.
func cashEntry(sale CashSale, refunded back, period payments.Period) Entry {
	entry := Entry{
		At: sale.At, Till: sale.Till, By: sale.By, Ref: sale.Number, Articles: sale.Description, Tender: TenderCash, Outcome: ByCash,
		Refunded: refunded.given,
	}
	if sale.By == sale.Till {
		entry.By = "" // TakeCash writes the till's name for a sale without a cashier.
	}
	if sale.Voided() && sale.VoidedAt.Before(period.To) {
		entry.Outcome = Voided
	}
	if period.Contains(sale.VoidedAt) {
		entry.Refunded += sale.Amount - sale.Refunded
	}
	switch {
	case period.Contains(sale.At):
		entry.Amount = sale.Amount
	case period.Contains(sale.VoidedAt):
		entry.At = sale.VoidedAt
	default:
		entry.At = refunded.last
	}
	return entry
}
