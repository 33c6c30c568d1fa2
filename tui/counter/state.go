package counter

import (
	"time"

	"checkout/till/payments"
	"checkout/till/tui/entry"
)

// call is the order call that was sent last.
type call struct {
	number int
	shown  bool // The cashier waits for its answer.
	terms  payments.Terms
	began  time.Time
}

// shown is the order that is shown, and what the cashier did with it.
type shown struct {
	order     payments.Order
	missing   bool   // The database does not have the order any more.
	stale     bool   // The order was not read since it was opened, so that no code is shown.
	reshown   bool   // The cashier asked for the code although the order was given up.
	nextBegun bool   // The next sale was begun while the order was shown.
	parked    string // The reference of the order whose code it took the place of.

	graceFor  payments.Verdict // The final verdict that has, or had, its grace.
	graceEnds time.Time
}

// catalogue is what the shop sells, as it was read last.
type catalogue struct {
	shelf   entry.Shelf
	at      time.Time // When it was read.
	due     bool      // It may have changed since.
	reading bool
}

// watch is what was read of the store, and what was told of it.
type watch struct {
	picture Picture
	number  int  // Of the read whose result is wanted.
	reading bool // A read is under way.
	again   bool // Something changed since it began.
	failing bool // The last read failed.
	begun   bool // The first picture was told.

	announced map[string]announcement // The outcomes that the cashier has not seen, by reference.
	ending    map[ending]bool         // The ends of links that were told.
	orphans   map[string]bool         // The payments without an order that were told.
	toCheck   int
	givenUp   []payments.Order // Acknowledged while their links lived. The picture lacks them.
}

// announcement is an outcome as it was told.
type announcement struct {
	verdict payments.Verdict
	status  payments.Status
}

// ending is one of the two things that are told of the end of a link.
type ending struct {
	reference string
	over      bool
}

// seen takes in that an outcome was acknowledged.
func (w *watch) seen(order payments.Order) {
	w.picture = w.picture.Put(order)
	if order.Payable(w.picture.Now) {
		w.givenUp = append(w.givenUp, order)
	}
	delete(w.announced, order.Reference)
}
