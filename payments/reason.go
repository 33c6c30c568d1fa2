package payments

import "strings"

// Fault is why an order call gave no link. It is an error, which a [Gateway]
// wraps with a detail behind it, and the key of the texts that say it.
type Fault string

// The faults. With the first four nothing was sent, and the error wraps
// [ErrNotSent] too; after the others nobody knows whether the service has the
// order.
const (
	ErrNoHost              Fault = "no_host"         // The service's name has no address.
	ErrNobody              Fault = "nobody"          // No program answers at its address.
	ErrNoNetwork           Fault = "no_network"      // There is no way to its address.
	ErrTooSlow             Fault = "too_slow"        // The connection took too long.
	ErrNoAnswer            Fault = "no_answer"       // The service was silent for too long.
	ErrInterrupted         Fault = "interrupted"     // The call was given up, as when the program ends.
	ErrConnectionLost      Fault = "connection_lost" // The connection ended before the answer.
	ErrUnreadable          Fault = "unreadable"      // What came back is no answer of a service.
	ErrUnsoundReply        Fault = "unsound"         // The service's answer cannot be used.
	ErrAnswered            Fault = "answered"        // The service answered neither yes nor no: the detail is the status.
	ErrOrderReferenceTaken Fault = "taken"           // Another order has the service's order reference.
)

// Faults returns all faults.
func Faults() []Fault {
	return []Fault{
		ErrNoHost, ErrNobody, ErrNoNetwork, ErrTooSlow, ErrNoAnswer, ErrInterrupted, ErrConnectionLost, ErrUnreadable,
		ErrUnsoundReply, ErrAnswered, ErrOrderReferenceTaken,
	}
}

// Error returns the words that stand for the fault in [Order.Error] and in logs.
func (f Fault) Error() string {
	switch f {
	case ErrNoHost:
		return "no such host"
	case ErrNobody:
		return "nobody answers at its address"
	case ErrNoNetwork:
		return "there is no way to the network"
	case ErrTooSlow:
		return "the connection took too long"
	case ErrNoAnswer:
		return "no answer came in time"
	case ErrInterrupted:
		return "the call was interrupted"
	case ErrConnectionLost:
		return "the connection ended before the answer"
	case ErrUnreadable:
		return "the answer cannot be read"
	case ErrUnsoundReply:
		return "the answer is not sound"
	case ErrAnswered:
		return "the service answered"
	case ErrOrderReferenceTaken:
		return "the order reference is another order's"
	}
	return string(f)
}

// Reason is why an order has no link, or why its payment failed.
type Reason struct {
	// Fault is blank where the program has no word for it: what the service said
	// itself.
	Fault Fault
	// Detail is what was said beside the fault, or all of it. It may be blank.
	Detail string
}

// Reason returns why the order has no link, or why its payment failed. An order
// keeps a fault by its words.
func (o Order) Reason() Reason {
	said := strings.TrimPrefix(o.Error, ErrNotSent.Error()+": ")
	for _, fault := range Faults() {
		separator := ": "
		if fault == ErrAnswered {
			separator = " "
		}
		if said == fault.Error() {
			return Reason{Fault: fault}
		}
		if detail, found := strings.CutPrefix(said, fault.Error()+separator); found {
			return Reason{fault, detail}
		}
	}
	return Reason{Detail: said}
}
