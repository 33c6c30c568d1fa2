package counter

import (
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
)

// Kind says what a question asks.
type Kind string

// The kinds of questions, with what each asks.
const (
	AskCharge   Kind = "charge"    // Whether to charge the sale.
	AskTender   Kind = "tender"    // Whether the customer pays at the counter by [Question.Tender].
	AskRest     Kind = "rest"      // How the customer pays the rest of the sale, after paying Question.Part.
	AskLess     Kind = "less"      // Whether the customer pays only Question.Part of a debt.
	AskDrop     Kind = "drop"      // Whether to drop the sale.
	AskDropHeld Kind = "drop held" // Whether to drop a held sale.
	AskAgain    Kind = "again"     // Whether to charge lines that already have an order.
	AskPaid     Kind = "paid"      // Whether to charge a sale that is paid.
	AskDoubtful Kind = "doubtful"  // Whether to charge a sale that may be paid already.
	AskLeave    Kind = "leave"     // Whether to close an order that the customer can still pay.
	AskDone     Kind = "done"      // Whether to acknowledge the outcome of an order that the customer can still pay.
	AskReview   Kind = "notice"    // Whether a person reviewed a payment without an order.
	AskQuit     Kind = "quit"      // Whether to end the program while payments may still come.
)

// Kinds returns all kinds of questions, in the order of the constants.
func Kinds() []Kind {
	return []Kind{
		AskCharge, AskTender, AskRest, AskLess, AskDrop, AskDropHeld, AskAgain, AskPaid, AskDoubtful, AskLeave, AskDone, AskReview, AskQuit,
	}
}

// OfSale reports whether a question of this kind is asked on the sale screen.
func (k Kind) OfSale() bool {
	return k == AskCharge || k == AskTender || k == AskRest || k == AskLess || k == AskDrop || k == AskDropHeld
}

// ByTender reports whether the cashier can choose another tender at a question of this kind.
func (k Kind) ByTender() bool { return k == AskCharge || k == AskTender || k == AskRest }

// OfOrder reports whether a question of this kind is asked on the payment screen.
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
	Terms  payments.Terms  // Terms of the order to make, or of the payment at the counter.
	Tender drawer.Tender   // How the customer pays at the counter, or pays Part if Kind is AskRest.
	Part   money.Ariary    // Amount that the customer pays first, or pays of a debt. It is not recorded yet.
	First  drawer.Tender   // Tender of Part.
	Order  payments.Order  // Order that the question is about; after a refused charge, the order that was the reason.
	Sale   payments.Sale   // Sale to drop.
	Record payments.Record // Payment without an order.
	Cash   string          // Number of the cash sale that was the reason to refuse a charge.
	Count  int             // Number of payments that may still come.
	Ended  bool            // Whether the link of Order has ended: see [payments.Order.MayBePaid].
	// Whether the result of a charge opened the question, and not a key. A yes then counts only
	// after [Config.Grace].
	Unbidden bool

	seen Acknowledge // What a yes also records as seen by the cashier; zero if that is nothing.
	take TakeCash    // The refused payment at the counter, which a yes tries again.
}

// Due returns the amount that the question asks about: what is due minus Part, or for [AskLess]
// only Part.
func (q Question) Due() money.Ariary {
	if q.Kind == AskLess {
		return q.Part
	}
	return q.Terms.Due() - q.Part
}

// first returns the effect that a yes begins with. If a part is paid first, charge follows for the
// rest.
func (q Question) first(charge Effect) Effect {
	if q.Part > 0 {
		part := TakeCash{Terms: q.Terms, Tender: q.First, Given: q.Part, rest: charge}
		part.Terms.Part.Amount = q.Part
		return part
	}
	return withTerms(charge, q.Terms)
}
