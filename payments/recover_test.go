package payments_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"checkout/till/payments"
)

// interrupt leaves an order in the state of a crash during its order call.
func (s *shop) interrupt(t *testing.T, till string) payments.Order {
	t.Helper()
	answer := s.answer
	defer func() {
		s.answer = answer
		s.store.fault = well
	}()
	s.answer = func(order payments.Order) (payments.Created, error) {
		s.store.fault = away
		return answer(order)
	}
	given := terms("S1")
	given.Till = till
	order, err := s.Checkout(t.Context(), given)
	if !errors.Is(err, errDisk) || order.Status != payments.StatusCreating {
		t.Fatalf("%s, %v", order.Status, err)
	}
	return order
}

// recovers runs Recover for a till and checks how many orders it marks interrupted.
func (s *shop) recovers(t *testing.T, till string, want int) {
	t.Helper()
	interrupted := func() int { return strings.Count(s.store.dump(t), string(payments.ErrInterrupted)) }
	before := interrupted()
	_, err := s.Recover(t.Context(), till)
	if got := interrupted() - before; got != want || err != nil {
		t.Errorf("recovered %d, %v, want %d", got, err, want)
	}
}

func TestRecoverMarksInterruptedOrders(t *testing.T) {
	t.Run("an interrupted order has an unknown outcome", func(t *testing.T) {
		s := newShop(t)
		order := s.interrupt(t, "T1")
		s.recovers(t, "T1", 1)
		order, _ = s.look(t, order.Reference)
		if order.Status != payments.StatusUnknown || order.Reason.Fault != payments.ErrInterrupted {
			t.Errorf("%s, %q", order.Status, order.Reason)
		}
		if len(s.asked) != 1 {
			t.Errorf("the service was asked %d times", len(s.asked))
		}
		s.recovers(t, "T1", 0)
	})
	t.Run("other orders and other tills do not change", func(t *testing.T) {
		s := newShop(t)
		other := s.interrupt(t, "T2")
		s.charge(t, "S4")
		s.lose(t, "S2")
		s.answer = unsent
		if _, err := s.Checkout(t.Context(), terms("S3")); !errors.Is(err, payments.ErrNotSent) {
			t.Fatal(err)
		}
		before := s.store.dump(t)
		s.recovers(t, "T1", 0)
		if s.store.dump(t) != before {
			t.Error("something was stored")
		}
		s.recovers(t, "", 1)
		if other, _ = s.look(t, other.Reference); other.Status != payments.StatusUnknown {
			t.Errorf("status %s", other.Status)
		}
	})
	t.Run("more orders than one page holds", func(t *testing.T) {
		s := newShop(t)
		must(t, s.store.Store.Update(t.Context(), func(tx payments.Tx) error {
			for i := range 2_500 {
				given := terms("")
				given.Reference = fmt.Sprint("A-", i)
				order, err := payments.NewOrder(given, s.now)
				order.Facts.NotSent = i >= 1_400 // Not interrupted. These are the newest 1,100 orders, which fill more than a page.
				if err = errors.Join(err, tx.InsertOrder(order)); err != nil {
					return err
				}
			}
			return nil
		}))
		s.recovers(t, "T1", 1_400)
	})
	for _, test := range []struct {
		name   string
		answer func(payments.Order) (payments.Created, error)
		want   payments.Status
	}{
		{"an answer after a recovery counts", func(payments.Order) (payments.Created, error) {
			return created("REF_1"), nil
		}, payments.StatusPending},
		{"a refusal after a recovery counts", refusing, payments.StatusRejected},
		{"an order that was not sent may be sent again after a recovery", unsent, payments.StatusCreating},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newShop(t)
			s.answer = func(order payments.Order) (payments.Created, error) {
				s.recovers(t, "T1", 1)
				return test.answer(order)
			}
			if order, _ := s.Checkout(t.Context(), terms("S1")); order.Status != test.want {
				t.Errorf("status %s, want %s", order.Status, test.want)
			}
		})
	}
	t.Run("a late answer does not undo a match and its event", func(t *testing.T) {
		s := newShop(t)
		s.answer = func(order payments.Order) (payments.Created, error) {
			found := order
			found.OrderReference = "REF_9"
			s.receive(t, event(payments.PaymentSuccess, found, ""))
			must(t, failure(s.Recover(t.Context(), "T1")))
			must(t, s.Match(t.Context(), order.Reference, "REF_9", payments.Identity{}))
			return ambiguous(order)
		}
		order, err := s.Checkout(t.Context(), terms("S1"))
		if err != nil || verdict(order, s.now) != payments.VerdictPaid {
			t.Errorf("%s, %v", verdict(order, s.now), err)
		}
	})
}
