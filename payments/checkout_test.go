package payments_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/storage/storagetest"
)

// refusing, unsent and ambiguous are the answers of the service: a refusal, an error for a call
// that was not sent, and an error that leaves the outcome unknown.
func refusing(payments.Order) (payments.Created, error) {
	return payments.Created{}, fmt.Errorf("create order: %w", &payments.Refusal{Message: "amount: too\x1b large"})
}

func unsent(payments.Order) (payments.Created, error) {
	return payments.Created{}, payments.Reason{Fault: payments.ErrNotSent, Detail: "dial tcp: connection refused"}
}

func ambiguous(payments.Order) (payments.Created, error) {
	return payments.Created{}, errors.New("read: connection\x1b reset by peer")
}

func TestCheckoutStoresAnAcceptedOrder(t *testing.T) {
	s := newShop(t)
	sale := s.NewSale("T1")
	sale.Description = "Latabatra 4"
	must(t, s.SaveSale(t.Context(), sale))
	s.answer = func(order payments.Order) (payments.Created, error) {
		stored, _ := s.look(t, order.Reference)
		if stored.Status != payments.StatusCreating || stored.Amount != 9000 || len(order.Items) != 2 {
			t.Errorf("during the call the store has %+v", stored)
		}
		if verdict(stored, s.now) != payments.VerdictWaiting || !stored.Open() {
			t.Errorf("verdict %s during the call", verdict(stored, s.now))
		}
		s.now = s.now.Add(20 * time.Second) // The answer comes 20 seconds after the call.
		return created("REF_700001"), nil
	}
	order := s.charge(t, sale.ID)
	if order.Status != payments.StatusPending || order.OrderReference != "REF_700001" || order.Reason != (payments.Reason{}) {
		t.Errorf("order %+v", order)
	}
	want := payments.Link{URL: "https://pay.example/REF_700001", ExpiresAt: opening().Add(10 * time.Minute)}
	if order.Link != want {
		t.Errorf("link %+v, want %+v: its time starts with the call", order.Link, want)
	}
	if sales, _ := s.Sales(t.Context(), "T1"); len(sales) != 0 {
		t.Errorf("the sale is still being entered: %v", sales)
	}
	if len(s.asked) != 1 {
		t.Errorf("the service was asked %d times", len(s.asked))
	}
	s.answer = func(payments.Order) (payments.Created, error) { return created("REF_700002"), nil }
	if other := s.charge(t, sale.ID); other.Sale != order.Sale || other.Reference == order.Reference {
		t.Errorf("another order of the sale is %+v", other)
	}
	t.Run("an assumed lifetime is recorded", func(t *testing.T) {
		s.answer = func(payments.Order) (payments.Created, error) {
			answer := created("REF_700003")
			answer.Assumed = true
			return answer, nil
		}
		if order := s.charge(t, ""); !order.Link.Assumed {
			t.Errorf("link %+v", order.Link)
		}
	})
}

func TestCheckoutReportsRefusedUnsentAndUnknownOrders(t *testing.T) {
	for _, test := range []struct {
		name    string
		answer  func(payments.Order) (payments.Created, error)
		status  payments.Status
		verdict payments.Verdict
		reason  string
		says    string // End of the error.
		asks    []payments.Attention
	}{
		{
			"refused", refusing, payments.StatusRejected, payments.VerdictRejected,
			"amount: too large", "refused by the payment service: amount: too\x1b large", nil,
		},
		{
			"not sent", unsent, payments.StatusCreating, payments.VerdictNotSent,
			"the order was not sent: dial tcp: connection refused", "the order was not sent: dial tcp: connection refused", nil,
		},
		{
			"no valid answer", ambiguous, payments.StatusUnknown, payments.VerdictUnknown, "read: connection reset by peer",
			"the outcome of the order call is unknown: read: connection reset by peer",
			[]payments.Attention{payments.UnknownOutcome},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newShop(t)
			sale := s.NewSale("T1")
			sale.Items = terms("").Items
			must(t, s.SaveSale(t.Context(), sale))
			s.answer = test.answer
			order, err := s.Checkout(t.Context(), terms(sale.ID))
			if !errors.As(err, new(*payments.Refusal)) && !errors.Is(err, payments.ErrNotSent) && !errors.Is(err, payments.ErrAmbiguous) ||
				!strings.HasSuffix(err.Error(), test.says) {
				t.Errorf("error %q", err)
			}
			stored, _ := s.look(t, order.Reference)
			if order.Status != test.status || stored.Status != test.status || order.Reason.Error() != test.reason {
				t.Errorf("%s, stored %s, error %q, want %s, %q", order.Status, stored.Status, order.Reason, test.status, test.reason)
			}
			if verdict(order, s.now) != test.verdict || order.Link.URL != "" || order.Facts.NotSent != errors.Is(err, payments.ErrNotSent) {
				t.Errorf("verdict %s, %+v", verdict(order, s.now), order)
			}
			mustAsk(t, order, s.now, test.asks...)
			if sales, _ := s.Sales(t.Context(), "T1"); len(sales) != 1 {
				t.Error("the sale is gone, and cannot be corrected")
			}
			if len(s.asked) != 1 {
				t.Errorf("the service was asked %d times", len(s.asked))
			}
		})
	}
	t.Run("an order without items is not sent", func(t *testing.T) {
		s := newShop(t)
		for _, reference := range []string{"", "given"} {
			mustFail(t, failure(s.Checkout(t.Context(), payments.Terms{Till: "T1", Reference: reference})), payments.ErrNoItems)
		}
		if stored := s.store.dump(t); len(s.asked) != 0 || stored != "" {
			t.Errorf("asked %v, stored %s", s.asked, stored)
		}
	})
	t.Run("an answer is stored even if the context ended meanwhile", func(t *testing.T) {
		s := newShop(t)
		ctx, leave := context.WithCancel(t.Context())
		s.answer = func(payments.Order) (payments.Created, error) { leave(); return created("REF_1"), nil }
		if order, err := s.Checkout(ctx, terms("S1")); err != nil || order.Status != payments.StatusPending {
			t.Errorf("%s, %v", order.Status, err)
		}
	})
}

