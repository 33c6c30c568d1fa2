package tui_test

import (
	"net/http"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/sandbox"
	"checkout/till/tui/pay"
	"checkout/till/tui/sale"
)

// meeting is one fault of the service, or several at once, and how the shop
// meets it.
type meeting struct {
	name     string
	scenario string         // It is played, or
	faults   sandbox.Faults // these are set.
	setup    func(*labSetup)
	// play is what the cashier and the customer do, and what is seen.
	play func(l *lab)
}

// meet opens a shop for each meeting, and checks what must hold after each.
func meet(t *testing.T, meetings []meeting) {
	for _, m := range meetings {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			var setups []func(*labSetup)
			if m.setup != nil {
				setups = append(setups, m.setup)
			}
			l := openLab(t, setups...)
			if m.scenario != "" {
				l.post("scenario", `{"name": "`+m.scenario+`"}`)
			} else {
				l.SetFaults(m.faults)
			}
			m.play(l)
			l.honest()
			l.everywhere()
		})
	}
}

// The ways in which an order can stand. Each may be told more of.

func waiting() seen {
	return seen{status: payments.StatusPending, verdict: payments.VerdictWaiting, code: true}
}

func paid() seen {
	return seen{status: payments.StatusSuccess, verdict: payments.VerdictPaid, paid: true}
}

// unpaid is an order of which the service said last that it was not paid.
func unpaid(status payments.Status, reason string) seen {
	says := []string{"NOT PAID: " + string(status), "Reason: " + reason}
	if status == payments.StatusFailed {
		says = []string{"Payment refused: " + reason} // Its code still holds.
	}
	return seen{
		status: status, verdict: payments.VerdictNotPaid, code: status == payments.StatusFailed, says: says,
	}
}

// lost is an order of which nobody knows whether the service has it.
func unknown(reason string) seen {
	return seen{
		status: payments.StatusUnknown, verdict: payments.VerdictUnknown,
		attention: []payments.Attention{payments.UnknownOutcome},
		says: []string{
			"It is not known whether the service has this order. Nobody was shown its link, so a new order is safe.",
			"Reason: " + reason,
		},
	}
}

func refused(reason string) seen {
	return seen{
		status: payments.StatusRejected, verdict: payments.VerdictRejected,
		says: []string{"REFUSED BY THE SERVICE", "Reason: " + reason, "Is it the sale? Correct it"},
	}
}

// check is an order with a success that a person must look at.
func check(status payments.Status, reasons ...payments.Attention) seen {
	return seen{status: status, verdict: payments.VerdictCheck, attention: reasons}
}

func (s seen) saying(texts ...string) seen { s.says = append(s.says, texts...); return s }
func (s seen) proven() seen                { s.paid = true; return s }

// with are the events that are stored for the order.
func (s seen) with(events ...string) seen { s.events = events; return s }

// orphan are the events that are stored for no order.
func (s seen) orphan(events ...string) seen { s.orphans = events; return s }

// told are the replies that the service got.
func (s seen) told(replies ...int) seen { s.replies = replies; return s }

// another makes a new order from the lines of one that is lost, once the fault
// is over, and has it paid.
func another(l *lab) {
	l.t.Helper()
	before := len(l.wire.exchanges())
	l.mend().pass(pay.Grace).Press("n")
	l.look()
	l.coded()
	l.Sees("… WAITING").Lacks("UNKNOWN")
	l.act(payments.PaymentSuccess)
	l.Sees("✓ PAID").Lacks("UNKNOWN")
	if got := l.wire.replies(); len(got) != before+1 || got[before] != http.StatusOK {
		l.t.Errorf("the service got %v", got)
	}
}

// matched gives the lost order the event that came for it, as a person does who
// looks at the orders.
func matched(l *lab, kind payments.EventKind) {
	l.t.Helper()
	l.leave().whole().Sees("? UNKNOWN", "An event without an order matches").
		Press("m").Sees("Is the service's order REF_").Press("enter")
	l.look().Lacks("UNKNOWN", "An event without an order")
	l.Press("esc", "esc")
}

// seldom is a shop that does not wait long for the answer to an order call.
func seldom(setup *labSetup) { setup.timeout = 3 * time.Second }

// loses is an order call that the service takes, with an answer that is none:
// the order is unknown, a new one is safe, and what comes of the lost one
// is proposed to a person.
func loses(reason string) func(l *lab) {
	return func(l *lab) {
		l.t.Helper()
		l.charge()
		l.is(unknown(reason))
		l.mend().act(payments.PaymentExpired)
		l.is(unknown(reason).orphan("expired unmatched").told(http.StatusNotFound))
		matched(l, payments.PaymentExpired)
		l.again(1)
		l.open().is(unpaid(payments.StatusExpired, "Délai de paiement dépassé").
			with("expired applied 2 times").told(http.StatusNotFound, http.StatusOK))
		another(l)
	}
}

// finds is the same with an order that was paid all the same.
func finds(reason string) func(l *lab) {
	return func(l *lab) {
		l.t.Helper()
		l.charge()
		l.is(unknown(reason))
		l.mend().act(payments.PaymentSuccess)
		l.is(unknown(reason).orphan("success unmatched").told(http.StatusNotFound))
		matched(l, payments.PaymentSuccess)
		l.open().is(paid().with("success applied").told(http.StatusNotFound))
	}
}

func call(faults sandbox.CallFaults) sandbox.Faults { return sandbox.Faults{Call: faults} }

