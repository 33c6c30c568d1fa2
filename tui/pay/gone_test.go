package pay_test

import (
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

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
		if made := len(s.Calls()); made != 1 {
			t.Errorf("got %d order calls, want 1", made)
		}
		s.database.Store = before
		s.Look().Sees("✓ PAID")
		s.takeOver()
		s.Look().grace().Press("enter")
		if s.leaves() != 1 {
			t.Error("the cashier cannot leave the order")
		}
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
