package payments

import (
	"context"
	"sort"
	"time"
)

// Slot is the grain of a report: orders are added up by quarters of an hour.
// Days begin with one in every time zone.
const Slot = 15 * time.Minute

// Period is a span of time that is reported on.
type Period struct {
	From time.Time // Included.
	To   time.Time // Not included.
	// Sold asks for what was sold, too. It is the part whose cost grows with
	// the orders of the period.
	Sold bool
}

// Day returns the civil day of a moment, in the moment's time zone: from its
// first instant to that of the next day.
func Day(at time.Time) Period {
	year, month, day := at.Date()
	return Period{From: startOfDay(year, month, day, at.Location()), To: startOfDay(year, month, day+1, at.Location())}
}

// startOfDay returns the first instant of a civil day. Where clocks go forward
// at midnight, there is no midnight; where they go back to it, there are two.
func startOfDay(year int, month time.Month, day int, zone *time.Location) time.Time {
	const margin = 3 * time.Hour // No clock is set by more.
	begun := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	from := time.Date(year, month, day, 0, 0, 0, 0, zone).Add(-margin)
	minutes := sort.Search(int(2*margin/time.Minute), func(minutes int) bool {
		year, month, day := from.Add(time.Duration(minutes) * time.Minute).Date()
		return !time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Before(begun)
	})
	return from.Add(time.Duration(minutes) * time.Minute)
}

// whole returns the period with its ends at the beginning of their slots.
func (p Period) whole() Period {
	p.From, p.To = p.From.Truncate(Slot), p.To.Truncate(Slot)
	return p
}

// Sum is how many orders there are and what they come to.
type Sum struct {
	Count  int64
	Amount Ariary
}

// Plus returns both sums together, or [ErrTooLarge].
func (s Sum) Plus(other Sum) (Sum, error) {
	amount, err := s.Amount.Plus(other.Amount)
	return Sum{Count: s.Count + other.Count, Amount: amount}, err
}

// Taking is the sum of the settled orders of one verdict that count in one
// slot. See [Order.Settled] and [Order.CountedAt].
type Taking struct {
	At      time.Time // When the slot begins.
	Verdict Verdict
	Sum
}

// Sold is how much of one article was sold with orders that are paid.
type Sold struct {
	Label    string
	Quantity int64
	Amount   Ariary
}

// Takings is what a report of a period is made from.
type Takings struct {
	Settled []Taking // In order of time.
	Moving  []Order  // Those that are not settled, without their items.
	Sold    []Sold   // The largest amount first, and then by label.
}

// Report is the takings of a period.
type Report struct {
	Period   Period
	Orders   int64
	Verdicts map[Verdict]Sum // Every verdict stands there.
	Hours    []Hour          // Those in which something was paid, in order of time.
	Sold     []Sold          // Of what is paid; when the period asks for it.
}

// Hour is what was paid in one hour, by the shop's clock.
type Hour struct {
	At time.Time // When the hour begins.
	Sum
}

// Settled returns the order's verdict when the clock alone cannot change it,
// and false for an order that is still under way.
func (o Order) Settled() (Verdict, bool) {
	verdict := o.Verdict(Conditions{}, time.Time{})
	if verdict == VerdictWaiting {
		return verdict, false
	}
	end := o.Link.ExpiresAt.Add(2 * Grace)
	return verdict, verdict == o.Verdict(Conditions{}, end)
}

// CountedAt returns the moment by which the order counts in a report: that of
// the proof when there is one, otherwise when it was made. While the order is
// not settled it is when it was made.
func (o Order) CountedAt() time.Time {
	if o.Paid() {
		if _, settled := o.Settled(); settled {
			return o.Facts.PaidAt
		}
	}
	return o.CreatedAt
}

// CheckFrom returns the moment after which a person must look at the order if
// nothing else happens, and false when nobody must: from then on it is
// [Order.Doubtful]. It is the zero time when it is that at any time.
func (o Order) CheckFrom() (time.Time, bool) {
	switch {
	case o.Doubtful(time.Time{}):
		return time.Time{}, true
	case o.Doubtful(o.Link.ExpiresAt.Add(Grace + 1)):
		return o.Link.ExpiresAt.Add(Grace), true
	}
	return time.Time{}, false
}

// Report returns the takings of a period, whose ends are rounded down to a
// quarter of an hour. An order counts once: when it was paid, or else when it
// was made. What is still under way counts by its verdict now.
func (s *Service) Report(ctx context.Context, period Period) (Report, error) {
	period = period.whole()
	takings, err := s.store.Takings(ctx, period)
	if err != nil {
		return Report{}, err
	}
	report := Report{Period: period, Verdicts: make(map[Verdict]Sum), Sold: takings.Sold}
	for _, verdict := range Verdicts() {
		report.Verdicts[verdict] = Sum{}
	}
	for _, taking := range takings.Settled {
		if err := report.add(taking.Verdict, taking.Sum); err != nil {
			return Report{}, err
		}
		if taking.Verdict == VerdictPaid {
			report.addHour(taking, s.zone)
		}
	}
	now := s.now()
	for _, order := range takings.Moving {
		if err := report.add(order.Verdict(Conditions{}, now), Sum{Count: 1, Amount: order.Amount}); err != nil {
			return Report{}, err
		}
	}
	return report, nil
}

func (r *Report) add(verdict Verdict, sum Sum) (err error) {
	r.Orders += sum.Count
	r.Verdicts[verdict], err = r.Verdicts[verdict].Plus(sum)
	return err
}

// addHour adds what was paid in a slot to its hour, which the shop's clock
// decides: some zones are half an hour off. It cannot be more than was added
// to the verdict.
func (r *Report) addHour(taking Taking, zone *time.Location) {
	at := taking.At.UTC().Add(-time.Duration(taking.At.In(zone).Minute()) * time.Minute)
	if last := len(r.Hours) - 1; last >= 0 && r.Hours[last].At.Equal(at) {
		r.Hours[last].Count += taking.Count
		r.Hours[last].Amount += taking.Amount
		return
	}
	if taking.Count > 0 {
		r.Hours = append(r.Hours, Hour{At: at, Sum: taking.Sum})
	}
}
