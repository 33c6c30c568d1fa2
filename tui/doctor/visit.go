package doctor

import (
	"errors"
	"net/http"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
)

// soon is how long before its end a certificate is told of.
const soon = 14 * 24 * time.Hour

// Checking says that the payment service is being looked at.
func Checking() Report {
	return NewReport(Service, func(t i18n.Texts) (State, string, string) { return OK, t.Health.Asking, "" })
}

// OfService says what a look at the payment service found, and what its clock says.
func OfService(visit payments.Visit, err error, now time.Time) []Report {
	service := NewReport(Service, func(t i18n.Texts) (State, string, string) {
		switch {
		case err != nil:
			return Fail, t.Illness.Away.With(reason(t, err)), t.Illness.AwayTodo
		case visit.Status >= http.StatusInternalServerError:
			return Warn, t.Doctor.Answers.With(visit.Status), t.Doctor.ServiceTodo
		case visit.Status == http.StatusNotFound || redirects(visit):
			return Warn, t.Doctor.Answers.With(visit.Status), t.Doctor.OrderPath
		case ending(visit, now):
			return Warn, t.Doctor.Ends.With(day(visit.Expires)), t.Doctor.TellService
		case !visit.Expires.IsZero():
			return OK, t.Health.Reached, t.Doctor.Ends.With(day(visit.Expires))
		}
		return OK, t.Health.Reached, ""
	})
	if err != nil || visit.Ahead.Abs() <= dateTolerance {
		return []Report{service}
	}
	return []Report{service, NewReport(Clock, func(t i18n.Texts) (State, string, string) {
		state := Warn
		if visit.Ahead.Abs() > badClock {
			state = Fail
		}
		return state, t.Doctor.Apart.With(i18n.Span(visit.Ahead.Abs())), t.Doctor.SetClock
	})}
}

// Way is the way from the payment service to a listener.
type Way struct {
	URL      string // That the service calls.
	Path     string // Of the webhook.
	Target   string // The listener's host:port on this machine.
	Listener string // Which listener must answer, as in [payments.Visit]; empty for any of till's.
}

// OfPublic says what a look at the public address found, from this machine.
func OfPublic(way Way, visit payments.Visit, err error, now time.Time) Report {
	return NewReport(Public, func(t i18n.Texts) (State, string, string) {
		words := t.Doctor
		foreign := visit.Listener == "" || way.Listener != "" && visit.Listener != way.Listener
		switch {
		case err != nil:
			return Fail, t.Illness.Away.With(reason(t, err)), words.PublicTodo
		case visit.Status == http.StatusNotFound:
			return Fail, words.Answers.With(visit.Status), words.PathTodo.With(way.Path)
		case visit.Status >= http.StatusInternalServerError:
			return Fail, words.Answers.With(visit.Status), words.ProxyTodo.With(way.Target)
		case visit.Status != http.StatusOK:
			return Fail, words.Answers.With(visit.Status), words.ForwardTodo.With(way.URL, way.Target)
		case foreign:
			return Fail, words.Foreign, words.ForwardTodo.With(way.URL, way.Target)
		case ending(visit, now):
			return Warn, words.Ends.With(day(visit.Expires)), words.Renew
		}
		return OK, words.LeadsHere.With(way.URL), ""
	})
}

func redirects(visit payments.Visit) bool {
	return visit.Status >= http.StatusMultipleChoices && visit.Status < http.StatusBadRequest
}

func ending(visit payments.Visit, now time.Time) bool {
	return !visit.Expires.IsZero() && visit.Expires.Sub(now) < soon
}

func day(at time.Time) string { return at.Local().Format(time.DateOnly) }

func reason(t i18n.Texts, err error) string {
	if fault, known := errors.AsType[payments.Fault](err); known {
		return t.Reasons[fault]
	}
	return payments.Clean(err.Error(), payments.MaxShownWidth)
}