func TestCheckoutWhenTheAnswerCannotBeStored(t *testing.T) {
	taken := func(payments.Order) (payments.Created, error) { return created("REF_1"), nil }
	for _, test := range []struct {
		name      string
		answer    func(payments.Order) (payments.Created, error)
		fault     func(string) error // Makes calls to the store fail after the service has answered.
		reference string
		unknown   bool
	}{
		{"the order is accepted", taken, storagetest.Away, "REF_1", true},
		{"the order cannot be read", taken, storagetest.Only("order"), "REF_1", true},
		{"the answer is not valid", ambiguous, storagetest.Away, "", true},
		{"the order is refused", refusing, storagetest.Away, "", false},
		{"the order is not sent", unsent, storagetest.Away, "", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newShop(t)
			s.answer = func(order payments.Order) (payments.Created, error) {
				s.store.Fault = test.fault
				return test.answer(order)
			}
			_, err := s.Checkout(t.Context(), terms("S1"))
			mustFail(t, err, storagetest.ErrDisk)
			if errors.Is(err, payments.ErrAmbiguous) != test.unknown {
				t.Errorf("error %v", err)
			}
			unstored, _ := errors.AsType[*payments.UnstoredError](err)
			if !test.unknown {
				return
			}
			if !strings.HasPrefix(err.Error(), payments.ErrAmbiguous.Error()+": ") {
				t.Errorf("error %v, want the prefix of ErrAmbiguous", err)
			}
			order := unstored.Order
			if order.OrderReference != test.reference || order.Link != (payments.Link{}) || len(order.Items) != 2 {
				t.Errorf("got %+v, want no link: another order may be made", order)
			}
			if verdict(order, s.now) != payments.VerdictUnknown || order.Status != payments.StatusUnknown {
				t.Errorf("verdict %s, status %s", verdict(order, s.now), order.Status)
			}
		})
	}
}

func TestCheckoutWhenItIsNotKnownWhetherTheOrderIsStored(t *testing.T) {
	for _, stored := range []bool{true, false} {
		s := newShop(t)
		s.store.Fault = func(call string) error {
			if call == "commit" && !stored || call == "answer to the commit" {
				return payments.ErrCommitUnknown
			}
			return nil
		}
		order, err := s.Checkout(t.Context(), terms("S1"))
		mustFail(t, err, payments.ErrAmbiguous)
		mustFail(t, err, payments.ErrCommitUnknown)
		if len(s.asked) != 0 || order.Reference == "" {
			t.Errorf("stored %v: %d orders were sent, got %+v", stored, len(s.asked), order)
		}
		s.store.Fault = nil
		s.checkout(t, terms("S1"))
	}
}

func TestAnOrderWithALostCommitIsSentAgain(t *testing.T) {
	s, given := newShop(t), terms("S1")
	s.answer = func(order payments.Order) (payments.Created, error) {
		s.store.Fault = func(call string) error {
			if call == "answer to the commit" {
				return payments.ErrCommitUnknown
			}
			return nil
		}
		return unsent(order)
	}
	order, err := s.Checkout(t.Context(), given)
	mustFail(t, err, payments.ErrCommitUnknown)
	s.store.Fault = nil
	if order, _ = s.look(t, order.Reference); verdict(order, s.now) != payments.VerdictNotSent {
		t.Errorf("verdict %s, status %s", verdict(order, s.now), order.Status)
	}
	given.Reference = order.Reference
	s.answer = func(payments.Order) (payments.Created, error) {
		if order, _ := s.look(t, order.Reference); !order.Sending() {
			t.Errorf("during the call: status %s", order.Status)
		}
		return created("REF_1"), nil
	}
	must(t, failure(s.Checkout(t.Context(), given)))
}

