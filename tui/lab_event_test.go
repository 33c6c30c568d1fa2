package tui_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/sandbox"
	"checkout/till/tui/pay"
	"checkout/till/tui/sound"
)

func event(faults sandbox.EventFaults) sandbox.Faults { return sandbox.Faults{Event: faults} }

const (
	expiredReason  = "Délai de paiement dépassé"
	canceledReason = "Paiement annulé par le client"
	failedReason   = "Solde insuffisant"
)

// sendingMeetings are the faults of how and when events are sent.
func sendingMeetings() []meeting {
	return []meeting{
		{
			name: "W1 nothing goes wrong", scenario: "none",
			play: func(l *lab) {
				l.charge()
				l.is(waiting())
				l.act(payments.PaymentSuccess).is(paid().with("success applied").told(http.StatusOK))
			},
		},
		{
			name: "a dropped success is waited for, and paid once it is sent by hand", scenario: "drop",
			play: func(l *lab) {
				l.charge()
				l.act(payments.PaymentSuccess).is(waiting())
				l.again(1).is(paid().with("success applied").told(http.StatusOK))
			},
		},
		{
			name: "T9 a dropped expiry: time over and overdue, never expired by ourselves", faults: event(sandbox.EventFaults{Drop: true}),
			play: func(l *lab) {
				l.charge()
				over := seen{status: payments.StatusPending, verdict: payments.VerdictTimeOver}
				l.act(payments.PaymentExpired).pass(10 * time.Minute).is(over.saying("TIME OVER, waiting for the service"))
				over.attention = []payments.Attention{payments.Overdue}
				l.pass(payments.Grace + time.Second).is(over.saying("The time is over and no answer came from the service."))
				l.again(1).is(unpaid(payments.StatusExpired, expiredReason).with("expired applied").told(http.StatusOK))
			},
		},
		{
			name: "W18 a dropped success that is sent when the link is long over: paid, and to check", faults: event(sandbox.EventFaults{Drop: true}),
			play: func(l *lab) {
				l.charge()
				l.act(payments.PaymentSuccess).pass(10*time.Minute + payments.Grace + time.Second)
				l.again(1).is(check(payments.StatusSuccess, payments.PaidLate).proven().with("success applied").
					told(http.StatusOK).saying("Paid after the order was over. Are the goods still here?"))
			},
		},
		{
			name: "a success that is sent after the cashier gave the order up: paid, and to check", faults: event(sandbox.EventFaults{Drop: true}),
			play: func(l *lab) {
				l.charge()
				l.mend().act(payments.PaymentFailed).is(unpaid(payments.StatusFailed, failedReason).with("failed applied").told(http.StatusOK))
				l.pass(pay.Grace).Press("enter", "enter").Sees("Total")
				l.look().act(payments.PaymentSuccess).open().is(check(payments.StatusSuccess, payments.PaidLate).proven().
					with("failed applied", "success applied").told(http.StatusOK, http.StatusOK))
			},
		},
		{
			name: "a success that is late is waited for, and paid when it is sent sooner by hand", scenario: "delay",
			play: func(l *lab) {
				l.charge()
				l.act(payments.PaymentSuccess).is(waiting())
				l.again(1).is(paid().with("success applied").told(http.StatusOK))
			},
		},
		{
			name: "W17 a delayed failure that a success overtakes: paid, and to check", faults: event(sandbox.EventFaults{Delay: time.Hour}),
			play: func(l *lab) {
				l.charge()
				l.act(payments.PaymentFailed).is(waiting())
				l.mend().act(payments.PaymentSuccess).is(paid().with("success applied").told(http.StatusOK))
				l.again(1).is(check(payments.StatusFailed, payments.Contradicted).proven().
					with("success applied", "failed applied").told(http.StatusOK, http.StatusOK).
					saying("The service said paid, then not paid. Do not ask for money again"))
			},
		},
		{
			name: "W14 a success that comes three times is paid once", scenario: "duplicate",
			play: func(l *lab) {
				l.charge()
				l.act(payments.PaymentSuccess).is(paid().with("success applied 3 times").
					told(http.StatusOK, http.StatusOK, http.StatusOK))
				if !slices.Equal(l.bells, []sound.Tune{sound.Paid}) {
					l.t.Errorf("the bell rang for %v", l.bells)
				}
			},
		},
		{
			name: "W16 an old failure that comes again turns nothing back", faults: event(sandbox.EventFaults{Copies: 10}),
			play: func(l *lab) {
				l.charge()
				l.act(payments.PaymentFailed).mend().act(payments.PaymentSuccess).again(1)
				want := paid().with("failed applied 12 times", "success applied")
				for range 13 {
					want.replies = append(want.replies, http.StatusOK)
				}
				l.is(want)
			},
		},
		{
			name: "a failure that comes after the success: paid, and to check", scenario: "reorder",
			play: func(l *lab) {
				l.charge()
				l.act(payments.PaymentFailed).is(waiting())
				l.act(payments.PaymentSuccess).is(check(payments.StatusFailed, payments.Contradicted).proven().
					with("success applied", "failed applied").told(http.StatusOK, http.StatusOK))
			},
		},
		{
			name: "W19 success, then expired: paid, and to check", scenario: "success-then-expired",
			play: func(l *lab) {
				l.charge()
				l.act(payments.PaymentSuccess).is(check(payments.StatusExpired, payments.Contradicted).proven().
					with("success applied", "expired applied").told(http.StatusOK, http.StatusOK).
					saying("Do not ask for money again: look in the merchant area."))
			},
		},
		{
			name: "W18 expired, then success: paid, and to check", scenario: "expired-then-success",
			play: func(l *lab) {
				l.charge()
				l.act(payments.PaymentExpired).is(check(payments.StatusSuccess, payments.PaidLate).proven().
					with("expired applied", "success applied").told(http.StatusOK, http.StatusOK))
			},
		},
		{
			name: "W26 a body that takes its time is taken", faults: event(sandbox.EventFaults{Slow: 30 * time.Millisecond}),
			play: func(l *lab) {
				l.charge()
				l.act(payments.PaymentSuccess).is(paid().with("success applied").told(http.StatusOK))
			},
		},
		{
			name:  "W26 a body that takes too long is no event, and paid once it is sent at once",
			setup: func(setup *labSetup) { setup.read = 2 * time.Second }, scenario: "slow-body",
			play: func(l *lab) {
				l.charge()
				l.act(payments.PaymentFailed)
				got := l.wire.replies()
				if len(got) != 1 || got[0] == http.StatusOK {
					l.t.Errorf("the service got %v", got)
				}
				l.is(waiting().told(got...))
				l.mend().act(payments.PaymentSuccess).is(paid().with("success applied").told(got[0], http.StatusOK))
			},
		},
		{
			name: "W24 white space to the limit is taken", faults: event(sandbox.EventFaults{Padding: 60 << 10}),
			play: func(l *lab) {
				l.charge()
				l.act(payments.PaymentSuccess).is(paid().with("success applied").told(http.StatusOK))
			},
		},
		{
			name: "W24 1 MiB is refused, and the cashier waits until a person finds the payment", scenario: "huge-body",
			play: tooLarge,
		},
	}
}

