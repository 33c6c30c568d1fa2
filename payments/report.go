package payments

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sort"
	"time"
)

// Period is the time span of a report.
type Period struct {
	From time.Time // Included.
	To   time.Time // Not included.
	// Sold makes the report list the articles sold. This takes longer the more orders there
	// are.
	Sold bool
}

// Day returns the civil day that contains at, in at's time zone: from its first instant to
// the first instant of the next day.
func Day(at time.Time) Period {
	year, month, day := at.Date()
	return Period{From: startOfDay(year, month, day, at.Location()), To: startOfDay(year, month, day+1, at.Location())}
}

// startOfDay returns the first instant of a civil day. It is not always midnight, because a
// clock change may skip or repeat midnight.
func startOfDay(year int, month time.Month, day int, zone *time.Location) time.Time {
	const margin = 3 * time.Hour // No clock change is larger.
	begun := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	from := time.Date(year, month, day, 0, 0, 0, 0, zone).Add(-margin)
	minutes := sort.Search(int(2*margin/time.Minute), func(minutes int) bool {
		year, month, day := from.Add(time.Duration(minutes) * time.Minute).Date()
		return !time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Before(begun)
	})
	return from.Add(time.Duration(minutes) * time.Minute)
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

func (s Sum) add(amount Ariary) (Sum, error) {
	total, err := s.Amount.Plus(amount)
	return Sum{Count: s.Count + 1, Amount: total}, err
}

// Sold is how much of one article the paid orders contain.
type Sold struct {
	Label    string
	Quantity int64
	Amount   Ariary
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

func (p Period) contains(at time.Time) bool { return !at.Before(p.From) && at.Before(p.To) }

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

// Report returns the takings of a period. Each order counts once, at [Order.CountedAt],
// with its current verdict. A refund counts when it was made.
func (s *Service) Report(ctx context.Context, period Period) (Report, error) {
	now := s.now()
	orders, err := s.store.Takings(ctx, period)
	if err != nil {
		return Report{}, err
	}
	report := Report{Period: period, Verdicts: make(map[Verdict]Sum)}
	for _, verdict := range Verdicts() {
		report.Verdicts[verdict] = Sum{}
	}
	sold := make(map[string]Sold)
	for _, order := range orders {
		if err := report.count(order, sold, now); err != nil {
			return Report{}, err
		}
	}
	report.Received.Amount -= report.Refunded.Amount
	report.Sold = slices.SortedFunc(maps.Values(sold), func(a, b Sold) int {
		return cmp.Or(cmp.Compare(b.Amount, a.Amount), cmp.Compare(a.Label, b.Label))
	})
	return report, nil
}

// count adds an order to the report, and its items to the articles in sold. It returns
// [ErrTooLarge] if a sum is too large.
func (r *Report) count(order Order, sold map[string]Sold, now time.Time) (err error) {
	found := order.Finding
	refunded := found != nil && found.Kind == FoundRefunded
	if refunded && r.Period.contains(found.At) {
		if r.Refunded, err = r.Refunded.add(found.Amount); err != nil {
			return err
		}
	}
	if !r.Period.contains(order.CountedAt()) {
		return nil
	}
	r.Orders++
	verdict := order.Verdict(Conditions{}, now)
	if r.Verdicts[verdict], err = r.Verdicts[verdict].add(order.Amount); err != nil {
		return err
	}
	if order.Received() > 0 || refunded {
		if r.Received, err = r.Received.add(order.Amount); err != nil {
			return err
		}
	}
	if verdict != VerdictPaid {
		return nil
	}
	r.countHour(order, now.Location())
	for _, item := range order.Items {
		article := sold[item.Label]
		article.Label = item.Label
		article.Quantity += item.Quantity
		article.Amount += item.Total() // Cannot overflow: it is at most the sum of the verdict, which was checked.
		sold[item.Label] = article
	}
	return nil
}

// countHour adds a paid order to its hour. Orders come sorted by time, so this is the last
// hour or a new one. An hour begins on the full hour of the shop's zone, which may be half
// an hour off UTC.
func (r *Report) countHour(order Order, zone *time.Location) {
	paid := order.Facts.PaidAt.Truncate(time.Minute)
	at := paid.UTC().Add(-time.Duration(paid.In(zone).Minute()) * time.Minute)
	last := len(r.Hours) - 1
	if last < 0 || !r.Hours[last].At.Equal(at) {
		r.Hours = append(r.Hours, Hour{At: at})
		last++
	}
	r.Hours[last].Count++
	r.Hours[last].Amount += order.Amount // Cannot overflow: it is at most the sum of the verdict, which was checked.
}

// Closing is the result of a day when it was closed. It never changes. [Closing.Since]
// returns the effect of later events.
type Closing struct {
	Day      string // The shop's day, as 2026-11-21. A day can be closed once.
	Period   Period
	Till     string
	By       string
	At       time.Time
	Orders   int64
	Received Sum
	Verdicts map[Verdict]Sum // Verdicts that at least one order has.
}

// ClosedError says that the day is already closed.
type ClosedError struct{ Closing Closing }

func (e *ClosedError) Error() string {
	return e.Closing.Day + " was closed by " + e.Closing.By + " at till " + e.Closing.Till + " at " +
		e.Closing.At.Format(time.RFC3339)
}

// Close closes the shop's day that contains day, and returns the closing. If several tills
// close the day, the first succeeds and the others get a [*ClosedError]. The closing's By
// is the cashier's name; in a shop without cashiers it is by. Close also returns
// [ErrNotBegun] and the errors of an [Identity].
func (s *Service) Close(ctx context.Context, day time.Time, till, by string, who Identity) (Closing, error) {
	now := s.now()
	period := Day(day.In(now.Location()))
	if period.From.After(now) {
		return Closing{}, ErrNotBegun
	}
	report, err := s.Report(ctx, period)
	if err != nil {
		return Closing{}, err
	}
	made := Closing{
		Day: period.From.Format(time.DateOnly), Period: Period{From: period.From.UTC(), To: period.To.UTC()},
		Till: Clean(till, MaxTillWidth), By: Clean(by, MaxTillWidth), At: now.UTC().Truncate(time.Millisecond),
		Orders: report.Orders, Received: report.Received, Verdicts: report.Verdicts,
	}
	maps.DeleteFunc(made.Verdicts, func(_ Verdict, sum Sum) bool { return sum.Count == 0 })
	err = s.guarded(ctx, who, func(tx Tx, cashier string) error {
		made.By = cmp.Or(cashier, made.By)
		if !period.contains(now) {
			if err := checkOwner(tx, cashier); err != nil {
				return err
			}
		}
		stored, first, err := tx.InsertClosing(made)
		if err == nil && !first {
			err = &ClosedError{stored}
		}
		return err
	})
	return made, err
}

// Closings returns the closings of the days between two days, both included and written as
// 2026-11-21, oldest first.
func (s *Service) Closings(ctx context.Context, from, to string) (closings []Closing, err error) {
	err = s.store.Update(ctx, func(tx Tx) (err error) {
		closings, err = tx.Closings(from, to)
		return err
	})
	return closings, err
}

// Since returns what changed after the closing, by verdict: the report minus the closing.
// report must be of the same period. The result is empty if nothing changed.
func (c Closing) Since(report Report) map[Verdict]Sum {
	since := make(map[Verdict]Sum)
	for _, verdict := range Verdicts() {
		now, was := report.Verdicts[verdict], c.Verdicts[verdict]
		if now != was {
			since[verdict] = now.Minus(was)
		}
	}
	return since
}
