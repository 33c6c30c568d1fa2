package counter

import (
	"time"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
)

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

// watch has the data last read from the store.
type watch struct {
	picture Picture
	number  int  // Number of the last read; results of earlier reads are ignored.
	reading bool // A read is under way.
	again   bool // The store changed after the read began.
	failing bool
	givenUp []payments.Order // Acknowledged orders that the picture lacks; Awaited counts those that can still be paid.
}

// seen records that the outcome of an order was acknowledged.
func (w *watch) seen(order payments.Order) {
	w.picture = w.picture.Put(order)
	if order.Payable(w.picture.Now) {
		w.givenUp = append(w.givenUp, order)
	}
}
