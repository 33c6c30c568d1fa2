package counter

import (
	"time"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
)

// Shown is the shown order or cash sale, with its outcome in the last [Picture].
type Shown struct {
	Order   payments.Order     // Zero if no order is shown.
	Cash    drawer.CounterSale // The cash sale that is shown instead of an order; else zero.
	Missing bool               // The database does not have the order any more.
	// Whether the next sale was begun while the order was shown.
	NextBegun bool

	stale   bool   // The QR code is hidden until the order is read.
	reshown bool   // The cashier asked for the QR code again.
	parked  string // Reference of the payable order that [Counter.ShowNews] has replaced.

	graceFor  payments.Verdict // Final verdict of the shown order. Another final verdict starts [Config.Grace].
	graceEnds time.Time

	picture Picture
	waiting bool // The cashier waits for an order call.
}

// Current reports whether an order is shown and the cashier does not wait for an order call.
func (s Shown) Current() bool { return s.Order.Reference != "" && !s.waiting }

// Verdict returns the verdict of the order at the time of the last [Picture].
func (s Shown) Verdict() payments.Verdict { return s.picture.Verdict(s.Order) }

// Final reports whether the order has an outcome that the cashier can acknowledge.
func (s Shown) Final() bool {
	if !s.Current() {
		return false
	}
	switch s.Verdict() {
	case payments.VerdictWaiting, payments.VerdictTimeOver, payments.VerdictNotSent:
		return false
	case payments.VerdictUnknown:
		return s.Order.Status == payments.StatusUnknown
	}
	return true
}

// HasReceipt reports whether the shown sale can have a receipt.
func (s Shown) HasReceipt() bool {
	switch s.Verdict() {
	case payments.VerdictPaid, payments.VerdictMarkedPaid, payments.VerdictRefunded:
		return s.Current()
	}
	return s.Cash.Number != ""
}

// Retrying reports whether a payment failed and the customer can try again with the same QR code.
func (s Shown) Retrying() bool {
	return s.Verdict() == payments.VerdictNotPaid && s.Order.Retryable(s.picture.Now)
}

// HasCode reports whether the QR code of the order may be shown: the customer may pay, and the till
// would see the payment.
func (s Shown) HasCode() bool {
	left, _ := s.picture.Remaining(s.Order)
	if !s.Current() || s.stale || s.Missing || left <= 0 || s.picture.Reach.Blind() || !s.Order.Payable(s.picture.Now) {
		return false
	}
	// Ignore conditions: while earlier events are still fetched from the relay, the verdict is
	// unknown, but the code is shown.
	switch s.Order.Verdict(payments.Conditions{}, s.picture.Now) {
	case payments.VerdictWaiting:
		return true
	case payments.VerdictNotPaid:
		return s.reshown || s.Order.Retryable(s.picture.Now)
	case payments.VerdictMarkedUnpaid:
		return s.reshown
	}
	return false
}
