package payments_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"checkout/till/payments"
)

func TestReceive(t *testing.T) {
	t.Run("W1 a success is stored, applied and noted", func(t *testing.T) {
		s := newShop()
		order := s.charge(t, "S1")
		s.now = s.now.Add(time.Minute)
		body := []byte(`{"event": "payment.success"}`)
		e := event(payments.PaymentSuccess, order, "")
		receipt, err := s.Receive(t.Context(), e, body)
		if want := (payments.Receipt{Outcome: payments.Applied, Status: payments.StatusSuccess}); err != nil || receipt != want {
			t.Errorf("receipt %+v, %v", receipt, err)
		}
		order, records := s.look(t, order.OrderReference)
		if !order.Facts.PaidAt.Equal(s.now) || order.Facts.Acknowledged || verdict(order, s.now) != payments.VerdictPaid {
			t.Errorf("%+v, %s", order.Facts, verdict(order, s.now))
		}
		if len(records) != 1 {
			t.Fatalf("%d events", len(records))
		}
		r := records[0]
		if r.Event != e || r.ID != e.ID() || r.Order != order.Reference || !r.ReceivedAt.Equal(s.now) ||
			r.Outcome != payments.Applied || r.Count != 1 || string(r.Body) != string(body) || r.BodySHA256 != sha256.Sum256(body) {
			t.Errorf("stored %+v", r)
		}
	})
	t.Run("W3 another kind is stored and changes nothing", func(t *testing.T) {
		s := newShop()
		order := s.charge(t, "S1")
		receipt := s.receive(t, event("payment.refunded", order, ""))
		if want := (payments.Receipt{Outcome: payments.Unchanged, Status: payments.StatusPending}); receipt != want {
			t.Errorf("receipt %+v", receipt)
		}
		if order, records := s.look(t, order.Reference); len(records) != 1 || !order.Facts.Acknowledged {
			t.Errorf("%d events, %+v", len(records), order.Facts)
		}
	})
	t.Run("W16 a late copy of an old failure does not turn a paid order back", func(t *testing.T) {
		s := newShop()
		order := s.charge(t, "S1")
		refusal := event(payments.PaymentFailed, order, "Solde insuffisant")
		s.receive(t, refusal)
		s.receive(t, event(payments.PaymentSuccess, order, ""))
		receipt := s.receive(t, refusal)
		if want := (payments.Receipt{Outcome: payments.Duplicate, Status: payments.StatusSuccess}); receipt != want {
			t.Errorf("receipt %+v", receipt)
		}
		order, records := s.look(t, order.Reference)
		if order.Status != payments.StatusSuccess || verdict(order, s.now) != payments.VerdictPaid {
			t.Errorf("%s, %s", order.Status, verdict(order, s.now))
		}
		if len(records) != 2 || records[0].Count != 2 || records[0].Outcome != payments.Applied {
			t.Errorf("events %+v", records)
		}
	})
	t.Run("P4 an event that had to wait counts from the moment when it came", func(t *testing.T) {
		s := newShop()
		order := s.charge(t, "S1")
		came := s.now.Add(time.Minute)
		s.now = order.Link.ExpiresAt.Add(time.Hour)
		receipt, err := s.ReceiveLate(t.Context(), event(payments.PaymentSuccess, order, ""), nil, came)
		if err != nil || receipt.Outcome != payments.Applied {
			t.Fatalf("%+v, %v", receipt, err)
		}
		order, records := s.look(t, order.Reference)
		if !order.Facts.PaidAt.Equal(came) || !records[0].ReceivedAt.Equal(came) || verdict(order, s.now) != payments.VerdictPaid {
			t.Errorf("%+v, %+v, %s", order.Facts, records[0], verdict(order, s.now))
		}
	})
	t.Run("P4 it does not come from the future when the clock was set back", func(t *testing.T) {
		s := newShop()
		order := s.charge(t, "S1")
		if _, err := s.ReceiveLate(t.Context(), event(payments.PaymentSuccess, order, ""), nil, s.now.Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		if order, _ := s.look(t, order.Reference); !order.Facts.PaidAt.Equal(s.now) {
			t.Errorf("paid at %s", order.Facts.PaidAt)
		}
	})
	t.Run("W28 a sender that hangs up costs no event", func(t *testing.T) {
		s := newShop()
		order := s.charge(t, "S1")
		ctx, hangUp := context.WithCancel(t.Context())
		hangUp()
		if receipt, err := s.Receive(ctx, event(payments.PaymentSuccess, order, ""), nil); err != nil || receipt.Outcome != payments.Applied {
			t.Errorf("%+v, %v", receipt, err)
		}
	})
}

func TestTheSameEventAtOnce(t *testing.T) {
	t.Run("W14 50 copies make one event and one change", func(t *testing.T) {
		s := newShop()
		order := s.charge(t, "S1")
		e := event(payments.PaymentSuccess, order, "")
		outcomes := make([]payments.Outcome, 50)
		var group sync.WaitGroup
		for i := range outcomes {
			group.Go(func() {
				receipt, err := s.Receive(t.Context(), e, nil)
				if err != nil || receipt.Status != payments.StatusSuccess {
					t.Errorf("receipt %+v, %v", receipt, err)
				}
				outcomes[i] = receipt.Outcome
			})
		}
		group.Wait()
		slices.Sort(outcomes)
		if outcomes[0] != payments.Applied || outcomes[1] != payments.Duplicate {
			t.Errorf("outcomes %v", outcomes)
		}
		order, records := s.look(t, order.Reference)
		if len(records) != 1 || records[0].Count != 50 || verdict(order, s.now) != payments.VerdictPaid {
			t.Errorf("events %+v, %s", records, verdict(order, s.now))
		}
	})
}

func TestEventsThatComeBeforeTheirOrder(t *testing.T) {
	t.Run("W13 the event is there before the answer to the call", func(t *testing.T) {
		s := newShop()
		s.answer = func(order payments.Order) (payments.Created, error) {
			order.OrderReference = "REF_1"
			e := event(payments.PaymentSuccess, order, "")
			if receipt := s.receive(t, e); receipt != (payments.Receipt{Outcome: payments.NoSuchOrder}) {
				t.Errorf("W11 receipt %+v", receipt)
			}
			if receipt := s.receive(t, e); receipt != (payments.Receipt{Outcome: payments.NoSuchOrder}) {
				t.Errorf("W11 receipt of a second delivery %+v", receipt)
			}
			return created("REF_1"), nil
		}
		order := s.charge(t, "S1")
		if order.Status != payments.StatusSuccess || verdict(order, s.now) != payments.VerdictPaid || order.Link.URL == "" {
			t.Errorf("%+v", order)
		}
		_, records := s.look(t, order.Reference)
		if len(records) != 1 || records[0].Outcome != payments.Applied || records[0].Count != 2 {
			t.Errorf("events %+v", records)
		}
		if waiting, _ := s.Unmatched(t.Context(), 10); len(waiting) != 0 {
			t.Errorf("unmatched %+v", waiting)
		}
	})
	t.Run("W12 several are applied in the order they came, in the transaction that learns the reference", func(t *testing.T) {
		s := newShop()
		s.answer = func(order payments.Order) (payments.Created, error) {
			order.OrderReference = "REF_1"
			other := order
			other.OrderReference = "REF_2"
			s.receive(t, event(payments.PaymentFailed, order, ""))
			s.receive(t, event(payments.PaymentSuccess, other, ""))
			s.receive(t, event(payments.PaymentSuccess, order, ""))
			s.receive(t, event("payment.refunded", order, ""))
			s.receive(t, event(payments.PaymentExpired, order, ""))
			commits := 0
			s.store.fault = func(call string) error {
				if call == "commit" {
					commits++
				}
				if call == "commit" && commits > 1 {
					return errDisk
				}
				return nil
			}
			return created("REF_1"), nil
		}
		order := s.charge(t, "S1")
		_, records := s.look(t, order.Reference)
		var outcomes []payments.Outcome
		for _, record := range records {
			outcomes = append(outcomes, record.Outcome)
		}
		want := []payments.Outcome{payments.Applied, payments.Applied, payments.Unchanged, payments.Applied}
		if !slices.Equal(outcomes, want) || order.Status != payments.StatusExpired {
			t.Errorf("outcomes %v, status %s", outcomes, order.Status)
		}
		mustAsk(t, order, s.now, payments.Contradicted)
		if waiting, _ := s.Unmatched(t.Context(), 10); len(waiting) != 1 || waiting[0].Event.OrderReference != "REF_2" {
			t.Errorf("unmatched %+v", waiting)
		}
	})
	t.Run("a kept event whose order is there after all is applied when it comes again", func(t *testing.T) {
		s := newShop()
		order := s.charge(t, "S1")
		delete(s.store.named, order.OrderReference) // As in a copy from before.
		e := event(payments.PaymentSuccess, order, "")
		s.receive(t, e)
		s.store.named[order.OrderReference] = order.Reference
		if receipt := s.receive(t, e); receipt != (payments.Receipt{Outcome: payments.Applied, Status: payments.StatusSuccess}) {
			t.Errorf("receipt %+v", receipt)
		}
		if receipt := s.receive(t, e); receipt.Outcome != payments.Duplicate {
			t.Errorf("receipt %+v", receipt)
		}
	})
}

func TestUnmatchedEventsAreBounded(t *testing.T) {
	unknown := func(kind payments.EventKind, i int) payments.Event {
		return event(kind, payments.Order{OrderReference: fmt.Sprint("REF_", i)}, "")
	}
	t.Run("W32 the oldest that is no success goes first", func(t *testing.T) {
		s := newShop()
		s.receive(t, unknown(payments.PaymentSuccess, 0))
		for i := range payments.MaxUnmatched + 500 {
			s.receive(t, unknown(payments.PaymentExpired, i+1))
		}
		waiting, err := s.Unmatched(t.Context(), 1<<20)
		if err != nil || len(waiting) != payments.MaxUnmatched {
			t.Fatalf("%d events, %v", len(waiting), err)
		}
		oldest, next := waiting[0], waiting[len(waiting)-1]
		if oldest.Event.Kind != payments.PaymentSuccess || next.Event.OrderReference != "REF_502" {
			t.Errorf("the oldest are %+v and %+v", oldest.Event, next.Event)
		}
	})
	t.Run("W32 the bound is asked for what is new alone", func(t *testing.T) {
		s := newShop()
		trims := 0
		s.store.fault = func(call string) error {
			if call == "trim" {
				trims++
			}
			return nil
		}
		order := s.charge(t, "S1")
		s.receive(t, unknown(payments.PaymentFailed, 1))
		s.receive(t, unknown(payments.PaymentFailed, 1))
		s.receive(t, event(payments.PaymentFailed, order, ""))
		if trims != 1 {
			t.Errorf("trimmed %d times", trims)
		}
	})
}

func TestMatch(t *testing.T) {
	t.Run("O13 an unmatched event is proposed for the order it fits, and a person confirms", func(t *testing.T) {
		s := newShop()
		order := s.lose(t, "S1")
		found := order
		found.OrderReference = "REF_9"
		s.now = s.now.Add(3 * time.Minute)
		arrived := s.now
		s.receive(t, event(payments.PaymentSuccess, found, ""))
		s.now = s.now.Add(24 * time.Hour)
		unknown, err := s.Orders(t.Context(), payments.Query{Till: "T1", Status: payments.StatusUnknown, Limit: 50})
		if err != nil {
			t.Fatal(err)
		}
		waiting, _ := s.Unmatched(t.Context(), 10)
		proposed, ok := payments.Propose(waiting[0].Event, unknown)
		if !ok || proposed.Reference != order.Reference {
			t.Fatalf("proposed %+v, %v", proposed, ok)
		}
		matched, err := s.Match(t.Context(), proposed.Reference, waiting[0].Event.OrderReference)
		if err != nil || matched.Status != payments.StatusSuccess || matched.OrderReference != "REF_9" || len(matched.Items) != 2 {
			t.Errorf("%+v, %v", matched, err)
		}
		if !matched.Facts.PaidAt.Equal(arrived) {
			t.Errorf("paid at %v, want the moment of the proof, %v", matched.Facts.PaidAt, arrived)
		}
		if verdict(matched, s.now) != payments.VerdictPaid {
			t.Errorf("verdict %s", verdict(matched, s.now))
		}
	})
	t.Run("without events yet it waits for them", func(t *testing.T) {
		s := newShop()
		order := s.lose(t, "S1")
		matched, err := s.Match(t.Context(), order.Reference, "REF_9")
		if err != nil || verdict(matched, s.now) != payments.VerdictUnknown {
			t.Errorf("%+v, %v", matched, err)
		}
		if receipt := s.receive(t, event(payments.PaymentExpired, matched, "")); receipt.Status != payments.StatusExpired {
			t.Errorf("receipt %+v", receipt)
		}
	})
	refused := []struct {
		name           string
		reference      func(s *shop) string
		orderReference string
		want           error
	}{
		{"no such order", func(*shop) string { return "A-1" }, "REF_9", payments.ErrNotFound},
		{"an order whose outcome is known", func(s *shop) string { return s.charge(t, "").Reference }, "REF_9", payments.ErrNotMatchable},
		{"another order's reference", func(s *shop) string { s.charge(t, ""); return s.lose(t, "").Reference }, "REF_700001", payments.ErrOrderReferenceTaken},
		{"an order that has events under another one", func(s *shop) string {
			order, err := s.Match(t.Context(), s.lose(t, "").Reference, "REF_8")
			if err != nil {
				t.Fatal(err)
			}
			s.receive(t, event("payment.refunded", order, ""))
			return order.Reference
		}, "REF_9", payments.ErrOrderReferenceTaken},
		{"no order reference", func(s *shop) string { return s.lose(t, "").Reference }, " ", payments.ErrInvalidReference},
	}
	for _, test := range refused {
		t.Run(test.name, func(t *testing.T) {
			s := newShop()
			reference := test.reference(s)
			before := s.store.snapshot()
			if _, err := s.Match(t.Context(), reference, test.orderReference); !errors.Is(err, test.want) {
				t.Errorf("error %v, want %v", err, test.want)
			}
			if !s.store.snapshot().equal(before) {
				t.Error("something was stored")
			}
		})
	}
}

func TestPropose(t *testing.T) {
	lostOrder, other := pending(), pending()
	lostOrder.Status, other.Status = payments.StatusUnknown, payments.StatusUnknown
	other.Reference = "T1-20261121-0002"
	known := pending()
	fits := event(payments.PaymentSuccess, lostOrder, "")
	with := func(change func(*payments.Event)) payments.Event { e := fits; change(&e); return e }
	tests := []struct {
		name   string
		event  payments.Event
		orders []payments.Order
		want   bool
	}{
		{"O13 reference and amount fit", fits, []payments.Order{other, lostOrder}, true},
		{"O13 an expiry fits as well", event(payments.PaymentExpired, lostOrder, ""), []payments.Order{lostOrder}, true},
		{"another amount", with(func(e *payments.Event) { e.Amount = payments.AmountValue(9001) }), []payments.Order{lostOrder}, false},
		{"another reference", with(func(e *payments.Event) { e.Reference.Text = "X" }), []payments.Order{lostOrder}, false},
		{"a reference of another type", with(func(e *payments.Event) { e.Reference.Kind = payments.Number }), []payments.Order{lostOrder}, false},
		{"an order whose outcome is known", fits, []payments.Order{known}, false},
		{"two candidates", fits, []payments.Order{lostOrder, lostOrder}, false},
		{"no orders", fits, nil, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			order, ok := payments.Propose(test.event, test.orders)
			if ok != test.want || (order.Reference == lostOrder.Reference) != test.want {
				t.Errorf("proposed %+v, %v", order, ok)
			}
		})
	}
}

