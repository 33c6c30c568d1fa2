package payments_test

import (
	"errors"
	"testing"
	"time"

	"checkout/till/payments"
)

func TestASaleIsNotChargedWhileAnOrderOfItIsBeingMade(t *testing.T) {
	s := newShop(t)
	s.answer = func(payments.Order) (payments.Created, error) {
		mustFail(t, failure(s.Checkout(t.Context(), again(terms("S1")))), payments.ErrUnderWay)
		return created("REF_1"), nil
	}
	s.charge(t, "S1")
	if len(s.asked) != 1 {
		t.Errorf("the service was asked %d times", len(s.asked))
	}
	t.Run("an answer that could not be stored holds nobody up", func(t *testing.T) {
		s := newShop(t)
		answer := s.answer
		s.answer = func(order payments.Order) (payments.Created, error) {
			s.store.fault = away
			return answer(order)
		}
		if _, err := s.Checkout(t.Context(), terms("S1")); !errors.Is(err, errDisk) {
			t.Fatal(err)
		}
		s.store.fault, s.answer = well, answer
		elsewhere := payments.New(s.store, s, s.clock)
		mustFail(t, failure(elsewhere.Checkout(t.Context(), terms("S1"))), payments.ErrUnderWay)
		if _, err := s.Checkout(t.Context(), terms("S1")); err != nil {
			t.Errorf("where it came: %v", err)
		}
		s.now = s.now.Add(payments.OrphanGrace)
		if _, err := elsewhere.Checkout(t.Context(), again(terms("S1"))); err != nil {
			t.Errorf("elsewhere, later: %v", err)
		}
	})
}

// A finding is about what the person saw (H2, O17).
func TestAFindingOfAStaleViewHidesNoPayment(t *testing.T) {
	s := newShop(t)
	order := s.charge(t, "S1")
	s.now = order.Link.ExpiresAt.Add(time.Second)
	seen := verdict(order, s.now)
	s.receive(t, event(payments.PaymentSuccess, order, ""))
	for _, paid := range []bool{false, true} {
		finding := payments.Finding{Paid: paid, By: "Soa", Note: "looked", Seen: seen}
		mustFail(t, failure(s.Resolve(t.Context(), order.Reference, finding, payments.Identity{})), payments.ErrOutdated)
	}
	if order, _ = s.look(t, order.Reference); order.Finding != nil || order.Facts.Acknowledged || !order.Open() {
		t.Errorf("the payment is hidden: %+v", order)
	}
}

func TestAProvenPaymentIsTakenBackWithAReasonAlone(t *testing.T) {
	s := newShop(t)
	order := s.charge(t, "S1")
	s.receive(t, event(payments.PaymentSuccess, order, ""))
	for _, note := range []string{"", " \u200b"} {
		mustFail(t, failure(s.resolve(t, order.Reference, payments.Finding{Note: note})), payments.ErrReasonNeeded)
	}
	if _, err := s.resolve(t, order.Reference, payments.Finding{Note: "refunded"}); err != nil {
		t.Errorf("with a reason: %v", err)
	}
	if _, err := s.resolve(t, order.Reference, payments.Finding{Paid: true}); err != nil {
		t.Errorf("found paid: %v", err)
	}
}
