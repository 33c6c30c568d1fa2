package counter

import (
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
)

// Kind is the kind of a question.
type Kind string

// The kinds of questions.
const (
	AskCharge   Kind = "charge"    // Whether to charge the sale.
	AskTender   Kind = "tender"    // Whether the customer pays at the counter by [Question.Tender]; see [Counter.TakeCash].
	AskRest     Kind = "rest"      // How the customer pays the rest of the sale, after the part Question.Part.
	AskLess     Kind = "less"      // Whether the customer pays only the part Question.Part of a debt.
	AskDrop     Kind = "drop"      // Whether to drop the sale.
	AskDropHeld Kind = "drop held" // Whether to drop a held sale.
	AskAgain    Kind = "again"     // Whether to make another order with the same lines.
	AskPaid     Kind = "paid"      // Whether to charge a sale that is paid.
	AskDoubtful Kind = "doubtful"  // Whether to charge a sale with a payment in doubt.
	AskLeave    Kind = "leave"     // Whether to close an order before its outcome, while the customer can still pay it.
	AskDone     Kind = "done"      // Whether to acknowledge the outcome of an order while the customer can still pay it.
	AskReview   Kind = "notice"    // Whether a person reviewed a payment without an order.
	AskQuit     Kind = "quit"      // Whether to end the program while payments may still come.
)

// Kinds returns all kinds.
func Kinds() []Kind {
	return []Kind{
		AskCharge, AskTender, AskRest, AskLess, AskDrop, AskDropHeld, AskAgain, AskPaid, AskDoubtful, AskLeave, AskDone, AskReview, AskQuit,
	}
}

// OfSale reports whether a question is about the current sale or a held sale.
func (k Kind) OfSale() bool {
	return k == AskCharge || k == AskTender || k == AskRest || k == AskLess || k == AskDrop || k == AskDropHeld
}

// ByTender reports whether another tender can be chosen at a question.
func (k Kind) ByTender() bool { return k == AskCharge || k == AskTender || k == AskRest }

// OfOrder reports whether a question is about an order.
func (k Kind) OfOrder() bool {
	switch k {
	case AskAgain, AskPaid, AskDoubtful, AskLeave, AskDone:
		return true
	}
	return false
}

// Question is an open question. Only the fields for its kind are set.
type Question struct {
	Kind   Kind
	Terms  payments.Terms  // Terms of the order to make.
	Tender drawer.Tender   // How the customer pays at the counter; "" for a question about an order.
	Part   money.Ariary    // What the customer pays first, if the answer is about the rest, or all that is paid of a debt; nothing of it is recorded yet.
	First  drawer.Tender   // How the customer pays the Part.
	Order  payments.Order  // Order that the question is about, or the order that prevents a new one.
	Sale   payments.Sale   // Sale to drop.
	Record payments.Record // Payment without an order.
	Cash   string          // Number of the cash sale that prevents another charge; Order is zero then.
	Count  int             // Number of payments that may still come.
	Ended  bool            // The link of Order has just ended: see payments.Order.MayBePaid.
	// Unbidden reports whether the result of a charge opened the question, not a key. Such a
	// question must be visible for [Config.Grace] before a yes counts.
	Unbidden bool

	seen Acknowledge // Acknowledges the outcome that the cashier saw when the question was opened.
	take TakeCash    // The charge at the counter that the answer repeats.
}

// Due returns what the customer pays by the answer: all that is due, without the part that is paid first. Of a debt
// it may be only a part.
func (q Question) Due() money.Ariary {
	if q.Kind == AskLess {
		return q.Part
	}
	return q.Terms.Due() - q.Part
}
