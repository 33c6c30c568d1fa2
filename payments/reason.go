package payments

import (
	"errors"
	"strings"
)

// Why nobody knows what became of an order call. A [Gateway] says one of these,
// perhaps with a detail behind it, and the order keeps it as a text: see
// [Order.Reason].
var (
	// ErrNoAnswer says that the service was silent for too long.
	ErrNoAnswer = errors.New("no answer came in time")
	// ErrInterrupted says that the call was given up, as when the program ends.
	ErrInterrupted = errors.New("the call was interrupted")
	// ErrConnectionLost says that the connection ended before the answer.
	ErrConnectionLost = errors.New("the connection ended before the answer")
	// ErrUnreadable says that what came back is no answer of a service.
	ErrUnreadable = errors.New("the answer cannot be read")
	// ErrUnsoundReply says that the service's answer cannot be used.
	ErrUnsoundReply = errors.New("the answer is not sound")
	// ErrAnswered says that the service answered neither yes nor no. Its detail
	// is the status.
	ErrAnswered = errors.New("the service answered")
)

// Reason is why an order has no link, taken apart.
type Reason struct {
	// Cause is [ErrNotSent], [ErrOrderReferenceTaken] or one of the errors that
	// say why nobody knows. It is nil where the program has no word for it: what
	// the service said itself.
	Cause error
	// Detail is what was said beside the cause, or all of it. It may be blank.
	Detail string
}

// Reason returns why the order has no link, or why its payment failed.
func (o Order) Reason() Reason {
	if status, found := strings.CutPrefix(o.Error, ErrAnswered.Error()+" "); found {
		return Reason{ErrAnswered, status}
	}
	said, detail, _ := strings.Cut(o.Error, ": ")
	for _, cause := range []error{
		ErrNotSent, ErrOrderReferenceTaken, ErrNoAnswer, ErrInterrupted, ErrConnectionLost, ErrUnreadable, ErrUnsoundReply,
	} {
		if said == cause.Error() {
			return Reason{cause, detail}
		}
	}
	return Reason{Detail: o.Error}
}
