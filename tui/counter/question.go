package counter

import (
	"checkout/till/payments"
)

// Kind is what a question is about.
type Kind string

// The questions.
const (
	AskCharge   Kind = "charge"    // Whether to charge the sale.
	AskDrop     Kind = "drop"      // Whether to drop the sale.
	AskDropHeld Kind = "drop held" // Whether to drop a held sale.
	AskAgain    Kind = "again"     // Whether to make another order of the same lines.
	AskPaid     Kind = "paid"      // Whether to charge a sale that is paid.
	AskDoubtful Kind = "doubtful"  // Whether to charge a sale of which a payment is in doubt.
	AskLeave    Kind = "leave"     // Whether to leave an order whose link can still be paid.
	AskDone     Kind = "done"      // Whether to close an order whose link can still be paid.
	AskNotice   Kind = "notice"    // Whether somebody looked at a payment that no order has.
	AskQuit     Kind = "quit"      // Whether to leave the program while payments are awaited.
)

// OfSale reports whether a question is about the current sale or a held one, before any
// order of it.
func (k Kind) OfSale() bool { return k == AskCharge || k == AskDrop || k == AskDropHeld }

// OfOrder reports whether a question is about an order.
func (k Kind) OfOrder() bool { return !k.OfSale() && k != AskNotice && k != AskQuit }

// Question is the question that is open. Only what its kind needs is set.
type Question struct {
	Kind   Kind
	Terms  payments.Terms  // What would be charged.
	Order  payments.Order  // The order that the question is about, or that stands in the way.
	Sale   payments.Sale   // The sale to drop.
	Record payments.Record // The payment without an order.
	Count  int             // How many payments are awaited.
	// Unbidden reports whether the answer of an order call raised the question. It must be
	// visible for [Config.Grace] before a yes counts.
	Unbidden bool

	seen Acknowledge // Acknowledges the order as the cashier saw it when the question was opened.
}
