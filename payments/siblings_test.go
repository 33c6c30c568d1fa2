package payments_test

import (
	"errors"
	"testing"
	"time"

	"checkout/till/payments"
)

// The rule that a sale is charged once stands inside the transaction that makes
// the order (H3, O16).
func TestASaleThatIsPaidIsNotChargedAgainWithoutAQuestion(t *testing.T) {
	ways := map[string]func(t *testing.T, s *shop, order payments.Order){
		"paid": func(t *testing.T, s *shop, order payments.Order) {
			s.receive(t, event(payments.PaymentSuccess, order, ""))
		},
		"paid and acknowledged": func(t *testing.T, s *shop, order payments.Order) {
			s.receive(t, event(payments.PaymentSuccess, order, ""))
			if _, err := s.Acknowledge(t.Context(), order.Reference, payments.VerdictPaid, payments.Conditions{}); err != nil {
				t.Fatal(err)
			}
		},
		"marked paid": func(t *testing.T, s *shop, order payments.Order) {
			if _, err := s.resolve(t, order.Reference, payments.Finding{Paid: true}); err != nil {
				t.Fatal(err)
			}
		},
	}
	for name, pay := range ways {
		t.Run(name, func(t *testing.T) {
			s := newShop(t)
			order := s.charge(t, "S1")
			pay(t, s, order)
			before := s.store.dump(t)
			var paid *payments.AlreadyPaidError
			if _, err := s.Checkout(t.Context(), terms("S1")); !errors.As(err, &paid) || paid.Order.Reference != order.Reference ||
				err.Error() != "the sale is paid already, by order "+order.Reference {
				t.Fatalf("%v, want that %s is paid", err, order.Reference)
			}
			if len(s.asked) != 1 || s.store.dump(t) != before {
				t.Errorf("the service was asked %d times, or an order was made", len(s.asked))
			}
			asked := terms("S1")
			asked.DespitePaid = true
			if _, err := s.Checkout(t.Context(), asked); err != nil {
				t.Errorf("after the question: %v", err)
			}
		})
	}
}

func TestAnOrderOfAPaidSaleIsNotSentAgain(t *testing.T) {
	s := newShop(t)
	answer := s.answer
	s.answer = unsent
	unsent, _ := s.Checkout(t.Context(), terms("S1"))
	s.answer = answer
	s.receive(t, event(payments.PaymentSuccess, s.charge(t, "S1"), ""))
	resent := terms("S1")
	resent.Reference = unsent.Reference
	var paid *payments.AlreadyPaidError
	if _, err := s.Checkout(t.Context(), resent); !errors.As(err, &paid) {
		t.Errorf("%v, want that the sale is paid", err)
	}
}

func TestASaleWhoseLinkLivesIsNotChargedAgainWithoutAQuestion(t *testing.T) {
	s := newShop(t)
	order := s.charge(t, "S1")
	var payable *payments.StillPayableError
	if _, err := s.Checkout(t.Context(), terms("S1")); !errors.As(err, &payable) || !payable.Until.Equal(order.Link.ExpiresAt) ||
		err.Error() != "order "+order.Reference+" of the sale can still be paid until 2026-11-21T06:10:00Z" {
		t.Fatalf("%v, want that %s can still be paid", err, order.Reference)
	}
	asked := terms("S1")
	asked.DespitePayable = true
	second, err := s.Checkout(t.Context(), asked)
	if err != nil {
		t.Fatalf("after the question: %v", err)
	}
	// The answer to one question is none to the other.
	s.receive(t, event(payments.PaymentSuccess, second, ""))
	var paid *payments.AlreadyPaidError
	if _, err := s.Checkout(t.Context(), asked); !errors.As(err, &paid) {
		t.Errorf("%v, want that the sale is paid", err)
	}
	s.now = order.Link.ExpiresAt
	if _, err := s.Checkout(t.Context(), terms("S1")); !errors.As(err, &paid) {
		t.Errorf("%v when all links are over, want that the sale is paid", err)
	}
	if _, err := s.Checkout(t.Context(), terms("S2")); err != nil {
		t.Errorf("another sale: %v", err)
	}
}

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
		s.answer = func(payments.Order) (payments.Created, error) {
			s.store.fault = away
			return created("REF_1"), nil
		}
		if _, err := s.Checkout(t.Context(), terms("S1")); !errors.Is(err, errDisk) {
			t.Fatal(err)
		}
		s.store.fault = well
		s.answer = func(payments.Order) (payments.Created, error) { return created("REF_2"), nil }
		mustFail(t, failure(s.Checkout(t.Context(), terms("S1"))), payments.ErrUnderWay)
		s.now = s.now.Add(payments.OrphanGrace)
		if _, err := s.Checkout(t.Context(), terms("S1")); err != nil {
			t.Errorf("later: %v", err)
		}
	})
}

// A code that was hidden because the sale is paid stays hidden (H3b, O16).
func TestTheCodeOfAPaidSaleIsNeverShownAgain(t *testing.T) {
	s := newShop(t)
	older, newer := s.charge(t, "S1"), s.charge(t, "S1")
	if !older.Payable(s.now) || !newer.Payable(s.now) {
		t.Fatal("the codes are not shown")
	}
	s.receive(t, event(payments.PaymentSuccess, older, ""))
	hidden := func(when string, err error) {
		t.Helper()
		if newer, _ := s.look(t, newer.Reference); err != nil || newer.Payable(s.now) {
			t.Errorf("%s the code is shown, %v", when, err)
		}
	}
	hidden("at once", nil)
	_, err := s.Acknowledge(t.Context(), older.Reference, payments.VerdictPaid, payments.Conditions{})
	hidden("after the paid order was acknowledged", err)
	_, err = s.resolve(t, older.Reference, payments.Finding{Note: "refunded"})
	hidden("after the paid order was taken back", err)
	s.receive(t, event(payments.PaymentFailed, newer, ""))
	hidden("after a failed try", nil)
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
