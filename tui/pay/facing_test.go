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
		s.shows(order).Sees("9 000 Ar", "Scan to pay", "F9 back").
			Lacks("next customer", "show the link", "new order", order.Reference)
		s.Press("f9")
		s.shows(order).Sees("next customer")
	})
	t.Run("esc turns it back and does not leave", func(t *testing.T) {
		s := open(t)
		order := s.charge()
		s.Press("f9", "esc")
		s.shows(order).Sees("next customer")
		if s.leaves() != 0 {
			t.Error("the cashier left")
		}
		s.Press("esc").Sees("can be paid until")
	})
	t.Run("a question is asked of the cashier, and answered", func(t *testing.T) {
		s := open(t)
		s.charge()
		s.Press("f9", "n").Sees("Make another one?").Press("esc").Sees("F9 customer view", "next customer")
	})
	t.Run("the outcome is thanked for, and stays until the cashier has seen it", func(t *testing.T) {
		s := open(t)
		order := s.charge()
		s.Press("f9")
		s.Pay(order)
		s.Look().Sees("PAID", "9 000 Ar", "Thank you!").Lacks(order.Reference)
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
		s.Look().shows(order).says("The payment was refused. You can try again.").Lacks("Solde", "next customer")
	})
	t.Run("there is nothing to turn while there is no code", func(t *testing.T) {
		s := open(t)
		s.charge()
		s.After(10 * time.Minute).Lacks("F9").Press("f9").Sees("TIME OVER")
	})
}

func TestTheCountdownChangesItsWord(t *testing.T) {
	s := open(t)
	s.charge()
	for _, step := range []struct {
		name  string
		after time.Duration
		want  string
		lacks string
	}{
		{"two minutes", 8 * time.Minute, "2:00 left, soon over", "nearly"},
		{"thirty seconds", 90 * time.Second, "0:30 left, nearly over", "soon"},
		{"the last second", 29 * time.Second, "0:01 left, nearly over", "soon"},
		{"the end", time.Second, "TIME OVER", "left"},
	} {
		t.Run(step.name, func(t *testing.T) { s.After(step.after).Sees(step.want).Lacks(step.lacks) })
	}
}
