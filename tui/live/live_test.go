package live_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/tui/live"
	"checkout/till/tui/tuitest/counter"
)

// shelf is a store that notes what is asked of it.
type shelf struct {
	asked   []payments.Query
	holds   []payments.Order
	orphans []payments.Record
	fails   error
}

func (s *shelf) Orders(_ context.Context, query payments.Query) ([]payments.Order, error) {
	s.asked = append(s.asked, query)
	return s.holds, s.fails
}

func (s *shelf) Unmatched(_ context.Context, limit int) ([]payments.Record, error) {
	return s.orphans[:min(limit, len(s.orphans))], s.fails
}

// order is one that waits for its payment.
func order(reference string, changes ...func(*payments.Order)) payments.Order {
	o := payments.Order{
		Reference: reference, Sale: "S1", Status: payments.StatusPending, Amount: 9000,
		Link:  payments.Link{URL: "https://pay.example.mg", ExpiresAt: counter.Opening().Add(10 * time.Minute)},
		Facts: payments.Facts{Acknowledged: true},
	}
	for _, change := range changes {
		change(&o)
	}
	return o
}

func status(s payments.Status) func(*payments.Order) {
	return func(o *payments.Order) { o.Status, o.Facts.Acknowledged = s, false }
}

func paid(o *payments.Order) {
	o.Status = payments.StatusSuccess
	o.Facts = payments.Facts{PaidAt: counter.Opening(), SuccessSeen: true}
}

func found(o *payments.Order) { o.Finding = &payments.Finding{Paid: true, By: "Soa"} }

func references(orders []payments.Order) []string {
	var names []string
	for _, o := range orders {
		names = append(names, o.Reference)
	}
	return names
}

// picture is what is seen some time after the opening.
func picture(after time.Duration, open ...payments.Order) live.State {
	return live.State{Now: counter.Opening().Add(after), Open: open}
}

func TestAPictureIsReadWholeOrNotAtAll(t *testing.T) {
	at := &shelf{holds: []payments.Order{order("B"), order("A")}}
	now := counter.Opening()
	got, err := live.State{}.Read(t.Context(), at, "T1", now)
	if err != nil || !slices.Equal(references(got.Open), []string{"B", "A"}) || !slices.Equal(references(got.Doubtful), []string{"B", "A"}) {
		t.Errorf("read %v, %v", references(got.Open), err)
	}
	want := []payments.Query{{Check: now, Limit: live.MaxDoubtful}, {Till: "T1", Open: true, Limit: live.MaxOpen}}
	if !slices.Equal(at.asked, want) {
		t.Errorf("asked for %+v, want %+v", at.asked, want)
	}
	at.fails = counter.ErrDisk
	if again, err := got.Read(t.Context(), at, "T1", now); !errors.Is(err, counter.ErrDisk) || len(again.Open) != 2 {
		t.Errorf("read %v, %v", references(again.Open), err)
	}
}

func TestAnOpenOrderIsFoundByItsReference(t *testing.T) {
	state := picture(0, order("B"), order("A"))
	if got, ok := state.Find("A"); !ok || got.Reference != "A" {
		t.Errorf("found %v, %v", got.Reference, ok)
	}
	if got, ok := state.Find("C"); ok || got.Reference != "" {
		t.Errorf("found %v, %v", got.Reference, ok)
	}
}

func TestAPictureIsPutRightWithoutTouchingTheOneBefore(t *testing.T) {
	before := picture(0, order("B", paid), order("A"))
	seen := order("B", paid)
	seen.Facts.Acknowledged = true
	if got := before.Put(seen).News(); len(got) > 0 {
		t.Errorf("the news are %v", references(got))
	}
	if got := references(before.News()); !slices.Equal(got, []string{"B"}) {
		t.Errorf("the news before were %v", got)
	}
	if got := references(before.Put(order("C")).Open); !slices.Equal(got, []string{"B", "A"}) {
		t.Errorf("an order that is not open comes to %v", got)
	}
}

func TestOrdersWaitWhileTheirPaymentMayCome(t *testing.T) {
	state := picture(time.Hour,
		order("time over"),
		order("paid", paid),
		order("failed", status(payments.StatusFailed)),
		order("creating", status(payments.StatusCreating)),
		order("unknown", status(payments.StatusUnknown)),
		order("found", found),
		order("waiting", func(o *payments.Order) { o.Link.ExpiresAt = o.Link.ExpiresAt.Add(time.Hour) }),
	)
	want := []string{"time over", "waiting"}
	if got := references(state.Waiting()); !slices.Equal(got, want) {
		t.Errorf("waiting are %v, want %v", got, want)
	}
	lives := func(o *payments.Order) { o.Link.ExpiresAt = state.Now.Add(time.Minute) }
	again := live.State{Now: state.Now, Open: []payments.Order{
		order("waiting"), order("refused", status(payments.StatusFailed), lives), order("expired", status(payments.StatusExpired), lives),
		order("canceled", status(payments.StatusCanceled), lives), order("paid", lives, paid),
	}}
	if got := references(again.Awaited()); !slices.Equal(got, []string{"waiting", "refused", "canceled"}) {
		t.Errorf("awaited are %v: who was refused or canceled can still pay", got)
	}
	state.Conditions = payments.Conditions{StoreDown: true, ListenerDown: true}
	if got := references(state.Waiting()); !slices.Equal(got, want) {
		t.Errorf("while nothing is certain waiting are %v, want %v", got, want)
	}
}

func ExampleState_Waiting() {
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	state := live.State{Now: now, Open: []payments.Order{{
		Reference: "T1-20261121-0007", Status: payments.StatusPending,
		Link: payments.Link{ExpiresAt: now.Add(10 * time.Minute)},
	}}}
	for _, order := range state.Waiting() {
		fmt.Println(order.Reference, state.Verdict(order))
	}
	// Output: T1-20261121-0007 waiting
}

func TestAPaymentThatNoOrderHasIsCountedAmongWhatThereIsToCheck(t *testing.T) {
	orphan := payments.Record{
		Event:      payments.Event{Kind: payments.PaymentSuccess, OrderReference: "REF_9"},
		ReceivedAt: counter.Opening(), Effect: payments.NoSuchOrder,
	}
	quiet, seen := orphan, orphan
	quiet.Event.Kind, seen.Effect = payments.PaymentExpired, payments.Noticed
	at := &shelf{orphans: []payments.Record{orphan, quiet, seen}}
	for after, want := range map[time.Duration]int{0: 0, payments.OrphanGrace: 1, time.Hour: 1} {
		state, err := picture(after).Read(t.Context(), at, "T1", counter.Opening())
		if err != nil {
			t.Fatal(err)
		}
		if got := state.ToCheck(); got != want || len(state.Orphans()) != want {
			t.Errorf("after %v there are %d to check, want %d", after, got, want)
		}
	}
}
