package payments_test

import (
	"errors"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
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

const rabe = ledger.Account("customer/A1")

// owe adds an amount to what a customer owes. For an amount below zero, the customer owes less, as
// after another payment.
func (s *shop) owe(t testing.TB, account ledger.Account, amount money.Ariary) {
	t.Helper()
	sold := ledger.Transfer{At: s.now, Booked: s.now, Kind: ledger.Sale, From: ledger.Sales, To: account, Amount: amount, Till: "T1"}
	must(t, s.store.Update(t.Context(), func(tx payments.Tx) error { return tx.Post(sold.Forward()) }))
}

func debtTerms(sale string, debt ledger.Account, amount money.Ariary) payments.Terms {
	return payments.Terms{Sale: sale, Till: "T1", Debt: debt, Items: []payments.Item{{Label: "Debt", UnitPrice: amount, Quantity: 1}}}
}

func TestLinksThatCanStillBePaidCountAgainstADebt(t *testing.T) {
	s := newShop(t)
	s.owe(t, rabe, 20_000)
	first := s.checkout(t, debtTerms("D1", rabe, 9000))
	s.checkout(t, debtTerms("D2", rabe, 11_000))
	objected(t, failure(s.Checkout(t.Context(), debtTerms("D3", rabe, 1))), payments.SalePayable)
	s.checkout(t, again(debtTerms("D3", rabe, 20_000)))
	_, err := s.Checkout(t.Context(), again(debtTerms("D4", rabe, 20_001)))
	if owed, is := errors.AsType[*payments.OwedError](err); !is || owed.Owed != 20_000 || owed.Amount != 20_001 || owed.Error() == "" {
		t.Errorf("got %v", err)
	}
	s.checkout(t, again(debtTerms("D1", rabe, 9000))) // The same debt again.
	s.receive(t, event(payments.PaymentSuccess, first, ""))
	s.now = s.now.Add(12 * payments.LinkGrace)
	s.checkout(t, debtTerms("D5", rabe, 11_000)) // The links have ended.
}

func TestALinkThatPaysMoreThanIsOwedMustBeChecked(t *testing.T) {
	for name, test := range map[string]struct {
		less money.Ariary // What another payment of the debt brings meanwhile, for example in cash.
		why  []payments.Attention
	}{
		"all that is owed": {0, nil},
		"1 Ar too much":    {1, []payments.Attention{payments.DebtOverpaid}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newShop(t)
			s.owe(t, rabe, 9000)
			order := s.checkout(t, debtTerms("D1", rabe, 9000))
			s.owe(t, rabe, -test.less)
			s.receive(t, event(payments.PaymentSuccess, order, ""))
			expect := func(why ...payments.Attention) {
				t.Helper()
				order, _ = s.look(t, order.Reference)
				mustAsk(t, order, s.now, why...)
			}
			expect(test.why...)
			must(t, s.refund(t, order.Reference, area, 1000))
			expect()
			must(t, s.takeBack(t, order.Reference))
			expect(test.why...)
		})
	}
}

func TestALinkThatAPersonFoundPaidDoesNotCountAgainstTheRestOfADebt(t *testing.T) {
	s := newShop(t)
	s.owe(t, rabe, 9000)
	order := s.checkout(t, debtTerms("D1", rabe, 5000))
	must(t, failure(s.resolve(t, order.Reference, payments.Finding{Kind: payments.FoundPaid, By: "Soa"})))
	s.checkout(t, debtTerms("D2", rabe, 4000))
}
