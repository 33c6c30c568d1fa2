package payments

import (
	"slices"
	"time"
)

// Period is the time span of a report.
type Period struct {
	From time.Time // Beginning of the period, included.
	To   time.Time // End of the period, not included.
	Sold bool      // Whether the report also lists the articles sold, which takes longer.
}

// Day returns the calendar day of the time at, in its time zone.
func Day(at time.Time) Period { return Period{From: startOfDay(at, 0), To: startOfDay(at, 1)} }

// startOfDay returns the first instant of a day: the day of the time at, plus the number days. It
// is not always midnight, because a clock change may skip or repeat midnight.
func startOfDay(at time.Time, days int) time.Time {
	year, month, day := at.Date()
	noon := time.Date(year, month, day+days, 12, 0, 0, 0, at.Location())
	start := noon.Add(-15 * time.Hour) // On the day before, even if the clock changes by 3 hours.
	for start.Day() != noon.Day() {
		start = start.Add(time.Minute)
	}
	return start
}

// Sum is a number of orders and their total amount.
type Sum struct {
	Count  int64
	Amount Ariary
}

// Add returns the sum with one more amount. Nine million amounts of [MaxAriary] do not overflow.
func (s Sum) Add(amount Ariary) Sum { return Sum{Count: s.Count + 1, Amount: s.Amount + amount} }

// Contains reports whether a moment is in the period.
func (p Period) Contains(at time.Time) bool { return !at.Before(p.From) && at.Before(p.To) }

// CountedAt returns the time at which the order counts in a report: when its proof came, else when
// a person found it paid or refunded, else when it was created.
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

// Before returns the order with the proof and the findings that it had before a moment. An event that
// contradicts a finding counts when the finding was made. o.Findings must be complete.
func (o Order) Before(at time.Time) Order {
	if !o.Facts.PaidAt.Before(at) {
		o.Facts.PaidAt = time.Time{}
	}
	contradicted, all := o.Contradicted(), o.Findings
	o.Finding, o.Findings = nil, nil
	for i, finding := range all {
		if !finding.At.Before(at) {
			continue
		}
		o.Finding = &finding
		o.Findings = append(o.Findings, finding)
		o.drop(FindingContradicted)
		if next := i + 1; next == len(all) && contradicted || next < len(all) && all[next].Seen == VerdictCheck {
			o.raise(FindingContradicted)
		}
	}
	return o
}
