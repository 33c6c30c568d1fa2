package counter

import (
	"checkout/till/payments"
)

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
