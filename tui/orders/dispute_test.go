package orders_test

import (
	"strings"
	"testing"

	"checkout/till/payments"
)

func TestTheKeyThatSettlesADisputeIsFirst(t *testing.T) {
	for name, order := range map[string]struct {
		happened func(s *till)
		want     string
	}{
		"a waiting order":                      {func(s *till) { s.Charge("S1") }, "y"},
		"a failed order":                       {func(s *till) { s.Fail(s.Charge("S1"), "") }, "y"},
		"a lost order with an unmatched event": {func(s *till) { s.orphan(s.lose(), "REF_900") }, "m"},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			order.happened(s)
			if s.Enter().Keys("enter"); !strings.HasPrefix(s.footer(), order.want+" ") {
				t.Errorf("the keys are %q, want %q first\n%s", s.footer(), order.want, s.View())
			}
		})
	}
}

func TestAMatchAndAReviewNeedAPINInAShopWithCashiers(t *testing.T) {
	t.Run("a match", func(t *testing.T) {
		s := open(t).hire()
		lost := s.lose()
		s.orphan(lost, "REF_900")
		s.Enter().Keys("enter", "m", "enter").Sees("PIN")
		if s.Find(lost.Reference).OrderReference != "" {
			t.Fatal("the order was matched without a PIN")
		}
		s.digits("0007").Keys("enter").Sees("PIN")
		s.digits("4711").Keys("enter").Lacks("PIN")
		if got := s.Find(lost.Reference).OrderReference; got != "REF_900" {
			t.Errorf("the order is matched to %q, want REF_900", got)
		}
	})
	t.Run("a review of a payment without order", func(t *testing.T) {
		s := open(t).hire()
		s.paidElsewhere("REF_800001", 4000).Enter().Keys("s", "enter").Sees("PIN")
		s.digits("4711").Keys("enter").Lacks("PIN")
		if s.Look(); strings.Contains(s.View(), "REF_800001") {
			t.Error("the payment is still listed after its review")
		}
	})
}

func TestAFindingAboutAnOutdatedStateIsNotRecorded(t *testing.T) {
	s := open(t)
	order := s.Fail(s.Charge("S1"), "")
	s.Enter().Keys("enter", "u")
	s.Pay(order) // The screen has not read this payment yet.
	s.Keys("enter").Sees("The order has changed in the meantime", "✓ PAID")
	if got := s.Find(order.Reference).Verdict(payments.Conditions{}, s.Now()); got != payments.VerdictPaid {
		t.Errorf("got the verdict %s, want paid", got)
	}
}
