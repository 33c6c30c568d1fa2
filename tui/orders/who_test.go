package orders_test

import (
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/tui/tuitest/shoptest"
)

// hire adds an owner, Hasina, and a cashier, Soa, to the shop.
func (s *till) hire() *till {
	s.Hire()
	return s
}

// digits types a PIN.
func (s *till) digits(pin string) *till { return s.Keys(strings.Split(pin, "")...) }

// failed creates an order that fails, and opens its details.
func (s *till) failed() *till {
	s.Fail(s.Charge("S1"), "")
	return s.Enter().Keys("enter")
}

func TestAShopWithCashiersAsksForANameAndAPIN(t *testing.T) {
	s := open(t).hire().failed()
	s.Keys("y", "enter").Sees("Who answers for this?", "› Hasina", "Soa", "PIN:   ")
	s.Keys("up").Sees("› Soa").Press("up")
	s.Sees("› Hasina").Press("1", "2", "down") // The digits are dropped with the name.
	s.digits(shoptest.SoasPIN+"8").Sees("› Soa", "PIN: ●●●●●●  ").Lacks("739")
	s.Keys("backspace").Sees("PIN: ●●●●●  ").Press("enter")
	s.Sees("MARKED PAID", "Soa").Lacks("Who answers")
	order, _, err := s.Order(t.Context(), "T1-20261121-GT-0001")
	if err != nil || order.Finding == nil || order.Finding.By != "Soa" || order.Finding.Kind != payments.FoundPaid {
		t.Errorf("%+v (%v)", order.Finding, err)
	}
}

func TestTheNextQuestionBeginsAtTheCashierWhoAnsweredLast(t *testing.T) {
	s := open(t).hire().failed()
	s.Keys("y", "enter").Sees("› Hasina").Press("s")
	s.digits("1111").Keys("enter").Sees("› Soa", "wrong").Press("esc")
	s.Keys("y", "enter").Sees("› Hasina").Press("up")
	s.digits(shoptest.SoasPIN).Keys("enter").Sees("MARKED PAID")
	s.Keys("u", "enter").Sees("› Soa").Press("h")
	s.Sees("› Hasina").Press("right")
	s.Sees("› Soa").Press("down")
	s.Sees("› Hasina")
}

func TestAWrongPINAndALockoutAreShown(t *testing.T) {
	s := open(t).hire().failed()
	s.Keys("u", "enter", "down")
	for range 4 {
		s.digits("1111").Keys("enter").Sees("The name or the PIN is wrong.", "PIN:   ")
	}
	s.digits(shoptest.SoasPIN).Lacks("wrong").Press("enter")
	s.Sees("Too many wrong PINs. Wait until 12:00:")
	s.Advance(31 * time.Second)
	s.digits(shoptest.SoasPIN).Keys("enter").Sees("MARKED UNPAID", "Soa")
}

func TestEscCancelsThePINQuestion(t *testing.T) {
	s := open(t).hire().failed()
	s.Keys("y", "enter", "1", "2", "esc").Lacks("Who answers").Sees("NOT PAID")
	s.Keys("y", "enter").Sees("PIN:   ")
	s.Keys("enter", "x").Sees("PIN:   ")
	s.digits("1234567890123").Sees("PIN: ●●●●●●●●●●●●  ")
	s.Keys("esc", "esc", "enter").Lacks("Who answers")
}

func TestAQuestionStaysWhileItsAnswerIsRecorded(t *testing.T) {
	s := open(t).hire().failed()
	s.Hold().Keys("y", "enter").Keys("esc").Sees("One moment")
	s.Release().Sees("Who answers").Press("esc", "enter")
	s.Keys("y", "enter").digits("1111")
	s.Hold().Keys("enter").Sees("One moment").Press("1", "enter", "esc")
	s.Release().Sees("The name or the PIN is wrong.").Press("esc")
	s.Lacks("Who answers", "wrong")
}
