package payments

import (
	"errors"
	"slices"
	"strings"
)

// The errors that callers branch on. Everything else is a fault of the store
// or of the program.
var (
	// ErrNotFound says that no order has the reference asked for.
	ErrNotFound = errors.New("no such order")
	// ErrReferenceTaken says that another order has the reference already.
	ErrReferenceTaken = errors.New("the reference is taken by another order")
	// ErrNotAmount says that a text is not a whole amount of ariary.
	ErrNotAmount = errors.New("not a whole amount of ariary")
	// ErrTooLarge says that an amount is above MaxAriary.
	ErrTooLarge = errors.New("the amount is too large")
	// ErrInvalidItem says that a line of a sale cannot be sold as it is.
	ErrInvalidItem = errors.New("invalid item")
	// ErrNoItems says that an order needs at least one item.
	ErrNoItems = errors.New("at least one item is needed")
	// ErrInvalidReference says that a reference is blank or too long, or holds
	// blanks.
	ErrInvalidReference = errors.New("the reference must be 1 to 64 visible characters without blanks")
	// ErrNotSent says that an order call never left this machine: the service
	// cannot have it, and the same order may be sent again.
	ErrNotSent = errors.New("the order was not sent")
	// ErrAmbiguous says that the outcome of an order call is unknown: the service
	// may have the order. No customer was shown its link, so a new order is safe.
	ErrAmbiguous = errors.New("the outcome of the order call is unknown")
	// ErrUnderWay says that an order of the sale is being made right now.
	ErrUnderWay = errors.New("an order of this sale is being made: wait for its answer")
	// ErrOutdated says that an order has another verdict by now than the one
	// that a person's finding is about.
	ErrOutdated = errors.New("the order has changed since it was looked at: look at it again")
	// ErrReasonNeeded says that a note is needed to find an order unpaid or
	// refunded that a success came for.
	ErrReasonNeeded = errors.New("a success came for this order: say why it does not count")
	// ErrNoRoom says that what is left of the disk is kept for the outcomes of
	// the orders that there are.
	ErrNoRoom = errors.New("the disk is nearly full, so that no new order is made: make room on it")
	// ErrIdentityNeeded says that the shop has cashiers, and that one of them
	// must answer for this with a name and a PIN.
	ErrIdentityNeeded = errors.New("say who you are: a cashier's name and PIN are needed")
	// ErrWrongPIN says that no cashier has this name and this PIN.
	ErrWrongPIN = errors.New("the name or the PIN is wrong")
	// ErrNotOwner says that only an owner may do this.
	ErrNotOwner = errors.New("only an owner may do this")
	// ErrNeedsOwner says that a shop with cashiers must have an owner.
	ErrNeedsOwner = errors.New("a shop that has cashiers needs an owner: the first to come and the last to go is one")
	// ErrInvalidCashier says that a cashier cannot be as wanted.
	ErrInvalidCashier = errors.New("this is no cashier")
	// ErrNotBegun says that a day that is to be closed is yet to come.
	ErrNotBegun = errors.New("the day has not begun")
	// ErrNotMatchable says that an order cannot be given this order reference: its
	// outcome is known, or it has another one.
	ErrNotMatchable = errors.New("only an order of unknown outcome that has no other order reference can be matched")
)

// Refusal is the payment service's answer that it does not take an order. It
// is definite: no link exists.
type Refusal struct {
	// Message is the service's own text, cleaned.
	Message string
}

// Error returns the service's message.
func (r *Refusal) Error() string { return "refused by the payment service: " + r.Message }

// Fault is why an order call gave no link. It is an error, which a [Gateway]
// wraps with a detail behind a colon. Its words are the key of the texts that say
// it, and stand in [Order.Error] and in logs.
type Fault string

// The faults. With the first six nothing was sent, and the error wraps
// [ErrNotSent] too; after the others the outcome of the call is unknown.
const (
	ErrNoHost              Fault = "no such host"                           // The service's name has no address.
	ErrNobody              Fault = "nobody answers at its address"          // The connection is refused.
	ErrNoNetwork           Fault = "there is no way to the network"         // There is no route to its address.
	ErrTooSlow             Fault = "the connection took too long"           // The connection timed out.
	ErrExpired             Fault = "its certificate has expired"            // Or is not valid yet, by this machine's clock.
	ErrUntrusted           Fault = "its certificate is not trusted"         // It is for another name, or of an unknown issuer.
	ErrNoAnswer            Fault = "no answer came in time"                 // The service was silent for too long.
	ErrInterrupted         Fault = "the call was interrupted"               // It was canceled, as when the program ends.
	ErrConnectionLost      Fault = "the connection ended before the answer" // It was reset or closed.
	ErrUnreadable          Fault = "the answer cannot be read"              // What came back is no HTTP answer.
	ErrUnsoundReply        Fault = "the answer is not valid"                // It is not what the specification has.
	ErrAnswered            Fault = "the service answered"                   // With neither yes nor no: the detail is the status.
	ErrOrderReferenceTaken Fault = "the order reference is another order's" // A reference is unique.
)

// Faults returns all faults.
func Faults() []Fault {
	return []Fault{
		ErrNoHost, ErrNobody, ErrNoNetwork, ErrTooSlow, ErrExpired, ErrUntrusted, ErrNoAnswer, ErrInterrupted,
		ErrConnectionLost, ErrUnreadable, ErrUnsoundReply, ErrAnswered, ErrOrderReferenceTaken,
	}
}

// Error returns the fault's words.
func (f Fault) Error() string { return string(f) }

// Reason is why an order has no link, or why its payment failed.
type Reason struct {
	Fault  Fault  // Blank where the program has no word for it.
	Detail string // What was said beside the fault, or all of it; may be blank.
}

// Reason returns why the order has no link, or why its payment failed.
func (o Order) Reason() Reason {
	said := strings.TrimPrefix(o.Error, ErrNotSent.Error()+": ")
	name, detail, _ := strings.Cut(said, ": ")
	if fault := Fault(name); slices.Contains(Faults(), fault) {
		return Reason{fault, detail}
	}
	return Reason{Detail: said}
}