func TestATakenOrderReferenceMakesTheOutcomeUnknown(t *testing.T) {
	s := newShop(t)
	first := s.charge(t, "S1")
	s.answer = func(payments.Order) (payments.Created, error) { return created(first.OrderReference), nil }
	second, err := s.Checkout(t.Context(), terms("S2"))
	if !errors.Is(err, payments.ErrAmbiguous) || !strings.HasSuffix(err.Error(), payments.ErrOrderReferenceTaken.Error()) {
		t.Errorf("error %v", err)
	}
	if second.OrderReference != "" || second.Link.URL != "" || verdict(second, s.now) != payments.VerdictUnknown {
		t.Errorf("%+v", second)
	}
	mustAsk(t, second, s.now, payments.UnknownOutcome)
	s.receive(t, event(payments.PaymentSuccess, first, ""))
	first, _ = s.look(t, first.Reference)
	second, _ = s.look(t, second.Reference)
	if !first.Paid() || second.Paid() {
		t.Errorf("events do not go to the other order: first paid %v, second paid %v", first.Paid(), second.Paid())
	}
}

func TestOnlyAnUnsentOrderIsSentAgain(t *testing.T) {
	setUp := func(t *testing.T) (*shop, payments.Order, payments.Terms) {
		s, given := newShop(t), terms("S1")
		s.answer = unsent
		order, err := s.Checkout(t.Context(), given)
		mustFail(t, err, payments.ErrNotSent)
		s.answer = func(payments.Order) (payments.Created, error) { return created("REF_1"), nil }
		given.Reference = order.Reference
		return s, order, given
	}
	t.Run("the order keeps its reference", func(t *testing.T) {
		s, order, given := setUp(t)
		s.now = s.now.Add(time.Hour)
		again, err := s.Checkout(t.Context(), given)
		if err != nil || again.Reference != order.Reference || again.Status != payments.StatusPending {
			t.Fatalf("%+v, %v", again, err)
		}
		if again.Facts.NotSent || again.Reason != (payments.Reason{}) || !again.CreatedAt.Equal(order.CreatedAt) {
			t.Errorf("%+v", again)
		}
		if want := s.now.Add(10 * time.Minute); !again.Link.ExpiresAt.Equal(want) {
			t.Errorf("the link ends at %v, want %v", again.Link.ExpiresAt, want)
		}
		if len(s.asked) != 2 || len(s.asked[1].Items) != 2 || s.asked[1].Amount != 9000 {
			t.Errorf("the service was asked for %+v", s.asked[1:])
		}
	})
	t.Run("it may fail to be sent more than once", func(t *testing.T) {
		s, _, given := setUp(t)
		taken := s.answer
		s.answer = unsent
		mustFail(t, failure(s.Checkout(t.Context(), given)), payments.ErrNotSent)
		s.answer = taken
		s.checkout(t, given)
	})
	t.Run("only one of two concurrent calls is sent", func(t *testing.T) {
		s, order, given := setUp(t)
		s.store.Fault = func(call string) error {
			// Another call takes the order first.
			if call == "begin" {
				s.store.Fault = nil
				order.Facts.NotSent = false
				s.save(t, order)
			}
			return nil
		}
		mustFail(t, failure(s.Checkout(t.Context(), given)), payments.ErrReferenceTaken)
		if len(s.asked) != 1 {
			t.Errorf("the service was asked %d times", len(s.asked))
		}
	})
	refused := []struct {
		name   string
		change func(*testing.T, *shop, *payments.Terms)
		want   error
	}{
		{"other items are refused", func(_ *testing.T, _ *shop, given *payments.Terms) {
			given.Items[0].Quantity = 3
		}, payments.ErrReferenceTaken},
		{"another description is refused", func(_ *testing.T, _ *shop, given *payments.Terms) {
			given.Description = "x"
		}, payments.ErrReferenceTaken},
		{"no items are refused", func(_ *testing.T, _ *shop, given *payments.Terms) { given.Items = nil }, payments.ErrNoItems},
		{"an order that was sent is not sent again", func(t *testing.T, s *shop, given *payments.Terms) {
			must(t, failure(s.Checkout(t.Context(), *given)))
		}, payments.ErrReferenceTaken},
		{"an order whose outcome is unknown is not sent again", func(t *testing.T, s *shop, given *payments.Terms) {
			s.answer = ambiguous
			mustFail(t, failure(s.Checkout(t.Context(), *given)), payments.ErrAmbiguous)
		}, payments.ErrReferenceTaken},
		{"an order that a person resolved is not sent again", func(t *testing.T, s *shop, given *payments.Terms) {
			must(t, failure(s.resolve(t, given.Reference, payments.Finding{Kind: payments.FoundUnpaid})))
		}, payments.ErrReferenceTaken},
	}
	for _, test := range refused {
		t.Run(test.name, func(t *testing.T) {
			s, _, given := setUp(t)
			test.change(t, s, &given)
			before, asked := s.store.dump(t), len(s.asked)
			mustFail(t, failure(s.Checkout(t.Context(), given)), test.want)
			if s.store.dump(t) != before || len(s.asked) != asked {
				t.Error("something was stored or sent")
			}
		})
	}
}