// callMeetings are the faults of the order call.
func callMeetings() []meeting {
	return []meeting{
		{
			name: "O6 500 and no order: unknown, and a new order is safe", scenario: "break",
			play: func(l *lab) {
				l.charge()
				l.is(unknown("the service answered 500 Internal Server Error"))
				another(l)
			},
		},
		{
			name: "O6 refused: the sale stays, to be corrected", scenario: "refuse",
			play: func(l *lab) {
				l.charge()
				l.is(refused("Compte marchand suspendu"))
				l.mend().pass(pay.Grace).Press("enter")
				l.look().Sees("charges 9 000").Press("enter", "enter")
				l.pass(sale.Settle).is(waiting())
				l.act(payments.PaymentSuccess).is(paid().with("success applied").told(http.StatusOK))
			},
		},
		{
			name: "O14 refused with escape sequences: they are cleaned", scenario: "refuse-escape",
			play: func(l *lab) {
				l.charge()
				l.is(refused("Solde"))
			},
		},
		{
			name: "O4 no answer in time: unknown, and what comes of the order is proposed", setup: seldom,
			scenario: "slow", play: loses("no answer came in time"),
		},
		{
			name: "O5 cut after accepting: unknown", scenario: "cut",
			play: loses("the connection ended before the answer"),
		},
		{
			name: "O13 cut after accepting, and the order is paid", faults: call(sandbox.CallFaults{Cut: true}),
			play: finds("the connection ended before the answer"),
		},
		{
			name: "O6 500 after creating: unknown", scenario: "break-after",
			play: loses("the service answered 500 Internal Server Error"),
		},
		{
			name: "O5 200 without a body: unknown", scenario: "empty-reply",
			play: loses("the answer is not valid"),
		},
		{
			name: "O5 200 with a page: unknown", scenario: "not-json",
			play: loses("the answer is not valid"),
		},
		{
			name: "O5 200 with JSON that is cut: unknown", scenario: "cut-json",
			play: loses("the answer is not valid"),
		},
		{
			name: "O5 200 with other fields: unknown", scenario: "wrong-fields",
			play: loses("the answer is not valid"),
		},
	}
}

func TestTheShopMeetsTheFaultsOfTheOrderCall(t *testing.T) {
	t.Parallel()
	meet(t, callMeetings())
}

// eventFirst are the events that come before the answer to the order call.
func eventFirstMeetings() []meeting {
	first := func(kind payments.EventKind) sandbox.Faults { return call(sandbox.CallFaults{EventFirst: kind}) }
	again := func(want seen, event string) func(l *lab) {
		return func(l *lab) {
			l.charge()
			l.is(want.with(event + " applied").told(http.StatusNotFound))
			l.again(1).is(want.with(event+" applied 2 times").told(http.StatusNotFound, http.StatusOK))
		}
	}
	return []meeting{
		{
			name: "W13 paid before the answer: kept, and paid once", scenario: "event-first",
			play: again(paid(), "success"),
		},
		{
			name: "W13 failed before the answer: the second try on the same page is plainly paid", faults: first(payments.PaymentFailed),
			play: func(l *lab) {
				l.charge()
				l.is(unpaid(payments.StatusFailed, "Solde insuffisant").with("failed applied").told(http.StatusNotFound))
				l.act(payments.PaymentSuccess).is(paid().with("failed applied", "success applied").
					told(http.StatusNotFound, http.StatusOK))
			},
		},
	}
}

func TestTheShopMeetsEventsThatComeFirst(t *testing.T) {
	t.Parallel()
	meet(t, eventFirstMeetings())
}

func linkMeetings() []meeting {
	hosts := func(setup *labSetup) { setup.hosts = []string{"pay.example.mg"} }
	all := []meeting{{
		name: "O9 a sound link on a host of the list is shown", setup: hosts,
		faults: call(sandbox.CallFaults{CheckoutURL: "https://pay.example.mg/c/1"}),
		play: func(l *lab) {
			l.charge()
			l.is(waiting().saying("on pay.example.mg"))
			l.act(payments.PaymentSuccess).is(paid().with("success applied").told(http.StatusOK))
		},
	}, {
		name:   "O9 without a list the host of any link stands in clear",
		faults: call(sandbox.CallFaults{CheckoutURL: "https://elsewhere.example.mg/c/1"}),
		play: func(l *lab) {
			l.charge()
			l.is(waiting().saying("on elsewhere.example.mg"))
		},
	}}
	const why = "the answer is not valid: the checkout link is not valid"
	unsound := func(l *lab) {
		l.charge()
		l.is(unknown(why))
		l.Lacks("example", "PAID", "javascript", "passwd").Press("l", "c").Lacks("example", "PAID", "javascript", "passwd")
		l.mend().act(payments.PaymentSuccess).is(unknown(why).orphan("success unmatched").told(http.StatusNotFound))
	}
	for _, scenario := range []string{
		"unsound-link", "unsound-link-plain", "unsound-link-user", "unsound-link-letters", "unsound-link-long", "unsound-link-escape",
	} {
		all = append(all, meeting{name: "O9 " + scenario + ": no code, and nothing of it on the screen", scenario: scenario, play: unsound})
	}
	all = append(all, meeting{
		name: "O9 a host that is not on the list: no code, and nothing of it on the screen", setup: hosts,
		faults: call(sandbox.CallFaults{CheckoutURL: "https://elsewhere.example.mg/c/1"}), play: unsound,
	})
	return all
}

func TestTheShopMeetsUnsoundLinks(t *testing.T) {
	t.Parallel()
	meet(t, linkMeetings())
}
