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
