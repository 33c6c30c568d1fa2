package payments_test

import (
	"errors"
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/staff"
	"checkout/till/storage/storagetest"
)

// TestAnyStoreErrorIsReturnedAndRolledBack fails each call to the store in turn. The
// caller must get the store's error, and the failed transaction must store nothing.
func TestAnyStoreErrorIsReturnedAndRolledBack(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a while")
	}
	var order payments.Order
	charge := func(t *testing.T, s *shop) {
		order = s.charge(t, "S1")
		s.receive(t, event(payments.PaymentSuccess, s.charge(t, "S1"), ""))
	}
	loseUnmatched := func(t *testing.T, s *shop) {
		order = s.lose(t, "S1")
		found := order
		found.OrderReference = "REF_9"
		s.receive(t, event(payments.PaymentSuccess, found, ""))
	}
	// naming returns a success of the order that contains another order's reference.
	naming := func(orderReference string) payments.Event {
		named := event(payments.PaymentSuccess, order, "")
		named.OrderReference, named.Reference = orderReference, payments.TextValue("T1-20261121-0002")
		return named
	}
	// miss saves the order with the order reference of a stored event, and does not apply the event.
	miss := func(t *testing.T, s *shop) {
		loseUnmatched(t, s)
		order.OrderReference = "REF_9"
		s.save(t, order)
	}
	for _, test := range []struct {
		name    string
		prepare func(*testing.T, *shop)
		act     func(*testing.T, *shop) error
		// transactions is the number of transactions in act. The transactions before the failed
		// one stay committed.
		transactions int
	}{
		{"an event that pays a sale twice", charge, func(t *testing.T, s *shop) error {
			return failure(s.Receive(t.Context(), event(payments.PaymentSuccess, order, ""), nil))
		}, 1},
		{"a success that names another order", charge, func(t *testing.T, s *shop) error {
			return failure(s.Receive(t.Context(), naming(order.OrderReference), nil))
		}, 1},
		{"a match with a success that names another order", func(t *testing.T, s *shop) {
			order = s.lose(t, "S1")
			s.receive(t, naming("REF_9"))
		}, func(t *testing.T, s *shop) error {
			return s.Match(t.Context(), order.Reference, "REF_9", staff.Identity{})
		}, 1},
		{"an event that pays a debt", func(t *testing.T, s *shop) {
			s.owe(t, rabe, 9000)
			made := s.checkout(t, debtTerms("D1", rabe, 9000))
			order = made
		}, func(t *testing.T, s *shop) error {
			return failure(s.Receive(t.Context(), event(payments.PaymentSuccess, order, ""), nil))
		}, 1},
		{"an event without an order", charge, func(t *testing.T, s *shop) error {
			return failure(s.Receive(t.Context(), event(payments.PaymentSuccess, payments.Order{OrderReference: "REF_9"}, ""), nil))
		}, 1},
		{"an unmatched event of a known order", miss, func(t *testing.T, s *shop) error {
			return failure(s.Receive(t.Context(), event(payments.PaymentSuccess, order, ""), nil))
		}, 1},
		{"a review of an unmatched event", loseUnmatched, func(t *testing.T, s *shop) error {
			unknown := event(payments.PaymentSuccess, payments.Order{OrderReference: "REF_9"}, "")
			return s.Review(t.Context(), payments.Record{Event: unknown, ID: unknown.ID()}, staff.Identity{})
		}, 1},
		{"a match", loseUnmatched, func(t *testing.T, s *shop) error {
			return s.Match(t.Context(), order.Reference, "REF_9", staff.Identity{})
		}, 1},
		{"a finding that marks an order paid", func(t *testing.T, s *shop) {
			order = s.charge(t, "S1")
			s.charge(t, "S1")
		}, func(t *testing.T, s *shop) error {
			return failure(s.Resolve(t.Context(), order.Reference, payments.Finding{Kind: payments.FoundPaid, Seen: payments.VerdictWaiting}, staff.Identity{}))
		}, 1},
		{"a finding", charge, func(t *testing.T, s *shop) error {
			return failure(s.Resolve(t.Context(), order.OrderReference, payments.Finding{Seen: payments.VerdictPaidOtherwise}, staff.Identity{}))
		}, 1},
		{"a refund of an order that was not paid", charge, func(t *testing.T, s *shop) error {
			return s.refundSeen(t, order.Reference, area, 4000, 0)
		}, 1},
		{"a refund that is taken back", func(t *testing.T, s *shop) {
			charge(t, s)
			must(t, s.refund(t, order.Reference, area, 4000))
			order, _ = s.look(t, order.Reference)
		}, func(t *testing.T, s *shop) error {
			refund, _ := order.LastRefund()
			return s.takeBackIn(t, refund)
		}, 1},
		{"an acknowledgement", charge, func(t *testing.T, s *shop) error {
			return failure(s.Acknowledge(t.Context(), order.Reference, payments.VerdictPaidOtherwise, payments.Conditions{}))
		}, 1},
		{"a sale that is saved", charge, func(t *testing.T, s *shop) error {
			return s.SaveSale(t.Context(), payments.Sale{ID: "S2", Description: "x"})
		}, 1},
		{"a sale that is dropped", charge, func(t *testing.T, s *shop) error {
			return s.SaveSale(t.Context(), payments.Sale{ID: "S2"})
		}, 1},
		{"an article that is saved", charge, func(t *testing.T, s *shop) error {
			return s.ChangeArticles(t.Context(), []payments.ArticleChange{{To: payments.Article{ID: "A1", Label: "Vary", UnitPrice: 1}}})
		}, 1},
		{"an article that is dropped", charge, func(t *testing.T, s *shop) error {
			return s.DropArticle(t.Context(), "A1")
		}, 1},
		{"a checkout after its event", func(*testing.T, *shop) {}, func(t *testing.T, s *shop) error {
			s.answer = func(order payments.Order) (payments.Created, error) {
				order.OrderReference = "REF_1"
				_, err := s.Receive(t.Context(), event(payments.PaymentSuccess, order, ""), nil)
				if err != nil && !errors.Is(err, storagetest.ErrDisk) {
					t.Error(err)
				}
				return created("REF_1"), err
			}
			_, err := s.Checkout(t.Context(), terms("S1"))
			if errors.Is(err, payments.ErrAmbiguous) {
				return storagetest.ErrDisk // The event could not be stored; the order call itself worked.
			}
			return err
		}, 3},
		{"a checkout of a debt", func(t *testing.T, s *shop) { s.owe(t, rabe, 20_000) }, func(t *testing.T, s *shop) error {
			return failure(s.Checkout(t.Context(), debtTerms("D1", rabe, 9000)))
		}, 2},
		{"a checkout of an order that was not sent", func(t *testing.T, s *shop) {
			s.answer = unsent
			order, _ = s.Checkout(t.Context(), terms("S1"))
			s.answer = func(payments.Order) (payments.Created, error) { return created("REF_1"), nil }
		}, func(t *testing.T, s *shop) error {
			given := terms("S1")
			given.Reference = order.Reference
			return failure(s.Checkout(t.Context(), given))
		}, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			for broken := 1; ; broken++ {
				s := newShop(t)
				test.prepare(t, s)
				before, asked, calls, commits := s.store.dump(t), len(s.asked), 0, 0
				s.store.Fault = func(call string) error {
					if calls++; calls == broken {
						return storagetest.ErrDisk
					}
					if call == "commit" {
						commits++
					}
					return nil
				}
				err := test.act(t, s)
				if calls < broken {
					if err != nil || commits != test.transactions {
						t.Errorf("no call failed: error %v, %d transactions, want %d", err, commits, test.transactions)
					}
					return
				}
				if !errors.Is(err, storagetest.ErrDisk) {
					t.Errorf("call %d failed, the error is %v", broken, err)
				}
				if commits == 0 && (s.store.dump(t) != before || len(s.asked) != asked) {
					t.Errorf("call %d failed, and something was stored or sent", broken)
				}
				if len(s.asked) > asked+1 {
					t.Errorf("call %d failed, and the service was asked %d times", broken, len(s.asked)-asked)
				}
			}
		})
	}
}
