package payments_test

import (
	"crypto/sha256"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
	"checkout/till/storage/storagetest"
)

func TestReceiveStoresAndAppliesASuccess(t *testing.T) {
	t.Run("a success of another amount, and a repeated one, prove nothing", func(t *testing.T) {
		s := newShop(t)
		order := s.charge(t, "S1")
		wrong := event(payments.PaymentSuccess, order, "")
		wrong.Amount = payments.AmountValue(order.Amount - 1)
		if receipt := s.receive(t, wrong); receipt.Effect != payments.Applied || receipt.Proven != 0 {
			t.Errorf("another amount: receipt %+v", receipt)
		}
		right := event(payments.PaymentSuccess, order, "")
		if receipt := s.receive(t, right); receipt.Proven != order.Amount {
			t.Errorf("the right amount: receipt %+v", receipt)
		}
		if receipt := s.receive(t, right); receipt.Proven != 0 {
			t.Errorf("again: receipt %+v", receipt)
		}
	})
	t.Run("a success is stored and applied at once", func(t *testing.T) {
		s := newShop(t)
		order := s.charge(t, "S1")
		s.now = s.now.Add(time.Minute)
		body := []byte(`{"event": "payment.success"}`)
		e := event(payments.PaymentSuccess, order, "")
		receipt, err := s.Receive(t.Context(), e, body)
		if want := (payments.Receipt{Effect: payments.Applied, Status: payments.StatusSuccess, Proven: 9000, Order: order.Reference}); err != nil || receipt != want {
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
			r.Effect != payments.Applied || r.Count != 1 || r.BodySHA256 != sha256.Sum256(body) {
			t.Errorf("stored %+v", r)
		}
		s.now = s.now.Add(time.Minute)
		s.receive(t, event(payments.PaymentSuccess, order, "again"))
		if again, _ := s.look(t, order.Reference); !again.Facts.PaidAt.Equal(order.Facts.PaidAt) {
			t.Errorf("another success moves the time of the payment to %v", again.Facts.PaidAt)
		}
	})
	for _, late := range []struct {
		name       string
		came, want time.Duration // Time since opening. The event is stored an hour after the link ended.
	}{
		{"a delayed event counts from its arrival", time.Minute, time.Minute},
		{"an arrival in the future counts as now", 9 * time.Hour, 70 * time.Minute},
	} {
		t.Run(late.name, func(t *testing.T) {
			s := newShop(t)
			order := s.charge(t, "S1")
			s.now = order.Link.ExpiresAt.Add(time.Hour)
			e := event(payments.PaymentSuccess, order, "")
			receipt, err := s.ReceiveLate(t.Context(), e, nil, opening().Add(late.came))
			if err != nil || receipt.Effect != payments.Applied {
				t.Fatalf("%+v, %v", receipt, err)
			}
			order, records := s.look(t, order.Reference)
			if want := opening().Add(late.want); !order.Facts.PaidAt.Equal(want) || !records[0].ReceivedAt.Equal(want) {
				t.Errorf("%+v, %+v", order.Facts, records[0])
			}
		})
	}
}

// A success that may be meant for another order is no proof, and a person must look at it.
func TestWhichSuccessIsAProof(t *testing.T) {
	text := payments.TextValue
	for _, test := range []struct {
		name   string
		change func(e *payments.Event, other payments.Order)
		came   time.Duration // Time since the order was made.
		why    []payments.Attention
	}{
		{"the order's own reference", func(*payments.Event, payments.Order) {}, time.Minute, nil},
		{"a reference in another format", func(e *payments.Event, _ payments.Order) { e.Reference = text("PAY_83442") }, 0, nil},
		{"no reference", func(e *payments.Event, _ payments.Order) { e.Reference = payments.Value{} }, 0, nil},
		{"a reference that is no reference", func(e *payments.Event, _ payments.Order) { e.Reference = text("\x00\xff") }, 0, nil},
		{"another order's own reference", func(e *payments.Event, other payments.Order) { e.Reference = text(other.Reference) }, 0, []payments.Attention{payments.OtherReference}},
		{"another order's reference as a number", func(e *payments.Event, other payments.Order) {
			e.Reference = payments.Value{Kind: payments.Other, Text: other.Reference}
		}, 0, nil},
		{"it came two minutes before the order was made", func(*payments.Event, payments.Order) {}, -payments.ClockGrace, nil},
		{"it came earlier", func(*payments.Event, payments.Order) {}, -payments.ClockGrace - time.Millisecond, []payments.Attention{payments.TooEarly}},
		{"it came before both orders were made, and names the other", func(e *payments.Event, other payments.Order) {
			e.Reference = text(other.Reference)
		}, -time.Hour, []payments.Attention{payments.TooEarly}},
	} {
		for _, path := range []string{"the order is known", "the order is matched later"} {
			t.Run(test.name+", and "+path, func(t *testing.T) {
				s := newShop(t)
				other := s.charge(t, "S2")
				order := s.charge(t, "S1")
				e := event(payments.PaymentSuccess, order, "")
				match := func() {}
				if path != "the order is known" {
					order = s.lose(t, "S3")
					e = event(payments.PaymentSuccess, order, "")
					e.OrderReference = "REF_9"
					match = func() { must(t, s.Match(t.Context(), order.Reference, "REF_9", staff.Identity{})) }
				}
				test.change(&e, other)
				s.now = opening().Add(time.Minute)
				must(t, failure(s.ReceiveLate(t.Context(), e, []byte("{}"), opening().Add(test.came))))
				match()
				order, _ = s.look(t, order.Reference)
				if order.Paid() != (test.why == nil) || !order.Facts.SuccessSeen || order.Status != payments.StatusSuccess {
					t.Errorf("paid: %t, status %s", order.Paid(), order.Status)
				}
				mustAsk(t, order, s.now, test.why...)
			})
		}
	}
}

func TestASuccessAfterTheClockWasSetBackIsAProof(t *testing.T) {
	for name, test := range map[string]struct {
		age   time.Duration // Time since the event came.
		proof bool
	}{
		"it comes now":                     {0, true},
		"it came by a relay or the outbox": {payments.ClockGrace, true},
		"it waited for longer":             {payments.ClockGrace + time.Millisecond, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := newShop(t)
			order := s.charge(t, "S1")
			s.now = s.now.Add(-time.Hour)
			must(t, failure(s.ReceiveLate(t.Context(), event(payments.PaymentSuccess, order, ""), []byte("{}"), s.now.Add(-test.age))))
			order, records := s.look(t, order.Reference)
			if order.Paid() != test.proof || test.proof && !records[0].ReceivedAt.Equal(order.CreatedAt) {
				t.Errorf("paid: %t, %+v", order.Paid(), records)
			}
		})
	}
}

