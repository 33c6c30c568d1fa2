package drawer

import (
	"context"
	"slices"
	"time"

	"checkout/till/payments"
)

// Day is the takings of a period with the cash sales of all tills.
type Day struct {
	payments.Report
	Cash   payments.Sum // Cash sales of the period.
	Voided payments.Sum // Cash sales that were voided in the period.
	Sales  []CashSale   // Cash sales made in the period, oldest first.
}

// Taken returns the money received in all tenders, minus refunds and voids, and the number of
// sales.
func (d Day) Taken() payments.Sum {
	return payments.Sum{
		Count:  d.Received.Count + d.Cash.Count - d.Voided.Count,
		Amount: d.Received.Amount + d.Cash.Amount - d.Voided.Amount,
	}
}

// Day returns the takings of a period. The hours and the sold articles include the cash sales
// that are not voided.
func (s *Service) Day(ctx context.Context, period payments.Period) (Day, error) {
	sales, err := s.CashSales(ctx, period)
	if err != nil {
		return Day{}, err
	}
	var day Day
	var takings []payments.Taking
	for _, sale := range sales {
		if period.Contains(sale.VoidedAt) {
			day.Voided = plus(day.Voided, sale.Amount)
		}
		if !period.Contains(sale.At) {
			continue
		}
		day.Sales = append(day.Sales, sale)
		day.Cash = plus(day.Cash, sale.Amount)
		if sale.Voided() {
			continue
		}
		taking := payments.Taking{At: sale.At, Amount: sale.Amount}
		if period.Sold {
			taking.Items = sale.Items
		}
		takings = append(takings, taking)
	}
	day.Report, err = s.Report(ctx, period, takings...)
	return day, err
}

// plus adds one sale to a sum. Nine million sales of the largest amount do not overflow.
func plus(sum payments.Sum, amount payments.Ariary) payments.Sum {
	return payments.Sum{Count: sum.Count + 1, Amount: sum.Amount + amount}
}

// Entry is a sale in the journal. The amounts minus the refunds of a period are [Day.Taken].
type Entry struct {
	At       time.Time
	Receipt  int64 // Number of the receipt; 0 without a receipt.
	Till     string
	By       string // Who made the cash sale or recorded the last [payments.Finding] about the order; blank without one.
	Ref      string // Number of the cash sale, or reference of the order.
	Articles string
	Tender   Tender
	Amount   payments.Ariary // Money received in the period; zero if it was received in another one.
	Refunded payments.Ariary // Money that was given back in the period; see [payments.Order.RefundedIn].
	Outcome  Settlement
}

// Tender is how a sale was paid.
type Tender string

// The tenders.
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
		sales, err := tx.CashSales(period, "")
		for _, sale := range sales {
			entries = append(entries, cashEntry(sale, period))
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
				if entries[i].Receipt == 0 || receipt.Kind != ByRefund { // The receipt of the sale replaces that of its refund.
					entries[i].Receipt = receipt.Number
				}
			}
		}
		return nil
	})
	slices.SortStableFunc(entries, func(a, b Entry) int { return a.At.Compare(b.At) })
	return entries, err
}

// orderEntry returns the entry of an order, or false if it has no money of the period.
func (s *Service) orderEntry(order payments.Order, period payments.Period) (entry Entry, found bool) {
	entry = Entry{Ref: order.Reference, At: order.CountedAt(), Tender: TenderMoney, Outcome: settlement(order, s.Now())}
	if entry.Outcome == notSettled && (order.Received() > 0 || refunded(order) > 0) {
		entry.Outcome = Settlement(payments.VerdictCheck)
	}
	if order.Finding != nil {
		entry.By = order.Finding.By
	}
	var last time.Time
	entry.Refunded, last = order.RefundedIn(period)
	switch {
	case !period.Contains(entry.At) && entry.Refunded != 0:
		entry.At = last
		return entry, true
	case !period.Contains(entry.At), entry.Outcome == notSettled:
		return Entry{}, false
	}
	entry.Amount = order.Amount
	return entry, true
}

// cashEntry returns the entry of a cash sale that was made or voided in the period.
func cashEntry(sale CashSale, period payments.Period) Entry {
	entry := Entry{
		At: sale.At, Till: sale.Till, By: sale.By, Ref: sale.Number, Articles: sale.Description, Tender: TenderCash, Outcome: ByCash,
	}
	if sale.By == sale.Till {
		entry.By = "" // TakeCash writes the till's name for a sale without a cashier.
	}
	if sale.Voided() {
		entry.Outcome = Voided
	}
	if period.Contains(sale.VoidedAt) {
		entry.Refunded = sale.Amount
	}
	if period.Contains(sale.At) {
		entry.Amount = sale.Amount
	} else {
		entry.At = sale.VoidedAt
	}
	return entry
}
