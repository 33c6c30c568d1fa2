package payments

import (
	"cmp"
	"context"
	"maps"
	"time"
)

// Closing is what a day came to when somebody closed it. It never changes; what
// comes to the day later is a difference to it.
type Closing struct {
	Day      string          `json:"day"` // The shop's, as 2026-11-21. A day is closed once.
	Period   Period          `json:"-"`
	Till     string          `json:"till"`
	By       string          `json:"by"`
	At       time.Time       `json:"at"`
	Orders   int64           `json:"orders"`
	Verdicts map[Verdict]Sum `json:"verdicts"` // Every verdict that an order has.
}

// ClosedError says that a day was closed before.
type ClosedError struct{ Closing Closing }

// Error says by whom and when.
func (e *ClosedError) Error() string {
	return e.Closing.Day + " was closed by " + e.Closing.By + " at till " + e.Closing.Till + " at " +
		e.Closing.At.Format(time.RFC3339)
}

// Close closes the shop's day of a moment, at a till, and returns the closing.
// Of several tills one does it: the others get a [*ClosedError]. It is closed
// under the name of the cashier who does, and in a shop without cashiers under by.
// Its errors are also [ErrNotBegun] and those of an [Identity].
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
		Orders: report.Orders, Verdicts: report.Verdicts,
	}
	maps.DeleteFunc(made.Verdicts, func(_ Verdict, sum Sum) bool { return sum.Count == 0 })
	err = s.guarded(ctx, who, func(tx Tx, cashier string) error {
		made.By = cmp.Or(cashier, made.By)
		stored, first, err := tx.Staff().InsertClosing(made)
		if err == nil && !first {
			err = &ClosedError{stored}
		}
		return err
	})
	return made, err
}

// Closings returns the closings of the days from one to another, both as
// 2026-11-21 and included, the oldest first.
func (s *Service) Closings(ctx context.Context, from, to string) (closings []Closing, err error) {
	err = s.store.Update(ctx, func(tx Tx) (err error) {
		closings, err = tx.Staff().Closings(from, to)
		return err
	})
	return closings, err
}

// Since returns what a report of the closing's period has more or less than the
// closing, by verdict; empty when nothing came since.
func (c Closing) Since(report Report) map[Verdict]Sum {
	since := make(map[Verdict]Sum)
	for _, verdict := range Verdicts() {
		now, was := report.Verdicts[verdict], c.Verdicts[verdict]
		if now != was {
			since[verdict] = Sum{Count: now.Count - was.Count, Amount: now.Amount - was.Amount}
		}
	}
	return since
}
