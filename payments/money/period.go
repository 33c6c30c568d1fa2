package money

import "time"

// Period is the time span of a report.
type Period struct {
	From time.Time // Included.
	To   time.Time // Not included.
	Sold bool      // Whether the report also lists the sold articles, which takes more time to read.
}

// Day returns the day that contains the time at, in the zone of at. begins is how long after
// midnight a day begins. If it is 4 hours, 03:59 still belongs to the day before. begins must be
// less than a day; 0 is the calendar day.
func Day(at time.Time, begins time.Duration) Period {
	day := Period{From: startOfDay(at, 0), To: startOfDay(at, 1)}
	if begins == 0 {
		return day
	}
	day.From, day.To = onClock(day.From, begins), onClock(day.To, begins)
	if at.Before(day.From) {
		day.To = day.From
		day.From = onClock(startOfDay(at, -1), begins)
	}
	return day
}

// onClock returns the time on a day at which the clock shows the given duration after midnight.
func onClock(day time.Time, shows time.Duration) time.Time {
	return time.Date(day.Year(), day.Month(), day.Day(), 0, int(shows.Minutes()), 0, 0, day.Location())
}

// startOfDay returns the first instant of the day of the time at, or of the day that many days
// later. It is not always midnight, because a clock change may skip or repeat midnight.
func startOfDay(at time.Time, days int) time.Time {
	year, month, day := at.Date()
	noon := time.Date(year, month, day+days, 12, 0, 0, 0, at.Location())
	start := noon.Add(-15 * time.Hour) // This is on the day before, even if the clock changes by 2 hours.
	if sameOffset(start, noon) {
		return noon.Add(-12 * time.Hour)
	}
	for start.Day() != noon.Day() {
		start = start.Add(time.Minute)
	}
	return start
}

func sameOffset(a, b time.Time) bool {
	_, before := a.Zone()
	_, after := b.Zone()
	return before == after
}

// Sum is a number of things, such as orders, and their total amount.
type Sum struct {
	Count  int64
	Amount Ariary
}

// Add returns the sum plus one thing with this amount. Nine million amounts of [MaxAriary] do not
// overflow.
func (s Sum) Add(amount Ariary) Sum { return Sum{Count: s.Count + 1, Amount: s.Amount + amount} }

// Contains reports whether the time at is in the period, which includes From but not To.
func (p Period) Contains(at time.Time) bool { return !at.Before(p.From) && at.Before(p.To) }