func TestEarlyEventsAreAppliedOnceTheOrderIsKnown(t *testing.T) {
	t.Run("several are applied in order, in the transaction that stores the reference", func(t *testing.T) {
		s := newShop(t)
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
			s.store.Fault = func(call string) error {
				if call == "commit" {
					commits++
				}
				if call == "commit" && commits > 1 {
					return storagetest.ErrDisk
				}
				return nil
			}
			return created("REF_1"), nil
		}
		order := s.charge(t, "S1")
		_, records := s.look(t, order.Reference)
		var outcomes []payments.Effect
		for _, record := range records {
			outcomes = append(outcomes, record.Effect)
		}
		want := []payments.Effect{payments.Applied, payments.Applied, payments.Unchanged, payments.Applied}
		if !slices.Equal(outcomes, want) || order.Status != payments.StatusExpired {
			t.Errorf("outcomes %v, status %s", outcomes, order.Status)
		}
		mustAsk(t, order, s.now, payments.Contradicted)
		if waiting, _ := s.Unmatched(t.Context(), 10); len(waiting) != 1 || waiting[0].Event.OrderReference != "REF_2" {
			t.Errorf("unmatched %+v", waiting)
		}
	})
	t.Run("Checkout returns the order as it is stored after them", func(t *testing.T) {
		s := newShop(t)
		first := s.charge(t, "S1")
		s.receive(t, event(payments.PaymentSuccess, first, ""))
		s.answer = func(order payments.Order) (payments.Created, error) {
			order.OrderReference = "REF_1"
			s.receive(t, event(payments.PaymentSuccess, order, ""))
			return created("REF_1"), nil
		}
		order := s.charge(t, "S1")
		mustAsk(t, order, s.now, payments.PaidTwice)
		stored, _ := s.look(t, order.Reference)
		stored.PaidWith, stored.Transfers = nil, nil // Only a Reader sets them.
		if !reflect.DeepEqual(order, stored) {
			t.Errorf("returned %+v, stored %+v", order, stored)
		}
	})
	t.Run("a second delivery applies an unmatched event of a known order", func(t *testing.T) {
		s := newShop(t)
		order := s.lose(t, "S1")
		order.OrderReference = "REF_9"
		e := event(payments.PaymentSuccess, order, "")
		s.receive(t, e)
		s.save(t, order)
		if receipt := s.receive(t, e); receipt != (payments.Receipt{Effect: payments.Applied, Status: payments.StatusSuccess, Proven: 9000, Order: order.Reference}) {
			t.Errorf("receipt %+v", receipt)
		}
		if receipt := s.receive(t, e); receipt.Effect != payments.Duplicate {
			t.Errorf("receipt %+v", receipt)
		}
	})
}

