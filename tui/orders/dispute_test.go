package orders_test

import (
	"strings"
	"testing"

	"checkout/till/payments"
)

// first is the name of the first key of the footer.
func (s *till) first() string {
	for _, binding := range s.Alone().Screen.ShortHelp() {
		if binding.Enabled() {
			return binding.Help().Key
		}
	}
	return ""
}

func TestWhatSettlesADisputeStandsFirst(t *testing.T) {
	for name, order := range map[string]struct {
		happened func(s *till)
		want     string
	}{
		"N4 of an order that waits":     {func(s *till) { s.Charge("S1") }, "y"},
		"N4 of one that failed":         {func(s *till) { s.Fail(s.Charge("S1"), "") }, "y"},
		"N4 of one that is paid":        {func(s *till) { s.Pay(s.Charge("S1")) }, "u"},
		"N4 of one to check":            {func(s *till) { s.Fail(s.Pay(s.Charge("S1")), "") }, "y"},
		"N4 of one whose event is lost": {func(s *till) { s.orphan(s.lose(), "REF_900") }, "m"},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			order.happened(s)
			if s.Enter().Keys("enter"); s.first() != order.want {
				t.Errorf("the first key is %q, want %q\n%s", s.first(), order.want, s.View())
			}
		})
	}
}

func TestAMatchAndALookAreACashiersInAShopWithCashiers(t *testing.T) {
	t.Run("S18 a match", func(t *testing.T) {
		s := open(t).hire()
		lost := s.lose()
		s.orphan(lost, "REF_900")
		s.Enter().Keys("enter", "m", "enter").Sees("PIN")
		if s.Find(lost.Reference).OrderReference != "" {
			t.Fatal("it is matched by nobody")
		}
		s.digits("0007").Keys("enter").Sees("PIN")
		s.digits("4711").Keys("enter").Lacks("PIN")
		if got := s.Find(lost.Reference).OrderReference; got != "REF_900" {
			t.Errorf("it is matched to %q", got)
		}
	})
	t.Run("S18 a look at a payment without order", func(t *testing.T) {
		s := open(t).hire()
		s.paidElsewhere("REF_800001", 4000).Enter().Keys("s", "enter").Sees("PIN")
		s.digits("4711").Keys("enter").Lacks("PIN")
		if s.Look(); strings.Contains(s.View(), "REF_800001") {
			t.Error("the alarm stays")
		}
	})
}

func TestAFindingAboutAnOlderStateIsNotRecorded(t *testing.T) {
	s := open(t)
	order := s.Fail(s.Charge("S1"), "")
	s.Enter().Keys("enter", "u")
	s.Pay(order) // O17: the screen does not know it yet.
	s.Keys("enter").Sees("The order has changed in the meantime", "✓ PAID")
	if got := s.Find(order.Reference).Verdict(payments.Conditions{}, s.Now()); got != payments.VerdictPaid {
		t.Errorf("the verdict is %s", got)
	}
}