// tooLarge is an event that never gets through, whatever is done at the service.
func tooLarge(l *lab) {
	l.t.Helper()
	l.charge()
	l.act(payments.PaymentSuccess).is(waiting().told(http.StatusRequestEntityTooLarge))
	l.mend().again(1).is(waiting().told(http.StatusRequestEntityTooLarge, http.StatusRequestEntityTooLarge))
	l.leave().Sees("Webhooks refused")
	l.whole().Press("y").Sees("Did you see in the merchant area").Press("enter")
	l.look().Sees("◆ MARKED PAID").Lacks("✓").Press("esc", "esc")
}

func TestTheShopMeetsTheFaultsOfSending(t *testing.T) {
	t.Parallel()
	meet(t, sendingMeetings())
}

// wrongly is an event whose signature is refused, and taken once it is right.
func wrongly(status int, hint string) func(l *lab) {
	return func(l *lab) {
		l.t.Helper()
		l.charge()
		l.act(payments.PaymentSuccess).is(waiting().told(status))
		l.leave().says("Waiting 1", hint)
		l.mend().again(1).open().is(paid().with("success applied").told(status, http.StatusOK))
		l.pass(pay.Grace).Press("enter")
		l.look().Sees("Total").Lacks("refused", "Webhooks")
	}
}

// overBody is a shop, and its account, that signs the body.
func overBody(setup *labSetup) { setup.scheme = gateway.Body }