// match gives an order its order reference and returns the order.
func (s *shop) match(t *testing.T, reference, orderReference string) payments.Order {
	t.Helper()
	must(t, s.Match(t.Context(), reference, orderReference, staff.Identity{}))
	order, _ := s.look(t, reference)
	return order
}

func TestMatchGivesAnOrderItsOrderReference(t *testing.T) {
	t.Run("an event that fits the order is matched and applied", func(t *testing.T) {
		s := newShop(t)
		order := s.lose(t, "S1")
		found := order
		found.OrderReference = "REF_9"
		s.now = s.now.Add(3 * time.Minute)
		arrived := s.now
		s.receive(t, event(payments.PaymentSuccess, found, ""))
		s.now = s.now.Add(24 * time.Hour)
		waiting, _ := s.Unmatched(t.Context(), 10)
		if !order.Fits(waiting[0].Event) {
			t.Fatalf("%+v does not fit %+v", waiting[0].Event, order)
		}
		matched := s.match(t, order.Reference, waiting[0].Event.OrderReference)
		if matched.Status != payments.StatusSuccess || matched.OrderReference != "REF_9" || len(matched.Items) != 2 {
			t.Errorf("%+v", matched)
		}
		if !matched.Facts.PaidAt.Equal(arrived) {
			t.Errorf("paid at %v, want the moment of the proof, %v", matched.Facts.PaidAt, arrived)
		}
		if verdict(matched, s.now) != payments.VerdictPaid {
			t.Errorf("verdict %s", verdict(matched, s.now))
		}
	})
	t.Run("without events the outcome stays unknown", func(t *testing.T) {
		s := newShop(t)
		order := s.lose(t, "S1")
		matched := s.match(t, order.Reference, "REF_9")
		if verdict(matched, s.now) != payments.VerdictUnknown {
			t.Errorf("%+v", matched)
		}
		if receipt := s.receive(t, event(payments.PaymentExpired, matched, "")); receipt.Status != payments.StatusExpired {
			t.Errorf("receipt %+v", receipt)
		}
	})
	for _, test := range []struct {
		name           string
		reference      func(s *shop) string
		orderReference string
		want           error
	}{
		{"no such order", func(*shop) string { return "A-1" }, "REF_9", payments.ErrNotFound},
		{"an order whose outcome is known", func(s *shop) string { return s.charge(t, "").Reference }, "REF_9", payments.ErrNotMatchable},
		{"another order's reference", func(s *shop) string {
			s.charge(t, "")
			return s.lose(t, "").Reference
		}, "REF_700001", payments.ErrOrderReferenceTaken},
		{"an order that has another order reference", func(s *shop) string {
			return s.match(t, s.lose(t, "").Reference, "REF_8").Reference
		}, "REF_9", payments.ErrNotMatchable},
		{"no order reference", func(s *shop) string { return s.lose(t, "").Reference }, " ", payments.ErrInvalidReference},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newShop(t)
			reference := test.reference(s)
			before := s.store.dump(t)
			mustFail(t, s.Match(t.Context(), reference, test.orderReference, staff.Identity{}), test.want)
			if s.store.dump(t) != before {
				t.Error("something was stored")
			}
		})
	}
}

