package doctor

import (
	"cmp"
	"errors"
	"net/http"
	"strings"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/payments/money"
)

const (
	// Clock differences up to these limits are not reported: clockTolerance between the machine's
	// wall clock and monotonic clock, skewTolerance between the machine and the database server.
	clockTolerance, skewTolerance = 2 * time.Second, 5 * time.Second
	// A difference up to dateTolerance between the clocks of the machine and the payment service is
	// not reported, because the service tells only whole seconds. A difference over badClock is a
	// failure, because links end at the wrong time.
	dateTolerance, badClock = 30 * time.Second, 5 * time.Minute
)

// OfListener returns the finding about the shop's listener: whether it works and would see a
// payment. reach is the state of health at the time now. Of a listener in another process OfListener
// knows only the signs of life in the database of a server.
func OfListener(t i18n.Texts, health payments.Health, reach payments.Reach, now time.Time) Finding {
	says := t.WayIn(health, reach, now)
	if heard := names(health.Listeners); heard != "" {
		says = t.Frame.Labelled.With(heard, says)
	}
	switch {
	case health.Listening && reach == payments.ReachNoListener:
		return Finding{Listener, Fail, says, todo(t, reach)}
	case health.Listening && reach == payments.ReachListenerSilent:
		return Finding{Listener, Warn, says, todo(t, reach)}
	}
	return NameSilent(t, ofReach(t, health, reach, now), health)
}

// ofReach returns the finding about a listener, without the others.
func ofReach(t i18n.Texts, health payments.Health, reach payments.Reach, now time.Time) Finding {
	text := health.Address
	if says := t.WayIn(health, reach, now); says != "" && !reach.Conditions().StoreDown {
		text = t.Frame.Labelled.With(health.Address, says)
	}
	switch {
	case !health.Listening, reach == payments.ReachNotListening:
		return Finding{Listener, Fail, t.Illness.Closed, t.Illness.ClosedTodo}
	case health.Address == "":
		return Finding{Listener, OK, t.Health.Elsewhere, ""}
	case health.Relay.HeldBy != "":
		return Finding{Listener, Fail, t.Frame.Labelled.With(t.Reach[reach], health.Relay.HeldBy), todo(t, reach)}
	case reach == payments.ReachNoRelay && health.Relay.Unknown:
		return Finding{Listener, Fail, text, t.Illness.UnknownTill}
	case reach.Blind() && !reach.Conditions().StoreDown:
		return Finding{Listener, Fail, text, strings.TrimSpace(todo(t, reach) + " " + health.Relay.Fault)}
	case reach == payments.ReachCrowded:
		return Finding{Listener, Warn, text, t.Illness.CrowdedTodo}
	case reach.Doubtful(), reach == payments.ReachRelayLocked:
		return Finding{Listener, Warn, text, todo(t, reach)}
	}
	return Finding{Listener, OK, text, ""}
}

// todo returns what to do about a state. The texts of [i18n.Words] for the counter also name F8 and
// the doctor, whose findings these are.
func todo(t i18n.Texts, reach payments.Reach) string {
	return cmp.Or(t.Remedies[reach], t.Charging[reach])
}

// NameSilent adds to a finding the listeners of the shop that have left no sign of life, and what to
// do about them. It returns the finding unchanged if there is no such listener.
func NameSilent(t i18n.Texts, found Finding, health payments.Health) Finding {
	silent := health.SilentListeners()
	if len(silent) == 0 {
		return found
	}
	advice := t.Illness.SilentListeners.With(names(silent), i18n.Span(silent[0].Silent))
	if len(silent) < len(health.Listeners) || health.Address != "" {
		advice += " " + t.Illness.AnotherWorks
	}
	found.Advice = strings.TrimSpace(found.Advice + " " + advice)
	if found.State == OK {
		found.State = Warn
	}
	return found
}

// names returns the names of listeners, separated by commas.
func names(listeners []payments.Listener) string {
	var names []string
	for _, listener := range listeners {
		names = append(names, listener.Name)
	}
	return strings.Join(names, ", ")
}

