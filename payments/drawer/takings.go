package drawer

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
)

// Day is the report on a period: the takings of all tills, at the counter and through the payment
// service.
type Day struct {
	Period       money.Period
	Orders       int64                          // Number of the orders in Verdicts.
	Verdicts     map[payments.Verdict]money.Sum // Number and sum of the orders by verdict, without those that pay debts; contains every verdict.
	Hours        []Hour                         // Hours with a sale, a void or a payment found unpaid, in order of time.
	Sold         []Sold                         // Articles that were sold in the period; only if Period.Sold is set.
	Received     money.Sum                      // Sales paid through the payment service in the period, minus those found unpaid. The refunds in Refunded lower its Amount.
	ToCheck      money.Sum                      // Orders in Received that a person must look at (CHECK).
	Later        money.Sum                      // Sales of the period that were recorded after its end, because their proof was stored late.
	Refunded     money.Sum                      // Refunds that were made in the period, of sales paid through the payment service.
	Tendered     map[Tender]money.Sum           // Sales at the counter made in the period, voided ones included.
	CashRefunded money.Sum                      // Refunds that were made in the period, of sales at the counter.
	Voided       money.Sum                      // Sales at the counter that were voided in the period.
	Debts        money.Sum                      // Debts that were paid in the period, minus refunds of such payments. They are not takings.
	WrittenOff   money.Sum                      // Debts that were written off in the period, minus write-offs that were reversed.
	Owed         money.Sum                      // Number and sum of the customers' debts at the end of the period.
	Sales        []CounterSale                  // Sales at the counter made in the period, oldest first.
}

// Hour is the sum of the sales of one hour, minus voids and payments that were found unpaid. The
// hours are those of the shop's clock.
type Hour struct {
	At time.Time
	money.Sum
}

// Sold says how much of one article was sold in a period, minus voids and payments found unpaid.
type Sold struct {
	Label       string
	Quantity    int64 // Number of pieces. A weighed or measured line counts as one piece.
	Amount      money.Ariary
	Thousandths int64  // Exact quantity sold, in thousandths of the unit or of a piece.
	Unit        string // Unit in which the article was weighed or measured, such as kg; blank for an article sold by the piece.
}

// Refunds returns the refunds of the period, in cash or not, without voids.
func (d Day) Refunds() money.Sum {
	return money.Sum{Count: d.Refunded.Count + d.CashRefunded.Count, Amount: d.Refunded.Amount + d.CashRefunded.Amount}
}

// AtCounter returns the sales at the counter, by all tenders, voided ones included.
func (d Day) AtCounter() (sum money.Sum) {
	for _, tendered := range d.Tendered {
		sum.Count += tendered.Count
		sum.Amount += tendered.Amount
	}
	return sum
}

// Taken returns the takings: the sales by all tenders, also those on account, minus refunds and
// voids. Payments of debts do not count. The count is the number of sales without voided ones.
func (d Day) Taken() money.Sum {
	sold := d.AtCounter()
	return money.Sum{
		Count:  d.Received.Count + sold.Count - d.Voided.Count,
		Amount: d.Received.Amount + sold.Amount - d.CashRefunded.Amount - d.Voided.Amount,
	}
}

// taking is a sale, the void of a sale, or a payment that was found unpaid.
type taking struct {
	at     time.Time
	sign   int64 // 1 for a sale, -1 for a void and for an order that is found unpaid.
	amount money.Ariary
	items  []payments.Item
	rest   bool // Whether the payment pays the rest of a sale that another payment began.
}

// Day returns the report on a period. It adds up the transfers by the time when the money moved: a
// refund, a void or a correction counts when it was made.
//
// Each order counts once, with its current verdict, at the time when its first money came; without
// money, at its creation. The hours and the sold articles are sales, minus voids and payments that
// were found unpaid. Refunds do not change them.
func (s *Service) Day(ctx context.Context, period money.Period) (day Day, err error) {
	now := s.Now()
	err = s.store.View(ctx, func(tx Tx) error {
		orders, err := tx.Takings(period)
		if err != nil {
			return err
		}
		sales, err := tx.CashSales(period)
		if err != nil {
			return err
		}
		transfers, err := tx.Transfers(ledger.Query{Period: period})
		if err != nil {
			return err
		}
		addRefunds(sales, transfers)
		customers, err := tx.Debtors(ledger.Query{Period: period})
		day = newDay(period, orders, now)
		day.Owed = owed(customers)
		day.addSales(sales)
		day.add(transfers, itemsOf(orders, sales), now.Location())
		return err
	})
	if err != nil {
		return Day{}, err
	}
	return day, nil
}