func TestAnEventFitsOnlyAnOrderOfUnknownOutcome(t *testing.T) {
	lost := pending()
	lost.Status = payments.StatusUnknown
	for name, test := range map[string]struct {
		change func(e *payments.Event, order *payments.Order)
		want   bool
	}{
		"reference and amount fit":        {func(*payments.Event, *payments.Order) {}, true},
		"an expiry fits as well":          {func(e *payments.Event, _ *payments.Order) { e.Kind = payments.PaymentExpired }, true},
		"another order":                   {func(_ *payments.Event, order *payments.Order) { order.Reference = "T1-20261121-GT-0002" }, false},
		"another amount":                  {func(e *payments.Event, _ *payments.Order) { e.Amount = payments.AmountValue(9001) }, false},
		"a reference of another type":     {func(e *payments.Event, _ *payments.Order) { e.Reference.Kind = payments.Number }, false},
		"an order whose outcome is known": {func(_ *payments.Event, order *payments.Order) { order.Status = payments.StatusPending }, false},
	} {
		e, order := event(payments.PaymentSuccess, lost, ""), lost
		test.change(&e, &order)
		if got := order.Fits(e); got != test.want {
			t.Errorf("%s: got %v, want %v", name, got, test.want)
		}
	}
}

func TestAnUnmatchedSuccessNeedsAReview(t *testing.T) {
	s := newShop(t)
	expect := func(why string, want int64) {
		t.Helper()
		sum, err := s.WithoutOrder(t.Context(), money.Day(s.now, 0))
		if err != nil || sum != (money.Sum{Count: want, Amount: money.Ariary(9000 * want)}) {
			t.Errorf("%s: %+v, %v, want %d of 9000 Ar", why, sum, err, want)
		}
	}
	order := s.lose(t, "S1")
	order.OrderReference = "REF_9"
	for _, kind := range []payments.EventKind{payments.PaymentExpired, payments.PaymentFailed, payments.PaymentCanceled, "payment.other"} {
		stranger := payments.Order{Reference: "X-1", OrderReference: "REF_8", Amount: 9000}
		s.receive(t, event(kind, stranger, ""))
	}
	s.now = s.now.Add(time.Hour)
	expect("other events raise no alarm", 0)
	success := event(payments.PaymentSuccess, order, "")
	s.receive(t, success)
	s.now = s.now.Add(payments.OrphanGrace - time.Millisecond)
	expect("it waits for the answer of its order call", 0)
	s.now = s.now.Add(time.Millisecond)
	expect("it is an orphan after that", 1)
	s.now = s.now.Add(-2 * time.Hour)
	expect("it stays one when the clock is set back", 1)
	s.now = s.now.Add(2 * time.Hour)
	notice := func() {
		t.Helper()
		must(t, s.Review(t.Context(), payments.Record{Event: success, ID: success.ID()}, staff.Identity{}))
	}
	notice()
	notice()
	if receipt := s.receive(t, success); receipt.Effect != payments.Unmatched {
		t.Errorf("a copy of the reviewed event is %s", receipt.Effect)
	}
	expect("it is no orphan after a review, also when it comes again", 0)
	if matched := s.match(t, order.Reference, "REF_9"); !matched.Paid() {
		t.Errorf("matching does not apply the event: %+v", matched)
	}
	notice()
	if _, records := s.look(t, order.Reference); len(records) != 1 || records[0].Effect != payments.Applied {
		t.Errorf("the events are %+v", records)
	}
}

