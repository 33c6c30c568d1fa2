package counter

import (
	"errors"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
)

// Fact is something that happened at the counter. Its type is one from [Refused] to [Quits].
type Fact any

// Why is the reason why a command was refused.
type Why int

// The reasons in the fact [Refused].
const (
	Empty   Why = iota // The sale has no lines.
	Blind              // The till would not see a payment; see [payments.Reach].
	Busy               // A charge is under way; for [Counter.Allow], also if the sale has changed.
	NoNews             // There is no outcome that the cashier has not seen.
	NoRetry            // The lines of the order cannot be charged again now.
)

// Errors in [CashNotTaken] if the database did not confirm the commit of a cash sale.
var (
	// ErrUnsure says that the counter still looks for the cash sale.
	ErrUnsure = errors.New("it is not known yet whether the cash sale is stored")
	// ErrNotStored says that the counter has found that the cash sale is not stored.
	ErrNotStored = errors.New("the cash sale was not stored")
)

type (
	// Refused says why a command was refused.
	Refused struct{ Why Why }
	// SaveFailed says that a sale could not be written to disk. The write is retried.
	SaveFailed struct{}
	// StoreFailed says that the acknowledgement of an outcome could not be stored.
	StoreFailed struct{}
	// NotRestored says that the saved sales could not be read.
	NotRestored struct{}
	// SalesRead says that the saved sales were read. Restored is true if one of them is now the
	// current sale.
	SalesRead struct{ Restored bool }
	// ArticlesRead says that the articles were read, or could not be read.
	ArticlesRead struct{}
	// SaleCharged says that a sale was charged, or that the cashier left it while its order call
	// runs. Unless the sale was edited since, it has ended. Current is true if the current sale has
	// ended. Recovered is true if a read of the store has shown the charge.
	SaleCharged struct{ Current, Recovered bool }
	// Dropped says that a sale was dropped: a held sale if Held is true, else the current sale.
	Dropped struct{ Held bool }
	// GaveBack says that cash leaves the drawer, because a dropped sale was paid in part.
	GaveBack struct{ Cash money.Ariary }
	// LinesKept says that the lines of an order or of a partly paid sale are in the cart again.
	// HeldAs is the name of the held sale that has them; blank if it is the current sale. Wanted is
	// false if they return after a failed order call.
	LinesKept struct {
		HeldAs string
		Wanted bool
	}
	// SaleHeld says that the current sale was put on hold under Name, because other lines became
	// the current sale.
	SaleHeld struct{ Name string }

	// Asked says that a question was opened.
	Asked struct{ Question Question }
	// Sent says that the counter has queued an order call with these terms.
	Sent struct{ Terms payments.Terms }
	// Offered says that an order was made. The order is shown unless the cashier stopped
	// waiting for its call.
	Offered struct{ Order payments.Order }
	// NotOffered says that an order call made no payable order. Order is zero if none was stored.
	// Waited reports whether the cashier was still waiting for the call.
	NotOffered struct {
		Order  payments.Order
		Err    error
		Waited bool
	}

	// TookCash says that a sale was paid at the counter. The payment is shown.
	TookCash struct{ Sale drawer.CounterSale }
	// PartForgotten says that a question was closed that had a part of the payment: the amount that
	// the customer gave. It is not recorded.
	PartForgotten struct{ Part money.Ariary }
	// TookPart says that a part of a sale was paid at the counter.
	TookPart struct{ Sale drawer.CounterSale }
	// DebtorsRead says that the customers were read, or with Err that they were not.
	DebtorsRead struct{ Err error }
	// MovementsRead contains the transfers of a customer's account, or Err.
	MovementsRead struct {
		Code      string
		Movements []ledger.Transfer
		Err       error
	}
	// CashNotTaken says that a payment at the counter, or its void, failed with Err. Err may wrap
	// [ErrNotStored] or [ErrUnsure]; with ErrUnsure, the payment may be stored. Charge is the
	// payment that [Counter.Allow] can repeat. If the payments of a dropped sale were not voided,
	// Dropped is that sale, for [Counter.DropBy].
	CashNotTaken struct {
		Err     error
		Charge  TakeCash
		Dropped payments.Sale
	}

	// Opened says that an order is shown. Back is true if it is shown again, after the outcome of
	// another order.
	Opened struct {
		Order payments.Order
		Back  bool
	}
	// OrderLeft says that the cashier has left what the payment screen showed. Paid is true after an
	// acknowledged payment or a cash sale.
	OrderLeft struct{ Paid bool }
	// BackToSale says that the lines of an order return to the sale.
	BackToSale struct{}
	// Acknowledged says that an order was stored as acknowledged: the cashier has seen its outcome.
	Acknowledged struct{ Order payments.Order }
	// ShownChanged says that the outcome of the shown order became final or changed.
	ShownChanged struct{}

	// Looked says that the counter has updated its [Picture]. Facts about the changes follow.
	Looked struct{}
	// Became says that an order has a new outcome, which the cashier has not seen. Old is true if
	// the first read of the store has found it. Repeated is true if only the verdict is new, and
	// not the status.
	Became struct {
		Order    payments.Order
		Verdict  payments.Verdict
		Old      bool
		Repeated bool
	}
	// Unseen follows the facts about new outcomes. Count is the number of all unseen outcomes.
	Unseen struct{ Count int }
	// OrphanCame says that a payment without an order was found for the first time.
	OrphanCame struct{ Record payments.Record }
	// LinkEnds says that an order's link ends soon or, if Over is true, has ended.
	LinkEnds struct {
		Order payments.Order
		Over  bool
	}
	// ToCheck says that the number of orders and payments to check has grown to Count.
	ToCheck struct{ Count int }
	// Reviewed says that a review of a payment without an order was recorded, or with Err that it
	// was not.
	Reviewed struct {
		Record payments.Record
		Err    error
	}
	// Quits says that the cashier ends the program.
	Quits struct{}
)