// OfEvents returns the finding about received events: the time of the last one and, if the
// service's events are refused, the reason. Other refused requests are only counted, because anyone
// can send them.
func OfEvents(t i18n.Texts, health payments.Health, now time.Time, zone *time.Location) Finding {
	text, state := t.Health.NoEvent, Skipped // No event proves that events arrive.
	if last := health.LastEvent; !last.IsZero() {
		state = OK
		text = t.Health.LastAt.With(i18n.Moment(last.In(zone)), int64(max(0, now.Sub(last))/time.Minute))
	}
	if health.Suspicious() {
		return Finding{Events, Fail, text, t.RefusedTodo(health.Refused, health.Cause)}
	}
	if health.UnknownKind != "" {
		return Finding{Events, Warn, text, t.Illness.UnknownKind.With(health.UnknownKind)}
	}
	if health.Refused > 0 {
		return Finding{Events, state, text, t.Health.Strangers.With(health.Refused)}
	}
	return Finding{Events, state, text, ""}
}

// OfOrphans returns the finding about the payments without an order that a person must review,
// and none if there is no such payment.
func OfOrphans(t i18n.Texts, sum money.Sum) []Finding {
	if sum.Count == 0 {
		return nil
	}
	return []Finding{{Events, Warn, t.Alarms.WithoutOrder.With(sum.Count, i18n.Money(sum.Amount)), t.Alarms.WithoutOrderTodo}}
}

// OfStore returns the finding about the database: whether it can be used.
func OfStore(t i18n.Texts, health payments.Health, now time.Time) Finding {
	ago := i18n.Span(now.Sub(health.Heard))
	// Advice for a server that does not answer.
	silent := strings.TrimSpace(t.Illness.SilentTodo + " " + health.Fault)
	switch {
	case health.Shared && health.StoreDown && health.Heard.IsZero():
		return Finding{Database, Fail, t.Illness.NeverHeard, silent}
	case health.Shared && health.StoreDown:
		return Finding{Database, Fail, t.Illness.Silent.With(ago), silent}
	case health.StoreDown:
		return Finding{Database, Fail, t.Illness.Failing, t.Illness.FailingTodo}
	case health.Readable != "":
		return Finding{Database, Warn, t.Health.Answered.With(ago), t.Illness.Readable.With(health.Readable)}
	case health.Polls:
		return Finding{Database, OK, t.Health.Answered.With(ago), t.Illness.Polled}
	case health.Shared:
		return Finding{Database, OK, t.Health.Answered.With(ago), ""}
	}
	return Finding{Database, OK, t.Health.Writing, ""}
}

// OfClock returns the finding about the machine's wall clock. It compares that clock with
// the monotonic clock, the database server's clock and the payment service's clock. parted
// is how far the wall clock was set since the start, for example by hand.
func OfClock(t i18n.Texts, health payments.Health, now time.Time, parted time.Duration, zone *time.Location) Finding {
	text, skew := i18n.Moment(now.In(zone)), health.Skew.Abs()
	switch {
	case parted.Abs() > clockTolerance:
		return Finding{Clock, Fail, text, t.Illness.ClockTodo}
	case skew > badClock:
		return Finding{Clock, Fail, text, t.Illness.SkewTodo.With(i18n.Span(skew))}
	case skew > skewTolerance:
		return Finding{Clock, Warn, text, t.Illness.SkewTodo.With(i18n.Span(skew))}
	case health.ClockOff():
		return apart(t, health.Ahead)
	}
	return Finding{Clock, OK, text, ""}
}

// apart returns the finding that the payment service's clock is wrong compared with the machine's
// clock. ahead is how far the service's clock is ahead; it is negative if that clock is behind.
func apart(t i18n.Texts, ahead time.Duration) Finding {
	found := Finding{Clock, Warn, t.Doctor.Apart.With(i18n.Span(ahead.Abs())), t.Doctor.SetClock}
	if ahead.Abs() > badClock {
		found.State = Fail
	}
	return found
}