func TestPaymentsWithoutAnOrderAreSummedByTheTimeTheyCame(t *testing.T) {
	s := newShop(t)
	came := func(amount payments.Value) {
		stranger := event(payments.PaymentSuccess, payments.Order{Reference: "X-1", OrderReference: "REF_8"}, "")
		stranger.Amount = amount
		s.receive(t, stranger)
	}
	came(payments.AmountValue(9000))
	s.now = s.now.AddDate(0, 0, 1)
	came(payments.AmountValue(2000))
	for _, text := range []string{"1500.0", "1.5e3", "-7", "0", "99999999999999999999"} {
		came(payments.Value{Kind: payments.Number, Text: text})
	}
	came(payments.TextValue("1500"))
	came(payments.Value{})
	s.now = s.now.Add(time.Minute)
	for _, test := range []struct {
		name   string
		period money.Period
		want   money.Sum
	}{
		{"of a day", money.Day(opening(), 0), money.Sum{Count: 1, Amount: 9000}},
		{"only whole numbers are summed", money.Day(s.now, 0), money.Sum{Count: 8, Amount: 2000}},
		{"of all time", money.Period{}, money.Sum{Count: 9, Amount: 11_000}},
	} {
		if got, err := s.WithoutOrder(t.Context(), test.period); err != nil || got != test.want {
			t.Errorf("%s: %+v, %v, want %+v", test.name, got, err, test.want)
		}
	}
}

// The conformance tests of the stores show which events are removed.
func TestUnmatchedEventsAreBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a while")
	}
	unknown := func(kind payments.EventKind, i int) payments.Event {
		return event(kind, payments.Order{OrderReference: fmt.Sprint("REF_", i)}, "")
	}
	s := newShop(t)
	events := make([]payments.Event, payments.MaxUnmatched)
	for i := range events {
		events[i] = unknown(payments.PaymentSuccess, i)
	}
	s.fill(t, events)
	for kind, want := range map[payments.EventKind]payments.Effect{payments.PaymentSuccess: payments.Dropped, payments.PaymentExpired: payments.Unmatched} {
		if receipt := s.receive(t, unknown(kind, payments.MaxUnmatched)); receipt.Effect != want {
			t.Errorf("another %s is %s, want %s", kind, receipt.Effect, want)
		}
	}
	if waiting, err := s.Unmatched(t.Context(), 1<<20); err != nil || len(waiting) != payments.MaxUnmatched {
		t.Errorf("%d events, %v", len(waiting), err)
	}
}

// At the limit, only a success that proves the payment is still stored.
func TestEventsOfOneOrderReferenceAreBounded(t *testing.T) {
	s := newShop(t)
	order := s.charge(t, "S1")
	for i := range payments.MaxEventsPerReference {
		if receipt := s.receive(t, event(payments.PaymentFailed, order, fmt.Sprint(i))); receipt.Effect == payments.Dropped {
			t.Fatalf("event %d is dropped", i)
		}
	}
	further := event(payments.PaymentExpired, order, "further")
	want := payments.Receipt{Effect: payments.Dropped, Status: payments.StatusFailed}
	if receipt := s.receive(t, further); receipt != want {
		t.Errorf("%+v, want %+v", receipt, want)
	}
	if receipt := s.receive(t, event(payments.PaymentFailed, order, "7")); receipt.Effect != payments.Duplicate {
		t.Errorf("a known event is %s", receipt.Effect)
	}
	if receipt := s.receive(t, event(payments.PaymentSuccess, order, "")); receipt.Effect != payments.Applied {
		t.Errorf("the proof is %s", receipt.Effect)
	}
	order, records := s.look(t, order.Reference)
	if !order.Paid() || len(records) != payments.MaxEventsPerReference+1 {
		t.Errorf("paid %v, %d events", order.Paid(), len(records))
	}
	t.Run("also without an order", func(t *testing.T) {
		order.OrderReference = "REF_none"
		for i := range payments.MaxEventsPerReference {
			s.receive(t, event(payments.PaymentFailed, order, fmt.Sprint(i)))
		}
		if receipt := s.receive(t, event(payments.PaymentFailed, order, "further")); receipt != (payments.Receipt{Effect: payments.Dropped}) {
			t.Errorf("%+v", receipt)
		}
	})
}
