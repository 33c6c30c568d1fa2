package payments

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"
)

// Period is the time span of a report.
type Period struct {
	From time.Time // Beginning of the period, included.
	To   time.Time // End of the period, not included.
	// Sold makes the report list the articles sold. This takes longer the more orders there
	// are.
	Sold bool
}

// Day returns the civil day that contains at, in at's time zone: from its first instant to
// the first instant of the next day.
func Day(at time.Time) Period {
	return Period{From: startOfDay(at, 0), To: startOfDay(at, 1)}
}

// startOfDay returns the first instant of the civil day that comes days after at's. It is not
// always midnight, because a clock change may skip or repeat midnight.
func startOfDay(at time.Time, days int) time.Time {
	year, month, day := at.Date()
	noon := time.Date(year, month, day+days, 12, 0, 0, 0, at.Location())
	start := noon.Add(-15 * time.Hour) // In the day before: no clock change is larger than 3 hours.
	for start.Day() != noon.Day() {
		start = start.Add(time.Minute)
	}
	return start
}

// Sum is the number of some orders and their total amount.
type Sum struct {
	Count  int64
	Amount Ariary
}

// Mean returns the average amount of an order, rounded down; 0 without orders.
func (s Sum) Mean() Ariary { return s.Amount / Ariary(max(1, s.Count)) }

// Minus returns the difference between two sums.
func (s Sum) Minus(other Sum) Sum {
	return Sum{Count: s.Count - other.Count, Amount: s.Amount - other.Amount}
}

// Add returns the sum with one more amount. Nine million amounts up to [MaxAriary] do not
// overflow.
func (s Sum) Add(amount Ariary) Sum { return Sum{Count: s.Count + 1, Amount: s.Amount + amount} }

// Sold is how much of one article the paid orders contain.
type Sold struct {
	Label    string
	Quantity int64 // Number of pieces; a measured line counts as one.
	Amount   Ariary
	// Thousandths is the exact amount sold, in thousandths of the unit or of a piece.
	Thousandths int64
	Unit        string // Unit of the measured lines; may be blank.
}

// Report is the takings of a period.
type Report struct {
	Period   Period
	Orders   int64
	Verdicts map[Verdict]Sum // Contains every verdict.
	Hours    []Hour          // Hours with payments, in order of time.
	Sold     []Sold          // Articles of paid orders; only if Period.Sold is set.
	Received Sum             // Orders that received money; Refunded is subtracted from the amount.
	Refunded Sum             // Refunds made in the period.
}

// Hour is the sum of the orders paid in one hour, by the shop's clock.
type Hour struct {
	At time.Time // Start of the hour.
	Sum
}

// Contains reports whether a moment is in the period.
func (p Period) Contains(at time.Time) bool { return !at.Before(p.From) && at.Before(p.To) }

// CountedAt returns the time at which the order counts in a report. It is the time of the
// proof, if there is one. Otherwise it is the time at which a person found the order paid,
// else the time of its creation.
func (o Order) CountedAt() time.Time {
	if o.Paid() {
		return o.Facts.PaidAt
	}
	counted := o.CreatedAt
	if o.Finding != nil && o.Finding.Kind != FoundUnpaid {
		counted = o.Finding.At
	}
	for _, finding := range slices.Backward(o.Findings) {
		if finding.Kind == FoundUnpaid {
			break
		}
		counted = finding.At
	}
	return counted
}

// RefundedIn returns how much of the order was given back in a period, and the time of the
// last refund in it. If a finding corrects an earlier refund, the difference counts when it
// was corrected, so that the sums of an earlier period stay as they were. The amount may then
// be below zero. The order must have its Findings.
func (o Order) RefundedIn(period Period) (refunded Ariary, last time.Time) {
	var before Ariary
	for _, finding := range o.Findings {
		if period.Contains(finding.At) && finding.Amount != before {
			refunded += finding.Amount - before
			last = finding.At
		}
		before = finding.Amount
	}
	return refunded, last
}

// Taking is a sale that counts in the hours and the sold articles of a [Report].
type Taking struct {
	At     time.Time
	Amount Ariary
	Items  []Item
}

// Report returns the takings of a period. Each order counts once, at [Order.CountedAt],
// with its current verdict. Refunds count as in [Order.RefundedIn]. otherwise contains sales
// without an order, such as cash sales. They count only in the hours and the sold articles.
func (s *Service) Report(ctx context.Context, period Period, otherwise ...Taking) (Report, error) {
	now := s.now()
	orders, err := s.store.Takings(ctx, period)
	if err != nil {
		return Report{}, err
	}
	report := Report{Period: period, Verdicts: make(map[Verdict]Sum)}
	for _, verdict := range Verdicts() {
		report.Verdicts[verdict] = Sum{}
	}
	takings := otherwise
	for _, order := range orders {
		if report.count(order, now) == VerdictPaid {
			takings = append(takings, Taking{order.Facts.PaidAt, order.Amount, order.Items})
		}
	}
	report.Received.Amount -= report.Refunded.Amount
	slices.SortStableFunc(takings, func(a, b Taking) int { return a.At.Compare(b.At) })
	sold := make(map[string]Sold)
	for _, taking := range takings {
		report.countHour(taking, now.Location())
		for _, item := range taking.Items {
			article := sold[item.Article()]
			article.Label = item.Article()
			article.Quantity += item.Quantity
			article.Thousandths += cmp.Or(item.Measure.Thousandths, 1000*item.Quantity)
			article.Unit = cmp.Or(item.Measure.Unit, article.Unit)
			article.Amount += item.Total()
			sold[article.Label] = article
		}
	}
	report.Sold = slices.SortedFunc(maps.Values(sold), func(a, b Sold) int {
		return cmp.Or(cmp.Compare(b.Amount, a.Amount), cmp.Compare(a.Label, b.Label))
	})
	return report, nil
}

// count adds an order to the report. It returns the order's verdict, or "" if the order does
// not count in the period.
func (r *Report) count(order Order, now time.Time) Verdict {
	if refunded, _ := order.RefundedIn(r.Period); refunded != 0 {
		r.Refunded = r.Refunded.Add(refunded)
	}
	if !r.Period.Contains(order.CountedAt()) {
		return ""
	}
	r.Orders++
	verdict := order.Verdict(Conditions{}, now)
	r.Verdicts[verdict] = r.Verdicts[verdict].Add(order.Amount)
	if order.Received() > 0 || order.Finding != nil && order.Finding.Kind == FoundRefunded {
		r.Received = r.Received.Add(order.Amount)
	}
	return verdict
}

// countHour adds a taking to its hour. Takings come sorted by time, so this is the last hour
// or a new one. An hour begins on the full hour of the shop's zone, which may be half an
// hour off UTC.
func (r *Report) countHour(taking Taking, zone *time.Location) {
	minute := taking.At.Truncate(time.Minute)
	at := minute.UTC().Add(-time.Duration(minute.In(zone).Minute()) * time.Minute)
	if n := len(r.Hours); n == 0 || !r.Hours[n-1].At.Equal(at) {
		r.Hours = append(r.Hours, Hour{At: at})
	}
	hour := &r.Hours[len(r.Hours)-1]
	hour.Sum = hour.Add(taking.Amount)
}