func signatureMeetings() []meeting {
	signed := func(fault sandbox.SignatureFault) sandbox.Faults { return event(sandbox.EventFaults{Signature: fault}) }
	takes := func(l *lab) {
		l.charge()
		l.act(payments.PaymentSuccess).is(paid().with("success applied").told(http.StatusOK))
	}
	const changed = "Webhooks refused: did the secret change?"
	return []meeting{
		{name: "W6 signed with another secret", scenario: "signature-wrong", play: wrongly(http.StatusUnauthorized, changed)},
		{name: "W4 not signed", scenario: "signature-missing", play: wrongly(http.StatusBadRequest, changed)},
		{
			name: "W8 signed twice", scenario: "signature-doubled",
			play: wrongly(http.StatusUnauthorized, "the signature comes twice"),
		},
		{
			name: "W6 signed over the body where the secret is signed", scenario: "signature-body",
			play: wrongly(http.StatusUnauthorized, `set signature_scheme to "body"`),
		},
		{
			name: "W6 signed over the secret where the body is signed", setup: overBody, scenario: "signature-static",
			play: wrongly(http.StatusUnauthorized, `set signature_scheme to "static"`),
		},
		{
			name: "W6 signed over the body with another secret", setup: overBody, faults: signed(sandbox.SignatureWrong),
			play: wrongly(http.StatusUnauthorized, changed),
		},
		{name: "W1 signed over the body, as it is set", setup: overBody, faults: signed(sandbox.SignatureBody), play: takes},
	}
}

func TestTheShopMeetsWrongSignatures(t *testing.T) {
	t.Parallel()
	meet(t, signatureMeetings())
}

// doubtful is a success that is kept and never paid: a person looks, and finds
// that it was.
func doubtful(reason payments.Attention, says string) func(l *lab) {
	return func(l *lab) {
		l.t.Helper()
		l.charge()
		want := check(payments.StatusSuccess, reason).with("success applied").told(http.StatusOK).saying(says)
		l.act(payments.PaymentSuccess).is(want)
		l.everywhere()
		l.mend().again(1).open().is(want.with("success applied 2 times").told(http.StatusOK, http.StatusOK))
		l.leave().whole().Press("y", "enter")
		l.look().Sees("◆ MARKED PAID", "Paid at           —").Lacks("✓").Press("esc", "esc")
	}
}

// contentMeetings are the faults of what stands in an event.
func contentMeetings() []meeting {
	amount := func(reported string) func(l *lab) {
		return doubtful(payments.AmountMismatch, "The service reports "+reported+", the order is 9 000 Ar.")
	}
	currency := func(reported string) func(l *lab) {
		return doubtful(payments.CurrencyMismatch, "The service reports the currency "+reported+", not Ar.")
	}
	return []meeting{
		{name: "W20 less than the amount", scenario: "amount-wrong", play: amount("8 500 Ar")},
		{name: "W20 the amount as a text", scenario: "amount-text", play: doubtful(payments.AmountMismatch, `The service reports the amount in another form than a number: "9000".`)},
		{name: "W20 the amount with a fraction", scenario: "amount-decimal", play: amount("9000.0")},
		{name: "W20 no amount", scenario: "amount-missing", play: amount("nothing")},
		{name: "W21 another currency", scenario: "currency-wrong", play: currency("MGA")},
		{
			name: "T1 a currency of escape sequences", faults: event(sandbox.EventFaults{Currency: "\x1b[2J\x1b[32mAr\u202e"}),
			play: currency("[2J[32mAr"),
		},
		{name: "W21 no currency", scenario: "currency-missing", play: currency("nothing")},
		{name: "W21 only a curency", scenario: "curency", play: currency("nothing")},
		{
			name: "W3 an unknown kind is kept and changes nothing", scenario: "unknown-kind",
			play: func(l *lab) {
				l.charge()
				l.act(payments.PaymentFailed)
				kept := describeNewest(l)
				l.is(waiting().with(kept).told(http.StatusOK))
				l.mend().act(payments.PaymentSuccess).is(paid().with(kept, "success applied").told(http.StatusOK, http.StatusOK))
			},
		},
		{
			name: "T1 escape sequences in the reason are cleaned on every screen", scenario: "escape",
			play: func(l *lab) {
				l.charge()
				l.act(payments.PaymentFailed).is(unpaid(payments.StatusFailed, "Solde").with("failed applied").told(http.StatusOK))
			},
		},
	}
}

// describeNewest is what the newest event of the newest order is and did.
func describeNewest(l *lab) string {
	l.t.Helper()
	_, records, err := l.shop.Order(l.t.Context(), l.newest().Reference)
	l.must(err)
	if len(records) == 0 {
		l.t.Fatal("no event was kept")
	}
	last := records[len(records)-1]
	if _, known := last.Event.Kind.Status(); known || last.Outcome != payments.Unchanged {
		l.t.Errorf("the event is %s and %s", last.Event.Kind, last.Outcome)
	}
	return describe(records[len(records)-1:])[0]
}

func TestTheShopMeetsWrongContent(t *testing.T) {
	t.Parallel()
	meet(t, contentMeetings())
}
