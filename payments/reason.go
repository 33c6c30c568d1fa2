package payments

import (
	"slices"
	"strings"
)

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
