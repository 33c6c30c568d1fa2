package pay_test

import (
	"testing"

	"checkout/till/payments"
	"checkout/till/tui/tuitest/shoptest"
)

// The payment in this test is doubtful: the amount in the event is a JSON string instead of a
// number.
func TestChargingASaleAgainAsksFirst(t *testing.T) {
	doubtful := func(order payments.Order) payments.Event {
		event := shoptest.Event(order, payments.PaymentSuccess, "")
		event.Amount = payments.TextValue("9000")
		return event
	}
	for name, c := range map[string]struct {
		happens func(s *till, order payments.Order)
		says    []string
	}{
		"it is paid": {
			func(s *till, order payments.Order) { s.Pay(order) }, []string{"This sale was paid at 12:00. Charge 9 000 Ar once more?"},
		},
		"its payment is doubtful": {
			func(s *till, order payments.Order) { s.Hear(doubtful(order)) }, []string{"may be paid already", "look in the merchant area"},
		},
		"its link is still valid": {func(*till, payments.Order) {}, []string{"The first can be paid until 12:10."}},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			c.happens(s, s.charge())
			s.Look().grace().Press("enter")
			s.charges(shoptest.Terms("S1")).Sees(c.says...).Sees("Esc   back     Enter   new code").Press("x", "n", "esc")
			if len(s.All()) != 1 || len(s.Calls()) != 1 {
				t.Fatalf("after a no got %d orders and %d calls, want 1 and 1", len(s.All()), len(s.Calls()))
			}
			s.charges(shoptest.Terms("S1")).Press("enter")
			if s.Look(); len(s.All()) != 1 {
				t.Fatal("an Enter before the grace period made another order")
			}
			s.grace().Press("enter")
			if s.Look(); len(s.All()) != 2 {
				t.Errorf("after a yes got %d orders, want 2", len(s.All()))
			}
			s.shows(s.newest())
		})
	}
}

func TestASalePaidTwiceNamesTheOtherOrder(t *testing.T) {
	s := open(t)
	first := s.charge()
	s.Resolve(first.Reference, payments.Finding{Kind: payments.FoundPaid, By: "Soa"})
	second := s.Charge("S1")
	s.reopen(s.Pay(second))
	s.Look().grace().Sees("! CHECK", first.Reference, "9 000 Ar", "MARKED PAID")
}
