package payments_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/staff"
	"checkout/till/storage/storagetest"
)

// interrupt stores an order that another program was sending when it crashed.
func (s *shop) interrupt(t *testing.T) payments.Order {
	t.Helper()
	answer := s.answer
	defer func() {
		s.answer = answer
		s.store.Fault = nil
	}()
	s.answer = func(order payments.Order) (payments.Created, error) {
		s.store.Fault = storagetest.Away
		return answer(order)
	}
	crashed := payments.New(s.store, s, s.clock, payments.WithTag("GT"))
	order, err := crashed.Checkout(t.Context(), terms("S1"))
	if !errors.Is(err, storagetest.ErrDisk) || order.Status != payments.StatusCreating {
		t.Fatalf("%s, %v", order.Status, err)
	}
	return order
}

// statuses returns the status of an order in each way to read it: by its reference, in a list, in
// the overview of a console, and in a query for the status.
func (s *shop) statuses(t *testing.T, ref string) (found []payments.Status) {
	t.Helper()
	order, _ := s.look(t, ref)
	listed, err := s.Orders(t.Context(), payments.Query{})
	must(t, err)
	view, err := s.Overview(t.Context(), "T1", s.now, 9)
	must(t, err)
	for _, order := range slices.Concat([]payments.Order{order}, listed, view.Open, view.Attention) {
		found = append(found, order.Status)
	}
	for _, status := range payments.Statuses() {
		selected, err := s.Orders(t.Context(), payments.Query{Status: status})
		must(t, err)
		for range selected {
			found = append(found, status)
		}
	}
	return found
}

// The outcome becomes unknown when the time is over: no program has to start for this.
func TestAnInterruptedCallReadsAsUnknownOnceItsTimeIsOver(t *testing.T) {
	for _, test := range []struct {
		name    string
		elapsed time.Duration
		want    payments.Status
	}{
		{"just begun", 0, payments.StatusCreating},
		{"the last moment", payments.CallLimit, payments.StatusCreating},
		{"the time is over", payments.CallLimit + time.Second, payments.StatusUnknown},
		{"years later", 20_000 * time.Hour, payments.StatusUnknown},
		{"the clock was set back", -time.Hour, payments.StatusUnknown},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newShop(t)
			order := s.interrupt(t)
			before := s.store.dump(t)
			s.now = s.now.Add(test.elapsed)
			for _, status := range s.statuses(t, order.Reference) {
				if status != test.want {
					t.Errorf("status %s, want %s", status, test.want)
				}
			}
			order, _ = s.look(t, order.Reference)
			unknown := test.want == payments.StatusUnknown
			if got := verdict(order, s.now) == payments.VerdictUnknown; got != unknown {
				t.Errorf("verdict %s", verdict(order, s.now))
			}
			if unknown && (order.Reason.Fault != payments.ErrInterrupted || order.Facts.Acknowledged || !order.NeedsAttention(s.now)) {
				t.Errorf("nobody has to look at it: %+v", order)
			}
			if s.store.dump(t) != before {
				t.Error("something was stored")
			}
		})
	}
}

func TestAnInterruptedOrderCanBeSeenMatchedAndFound(t *testing.T) {
	interrupted := func(t *testing.T) (*shop, payments.Order) {
		s := newShop(t)
		order := s.interrupt(t)
		s.now = s.now.Add(time.Minute)
		return s, order
	}
	t.Run("another program of the shop proposes its payment, and a match applies it", func(t *testing.T) {
		s, order := interrupted(t)
		found := order
		found.OrderReference = "REF_9"
		s.receive(t, event(payments.PaymentSuccess, found, ""))
		console := payments.New(s.store, nil, s.clock)
		view, err := console.Overview(t.Context(), "T2", s.now, 9)
		if err != nil || len(view.Attention) != 1 || len(view.Unmatched) != 1 || !view.Attention[0].Fits(view.Unmatched[0].Event) {
			t.Errorf("%+v, %v", view, err)
		}
		if order = s.match(t, order.Reference, "REF_9"); verdict(order, s.now) != payments.VerdictPaid {
			t.Errorf("verdict %s", verdict(order, s.now))
		}
	})
	t.Run("a person sees it, and finds it unpaid", func(t *testing.T) {
		s, order := interrupted(t)
		seen, err := s.Acknowledge(t.Context(), order.Reference, payments.VerdictUnknown, payments.Conditions{})
		if err != nil || !seen.Facts.Acknowledged || verdict(seen, s.now) != payments.VerdictUnknown {
			t.Errorf("%+v, %v", seen, err)
		}
		found, err := s.resolve(t, order.Reference, payments.Finding{Kind: payments.FoundUnpaid, By: "Soa"})
		if err != nil || verdict(found, s.now) != payments.VerdictMarkedUnpaid {
			t.Errorf("%+v, %v", found, err)
		}
	})
}

func TestAnAnswerAfterTheTimeLimitStillCounts(t *testing.T) {
	for _, test := range []struct {
		name   string
		answer func(payments.Order) (payments.Created, error)
		want   payments.Status
	}{
		{"an order", func(payments.Order) (payments.Created, error) { return created("REF_1"), nil }, payments.StatusPending},
		{"a refusal", refusing, payments.StatusRejected},
		{"nothing was sent, so it may be sent again", unsent, payments.StatusCreating},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newShop(t)
			s.answer = func(order payments.Order) (payments.Created, error) {
				s.now = s.now.Add(time.Minute)
				return test.answer(order)
			}
			order, _ := s.Checkout(t.Context(), terms("S1"))
			if order, _ = s.look(t, order.Reference); order.Status != test.want {
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
			s.now = s.now.Add(time.Minute)
			must(t, s.Match(t.Context(), order.Reference, "REF_9", staff.Identity{}))
			return ambiguous(order)
		}
		order, err := s.Checkout(t.Context(), terms("S1"))
		if err != nil || verdict(order, s.now) != payments.VerdictPaid {
			t.Errorf("%s, %v", verdict(order, s.now), err)
		}
	})
}
