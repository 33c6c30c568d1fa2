package counter_test

import (
	"slices"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/tui/counter"
	"checkout/till/tui/tuitest/shoptest"
)

// order returns a pending and acknowledged order, after applying the changes.
func order(reference string, changes ...func(*payments.Order)) payments.Order {
	o := payments.Order{
		Reference: reference, Sale: "S1", Status: payments.StatusPending, Amount: 9000,
		Link:  payments.Link{URL: "https://pay.example.mg", ExpiresAt: shoptest.Opening().Add(10 * time.Minute)},
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
	o.Facts = payments.Facts{PaidAt: shoptest.Opening(), SuccessSeen: true}
}

func found(o *payments.Order) { o.Finding = &payments.Finding{Kind: payments.FoundPaid, By: "Soa"} }

func references(orders []payments.Order) []string {
	var names []string
	for _, o := range orders {
		names = append(names, o.Reference)
	}
	return names
}

// picture returns a picture of open orders at the time after since the opening.
func picture(after time.Duration, open ...payments.Order) counter.Picture {
	return counter.Picture{Now: shoptest.Opening().Add(after), Overview: payments.Overview{Open: open}}
}

func TestAReadHasTheOpenOrdersOfItsTill(t *testing.T) {
	at := shoptest.Open(t)
	at.Reply(shoptest.Silence())
	want := []string{at.Charge("S1").Reference}
	at.Advance(time.Hour)
	for till, open := range map[string][]string{shoptest.Till: want, "T9": nil} {
		got, _ := counter.ReadPicture{Till: till}.Perform(t.Context(), at.Service).(counter.ReadPicture)
		if got.Err != nil || !slices.Equal(references(got.Overview.Open), open) || !slices.Equal(references(got.Overview.Attention), want) {
			t.Errorf("%s read %v and %v, %v", till, references(got.Overview.Open), references(got.Overview.Attention), got.Err)
		}
	}
}

func TestAFailedReadKeepsThePreviousPicture(t *testing.T) {
	d := open(t).add("Vary", 3500)
	want := []string{d.charge().Reference}
	d.Break()
	if got := references(d.wake().at.Picture().Open); !slices.Equal(got, want) {
		t.Errorf("got the open orders %v, want %v", got, want)
	}
}

func TestReadsOfTheStoreDoNotOvertakeEachOther(t *testing.T) {
	d := open(t).add("Vary", 3500)
	order := d.Pay(d.charge())
	d.wake().after(counter.Grace).late = shoptest.Delays[counter.ReadPicture]
	d.wake().wake().wake()
	d.is("reads under way", len(d.kept), 1)
	early := d.kept[0].Perform(t.Context(), d.Service) // It reads the order before the cashier acknowledges it.
	d.at.Done(d.at.Shown().Order)
	d.is("news before the next read", len(d.settle().at.Picture().News()), 0)
	d.at.Take(early)
	d.is("news after an earlier read", len(d.settle().at.Picture().News()), 0)
	late := d.kept[1].Perform(t.Context(), d.Service)
	d.Fail(order, "") // The store changes during the read.
	d.wake().late = nil
	d.at.Take(late)
	d.is("news after a change during a read", len(d.settle().at.Picture().News()), 1)
}

// The read saw the order before the answer to its call.
func TestALateReadHidesNoNewCode(t *testing.T) {
	d := open(t).add("Vary", 3500)
	d.late = shoptest.Delays[counter.ReadPicture]
	d.at.Wake()
	d.settle()
	var read counter.Effect
	d.Reply(func(order payments.Order) (payments.Created, error) {
		read = d.kept[0].Perform(t.Context(), d.Service)
		return d.Accept(order)
	})
	d.charge()
	if d.at.Take(read); !d.at.Shown().HasCode() {
		t.Errorf("the shown order is %+v", d.at.Shown().Order)
	}
}

func TestPutDoesNotChangeThePreviousPicture(t *testing.T) {
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
		t.Errorf("after Put of an unknown order got %v, want no change", got)
	}
}

func TestOrdersAreAwaitedWhileAPaymentMayArrive(t *testing.T) {
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
	if got := references(state.Awaited()); !slices.Equal(got, want) {
		t.Errorf("got the awaited orders %v, want %v", got, want)
	}
	lives := func(o *payments.Order) { o.Link.ExpiresAt = state.Now.Add(time.Minute) }
	again := picture(time.Hour, order("waiting"), order("refused", status(payments.StatusFailed), lives), order("expired", status(payments.StatusExpired), lives),
		order("canceled", status(payments.StatusCanceled), lives), order("paid", lives, paid))
	if got := references(again.Awaited()); !slices.Equal(got, []string{"waiting", "refused", "canceled"}) {
		t.Errorf("got the awaited orders %v, want also refused and canceled ones", got)
	}
	superseded := func(o *payments.Order) { o.Facts.Superseded, o.Facts.PaidOtherwise = true, true }
	replaced := picture(time.Hour, order("old code", lives, superseded), order("its link ended", superseded))
	if awaited, board := replaced.Awaited(), replaced.Board(); len(awaited)+len(board) > 0 {
		t.Errorf("orders of a paid sale: %v are awaited and %v on the board, want none", references(awaited), references(board))
	}
	state.Reach = payments.ReachStoreDown
	if got := references(state.Awaited()); !slices.Equal(got, want) {
		t.Errorf("while the store is down got the awaited orders %v, want %v", got, want)
	}
}

func TestAPaymentWithoutOrderCountsAsToCheck(t *testing.T) {
	orphan := payments.Record{
		Event:      payments.Event{Kind: payments.PaymentSuccess, OrderReference: "REF_9"},
		ReceivedAt: shoptest.Opening(), Effect: payments.Unmatched,
	}
	quiet, seen := orphan, orphan
	quiet.Event.Kind, seen.Effect = payments.PaymentExpired, payments.Reviewed
	for after, want := range map[time.Duration]int{0: 0, payments.OrphanGrace: 1, time.Hour: 1} {
		state := picture(after)
		state.Unmatched = []payments.Record{orphan, quiet, seen}
		if got := state.ToCheck(); got != want || len(state.Orphans()) != want {
			t.Errorf("after %v got %d to check, want %d", after, got, want)
		}
	}
}
