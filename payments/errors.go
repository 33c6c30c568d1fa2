package payments

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"checkout/till/payments/clean"
)

// Errors that callers compare with.
var (
	ErrNotFound       = errors.New("no such order")
	ErrReferenceTaken = errors.New("the reference is taken by another order")
	ErrTooSmall       = errors.New("the price rounds to zero")
	// ErrInvalidItem says that a value of a line, or a discount, is not valid.
	ErrInvalidItem      = errors.New("invalid item")
	ErrNoItems          = errors.New("at least one item is needed")
	ErrInvalidReference = errors.New("the reference must be 1 to 64 visible characters without blanks")
	// ErrCashReference says that a given reference looks like a [CashNumber]. It wraps
	// [ErrInvalidReference].
	ErrCashReference = fmt.Errorf("%w, and not look like the number of a cash sale", ErrInvalidReference)
	// ErrAmbiguous says that it is unknown whether the service has the order or, in an
	// [UnstoredError], whether the order is stored. The order's link was never shown, so it is safe
	// to create another order.
	ErrAmbiguous = errors.New("the outcome of the order call is unknown")
	ErrUnderWay  = errors.New("an order of this sale is being made: wait for its answer")
	ErrOutdated  = errors.New("the order has changed since it was looked at: look at it again")
	// ErrReasonNeeded says that a [Finding] of unpaid needs a note, because a success came for the
	// order.
	ErrReasonNeeded = errors.New("a success came for this order: say why it does not count")
	// ErrCommitUnknown says that the database may or may not have stored the change: its answer to
	// COMMIT was lost, or the check of the database file after the commit failed. To find out, read
	// in a [Store.Update]: unlike other reads, it waits for a commit that is still running.
	ErrCommitUnknown = errors.New("it is not known whether the change is stored")
	// ErrNoRoom says that the disk is nearly full. The remaining space is for events and other
	// changes of existing orders.
	ErrNoRoom       = errors.New("the disk is nearly full, so that no new order is made: make room on it")
	ErrNotMatchable = errors.New("only an order of unknown outcome that has no other order reference can be matched")
)

// Refusal is the payment service's answer that it refuses an order. It is final: there is no link.
type Refusal struct{ Message string } // The service's own text, cleaned by [clean.Text], or else the HTTP status.

func (r *Refusal) Error() string { return "refused by the payment service: " + r.Message }

// CallError is the code for why an order call gave no link. An order stores it in its [Reason].
type CallError string

// The errors of an order call. The errors up to ErrProxy mean that the service cannot have the
// order: [errors.Is] matches them with [ErrNotSent]. The other errors leave the outcome unknown.
const (
	ErrNotSent             CallError = "not_sent"       // Not sent; the same order may be sent again.
	ErrNoHost              CallError = "no_host"        // The service's host name could not be looked up.
	ErrNobody              CallError = "nobody"         // The connection was refused.
	ErrNoNetwork           CallError = "no_network"     // No route to the service's address.
	ErrTooSlow             CallError = "too_slow"       // The connection timed out.
	ErrExpired             CallError = "expired"        // Certificate expired or not yet valid, by the local clock.
	ErrUntrusted           CallError = "untrusted"      // Certificate not trusted, for example because it is for another name.
	ErrNoTLS               CallError = "no_tls"         // The answer to the TLS handshake is not TLS.
	ErrOldTLS              CallError = "old_tls"        // No TLS version or cipher in common.
	ErrNoCertificate       CallError = "no_certificate" // The server ended the TLS handshake, for example because it has no certificate.
	ErrProxy               CallError = "proxy"          // The proxy that HTTPS_PROXY names does not connect to the service.
	ErrNoAnswer            CallError = "no_answer"
	ErrInterrupted         CallError = "interrupted"     // Call canceled, or its result was not stored.
	ErrConnectionLost      CallError = "connection_lost" // The connection was reset or closed.
	ErrUnreadable          CallError = "unreadable"      // The answer cannot be read; usually it is not HTTP.
	ErrUnsoundReply        CallError = "unsound_reply"   // The answer does not follow the specification.
	ErrAnswered            CallError = "answered"        // The HTTP status neither accepts nor refuses the order, such as 500.
	ErrOrderReferenceTaken CallError = "order_reference_taken"
)

// CallErrors returns all values except [ErrNotSent], which has no translated text.
func CallErrors() []CallError {
	return append(unsentErrors(), ErrNoAnswer, ErrInterrupted,
		ErrConnectionLost, ErrUnreadable, ErrUnsoundReply, ErrAnswered, ErrOrderReferenceTaken)
}

func unsentErrors() []CallError {
	return []CallError{ErrNoHost, ErrNobody, ErrNoNetwork, ErrTooSlow, ErrExpired, ErrUntrusted, ErrNoTLS, ErrOldTLS, ErrNoCertificate, ErrProxy}
}

func (f CallError) Error() string {
	words := map[CallError]string{
		ErrNotSent:             "the order was not sent",
		ErrNoHost:              "no such host",
		ErrNobody:              "nobody answers at its address",
		ErrNoNetwork:           "there is no way to the network",
		ErrTooSlow:             "the connection took too long",
		ErrExpired:             "its certificate has expired",
		ErrUntrusted:           "its certificate is not trusted",
		ErrNoTLS:               "it does not answer in TLS",
		ErrOldTLS:              "it has no TLS version or cipher that is still secure",
		ErrNoCertificate:       "it refuses the secure connection",
		ErrProxy:               "the proxy does not connect",
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

// Is makes [errors.Is] match [ErrNotSent] with every error that means that nothing was sent.
func (f CallError) Is(target error) bool {
	return target == ErrNotSent && slices.Contains(unsentErrors(), f)
}

// Reason is why an order has no link, or why it was not paid; zero without one.
type Reason struct {
	Fault  CallError // Code of the cause; empty if no code fits.
	Detail string    // The service's own text, or the details of another failure; may be empty.
}

// Error joins the English text of Fault and Detail, for logs and scripts. For an order that was not
// sent, the text says so first.
func (r Reason) Error() string {
	var parts []string
	if slices.Contains(unsentErrors(), r.Fault) {
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

func (r Reason) Unwrap() error { return r.Fault }

func reasonOf(err error) Reason {
	reason := Reason{Detail: err.Error()}
	if refusal, ok := errors.AsType[*Refusal](err); ok {
		reason.Detail = refusal.Message
	} else if wrapped, ok := errors.AsType[Reason](err); ok {
		reason = wrapped
	} else if fault, ok := errors.AsType[CallError](err); ok {
		reason = Reason{Fault: fault}
	}
	reason.Detail = clean.Text(reason.Detail, MaxShownWidth)
	return reason
}