func TestAnEventThatItsOrderMissedIsAppliedByTheNextDelivery(t *testing.T) {
	s := newShop()
	order := s.lose(t, "S1")
	order.OrderReference = "REF_9"
	e := event(payments.PaymentSuccess, order, "")
	s.receive(t, e)
	arrived := s.now
	if err := s.store.Update(t.Context(), func(tx payments.Tx) error { return tx.SaveOrder(order) }); err != nil {
		t.Fatal(err)
	}
	s.now = s.now.Add(time.Hour)
	for _, want := range []payments.Outcome{payments.Applied, payments.Duplicate} {
		if receipt := s.receive(t, e); receipt != (payments.Receipt{Outcome: want, Status: payments.StatusSuccess}) {
			t.Errorf("receipt %+v", receipt)
		}
	}
	order, records := s.look(t, order.Reference)
	if !order.Facts.PaidAt.Equal(arrived) || len(records) != 1 || records[0].Outcome != payments.Applied || records[0].Count != 3 {
		t.Errorf("%+v, events %+v", order.Facts, records)
	}
}

func TestASuccessThatNoOrderHasIsAMatterForAPerson(t *testing.T) {
	strays := func(s *shop) int {
		t.Helper()
		events, err := s.Unmatched(t.Context(), 100)
		if err != nil {
			t.Fatal(err)
		}
		return len(slices.DeleteFunc(events, func(r payments.Record) bool { return !r.Stray(s.now) }))
	}
	stranger := payments.Order{Reference: "X-1", OrderReference: "REF_9", Amount: 9000}
	t.Run("O13 other events that no order has raise no alarm", func(t *testing.T) {
		s := newShop()
		for _, kind := range []payments.EventKind{payments.PaymentExpired, payments.PaymentFailed, payments.PaymentCanceled, "payment.other"} {
			s.receive(t, event(kind, stranger, ""))
		}
		s.now = s.now.Add(time.Hour)
		if got := strays(s); got != 0 {
			t.Errorf("%d are strays", got)
		}
	})
	t.Run("O13 it waits for the answer of its order call", func(t *testing.T) {
		s := newShop()
		s.receive(t, event(payments.PaymentSuccess, stranger, ""))
		s.now = s.now.Add(payments.StrayGrace - time.Millisecond)
		if got := strays(s); got != 0 {
			t.Errorf("%d are strays", got)
		}
		s.now = s.now.Add(time.Millisecond)
		if got := strays(s); got != 1 {
			t.Errorf("%d are strays, want it", got)
		}
	})
	t.Run("O13 it is one until a person looked, also when it comes again", func(t *testing.T) {
		s := newShop()
		s.receive(t, event(payments.PaymentSuccess, stranger, ""))
		s.now = s.now.Add(time.Hour)
		events, _ := s.Unmatched(t.Context(), 1)
		for range 2 {
			if err := s.Notice(t.Context(), events[0]); err != nil {
				t.Fatal(err)
			}
		}
		if receipt := s.receive(t, event(payments.PaymentSuccess, stranger, "")); receipt.Outcome != payments.NoSuchOrder || strays(s) != 0 {
			t.Errorf("%+v, and %d strays", receipt, strays(s))
		}
	})
	t.Run("O13 an order that learns its name takes it though it was looked at", func(t *testing.T) {
		s := newShop()
		order := s.lose(t, "S1")
		order.OrderReference = "REF_9"
		s.receive(t, event(payments.PaymentSuccess, order, ""))
		events, _ := s.Unmatched(t.Context(), 1)
		if err := s.Notice(t.Context(), events[0]); err != nil {
			t.Fatal(err)
		}
		matched, err := s.Match(t.Context(), order.Reference, "REF_9")
		if err != nil || !matched.Paid() {
			t.Errorf("%+v, %v", matched, err)
		}
		if err := s.Notice(t.Context(), events[0]); err != nil {
			t.Fatal(err)
		}
		if _, records, _ := s.Order(t.Context(), order.Reference); len(records) != 1 || records[0].Outcome != payments.Applied {
			t.Errorf("the events are %+v", records)
		}
	})
}

