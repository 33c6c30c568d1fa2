package doctor

import (
	"strings"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
)

const (
	// clockTolerance is by how much the machine's two clocks may part before it is
	// told, and skewTolerance by how much its clock and the database server's.
	clockTolerance, skewTolerance = 2 * time.Second, 5 * time.Second
	// dateTolerance is the same for the payment service's clock, which tells whole
	// seconds, and badClock is from where on a clock makes links useless.
	dateTolerance, badClock = 30 * time.Second, 5 * time.Minute
)

// OfListener says whether a listener listens here; one elsewhere is not looked at.
func OfListener(health payments.Health) Report {
	return NewReport(Listener, func(t i18n.Texts) (State, string, string) {
		switch {
		case !health.Listening:
			return Fail, t.Illness.Closed, t.Illness.ClosedTodo
		case health.Address == "":
			return OK, t.Health.Elsewhere, ""
		case health.Crowded:
			return Warn, t.Illness.Crowded, t.Illness.CrowdedTodo
		}
		return OK, t.Health.Bound.With(health.Address), ""
	})
}

// OfEvents says when a listener heard something, and why it refuses events.
func OfEvents(health payments.Health, now time.Time, zone *time.Location) Report {
	return NewReport(Events, func(t i18n.Texts) (State, string, string) {
		text := t.Health.NoEvent
		if last := health.LastEvent; !last.IsZero() {
			text = t.Health.LastAt.With(i18n.Moment(last.In(zone)), int64(max(0, now.Sub(last))/time.Minute))
		}
		if health.Suspicious() {
			return Fail, text, t.RefusedTodo(health.Refused, health.Cause)
		}
		return OK, text, ""
	})
}

// OfStore says whether the database can be used.
func OfStore(health payments.Health, now time.Time) Report {
	return NewReport(Database, func(t i18n.Texts) (State, string, string) {
		ago := i18n.Span(now.Sub(health.Heard))
		// What to do about a server that is not heard of.
		silent := strings.TrimSpace(t.Illness.SilentTodo + " " + health.Fault)
		switch {
		case health.Shared && health.StoreDown && health.Heard.IsZero():
			return Fail, t.Illness.NeverHeard, silent
		case health.Shared && health.StoreDown:
			return Fail, t.Illness.Silent.With(ago), silent
		case health.StoreDown:
			return Fail, t.Illness.Failing, t.Illness.FailingTodo
		case health.Readable != "":
			return Warn, t.Health.Answered.With(ago), t.Illness.Readable.With(health.Readable)
		case health.Polls:
			return OK, t.Health.Answered.With(ago), t.Illness.Polled
		case health.Shared:
			return OK, t.Health.Answered.With(ago), ""
		}
		return OK, t.Health.Writing, ""
	})
}

// OfClock compares the machine's clock with itself: parted is by how much it was set
// since the start, by hand, by the network, or by an empty battery; and with the
// database server's.
func OfClock(health payments.Health, now time.Time, parted time.Duration, zone *time.Location) Report {
	return NewReport(Clock, func(t i18n.Texts) (State, string, string) {
		text, skew := i18n.Moment(now.In(zone)), health.Skew.Abs()
		switch {
		case parted.Abs() > clockTolerance:
			return Fail, text, t.Illness.ClockTodo
		case skew > badClock:
			return Fail, text, t.Illness.SkewTodo.With(i18n.Span(skew))
		case skew > skewTolerance:
			return Warn, text, t.Illness.SkewTodo.With(i18n.Span(skew))
		}
		return OK, text, ""
	})
}
