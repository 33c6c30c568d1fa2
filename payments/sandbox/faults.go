package sandbox

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"checkout/till/payments"
)

// Faults are injected on purpose. The zero value is a service without a fault.
// In JSON they have the names of the fields, as in "amount_off"; spans of time
// are texts, as "1m30s".
type Faults struct {
	Call  CallFaults  `json:"call"`
	Event EventFaults `json:"event"`
}

// CallFaults are the faults of the order call. Several may be set; where two
// exclude each other, the one that stands first here decides.
type CallFaults struct {
	Break       bool               `json:"break,omitzero"`        // Answers 500; no order is made.
	Refuse      string             `json:"refuse,omitzero"`       // Answers 422 with this message; no order is made.
	EventFirst  payments.EventKind `json:"event_first,omitzero"`  // Happens, and is delivered once, before the answer.
	Slow        time.Duration      `json:"slow,omitzero"`         // How late the answer comes. The order exists meanwhile.
	Cut         bool               `json:"cut,omitzero"`          // Closes the connection without an answer. The order exists.
	BreakAfter  bool               `json:"break_after,omitzero"`  // Answers 500. The order exists.
	Reply       ReplyFault         `json:"reply,omitzero"`        // What is wrong with the answer to an order that was made.
	CheckoutURL string             `json:"checkout_url,omitzero"` // Is answered instead of the order's own link.
}

// ReplyFault is what is wrong with the answer to the order call. The empty
// text is nothing.
type ReplyFault string

// The faults of the answer to the order call. All of them answer 200.
const (
	ReplyEmpty       ReplyFault = "empty"        // No body.
	ReplyHTML        ReplyFault = "html"         // A page of a proxy in between.
	ReplyCutJSON     ReplyFault = "cut-json"     // JSON that ends in the middle.
	ReplyWrongFields ReplyFault = "wrong-fields" // Sound JSON with fields of other names.
)

// EventFaults are the faults of events. They belong to an event from the moment it
// happens; but Signature, Padding and Slow are looked at on every try, so that
// sending again after they were mended succeeds.
type EventFaults struct {
	Drop      bool               `json:"drop,omitzero"`       // Sends nothing. The event can still be sent from the dashboard.
	Delay     time.Duration      `json:"delay,omitzero"`      // How long the first try waits. Later events may overtake it.
	Copies    int                `json:"copies,omitzero"`     // How often it is sent beside the first time.
	Reorder   bool               `json:"reorder,omitzero"`    // Holds other events back to the link's end; the last event is sent first.
	Then      payments.EventKind `json:"then,omitzero"`       // Is sent right after the event that ended the link; with Reorder, before it.
	Signature SignatureFault     `json:"signature,omitzero"`  // What is wrong with the signature.
	AmountOff payments.Ariary    `json:"amount_off,omitzero"` // Is added to the amount.
	Currency  string             `json:"currency,omitzero"`   // Stands in place of the order's.
	Shape     ShapeFault         `json:"shape,omitzero"`      // What is wrong with the fields.
	Reason    string             `json:"reason,omitzero"`     // Stands in the error, with whatever characters; a success has none.
	Padding   int                `json:"padding,omitzero"`    // Bytes of white space after the event.
	Slow      time.Duration      `json:"slow,omitzero"`       // How late the body follows the header, by which a try may take longer.
}

// SignatureFault is what is wrong with a signature. The empty text is nothing.
type SignatureFault string

// The faults of a signature.
const (
	SignatureWrong   SignatureFault = "wrong"   // Well formed, made with another secret.
	SignatureMissing SignatureFault = "missing" // There is no header.
	SignatureDoubled SignatureFault = "doubled" // The header stands there twice.
	SignatureStatic  SignatureFault = "static"  // By that scheme, whatever is set.
	SignatureBody    SignatureFault = "body"    // By that scheme, whatever is set.
)

// ShapeFault is what is wrong with the fields of an event. The empty text is
// nothing.
type ShapeFault string

// The faults of an event's fields.
const (
	ShapeAmountText       ShapeFault = "amount-text"      // "1500" instead of 1500.
	ShapeAmountDecimal    ShapeFault = "amount-decimal"   // 1500.0 instead of 1500.
	ShapeAmountMissing    ShapeFault = "amount-missing"   // There is none.
	ShapeCurrencyMissing  ShapeFault = "currency-missing" // There is none.
	ShapeCurrencyMisspelt ShapeFault = "curency"          // Under the name that the specification's receiver misspells.
	ShapeUnknownKind      ShapeFault = "unknown-kind"     // A kind that the specification does not know.
)

const (
	maxCopies  = 10        // Bounds [EventFaults.Copies].
	maxPadding = 10 << 20  // Bounds [EventFaults.Padding], in bytes.
	maxSpan    = time.Hour // Bounds the spans of time.
)

// ErrFault says that a fault has a value that it may not have. The error around
// it names the field.
var ErrFault = errors.New("unsound fault")

// Check returns [ErrFault] unless each fault has a value that it may have.
func (f Faults) Check() error {
	return cmp.Or(
		within("call.slow", f.Call.Slow, 0, maxSpan),
		oneOf("call.event_first", f.Call.EventFirst, payments.EventKinds()...),
		oneOf("call.reply", f.Call.Reply, ReplyEmpty, ReplyHTML, ReplyCutJSON, ReplyWrongFields),
		f.Event.Check(),
	)
}

// Check returns [ErrFault] unless each fault has a value that it may have.
func (f EventFaults) Check() error {
	return cmp.Or(
		within("delay", f.Delay, 0, maxSpan),
		within("slow", f.Slow, 0, maxSpan),
		within("copies", f.Copies, 0, maxCopies),
		within("padding", f.Padding, 0, maxPadding),
		within("amount_off", int64(f.AmountOff), -int64(payments.MaxAriary), int64(payments.MaxAriary)),
		oneOf("then", f.Then, payments.EventKinds()...),
		oneOf("signature", f.Signature, SignatureWrong, SignatureMissing, SignatureDoubled, SignatureStatic, SignatureBody),
		oneOf("shape", f.Shape, ShapeAmountText, ShapeAmountDecimal, ShapeAmountMissing,
			ShapeCurrencyMissing, ShapeCurrencyMisspelt, ShapeUnknownKind),
	)
}

func within[T cmp.Ordered](field string, value, least, most T) error {
	if value < least || value > most {
		return fmt.Errorf("%w: %s may be: %v to %v", ErrFault, field, least, most)
	}
	return nil
}

func oneOf[T ~string](field string, value T, allowed ...T) error {
	if value != "" && !slices.Contains(allowed, value) {
		return fmt.Errorf("%w: %s may be: %s", ErrFault, field, strings.ReplaceAll(strings.Trim(fmt.Sprint(allowed), "[]"), " ", ", "))
	}
	return nil
}
