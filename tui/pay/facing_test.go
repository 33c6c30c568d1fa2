package pay_test

import (
	"testing"
	"time"
)

func TestTheScreenIsTurnedToTheCustomer(t *testing.T) {
	t.Run("it shows the code and the total, and none of the cashier's keys", func(t *testing.T) {
		s := open(t)
		order := s.charge()
		s.Press("f9")
		s.shows(order).Sees("Épicerie Soa", "9 000 Ar", "2 × Vary", "7 000 Ar", "Scan to pay", "Open your phone's camera.", "F9  back").
			Lacks("Next customer", "Link", "New code", order.Reference)
		s.Press("f9")
		s.shows(order).Sees(order.Reference).Lacks("camera")
	})
	t.Run("esc turns it back and does not leave", func(t *testing.T) {
		s := open(t)
		order := s.charge()
		s.Press("f9", "esc")
		s.shows(order).Sees(order.Reference)
		if s.leaves() != 0 {
			t.Error("the cashier left")
		}
		s.Press("esc").Sees("can be paid until")
	})
	t.Run("a question is asked of the cashier, and answered", func(t *testing.T) {
		s := open(t)
		s.charge()
		s.Press("f9", "n").Sees("Make another one?").Press("esc").Lacks("Make another one?", "camera")
	})
	t.Run("the outcome is thanked for, and stays until the cashier has seen it", func(t *testing.T) {
		s := open(t)
		order := s.charge()
		s.Press("f9")
		s.Pay(order)
		s.Look().Sees("PAID", "9 000 Ar", "Thank you!")
		s.Press("enter").Sees("PAID")
		s.grace().Press("enter")
		if s.leaves() != 1 {
			t.Errorf("left %d times", s.leaves())
		}
	})
	t.Run("N3 who was refused reads that the code still holds", func(t *testing.T) {
		s := open(t)
		order := s.charge()
		s.Press("f9")
		s.Fail(order, "Solde insuffisant")
		s.Look().shows(order).says("The payment was refused. You can try again.").Lacks("Solde", "Next customer")
	})
	t.Run("there is nothing to turn while there is no code", func(t *testing.T) {
		s := open(t)
		s.charge()
		s.After(10 * time.Minute).Press("f9").Sees("TIME OVER")
	})
}

func TestN30NoKeyOfTheCashiersStandsInTheSmallestCustomersView(t *testing.T) {
	for _, size := range [][2]int{{40, 15}, {60, 20}, {200, 60}} {
		s := open(t)
		s.charge()
		s.Resize(size[0], size[1]).Press("f9").Sees("9 000 Ar", "F9").Lacks("Esc", "Next", "Copy", "New code", "Correct")
	}
}
