package payments_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"checkout/till/payments"
)

func TestEveryEventMovesEveryStatus(t *testing.T) {
	for _, from := range payments.Statuses() {
		for _, kind := range payments.EventKinds() {
			t.Run("W2 "+string(kind)+" moves "+string(from), func(t *testing.T) {
				order := pending()
				order.Status = from
				before := order
				want, _ := kind.Status()
				moved, outcome := order.Apply(event(kind, order, "another"), nil, opening())
				if moved.Status != want {
					t.Errorf("status %s, want %s", moved.Status, want)
				}
				wantOutcome := payments.Applied
				if from == want && kind != payments.PaymentSuccess {
					wantOutcome = payments.Unchanged
				}
				if outcome != wantOutcome {
					t.Errorf("outcome %s, want %s", outcome, wantOutcome)
				}
				if !reflect.DeepEqual(order, before) {
					t.Error("the order that was given changed")
				}
			})
		}
		t.Run("W3 another kind leaves "+string(from), func(t *testing.T) {
			order := pending().Resolve(payments.Finding{Paid: true, By: "Soa"})
			order.Status = from
			left, outcome := order.Apply(event("payment.refunded", order, ""), nil, opening())
			if outcome != payments.Unchanged || !reflect.DeepEqual(left, order) {
				t.Errorf("outcome %s, order %+v", outcome, left)
			}
		})
	}
}

func TestSequencesOfEvents(t *testing.T) {
	const (
		success, failed    = payments.PaymentSuccess, payments.PaymentFailed
		canceled, expired  = payments.PaymentCanceled, payments.PaymentExpired
		contradicted, late = payments.Contradicted, payments.PaidLate
	)
	tests := []struct {
		name      string
		kinds     []payments.EventKind
		status    payments.Status
		verdict   payments.Verdict
		attention []payments.Attention
	}{
		{"no event: waiting", nil, payments.StatusPending, payments.VerdictWaiting, nil},
		{"W1 a success: paid", []payments.EventKind{success}, payments.StatusSuccess, payments.VerdictPaid, nil},
		{"a failure: not paid", []payments.EventKind{failed}, payments.StatusFailed, payments.VerdictNotPaid, nil},
		{"a second try after a failure: paid", []payments.EventKind{failed, success}, payments.StatusSuccess, payments.VerdictPaid, nil},
		{"a second try after a cancellation: paid", []payments.EventKind{canceled, success}, payments.StatusSuccess, payments.VerdictPaid, nil},
		{
			"W17 another failure after a success: check",
			[]payments.EventKind{failed, success, failed},
			payments.StatusFailed, payments.VerdictCheck,
			[]payments.Attention{contradicted},
		},
		{
			"W18 a success after an expiry: check",
			[]payments.EventKind{expired, success},
			payments.StatusSuccess, payments.VerdictCheck,
			[]payments.Attention{late},
		},
		{
			"a success after an expiry and a failure: check",
			[]payments.EventKind{expired, failed, success},
			payments.StatusSuccess, payments.VerdictCheck,
			[]payments.Attention{late},
		},
		{
			"W19 an expiry after a success: check",
			[]payments.EventKind{success, expired},
			payments.StatusExpired, payments.VerdictCheck,
			[]payments.Attention{contradicted},
		},
		{
			"a cancellation after a success: check",
			[]payments.EventKind{success, canceled},
			payments.StatusCanceled, payments.VerdictCheck,
			[]payments.Attention{contradicted},
		},
		{
			"a success that comes again after a contradiction: still check",
			[]payments.EventKind{success, expired, success},
			payments.StatusSuccess, payments.VerdictCheck,
			[]payments.Attention{contradicted},
		},
		{
			"late and then contradicted: check, with both reasons",
			[]payments.EventKind{expired, success, canceled},
			payments.StatusCanceled, payments.VerdictCheck,
			[]payments.Attention{contradicted, late},
		},
		{"two successes: paid", []payments.EventKind{success, success}, payments.StatusSuccess, payments.VerdictPaid, nil},
		{"all that is unpaid: not paid", []payments.EventKind{failed, canceled, expired, failed}, payments.StatusFailed, payments.VerdictNotPaid, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			order := after(pending(), test.kinds...)
			now := opening().Add(time.Minute)
			if order.Status != test.status || verdict(order, now) != test.verdict || !slices.Equal(order.Attention(now), test.attention) {
				t.Errorf("%s, %s, %v, want %s, %s, %v", order.Status, verdict(order, now), order.Attention(now), test.status, test.verdict, test.attention)
			}
			first := slices.Index(test.kinds, success)
			if order.Paid() != (first >= 0) {
				t.Errorf("paid is %v", order.Paid())
			}
			if first >= 0 && !order.Facts.PaidAt.Equal(opening().Add(time.Duration(first)*time.Second)) {
				t.Errorf("paid at %v, want the moment of the first proof", order.Facts.PaidAt)
			}
		})
	}
}

