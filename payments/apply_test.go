package payments_test

import (
	"fmt"
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
		wrong              = payments.EventKind("a success of another amount and currency")
		contradicted, late = payments.Contradicted, payments.PaidLate
		amount, currency   = payments.AmountMismatch, payments.CurrencyMismatch

		paid, check, notPaid = payments.VerdictPaid, payments.VerdictCheck, payments.VerdictNotPaid
	)
	type kinds = []payments.EventKind
	type reasons = []payments.Attention
	tests := []struct {
		name      string
		kinds     kinds
		status    payments.Status
		verdict   payments.Verdict
		attention reasons
	}{
		{"no event: waiting", nil, payments.StatusPending, payments.VerdictWaiting, nil},
		{"W1 a success: paid", kinds{success}, payments.StatusSuccess, paid, nil},
		{"a failure: not paid", kinds{failed}, payments.StatusFailed, notPaid, nil},
		{"a second try after a failure: paid", kinds{failed, success}, payments.StatusSuccess, paid, nil},
		{"a second try after a cancellation: paid", kinds{canceled, success}, payments.StatusSuccess, paid, nil},
		{"W17 another failure after a success", kinds{failed, success, failed}, payments.StatusFailed, check, reasons{contradicted}},
		{"W18 a success after an expiry", kinds{expired, success}, payments.StatusSuccess, check, reasons{late}},
		{"a success after an expiry and a failure", kinds{expired, failed, success}, payments.StatusSuccess, check, reasons{late}},
		{"W19 an expiry after a success", kinds{success, expired}, payments.StatusExpired, check, reasons{contradicted}},
		{"a cancellation after a success", kinds{success, canceled}, payments.StatusCanceled, check, reasons{contradicted}},
		{
			"a success that comes again after a contradiction",
			kinds{success, expired, success},
			payments.StatusSuccess, check,
			reasons{contradicted},
		},
		{"late, then contradicted", kinds{expired, success, canceled}, payments.StatusCanceled, check, reasons{contradicted, late}},
		{"two successes: paid", kinds{success, success}, payments.StatusSuccess, paid, nil},
		{"all that is unpaid: not paid", kinds{failed, canceled, expired, failed}, payments.StatusFailed, notPaid, nil},
		{"W20 a wrong success twice", kinds{wrong, wrong}, payments.StatusSuccess, check, reasons{amount, currency}},
		{"W20 a wrong success, then the right one", kinds{wrong, success}, payments.StatusSuccess, check, reasons{amount, currency}},
		{"W20 a wrong success after the right one", kinds{success, wrong}, payments.StatusSuccess, check, reasons{amount, currency}},
		{
			"W20 a failure after a wrong success contradicts no payment",
			kinds{wrong, failed},
			payments.StatusFailed, check,
			reasons{amount, currency},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			order := pending()
			for i, kind := range test.kinds {
				e := event(kind, order, fmt.Sprint("text ", i))
				if kind == wrong {
					e.Kind, e.Amount, e.Currency = success, payments.AmountValue(1), payments.TextValue("MGA")
				}
				order, _ = order.Apply(e, nil, opening().Add(time.Duration(i)*time.Second))
			}
			now := opening().Add(time.Minute)
			if order.Status != test.status || verdict(order, now) != test.verdict {
				t.Errorf("%s, %s, want %s, %s", order.Status, verdict(order, now), test.status, test.verdict)
			}
			mustAsk(t, order, now, test.attention...)
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
