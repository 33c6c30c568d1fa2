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
	asked   payments.Query
	holds   []payments.Order
	orphans []payments.Record
	fails   error
}

func (s *shelf) Orders(_ context.Context, query payments.Query) ([]payments.Order, error) {
	s.asked = query
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

func TestReadAsksForTheTillsOpenOrders(t *testing.T) {
	at := &shelf{holds: []payments.Order{order("B"), order("A")}}
	got, err := live.Read(t.Context(), at, "T1")
	if err != nil || !slices.Equal(references(got), []string{"B", "A"}) {
		t.Errorf("read %v, %v", references(got), err)
	}
	if want := (payments.Query{Till: "T1", Open: true, Limit: live.MaxOpen}); at.asked != want {
		t.Errorf("asked for %+v, want %+v", at.asked, want)
	}
	at.fails = counter.ErrDisk
	if _, err := live.Read(t.Context(), at, "T1"); !errors.Is(err, counter.ErrDisk) {
		t.Errorf("the error is %v", err)
	}
}

func TestAVerdictIsThatOfThePicture(t *testing.T) {
	waits := order("A")
	if got := picture(0).Verdict(waits); got != payments.VerdictWaiting {
		t.Errorf("at the opening it is %s", got)
	}
	if got := picture(time.Hour).Verdict(waits); got != payments.VerdictTimeOver {
		t.Errorf("an hour later it is %s", got)
	}
	blind := picture(0)
	blind.Conditions.ListenerDown = true
	if got := blind.Verdict(order("A", paid)); got != payments.VerdictUnknown {
		t.Errorf("while nobody listens it is %s", got)
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

func TestNewsAreWhatTheCashierHasNotSeenOldestFirst(t *testing.T) {
	state := picture(0, order("D", paid), order("C"), order("B", status(payments.StatusFailed)), order("A"))
	if got := references(state.News()); !slices.Equal(got, []string{"B", "D"}) {
		t.Errorf("the news are %v", got)
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
	again := order("refused", status(payments.StatusFailed), func(o *payments.Order) {
		o.Link.URL, o.Link.ExpiresAt = "https://pay.example/1", state.Now.Add(time.Minute)
	})
	if got := (live.State{Now: state.Now, Open: append(state.Open, again)}).Awaited(); got != 3 {
		t.Errorf("%d payments are awaited, want 3: who was refused can try again", got)
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
		ReceivedAt: counter.Opening(), Outcome: payments.NoSuchOrder,
	}
	quiet, seen := orphan, orphan
	quiet.Event.Kind, seen.Outcome = payments.PaymentExpired, payments.Noticed
	at := &shelf{orphans: []payments.Record{orphan, quiet, seen}}
	unmatched, err := live.ReadUnmatched(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	for after, want := range map[time.Duration]int{0: 0, payments.OrphanGrace: 1, time.Hour: 1} {
		state := picture(after)
		state.Unmatched = unmatched
		if got := state.ToCheck(); got != want || len(state.Orphans()) != want {
			t.Errorf("after %v there are %d to check, want %d", after, got, want)
		}
	}
}
