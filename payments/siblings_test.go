package payments_test

import (
	"errors"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/storage/storagetest"
)

func TestASaleHasOnlyOneOrderUnderWay(t *testing.T) {
	s := newShop(t)
	s.answer = func(payments.Order) (payments.Created, error) {
		mustFail(t, failure(s.Checkout(t.Context(), again(terms("S1")))), payments.ErrUnderWay)
		return created("REF_1"), nil
	}
	s.charge(t, "S1")
	if len(s.asked) != 1 {
		t.Errorf("the service was asked %d times", len(s.asked))
	}
	t.Run("an unstored answer does not block a new order", func(t *testing.T) {
		s := newShop(t)
		answer := s.answer
		s.answer = func(order payments.Order) (payments.Created, error) {
			s.store.Fault = storagetest.Away
			return answer(order)
		}
		mustFail(t, failure(s.Checkout(t.Context(), terms("S1"))), storagetest.ErrDisk)
		s.store.Fault, s.answer = nil, answer
		elsewhere := payments.New(s.store, s, s.clock)
		mustFail(t, failure(elsewhere.Checkout(t.Context(), terms("S1"))), payments.ErrUnderWay)
		s.checkout(t, terms("S1")) // In the same process.
		s.now = s.now.Add(payments.CallLimit + 1)
		must(t, failure(elsewhere.Checkout(t.Context(), again(terms("S1"))))) // In another process, after the time limit of the call.
	})
	t.Run("until the end of a slow call, whose order took a while to store", func(t *testing.T) {
		s := newShop(t)
		elsewhere := payments.New(s.store, s, s.clock)
		answer, seen := s.answer, errors.New("not tried")
		s.answer = func(order payments.Order) (payments.Created, error) {
			s.answer = answer
			s.now = s.now.Add(32 * time.Second)
			_, seen = elsewhere.Checkout(t.Context(), terms("S1"))
			return answer(order)
		}
		s.checkout(t, terms("S1"))
		mustFail(t, seen, payments.ErrUnderWay)
	})
	t.Run("sending an old order again blocks a new one", func(t *testing.T) {
		s := newShop(t)
		answer := s.answer
		s.answer = func(payments.Order) (payments.Created, error) { return payments.Created{}, payments.ErrNotSent }
		order, err := s.Checkout(t.Context(), terms("S1"))
		mustFail(t, err, payments.ErrNotSent)
		s.now = s.now.Add(time.Hour)
		s.answer = func(order payments.Order) (payments.Created, error) {
			mustFail(t, failure(s.Checkout(t.Context(), terms("S1"))), payments.ErrUnderWay)
			return answer(order)
		}
		resent := terms("S1")
		resent.Reference = order.Reference
		if _, err := s.Checkout(t.Context(), resent); err != nil || len(s.asked) != 2 {
			t.Errorf("the service was asked %d times: %v", len(s.asked), err)
		}
	})
}

func TestMarkingAProvenPaymentUnpaidNeedsAReason(t *testing.T) {
	s := newShop(t)
	order := s.charge(t, "S1")
	s.receive(t, event(payments.PaymentSuccess, order, ""))
	for _, note := range []string{"", " \u200b"} {
		mustFail(t, failure(s.resolve(t, order.Reference, payments.Finding{Kind: payments.FoundUnpaid, Note: note})), payments.ErrReasonNeeded)
	}
	must(t, failure(s.resolve(t, order.Reference, payments.Finding{Kind: payments.FoundUnpaid, Note: "refunded"})))
	must(t, failure(s.resolve(t, order.Reference, payments.Finding{Kind: payments.FoundPaid})))
}

// Charging a sale or a debt again asks while a link is still valid by any of the clocks.
func TestASetClockDoesNotEndTheQuestionAboutALink(t *testing.T) {
	for _, test := range []struct {
		name            string
		wall, stopwatch time.Duration // Time since the order was made.
		asks            bool
	}{
		{"the link lives", 9 * time.Minute, 9 * time.Minute, true},
		{"it ended a moment ago", 10*time.Minute + time.Second, 10*time.Minute + time.Second, true},
		{"the customer may just have paid", 12*time.Minute - time.Second, 12*time.Minute - time.Second, true},
		{"the clock was set forward", 24 * time.Hour, time.Minute, true},
		{"the clock was set back", -time.Hour, 24 * time.Hour, true},
		{"two minutes are over by both clocks", 12 * time.Minute, 12 * time.Minute, false},
	} {
		for what, charge := range map[string][2]payments.Terms{
			"a sale": {terms("S1"), terms("S1")}, "a debt": {debtTerms("D1", rabe, 9000), debtTerms("D2", rabe, 9000)},
		} {
			t.Run(test.name+", "+what, func(t *testing.T) {
				s := newShop(t)
				elapsed := time.Duration(0)
				s.Service = payments.New(s.store, s, s.clock, payments.WithTag("GT"), payments.WithStopwatch(func() time.Duration { return elapsed }))
				s.owe(t, rabe, 9000)
				order := s.checkout(t, charge[0])
				s.now, elapsed = s.now.Add(test.wall), test.stopwatch
				if got := s.Elapsed(); got != test.stopwatch {
					t.Errorf("%v have passed", got)
				}
				_, err := s.Checkout(t.Context(), charge[1])
				if !test.asks {
					must(t, err)
				} else if asked := objected(t, err, payments.SalePayable).Order.Reference; asked != order.Reference {
					t.Errorf("asks about %q", asked)
				}
			})
		}
	}
}