// Events of one order reference are bounded, but for the proof (S9, W35).
func TestEventsOfOneOrderReferenceAreBounded(t *testing.T) {
	s := newShop()
	order := s.charge(t, "S1")
	for i := range payments.MaxEventsPerReference {
		if receipt := s.receive(t, event(payments.PaymentFailed, order, fmt.Sprint(i))); receipt.Outcome == payments.Dropped {
			t.Fatalf("event %d is dropped", i)
		}
	}
	further := event(payments.PaymentExpired, order, "further")
	want := payments.Receipt{Outcome: payments.Dropped, Status: payments.StatusFailed}
	if receipt := s.receive(t, further); receipt != want {
		t.Errorf("%+v, want %+v", receipt, want)
	}
	if receipt := s.receive(t, event(payments.PaymentFailed, order, "7")); receipt.Outcome != payments.Duplicate {
		t.Errorf("a known event is %s", receipt.Outcome)
	}
	if receipt := s.receive(t, event(payments.PaymentSuccess, order, "")); receipt.Outcome != payments.Applied {
		t.Errorf("the proof is %s", receipt.Outcome)
	}
	order, records := s.look(t, order.Reference)
	if !order.Paid() || len(records) != payments.MaxEventsPerReference+1 {
		t.Errorf("paid %v, %d events", order.Paid(), len(records))
	}
	t.Run("also of no order", func(t *testing.T) {
		order.OrderReference = "REF_none"
		for i := range payments.MaxEventsPerReference {
			s.receive(t, event(payments.PaymentFailed, order, fmt.Sprint(i)))
		}
		if receipt := s.receive(t, event(payments.PaymentFailed, order, "further")); receipt != (payments.Receipt{Outcome: payments.Dropped}) {
			t.Errorf("%+v", receipt)
		}
	})
}

// What gives way to a flood of forged successes is said (S11, W37).
func TestAFloodOfUnmatchedSuccessesIsSaid(t *testing.T) {
	s := newShop()
	order := pending()
	err := s.store.Update(t.Context(), func(tx payments.Tx) error {
		for i := range payments.MaxUnmatched {
			order.OrderReference = fmt.Sprint("REF_", i)
			forged := event(payments.PaymentSuccess, order, "")
			record := payments.Record{Event: forged, ID: forged.ID(), Outcome: payments.NoSuchOrder, ReceivedAt: s.now}
			if _, _, err := tx.Events().Insert(record); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	order.OrderReference = "REF_flood"
	if receipt := s.receive(t, event(payments.PaymentSuccess, order, "")); receipt.Outcome != payments.Dropped {
		t.Errorf("the flood is %s", receipt.Outcome)
	}
	oldest, err := s.Unmatched(t.Context(), 2*payments.MaxUnmatched)
	if err != nil || len(oldest) != payments.MaxUnmatched || oldest[len(oldest)-1].Event.OrderReference != "REF_0" {
		t.Errorf("%d are left, %v", len(oldest), err)
	}
}
