package payments

import (
	"cmp"
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

// Fault is the code of why an order call gave no link. It is stored, and is the key
// of the text that says it on a screen.
type Fault string

// The faults. After the first seven the service cannot have the order, and
// [errors.Is] finds [ErrNotSent]; after the others the outcome is unknown.
const (
	ErrNotSent             Fault = "not_sent"              // It never left this machine: the same order may be sent again.
	ErrNoHost              Fault = "no_host"               // The service's name has no address.
	ErrNobody              Fault = "nobody"                // The connection is refused.
	ErrNoNetwork           Fault = "no_network"            // There is no route to its address.
	ErrTooSlow             Fault = "too_slow"              // The connection timed out.
	ErrExpired             Fault = "expired"               // Or is not valid yet, by this machine's clock.
	ErrUntrusted           Fault = "untrusted"             // It is for another name, or of an unknown issuer.
	ErrNoAnswer            Fault = "no_answer"             // The service was silent for too long.
	ErrInterrupted         Fault = "interrupted"           // It was canceled, as when the program ends.
	ErrConnectionLost      Fault = "connection_lost"       // It was reset or closed.
	ErrUnreadable          Fault = "unreadable"            // What came back is no HTTP answer.
	ErrUnsoundReply        Fault = "unsound_reply"         // It is not what the specification has.
	ErrAnswered            Fault = "answered"              // With neither yes nor no: the detail is the status.
	ErrOrderReferenceTaken Fault = "order_reference_taken" // A reference is unique.
)

// Faults returns all faults except [ErrNotSent], which has no text of its own.
func Faults() []Fault {
	return append(unsentFaults(), ErrNoAnswer, ErrInterrupted,
		ErrConnectionLost, ErrUnreadable, ErrUnsoundReply, ErrAnswered, ErrOrderReferenceTaken)
}

// unsentFaults returns the faults that wrap [ErrNotSent].
func unsentFaults() []Fault {
	return []Fault{ErrNoHost, ErrNobody, ErrNoNetwork, ErrTooSlow, ErrExpired, ErrUntrusted}
}

// Error returns what the fault is in English.
func (f Fault) Error() string {
	words := map[Fault]string{
		ErrNotSent:             "the order was not sent",
		ErrNoHost:              "no such host",
		ErrNobody:              "nobody answers at its address",
		ErrNoNetwork:           "there is no way to the network",
		ErrTooSlow:             "the connection took too long",
		ErrExpired:             "its certificate has expired",
		ErrUntrusted:           "its certificate is not trusted",
		ErrNoAnswer:            "no answer came in time",
		ErrInterrupted:         "the call was interrupted",
		ErrConnectionLost:      "the connection ended before the answer",
		ErrUnreadable:          "the answer cannot be read",
		ErrUnsoundReply:        "the answer is not valid",
		ErrAnswered:            "the service answered",
		ErrOrderReferenceTaken: "the order reference is another order's",
	}
	return cmp.Or(words[f], string(f))
}

// Is reports whether nothing was sent, for [ErrNotSent].
func (f Fault) Is(target error) bool {
	return target == ErrNotSent && slices.Contains(unsentFaults(), f)
}

// Reason is why an order has no link, or why its payment failed. It is also the
// error of an order call, see [Gateway].
type Reason struct {
	Fault  Fault  // Blank where the program has no code for it.
	Detail string // The service's own text, or more about the fault; may be blank.
}

// Error returns the reason as a sentence in English, for logs and scripts.
func (r Reason) Error() string {
	var parts []string
	if slices.Contains(unsentFaults(), r.Fault) {
		parts = append(parts, ErrNotSent.Error())
	}
	if r.Fault != "" {
		parts = append(parts, r.Fault.Error())
	}
	if r.Detail != "" {
		parts = append(parts, r.Detail)
	}
	return strings.Join(parts, ": ")
}

// Unwrap returns the fault.
func (r Reason) Unwrap() error { return r.Fault }

// reasonOf returns the reason in the error of an order call.
func reasonOf(err error) Reason {
	reason := Reason{Detail: err.Error()}
	if refusal, ok := errors.AsType[*Refusal](err); ok {
		reason.Detail = refusal.Message
	} else if wrapped, ok := errors.AsType[Reason](err); ok {
		reason = wrapped
	} else if fault, ok := errors.AsType[Fault](err); ok {
		reason = Reason{Fault: fault}
	}
	reason.Detail = Clean(reason.Detail, MaxShownWidth)
	return reason
}