func TestProofIsTheExactAmountInAriary(t *testing.T) {
	for _, test := range amounts() {
		t.Run(test.name, func(t *testing.T) {
			e := event(payments.PaymentSuccess, pending(), "")
			e.Amount = test.value
			order, outcome := pending().Apply(e, nil, opening())
			if order.Status != payments.StatusSuccess || outcome != payments.Applied || order.Paid() != test.right {
				t.Fatalf("%s, %s, paid %v", order.Status, outcome, order.Paid())
			}
			mustBe(t, order, test.right, payments.AmountMismatch)
			if order.Facts.ReportedAmount != test.shown || order.Facts.ReportedUnit != "" {
				t.Errorf("reported %q %q, want %q", order.Facts.ReportedAmount, order.Facts.ReportedUnit, test.shown)
			}
		})
	}
	currencies := []struct {
		name  string
		value payments.Value
		right bool
		shown string
	}{
		{"Ar", payments.TextValue("Ar"), true, ""},
		{"W21 MGA", payments.TextValue("MGA"), false, "MGA"},
		{"W21 missing, or only curency", payments.Value{}, false, ""},
		{"small letters", payments.TextValue("ar"), false, "ar"},
		{"a blank behind", payments.TextValue("Ar "), false, "Ar"},
		{"another type", payments.Value{Kind: payments.Other, Text: "Ar"}, false, "Ar"},
		{"null", payments.Value{Kind: payments.Null}, false, "null"},
	}
	for _, test := range currencies {
		t.Run(test.name, func(t *testing.T) {
			e := event(payments.PaymentSuccess, pending(), "")
			e.Currency = test.value
			order, _ := pending().Apply(e, nil, opening())
			mustBe(t, order, test.right, payments.CurrencyMismatch)
			if order.Facts.ReportedUnit != test.shown || order.Facts.ReportedAmount != "" {
				t.Errorf("reported %q %q, want %q", order.Facts.ReportedAmount, order.Facts.ReportedUnit, test.shown)
			}
		})
	}
}

// mustBe checks that an order is green or, for one reason alone, to be checked.
func mustBe(t *testing.T, order payments.Order, green bool, reason payments.Attention) {
	t.Helper()
	want, reasons := payments.VerdictCheck, []payments.Attention{reason}
	if green {
		want, reasons = payments.VerdictPaid, nil
	}
	if got := verdict(order, opening()); got != want || order.Paid() != green || !slices.Equal(order.Attention(opening()), reasons) {
		t.Errorf("%s, paid %v, %v, want %s, %v", got, order.Paid(), order.Attention(opening()), want, reasons)
	}
}

func TestApplyLeavesTheOrderItWasGiven(t *testing.T) {
	given := after(pending(), payments.PaymentExpired, payments.PaymentSuccess)
	given.Facts.Attention = slices.Grow(given.Facts.Attention, 4)
	moved := after(given, payments.PaymentFailed)
	mustAsk(t, given, opening(), payments.PaidLate)
	mustAsk(t, moved, opening(), payments.Contradicted, payments.PaidLate)
}

