package orders_test

import (
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/money"
	"checkout/till/tui/tuitest/shoptest"
)

// stranger returns an order that was not created by this shop.
func stranger(reference string, amount money.Ariary) payments.Order {
	return payments.Order{Reference: "X-1", OrderReference: reference, Amount: amount}
}

// paidElsewhere receives a success event for an order that was not created by this shop. Then it
// advances the clock until the payment must be reviewed.
func (s *till) paidElsewhere(reference string, amount money.Ariary) *till {
	s.Hear(shoptest.Event(stranger(reference, amount), payments.PaymentSuccess, ""))
	s.Advance(payments.OrphanGrace)
	return s.Look()
}

func TestAPaymentWithoutOrderIsListedUntilReviewed(t *testing.T) {
	t.Run("s asks, and a yes removes it", func(t *testing.T) {
		s := open(t).paidElsewhere("REF_800001", 4000).Enter()
		s.Sees("› 21/11 12:00  ! NO ORDER", "Paid, but it belongs to no order here: 4 000 Ar, REF_800001, 21/11 12:00.").Lacks("Nothing to check.")
		s.Keys("s").Sees("Have you found REF_800001 in the merchant area", "Esc   back     Enter   records").Press("esc")
		s.Sees("Paid, but it belongs to no order here").Lacks("Have you found")
		s.Keys("s", "enter").Look().Sees("Nothing to check.")
		s.Lacks("it belongs to no order here").Press("s")
		s.Lacks("Have you found")
	})
	t.Run("the oldest comes first, and each is reviewed separately", func(t *testing.T) {
		s := open(t).paidElsewhere("REF_800001", 4000).paidElsewhere("REF_800002", 5000).Enter()
		s.Sees("4 000 Ar, REF_800001", "  5 000   REF_800002").Press("s")
		s.paidElsewhere("REF_800003", 6000).Sees("Have you found REF_800001")
		s.Keys("enter").Look().Sees("5 000 Ar, REF_800002").Press("s")
		s.Keys("enter").Look().Sees("6 000 Ar, REF_800003").Lacks("REF_800002")
	})
	t.Run("an invalid amount is shown as it was sent", func(t *testing.T) {
		s := open(t)
		event := shoptest.Event(stranger("REF_800001", 1), payments.PaymentSuccess, "")
		event.Amount = payments.TextValue("4000,5\x1b[31m")
		s.Hear(event)
		event.OrderReference, event.Amount = "REF_800002", payments.Value{}
		s.Hear(event)
		s.Advance(payments.OrphanGrace)
		s.Look().Enter().Sees("4000,5[31m, REF_800001").Press("s", "enter")
		s.Look().Sees("nothing, REF_800002")
	})
	t.Run("a store error is shown", func(t *testing.T) {
		s := open(t).paidElsewhere("REF_800001", 4000).Enter().Keys("s")
		s.Break()
		s.Keys("enter").Sees("It could not be written to disk.")
		s.Mend()
		s.Keys("down").Sees("it belongs to no order here")
	})
	t.Run("the history does not list it", func(t *testing.T) {
		open(t).paidElsewhere("REF_800001", 4000).Enter().Keys("tab").Sees("No order yet.").Lacks("REF_800001").Press("s")
	})
}

// A question without a name is not protected against text that was typed for another screen, nor
// against an Enter that is held down.
func TestEveryQuestionHasAName(t *testing.T) {
	for name, ask := range map[string]func(s *till){
		"a payment without an order": func(s *till) { s.paidElsewhere("REF_800001", 4000).Enter().Keys("s") },
		"a refund":                   func(s *till) { s.paid().Keys("b", "2") },
		"found unpaid":               func(s *till) { s.paid().Keys("u") },
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			ask(s)
			if asked := s.Harness().Screen.Meaning().Asked; asked == "" {
				t.Errorf("the question has no name\n%s", s.View())
			}
		})
	}
}

func TestAnOrderToCheckStaysChosenWhenAPaymentWithoutOrderComes(t *testing.T) {
	s := open(t)
	for _, sale := range []string{"S1", "S2"} {
		s.Fail(s.Pay(s.Charge(sale)), "Remboursé")
	}
	s.Look().Enter()
	before := under(s)
	s.paidElsewhere("REF_800001", 4000).Sees("NO ORDER")
	s.on(before)
}
