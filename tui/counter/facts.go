package counter

import (
	"checkout/till/payments"
)

// Fact is something that happened at the counter.
type Fact interface{ fact() }

// Why says why a command was refused.
type Why int

// The reasons.
const (
	Empty   Why = iota // The sale has no lines.
	Blind              // A payment would not be seen: see payments.Reach.
	Busy               // An order is being sent.
	NoNews             // There is no outcome that the cashier has not seen.
	NoRetry            // Another order of this one is not allowed.
)

type (
	// Refused says that a command did nothing.
	Refused struct{ Why Why }
	// SaveFailed says that a sale could not be written to disk. It is tried again.
	SaveFailed struct{}
	// StoreFailed says that an outcome could not be acknowledged, or that the sales
	// could not be read.
	StoreFailed struct{}
	// Restored says that the sale which was being entered is back after a start.
	Restored struct{}
	// Restocked says that the articles were read.
	Restocked struct{}
	// SaleCharged says that a sale is over, because an order was made of it. If it was the
	// current one a new sale began. Recovered reports whether that came out only after the
	// store had failed.
	SaleCharged struct{ Current, Recovered bool }
	// Dropped says that the sale was dropped.
	Dropped struct{}
	// LinesKept says that the lines of an order that is not to be paid are back: as the
	// current sale or, if HeldAs is not blank, as a held one. Wanted reports whether the
	// cashier asked for them.
	LinesKept struct {
		HeldAs string
		Wanted bool
	}

	// Asked says that a question was opened.
	Asked struct{ Question Question }
	// Sent says that the service is being asked for an order.
	Sent struct{ Terms payments.Terms }
	// Offered says that an order was made, and is shown unless the cashier left its call.
	Offered struct{ Order payments.Order }
	// NotOffered says that no order was made that can be paid. Order is zero if none was
	// stored. Shown reports whether the cashier waited for the answer.
	NotOffered struct {
		Order payments.Order
		Err   error
		Shown bool
	}

	// Opened says that an order is shown. Back reports whether it is the code that gave way
	// to news before.
	Opened struct {
		Order payments.Order
		Back  bool
	}
	// Closed says that the order which was shown is not shown any more. Paid reports whether
	// its payment was acknowledged.
	Closed struct{ Paid bool }
	// TookBack says that the cashier went back to the sale with the lines of an order.
	TookBack struct{}
	// Acknowledged says that the cashier has seen the outcome of an order.
	Acknowledged struct{ Order payments.Order }
	// ShownChanged says that the outcome of the shown order is final, or another one.
	ShownChanged struct{}

	// Looked says that the counter looked at the store and at the way in. What was found
	// follows.
	Looked struct{}
	// Became says that the outcome of an order that the cashier has not seen is another
	// one. Old reports whether it came before the counter was opened, and Repeated whether
	// the same event was told before, under another verdict.
	Became struct {
		Order    payments.Order
		Verdict  payments.Verdict
		Old      bool
		Repeated bool
	}
	// Unseen says how many outcomes the cashier has not seen, after new ones.
	Unseen struct{ Count int }
	// OrphanCame says that there is a payment that no order has.
	OrphanCame struct{ Record payments.Record }
	// LinkEnds says that the time of a link runs out, or is over.
	LinkEnds struct {
		Order payments.Order
		Over  bool
	}
	// ToCheck says that there are more orders and payments to check than before.
	ToCheck struct{ Count int }
	// Noticed is how it ended to record that a person looked at a payment without an order.
	Noticed struct {
		Record payments.Record
		Err    error
	}
	// Quits says that the cashier leaves the program.
	Quits struct{}
)

func (Refused) fact() {}

func (SaveFailed) fact() {}

func (StoreFailed) fact() {}

func (Restored) fact() {}

func (Restocked) fact() {}

func (SaleCharged) fact() {}

func (Dropped) fact() {}

func (LinesKept) fact() {}

func (Asked) fact() {}

func (Sent) fact() {}

func (Offered) fact() {}

func (NotOffered) fact() {}

func (Opened) fact() {}

func (Closed) fact() {}

func (TookBack) fact() {}

func (Acknowledged) fact() {}

func (ShownChanged) fact() {}

func (Looked) fact() {}

func (Became) fact() {}

func (Unseen) fact() {}

func (OrphanCame) fact() {}

func (LinkEnds) fact() {}

func (ToCheck) fact() {}

func (Noticed) fact() {}

func (Quits) fact() {}
