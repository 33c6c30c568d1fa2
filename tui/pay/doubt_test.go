package pay_test

import (
	"testing"

	"checkout/till/payments"
	"checkout/till/tui/tuitest/shoptest"
)

// A service that writes amounts as text makes a doubt of every payment.
func TestASaleWithASuccessInDoubtIsNotChargedAgainWithoutAQuestion(t *testing.T) {
	s := open(t)
	event := shoptest.Event(s.charge(), payments.PaymentSuccess, "")
	event.Amount = payments.TextValue("9000")
	s.Hear(event)
	s.Look().grace().Press("enter")
	s.charges(shoptest.Terms("S1")).noCode()
	s.Sees("may be paid already", "look in the merchant area", "Enter yes · Esc no")
	s.Press("enter")
	if s.Look(); len(s.All()) != 1 {
		t.Fatal("an Enter that was pressed before the question could be read makes another order")
	}
	s.grace().Press("enter")
	if s.Look(); len(s.All()) != 2 {
		t.Errorf("there are %d orders after a yes", len(s.All()))
	}
}

func TestAKeyTypedAheadDoesNotAnswerTheQuestionAboutAnEarlierLink(t *testing.T) {
	s := open(t)
	s.charge()
	s.charges(shoptest.Terms("S1")).Sees("The earlier link can still be paid until 12:10")
	s.Press("enter")
	if s.Look(); len(s.All()) != 1 {
		t.Fatal("an Enter that was pressed before the question could be read makes another order")
	}
	s.grace().Press("enter")
	if s.Look(); len(s.All()) != 2 {
		t.Errorf("there are %d orders after a yes", len(s.All()))
	}
}

func TestASaleThatIsPaidTwiceNamesTheOtherOrder(t *testing.T) {
	s := open(t)
	first := s.charge()
	s.Resolve(first.Reference, payments.Finding{Kind: payments.FoundPaid, By: "Soa"})
	second := s.Charge("S1")
	s.reopen(s.Pay(second))
	s.Look().grace().Sees("! CHECK", first.Reference, "9 000 Ar", "MARKED PAID")
}