func TestASuccessOfAnotherAmount(t *testing.T) {
	wrong := event(payments.PaymentSuccess, pending(), "wrong")
	wrong.Amount, wrong.Currency = payments.AmountValue(1), payments.TextValue("MGA")
	t.Run("raises both reasons once", func(t *testing.T) {
		order, _ := pending().Apply(wrong, nil, opening())
		again := wrong
		again.Description = payments.TextValue("again")
		order, outcome := order.Apply(again, nil, opening())
		want := []payments.Attention{payments.AmountMismatch, payments.CurrencyMismatch}
		if !slices.Equal(order.Attention(opening()), want) || outcome != payments.Unchanged {
			t.Errorf("%v, %s", order.Attention(opening()), outcome)
		}
	})
	t.Run("before the right one: paid, but to be checked", func(t *testing.T) {
		order, _ := pending().Apply(wrong, nil, opening())
		order = after(order, payments.PaymentSuccess)
		if !order.Paid() || verdict(order, opening()) != payments.VerdictCheck {
			t.Errorf("paid %v, %s", order.Paid(), verdict(order, opening()))
		}
	})
	t.Run("after the right one: stays paid, but is to be checked", func(t *testing.T) {
		order := after(pending(), payments.PaymentSuccess)
		order, outcome := order.Apply(wrong, nil, opening())
		if !order.Paid() || outcome != payments.Applied || verdict(order, opening()) != payments.VerdictCheck {
			t.Errorf("paid %v, %s, %s", order.Paid(), outcome, verdict(order, opening()))
		}
	})
	t.Run("before a failure: no contradiction, for nothing was paid", func(t *testing.T) {
		order, _ := pending().Apply(wrong, nil, opening())
		order = after(order, payments.PaymentFailed)
		if slices.Contains(order.Attention(opening()), payments.Contradicted) || verdict(order, opening()) != payments.VerdictCheck {
			t.Errorf("%v, %s", order.Attention(opening()), verdict(order, opening()))
		}
	})
}

func TestPaidLate(t *testing.T) {
	end := pending().Link.ExpiresAt
	noLink := pending()
	noLink.Link = payments.Link{}
	unpaid := after(pending(), payments.PaymentFailed)
	tests := []struct {
		name  string
		order payments.Order
		at    time.Time
		late  bool
	}{
		{"within the link's life", pending(), end, false},
		{"two minutes after its end", pending(), end.Add(payments.Grace), false},
		{"more than two minutes after its end", pending(), end.Add(payments.Grace + 1), true},
		{"without a link there is no end", noLink, end.Add(time.Hour), false},
		{"after a failure that was seen", unpaid.Acknowledge(payments.Conditions{}, opening()), opening(), true},
		{"after a failure that nobody saw", unpaid, opening(), false},
		{"after a person found it unpaid", pending().Resolve(payments.Finding{}), opening(), true},
		{"after a person found it paid", pending().Resolve(payments.Finding{Paid: true}), opening(), false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			order, _ := test.order.Apply(event(payments.PaymentSuccess, test.order, ""), nil, test.at)
			if !order.Paid() || order.Attention(test.at) != nil != test.late {
				t.Errorf("paid %v, attention %v", order.Paid(), order.Attention(test.at))
			}
			if test.late {
				mustAsk(t, order, test.at, payments.PaidLate)
			}
		})
	}
	t.Run("a second success that is late adds nothing", func(t *testing.T) {
		order := after(pending(), payments.PaymentSuccess)
		order, outcome := order.Apply(event(payments.PaymentSuccess, order, "again"), nil, end.Add(time.Hour))
		if outcome != payments.Unchanged || verdict(order, end.Add(time.Hour)) != payments.VerdictPaid {
			t.Errorf("%s, %s", outcome, verdict(order, end.Add(time.Hour)))
		}
	})
}

// mustAsk checks that an order asks a person for exactly these reasons.
func mustAsk(t *testing.T, order payments.Order, now time.Time, reasons ...payments.Attention) {
	t.Helper()
	if got := order.Attention(now); !slices.Equal(got, reasons) {
		t.Errorf("%s: attention %v, want %v", order.Reference, got, reasons)
	}
}

func TestTheServicesReasonIsKept(t *testing.T) {
	order := after(pending(), payments.PaymentFailed)
	if order.Error != "text 0" {
		t.Errorf("error %q after a failure", order.Error)
	}
	order, _ = order.Apply(event(payments.PaymentFailed, order, "Solde\x1b insuffisant"), nil, opening())
	if order.Error != "Solde insuffisant" {
		t.Errorf("error %q after another", order.Error)
	}
	if order = after(order, payments.PaymentSuccess); order.Error != "" {
		t.Errorf("error %q after a success", order.Error)
	}
}
