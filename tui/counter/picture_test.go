package counter_test

import (
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/tui/counter"
	"checkout/till/tui/tuitest"
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

// references returns the references of orders, with a comma between two.
func references(orders []payments.Order) string {
	var names []string
	for _, o := range orders {
		names = append(names, o.Reference)
	}
	return strings.Join(names, ", ")
}

// picture returns a picture of open orders at the time after since the opening.
func picture(after time.Duration, open ...payments.Order) counter.Picture {
	return counter.Picture{Now: shoptest.Opening().Add(after), Overview: payments.Overview{Open: open}}
}

func TestAReadHasTheOpenOrdersOfItsTill(t *testing.T) {
	at := shoptest.Open(t)
	at.Reply(shoptest.Silence())
	want := at.Charge("S1").Reference
	at.Advance(time.Hour)
	for till, open := range map[string]string{shoptest.Till: want, "T9": ""} {
		got, _ := counter.ReadPicture{Till: till}.Perform(t.Context(), at.Service).(counter.ReadPicture)
		tuitest.Must(t, got.Err)
		tuitest.Equal(t, references(got.Overview.Open), open, "the open orders of %s", till)
		tuitest.Equal(t, references(got.Overview.Attention), want, "the orders to check of %s", till)
	}
}

func TestAFailedReadKeepsThePreviousPicture(t *testing.T) {
	d := open(t).add("Vary", 3500)
	want := d.charge().Reference
	d.Break()
	d.is("open orders", references(d.wake().at.Picture().Open), want)
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

// The customer of a payment waits for the goods; the one of an expired link has left.
func TestNewsBeginWithThePayments(t *testing.T) {
	wrong := func(o *payments.Order) {
		paid(o)
		o.Facts = payments.Facts{SuccessSeen: true, Attention: []payments.Attention{payments.AmountMismatch}}
	}
	newestFirst := picture(0, order("F"), order("E", wrong), order("D", status(payments.StatusFailed)),
		order("C", paid), order("B", status(payments.StatusExpired)), order("A", status(payments.StatusExpired)))
	tuitest.Equal(t, references(newestFirst.News()), "C, E, A, B, D", "the news")
}

func TestPutDoesNotChangeThePreviousPicture(t *testing.T) {
	before := picture(0, order("B", paid), order("A"))
	seen := order("B", paid)
	seen.Facts.Acknowledged = true
	tuitest.Equal(t, references(before.Put(seen).News()), "", "the news")
	tuitest.Equal(t, references(before.News()), "B", "the news before")
	tuitest.Equal(t, references(before.Put(order("C")).Open), "B, A", "the open orders after Put of an unknown one")
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
	const want = "time over, waiting"
	tuitest.Equal(t, references(state.Awaited()), want, "the awaited orders")
	lives := func(o *payments.Order) { o.Link.ExpiresAt = state.Now.Add(time.Minute) }
	again := picture(time.Hour, order("waiting"), order("refused", status(payments.StatusFailed), lives), order("expired", status(payments.StatusExpired), lives),
		order("canceled", status(payments.StatusCanceled), lives), order("paid", lives, paid))
	tuitest.Equal(t, references(again.Awaited()), "waiting, refused, canceled", "the awaited orders whose links live")
	superseded := func(o *payments.Order) { o.Facts.Superseded, o.Facts.PaidOtherwise = true, true }
	replaced := picture(time.Hour, order("old code", lives, superseded), order("its link ended", superseded))
	tuitest.Equal(t, references(append(replaced.Awaited(), replaced.Board()...)), "", "the orders of a paid sale that are awaited or on the board")
	state.Reach = payments.ReachStoreDown
	tuitest.Equal(t, references(state.Awaited()), want, "the awaited orders while the store is down")
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
		tuitest.Equal(t, state.ToCheck(), want, "to check after %v", after)
		tuitest.Equal(t, len(state.Orphans()), want, "payments without an order after %v", after)
	}
}
