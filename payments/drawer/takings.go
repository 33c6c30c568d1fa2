package drawer

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"checkout/till/payments"
)

// Day is what all tills took in a period, in cash and through the payment service.
type Day struct {
	Period       payments.Period
	Orders       int64
	Verdicts     map[payments.Verdict]payments.Sum // Orders by verdict; contains every verdict.
	Hours        []Hour                            // Hours with payments, in order of time.
	Sold         []Sold                            // Articles of paid orders and cash sales; only if Period.Sold is set.
	Received     payments.Sum                      // Money of orders that came in the period, minus orders found unpaid and minus Refunded.
	ToCheck      payments.Sum                      // Orders in Received that a person must look at (CHECK).
	Refunded     payments.Sum                      // Refunds made in the period, of orders.
	Cash         payments.Sum                      // Cash sales made in the period, voided ones included.
	CashRefunded payments.Sum                      // Refunds made in the period; Count is the number of cash sales.
	Voided       payments.Sum                      // Cash sales that were voided in the period.
	Sales        []CashSale                        // Cash sales made in the period, oldest first.
}

// Hour is the sum of the sales paid in one hour, by the shop's clock.
type Hour struct {
	At time.Time // Start of the hour.
	payments.Sum
}

// Sold is how much of one article was sold.
type Sold struct {
	Label       string
	Quantity    int64 // Number of pieces. A weighed or measured line counts as one piece.
	Amount      payments.Ariary
	Thousandths int64  // Exact quantity sold, in thousandths of the unit or of a piece.
	Unit        string // Unit of the measured lines; may be blank.
}

// Refunds returns the refunds of the period, in cash or not, without voids.
func (d Day) Refunds() payments.Sum {
	return payments.Sum{Count: d.Refunded.Count + d.CashRefunded.Count, Amount: d.Refunded.Amount + d.CashRefunded.Amount}
}

// Taken returns the money received in cash and through the payment service, minus refunds and
// voids, with the number of sales.
func (d Day) Taken() payments.Sum {
	return payments.Sum{
		Count:  d.Received.Count + d.Cash.Count - d.Voided.Count,
		Amount: d.Received.Amount + d.Cash.Amount - d.CashRefunded.Amount - d.Voided.Amount,
	}
}

// taking is a sale that counts in the hours and the sold articles.
type taking struct {
	at     time.Time
	amount payments.Ariary
	items  []payments.Item
}

// Day returns the takings of a period. Each order counts once, at [payments.Order.CountedAt],
// with its current verdict. Its money and its refunds count when they came, and a correction
// when it was made. The hours and the sold articles contain the paid orders, and the cash sales
// that are not voided.
func (s *Service) Day(ctx context.Context, period payments.Period) (Day, error) {
	now := s.Now()
	orders, err := s.store.Takings(ctx, period)
	if err != nil {
		return Day{}, err
	}
	day := Day{Period: period, Verdicts: make(map[payments.Verdict]payments.Sum)}
	for _, verdict := range payments.Verdicts() {
		day.Verdicts[verdict] = payments.Sum{}
	}
	var takings []taking
	for _, order := range orders {
		if day.countOrder(order, now) == payments.VerdictPaid {
			takings = append(takings, taking{order.Facts.PaidAt, order.Amount, order.Items})
		}
	}
	day.Received.Amount -= day.Refunded.Amount
	var sales []CashSale
	var refunded map[string]back
	err = s.store.View(ctx, func(tx Tx) (err error) {
		sales, refunded, err = cashOf(tx, period)
		return err
	})
	if err != nil {
		return Day{}, err
	}
	for _, sale := range sales {
		day.countCash(sale, refunded[sale.Number].given)
	}
	for _, sale := range day.Sales {
		if !sale.Voided() {
			takings = append(takings, taking{sale.At, sale.Amount, sale.Items})
		}
	}
	slices.SortStableFunc(takings, func(a, b taking) int { return a.at.Compare(b.at) })
	day.Hours = hours(takings, now.Location())
	if period.Sold {
		day.Sold = sold(takings)
	}
	return day, nil
}

// countOrder adds an order and its money of the period to the day. It returns the verdict of the
// order, or "" if the order counts in another period and only its money was added.
func (d *Day) countOrder(order payments.Order, now time.Time) payments.Verdict {
	gross, refunded, _ := moneyIn(order, d.Period)
	if refunded != 0 {
		d.Refunded = d.Refunded.Add(refunded)
	}
	if gross != 0 {
		d.Received.Count += int64(gross / order.Amount) // -1 if an order of an earlier period was found unpaid.
		d.Received.Amount += gross
	}
	if !d.Period.Contains(order.CountedAt()) {
		return ""
	}
	d.Orders++
	verdict := order.Verdict(payments.Conditions{}, now)
	d.Verdicts[verdict] = d.Verdicts[verdict].Add(order.Amount)
	if verdict == payments.VerdictCheck && order.Received() > 0 {
		d.ToCheck = d.ToCheck.Add(order.Received())
	}
	return verdict
}

// moneyIn returns how much the gross money and the refunds of an order grew in a period, and when the
// last finding of the period was made. Both amounts may be below zero.
func moneyIn(order payments.Order, period payments.Period) (gross, refunded payments.Ariary, last time.Time) {
	for _, finding := range order.Findings {
		if period.Contains(finding.At) {
			last = finding.At
		}
	}
	begun, ended := order.Before(period.From), order.Before(period.To)
	return ended.Gross() - begun.Gross(), ended.Refunded() - begun.Refunded(), last
}

// countCash adds a cash sale to the day. given is the money given back in the period.
func (d *Day) countCash(sale CashSale, given payments.Ariary) {
	if given != 0 {
		d.CashRefunded = d.CashRefunded.Add(given)
	}
	if d.Period.Contains(sale.VoidedAt) {
		d.Voided = d.Voided.Add(sale.Amount - sale.Refunded)
	}
	if d.Period.Contains(sale.At) {
		d.Sales = append(d.Sales, sale)
		d.Cash = d.Cash.Add(sale.Amount)
	}
}

// hours returns the sums of takings that are sorted by time. An hour begins on the full hour
// of the shop's zone, which may be half an hour off UTC.
func hours(takings []taking, zone *time.Location) (all []Hour) {
	for _, taking := range takings {
		minute := taking.at.Truncate(time.Minute)
		at := minute.UTC().Add(-time.Duration(minute.In(zone).Minute()) * time.Minute)
		if n := len(all); n == 0 || !all[n-1].At.Equal(at) {
			all = append(all, Hour{At: at})
		}
		hour := &all[len(all)-1]
		hour.Sum = hour.Add(taking.amount)
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
			article.Quantity += item.Quantity
			article.Thousandths += cmp.Or(item.Measure.Thousandths, 1000*item.Quantity)
			article.Unit = cmp.Or(item.Measure.Unit, article.Unit)
			article.Amount += item.Total()
			articles[article.Label] = article
		}
	}
	return slices.SortedFunc(maps.Values(articles), func(a, b Sold) int {
		return cmp.Or(cmp.Compare(b.Amount, a.Amount), cmp.Compare(a.Label, b.Label))
	})
}