// OfService returns the findings of a request to the payment service: whether the service answers,
// whether its certificate ends soon, and whether its clock agrees with the machine's clock. visit
// and err are the result of the request.
func OfService(t i18n.Texts, visit payments.Visit, err error, now time.Time) []Finding {
	service := Finding{Service, OK, t.Health.Reached, ""}
	redirects := visit.Status >= http.StatusMultipleChoices && visit.Status < http.StatusBadRequest
	switch {
	case err != nil:
		service = Finding{Service, Fail, t.Illness.Away.With(reason(t, err)), t.Illness.AwayTodo}
	case visit.Status >= http.StatusInternalServerError:
		service = Finding{Service, Warn, t.Doctor.Answers.With(visit.Status), t.Doctor.ServiceTodo}
	case visit.Status == http.StatusNotFound || redirects:
		service = Finding{Service, Warn, t.Doctor.Answers.With(visit.Status), t.Doctor.OrderPath}
	case ending(visit, now):
		service = Finding{Service, Warn, t.Doctor.Ends.With(day(visit.Expires)), t.Doctor.TellService}
	case !visit.Expires.IsZero():
		service.Advice = t.Doctor.Ends.With(day(visit.Expires))
	}
	if visit.Proxy != "" {
		service.Advice = strings.TrimSpace(t.Doctor.ByProxy.With(visit.Proxy) + " " + service.Advice)
	}
	if visit.Ahead.Abs() <= dateTolerance {
		return []Finding{service}
	}
	return []Finding{service, apart(t, visit.Ahead)}
}

// Way describes how webhooks get from the payment service to a listener.
type Way struct {
	URL      string // URL that the service calls; may be blank.
	Path     string
	Target   string // The listener's host:port on this machine.
	Relayed  bool   // URL is the address of a relay.
	Listener string // ID of the listener that must answer; if blank, any listener of a till may.
	// Others are listeners of the shop on other ports or machines. Each may answer instead: a load
	// balancer sends the events to one listener, and the others stand by.
	Others []payments.Listener
}

// Found reports whether a request to the public address reached a listener that w describes. visit
// and err are the result of the request.
func (w Way) Found(visit payments.Visit, err error) bool {
	ours := visit.Listener != "" && (w.Listener == "" || visit.Listener == w.Listener)
	return err == nil && visit.Status == http.StatusOK && (ours || w.other(visit) != "")
}

// other returns the name of the other listener that answered, or "" if none of them did.
func (w Way) other(visit payments.Visit) string {
	for _, listener := range w.Others {
		if listener.Has(visit.Listener) && visit.Listener != w.Listener {
			return listener.Name
		}
	}
	return ""
}

// OfPublic returns the finding of a request from this machine to the public address. visit and err
// are the result of the request.
func OfPublic(t i18n.Texts, way Way, visit payments.Visit, err error, now time.Time) Finding {
	found := ofAddress(t, way, visit, err, now)
	if way.Relayed && found.State != OK {
		found.Advice = t.Doctor.RelayTodo
	}
	return found
}

func ofAddress(t i18n.Texts, way Way, visit payments.Visit, err error, now time.Time) Finding {
	words := t.Doctor
	switch {
	case way.URL == "":
		return Finding{Public, Warn, words.NoPublic, words.NoPublicTodo}
	case err != nil:
		return Finding{Public, Fail, t.Illness.Away.With(reason(t, err)), words.PublicTodo}
	case visit.Status == http.StatusNotFound:
		return Finding{Public, Fail, words.Answers.With(visit.Status), words.PathTodo.With(way.Path)}
	case visit.Status >= http.StatusInternalServerError:
		return Finding{Public, Fail, words.Answers.With(visit.Status), words.ProxyTodo.With(way.Target)}
	case visit.Status != http.StatusOK:
		return Finding{Public, Fail, words.Answers.With(visit.Status), words.ForwardTodo.With(way.URL, way.Target)}
	case !way.Found(visit, err):
		return Finding{Public, Fail, words.Foreign, words.ForwardTodo.With(way.URL, way.Target)}
	case ending(visit, now):
		return Finding{Public, Warn, words.Ends.With(day(visit.Expires)), words.Renew}
	case way.other(visit) != "":
		return Finding{Public, OK, words.LeadsToOther.With(way.other(visit)), ""}
	}
	return Finding{Public, OK, words.LeadsHere.With(way.URL), ""}
}

func ending(visit payments.Visit, now time.Time) bool {
	const soon = 14 * 24 * time.Hour
	return !visit.Expires.IsZero() && visit.Expires.Sub(now) < soon
}

func day(at time.Time) string { return at.Local().Format(time.DateOnly) }

func reason(t i18n.Texts, err error) string {
	if reason, known := errors.AsType[payments.Reason](err); known {
		return t.Reasons.Of(reason)
	}
	if fault, known := errors.AsType[payments.CallError](err); known {
		return t.Reasons[fault]
	}
	return clean.Text(err.Error(), payments.MaxShownWidth)
}
