package payments_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"checkout/till/payments"
)

func TestEachEventSetsItsStatusOnAnyOrder(t *testing.T) {
	for _, from := range payments.Statuses() {
		for _, kind := range payments.EventKinds() {
			t.Run(string(kind)+" sets the status of an order that was "+string(from), func(t *testing.T) {
				order := pending()
				order.Status = from
				before := order
				want, _ := kind.Status()
				moved, outcome := order.Apply(event(kind, order, "another"), payments.Order{}, opening())
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
					t.Error("the given order changed")
				}
			})
		}
		t.Run("another kind does not change "+string(from), func(t *testing.T) {
			order := pending().Resolve(payments.Finding{Kind: payments.FoundPaid, By: "Soa"})
			order.Status = from
			left, outcome := order.Apply(event("payment.refunded", order, ""), payments.Order{}, opening())
			if outcome != payments.Unchanged || !reflect.DeepEqual(left, order) {
				t.Errorf("outcome %s, order %+v", outcome, left)
			}
		})
	}
}

func TestApplyDoesNotChangeTheGivenOrder(t *testing.T) {
	given := after(pending(), payments.PaymentExpired, payments.PaymentSuccess)
	given.Facts.Attention = slices.Grow(given.Facts.Attention, 4)
	moved := after(given, payments.PaymentFailed)
	mustAsk(t, given, opening(), payments.PaidLate)
	mustAsk(t, moved, opening(), payments.Contradicted, payments.PaidLate)
}

// mustAsk checks that the order has exactly these reasons for attention at the time now.
func mustAsk(t *testing.T, order payments.Order, now time.Time, reasons ...payments.Attention) {
	t.Helper()
	if got := order.Attention(now); !slices.Equal(got, reasons) {
		t.Errorf("%s: attention %v, want %v", order.Reference, got, reasons)
	}
}
