package payments_test

import (
	"testing"
	"time"

	"checkout/till/payments"
)

func TestResolve(t *testing.T) {
	for _, test := range []struct {
		name string
		paid bool
		want payments.Verdict
	}{
		{"found paid", true, payments.VerdictMarkedPaid},
		{"found unpaid", false, payments.VerdictMarkedUnpaid},
	} {
		t.Run(test.name+", it changes neither status nor proof", func(t *testing.T) {
			s := newShop(t)
			order := s.charge(t, "S1")
			s.receive(t, event(payments.PaymentSuccess, order, ""))
			s.receive(t, event(payments.PaymentExpired, order, ""))
			before, _ := s.look(t, order.Reference)
			s.now = s.now.Add(time.Hour)
			finding := payments.Finding{Paid: test.paid, By: "Soa", Note: "looked", Stale: true}
			resolved, err := s.resolve(t, order.OrderReference, finding)
			must(t, err)
			if resolved.Status != before.Status || resolved.Facts.PaidAt != before.Facts.PaidAt || resolved.Error != before.Error {
				t.Errorf("%+v became %+v", before, resolved)
			}
			want := payments.Finding{Paid: test.paid, By: "Soa", Note: "looked", At: s.now}
			if *resolved.Finding != want || verdict(resolved, s.now) != test.want || resolved.Open() {
				t.Errorf("finding %+v, %s, open %v", *resolved.Finding, verdict(resolved, s.now), resolved.Open())
			}
			mustAsk(t, resolved, s.now)
			if len(resolved.Items) != 2 {
				t.Errorf("items %v", resolved.Items)
			}
		})
	}
	t.Run("a later finding replaces an earlier one", func(t *testing.T) {
		order := pending().Resolve(payments.Finding{By: "Soa"}).Resolve(payments.Finding{Paid: true, By: "Hery"})
		if order.Finding.By != "Hery" || verdict(order, opening()) != payments.VerdictMarkedPaid {
			t.Errorf("%+v, %s", order.Finding, verdict(order, opening()))
		}
	})
}

func TestAFindingHoldsUntilSomethingComes(t *testing.T) {
	unpaid, paidByHand := payments.Finding{By: "Soa"}, payments.Finding{Paid: true, By: "Soa"}
	tests := []struct {
		name    string
		before  []payments.EventKind
		finding payments.Finding
		kind    payments.EventKind
		want    payments.Verdict
		reasons []payments.Attention
	}{
		{"another kind does not touch it", nil, unpaid, "payment.refunded", payments.VerdictMarkedUnpaid, nil},
		{"unpaid, then a success", nil, unpaid, payments.PaymentSuccess, payments.VerdictCheck, []payments.Attention{payments.PaidLate}},
		{"paid, then a success", nil, paidByHand, payments.PaymentSuccess, payments.VerdictPaid, nil},
		{"paid, then an expiry", nil, paidByHand, payments.PaymentExpired, payments.VerdictNotPaid, nil},
		{
			"the reasons from before come back",
			[]payments.EventKind{payments.PaymentSuccess, payments.PaymentFailed},
			paidByHand,
			payments.PaymentFailed, payments.VerdictCheck,
			[]payments.Attention{payments.Contradicted},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			order := after(pending(), test.before...).Resolve(test.finding)
			moved, outcome := order.Apply(event(test.kind, order, "since"), nil, opening())
			stale := test.want != payments.VerdictMarkedUnpaid
			if verdict(moved, opening()) != test.want || moved.Finding.Stale != stale || (outcome == payments.Applied) != stale {
				t.Errorf("%s, %s, finding %+v", verdict(moved, opening()), outcome, *moved.Finding)
			}
			mustAsk(t, moved, opening(), test.reasons...)
			if moved.Facts.Acknowledged == stale {
				t.Errorf("acknowledged is %v", moved.Facts.Acknowledged)
			}
			if order.Finding.Stale {
				t.Error("the order that was given changed")
			}
			if stale && verdict(moved.Resolve(unpaid), opening()) != payments.VerdictMarkedUnpaid {
				t.Error("a new finding does not decide")
			}
		})
	}
}

func TestAcknowledge(t *testing.T) {
	wentDown := payments.Conditions{StoreDown: true}
	paid, failed := after(pending(), payments.PaymentSuccess), after(pending(), payments.PaymentFailed)
	unknown := pending()
	unknown.Status, unknown.Facts.Acknowledged = payments.StatusUnknown, false
	tests := []struct {
		name          string
		order         payments.Order
		conditions    payments.Conditions
		seen, givenUp bool
	}{
		{"paid", paid, payments.Conditions{}, true, false},
		{"to be checked", after(pending(), payments.PaymentExpired, payments.PaymentSuccess), payments.Conditions{}, true, false},
		{"failed: the order is given up", failed, payments.Conditions{}, true, true},
		{"expired: the order is given up", after(pending(), payments.PaymentExpired), payments.Conditions{}, true, true},
		{"an unknown outcome was read, but not given up", unknown, payments.Conditions{}, true, false},
		{"waiting", pending(), payments.Conditions{}, true, false},
		{"nothing was seen while the store was down", failed, wentDown, false, false},
		{"nothing was seen while no event could come", paid, payments.Conditions{ListenerDown: true}, false, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := test.order.Acknowledge(test.conditions, opening())
			if got.Facts.Acknowledged != test.seen || got.Facts.GivenUp != test.givenUp {
				t.Errorf("acknowledged %v, given up %v", got.Facts.Acknowledged, got.Facts.GivenUp)
			}
		})
	}
	t.Run("found unpaid: the order is given up twice over", func(t *testing.T) {
		order := pending().Resolve(payments.Finding{})
		order.Facts.GivenUp = false
		if order = order.Acknowledge(payments.Conditions{}, opening()); !order.Facts.GivenUp {
			t.Error("it is not given up")
		}
	})
	t.Run("the second failure of an order that was given up stays seen", func(t *testing.T) {
		order := after(pending(), payments.PaymentFailed).Acknowledge(payments.Conditions{}, opening())
		order, outcome := order.Apply(event(payments.PaymentFailed, order, "again"), nil, opening())
		if outcome != payments.Unchanged || !order.Facts.Acknowledged {
			t.Errorf("%s, acknowledged %v", outcome, order.Facts.Acknowledged)
		}
	})
}

func TestAKeyPressAcknowledgesOnlyWhatWasRead(t *testing.T) {
	for seen, want := range map[payments.Verdict]bool{payments.VerdictPaid: true, payments.VerdictNotPaid: false} {
		s := newShop(t)
		order := s.charge(t, "S1")
		s.receive(t, event(payments.PaymentFailed, order, ""))
		s.receive(t, event(payments.PaymentSuccess, order, ""))
		got, err := s.Acknowledge(t.Context(), order.Reference, seen, payments.Conditions{})
		if err != nil || got.Facts.Acknowledged != want || got.Facts.GivenUp || verdict(got, s.now) != payments.VerdictPaid {
			t.Errorf("%s was read, and a payment came: %+v, %v", seen, got.Facts, err)
		}
	}
	s := newShop(t)
	order := s.charge(t, "S1")
	s.receive(t, event(payments.PaymentFailed, order, ""))
	got, err := s.Acknowledge(t.Context(), order.OrderReference, payments.VerdictNotPaid, payments.Conditions{})
	if err != nil || !got.Facts.Acknowledged || !got.Facts.GivenUp || len(got.Items) != 2 {
		t.Errorf("without asking what was read: %+v, %v", got, err)
	}
}
