package pay_test

import (
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/tui/tuitest"
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
			s.made(1).called(1)
			s.charges(shoptest.Terms("S1")).Press("enter") // This is before the grace period ends.
			s.Look().made(1).grace().Press("enter")
			s.Look().made(2).shows(s.newest())
		})
	}
}

// When a database server fails and another one replaces it, orders and payments may be lost that
// the screen has already shown.
func TestAnOrderMissingFromTheDatabaseIsNotShownAsPaid(t *testing.T) {
	t.Run("it is unknown until the order is back", func(t *testing.T) {
		s := open(t)
		order := s.charge()
		s.Pay(order)
		s.Look().Sees("✓ PAID")
		before := s.takeOver()
		s.Look().noCode().Sees("? UNKNOWN", order.Reference, "The database no longer has this order.").Lacks("✓", "n  new code", "n new code")
		s.grace().Press("n", "s", "l")
		s.called(1)
		s.database.Store = before
		s.Look().Sees("✓ PAID")
		s.takeOver()
		s.Look().grace().Press("enter")
		s.left(1)
	})
	t.Run("an order that lost its payment waits again", func(t *testing.T) {
		s := open(t)
		order := s.charge()
		s.Pay(order)
		s.Look().Sees("✓ PAID")
		s.takeOver()
		err := s.database.Update(t.Context(), func(tx payments.Tx) error { return tx.InsertOrder(order) })
		tuitest.Must(t, err)
		s.Look().shows(order).Sees("… WAITING")
	})
}

// takeOver replaces the database by an empty one, and returns the old one.
func (s *till) takeOver() (before drawer.Store) {
	s.t.Helper()
	before, s.database.Store = s.database.Store, shoptest.Database(s.t)
	return before
}