// newDay returns a report that has the orders by verdict, but no transfers yet.
func newDay(period money.Period, orders []Counted, now time.Time) Day {
	day := Day{Period: period, Verdicts: make(map[payments.Verdict]money.Sum), Tendered: make(map[Tender]money.Sum)}
	for _, verdict := range payments.Verdicts() {
		day.Verdicts[verdict] = money.Sum{}
	}
	for _, order := range orders {
		if !period.Contains(order.At) || order.Debt != "" {
			continue
		}
		day.Orders++
		verdict := order.Verdict(payments.Conditions{}, now)
		day.Verdicts[verdict] = day.Verdicts[verdict].Add(order.Amount)
		if verdict == payments.VerdictCheck && order.Net() > 0 {
			day.ToCheck = day.ToCheck.Add(order.Net())
		}
	}
	return day
}

func (d *Day) addSales(sales []CounterSale) {
	for _, sale := range sales {
		if d.Period.Contains(sale.At) {
			d.Sales = append(d.Sales, sale)
		}
	}
}

func itemsOf(orders []Counted, sales []CounterSale) map[ledger.Payment][]payments.Item {
	items := make(map[ledger.Payment][]payments.Item)
	for _, order := range orders {
		items[ledger.Payment{Kind: ledger.ByOrder, Ref: order.Reference}] = order.Items
	}
	for _, sale := range sales {
		items[sale.payment()] = sale.Items
	}
	return items
}

// add adds the money of the transfers to the day. items maps each payment to the items that it sold.
func (d *Day) add(transfers []ledger.Transfer, items map[ledger.Payment][]payments.Item, zone *time.Location) {
	var takings []taking
	for _, transfer := range transfers {
		d.addTransfer(transfer)
		if transfer.OfDebt() || transfer.Kind != ledger.Sale && transfer.Kind != ledger.Void {
			continue
		}
		sale := taking{at: transfer.At, sign: 1, amount: transfer.Amount, rest: transfer.Rest}
		if transfer.Kind == ledger.Void || transfer.Back() {
			sale.sign = -1
		}
		if !transfer.Rest {
			sale.items = items[transfer.Payment]
		}
		takings = append(takings, sale)
	}
	d.Received.Amount -= d.Refunded.Amount
	slices.SortStableFunc(takings, func(a, b taking) int { return a.at.Compare(b.at) })
	d.Hours = hours(takings, zone)
	if d.Period.Sold {
		d.Sold = sold(takings)
	}
}

// addTransfer adds a transfer to the sum that it belongs to. It does not subtract a refund from
// Received: add does.
func (d *Day) addTransfer(transfer ledger.Transfer) {
	atCounter := transfer.Payment.Kind == ledger.AtCounter
	switch {
	case transfer.OfDebt():
		d.Debts = plusDebt(d.Debts, transfer)
	case transfer.Kind == ledger.Waived:
		d.WrittenOff.Amount += transfer.Into(ledger.WrittenOff)
		if !transfer.Back() {
			d.WrittenOff.Count++
		}
	case transfer.Kind == ledger.Sale:
		if !transfer.Booked.Before(d.Period.To) {
			d.Later = plus(d.Later, transfer)
		}
		if tender := TenderOf(transfer.Other(ledger.Sales)); atCounter {
			d.Tendered[tender] = plus(d.Tendered[tender], transfer)
		} else {
			d.Received = plus(d.Received, transfer)
		}
	case transfer.Kind == ledger.Refund && atCounter:
		d.CashRefunded = plus(d.CashRefunded, transfer)
	case transfer.Kind == ledger.Refund:
		d.Refunded = plus(d.Refunded, transfer)
	case transfer.Kind == ledger.Void:
		d.Voided = add(d.Voided, transfer, 1)
	}
}

// hours adds up takings by hour. The takings must be sorted by time. An hour begins on the full
// hour of the shop's zone, which may be half an hour off UTC.
func hours(takings []taking, zone *time.Location) (all []Hour) {
	for _, taking := range takings {
		minute := taking.at.Truncate(time.Minute)
		at := minute.UTC().Add(-time.Duration(minute.In(zone).Minute()) * time.Minute)
		if n := len(all); n == 0 || !all[n-1].At.Equal(at) {
			all = append(all, Hour{At: at})
		}
		hour := &all[len(all)-1]
		if !taking.rest {
			hour.Count += taking.sign
		}
		hour.Amount += money.Ariary(taking.sign) * taking.amount
	}
	return all
}

// sold returns the sold articles, the one with the largest Amount first.
func sold(takings []taking) []Sold {
	articles := make(map[string]Sold)
	for _, taking := range takings {
		for _, item := range taking.items {
			article := articles[item.Article()]
			article.Label = item.Article()
			article.Quantity += taking.sign * item.Quantity
			article.Thousandths += taking.sign * cmp.Or(item.Measure.Thousandths, 1000*item.Quantity)
			article.Unit = cmp.Or(item.Measure.Unit, article.Unit)
			article.Amount += money.Ariary(taking.sign) * item.Total()
			articles[article.Label] = article
		}
	}
	maps.DeleteFunc(articles, func(_ string, article Sold) bool { return article.Thousandths == 0 && article.Amount == 0 })
	return slices.SortedFunc(maps.Values(articles), func(a, b Sold) int {
		return cmp.Or(cmp.Compare(b.Amount, a.Amount), cmp.Compare(a.Label, b.Label))
	})
}
