package counter

import (
	"time"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/tui/entry"
)

type call struct {
	number int
	waited bool // The cashier is waiting for the result of the call.
	terms  payments.Terms
	began  time.Time
}

// shown has the shown order and what the cashier did while it was shown.
type shown struct {
	order     payments.Order
	cash      drawer.CashSale // The cash sale that is shown instead of an order; zero if none is.
	missing   bool            // The database has lost the order.
	stale     bool            // The order was not read since it was opened, so its QR code is hidden.
	reshown   bool            // The cashier asked for the QR code again.
	nextBegun bool            // The next sale was begun while the order was shown.
	parked    string          // Reference of the payable order that [Counter.ShowNews] replaced, to show it again.

	graceFor  payments.Verdict // Verdict of the shown order, if final. A new final verdict starts [Config.Grace].
	graceEnds time.Time
}

type catalogue struct {
	shelf   entry.Shelf
	stocked bool      // A read has ended.
	changed time.Time // Since when the articles may have changed after the last read; zero if they have not.
	reading bool
}

// watch has the data last read from the store, and what was announced about it.
type watch struct {
	picture Picture
	number  int  // Number of the last read; results of earlier reads are ignored.
	reading bool // A read is under way.
	again   bool // The store changed after the read began.
	failing bool
	begun   bool // The first read has been announced. Outcomes of later reads are new.

	announced map[string]announcement // Announced outcomes not yet acknowledged, by order reference.
	ending    map[ending]bool         // Announcements about the ends of links.
	orphans   map[string]bool         // Announced payments without an order, by event ID.
	toCheck   int
	givenUp   []payments.Order // Acknowledged orders that the picture lacks; Awaited counts those that can still be paid.
}

type announcement struct {
	verdict payments.Verdict
	status  payments.Status
}

// ending is one of two announcements about the link of an order: the link ends soon or, if
// over is true, has ended.
type ending struct {
	reference string
	over      bool
}

// seen records that the outcome of an order was acknowledged.
func (w *watch) seen(order payments.Order) {
	w.picture = w.picture.Put(order)
	if order.Payable(w.picture.Now) {
		w.givenUp = append(w.givenUp, order)
	}
	delete(w.announced, order.Reference)
}
