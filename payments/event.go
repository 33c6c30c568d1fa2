package payments

import (
	"crypto/sha256"
	"encoding/binary"
	"strconv"
	"time"
)

// ValueKind tells how a field stood in an event's JSON.
type ValueKind byte

// The kinds of a value. The bytes are part of an event's identity and must
// not change.
const (
	Missing ValueKind = 0   // The field is not there.
	Null    ValueKind = 'z' // The JSON null.
	Text    ValueKind = 's' // A string; Value.Text is the decoded text.
	Number  ValueKind = 'n' // A number; Value.Text is its text as it was sent.
	Other   ValueKind = 'o' // Anything else; Value.Text is its compact JSON.
)

// Value is one field of an event as it was decoded. A field of an unexpected
// kind is kept, for it must not cost a payment.
type Value struct {
	Kind ValueKind
	Text string
}

// TextValue returns the value of a JSON string.
func TextValue(text string) Value { return Value{Kind: Text, Text: text} }

// AmountValue returns the value of a JSON integer.
func AmountValue(amount Ariary) Value {
	return Value{Kind: Number, Text: strconv.FormatInt(int64(amount), 10)}
}

// Is tells whether the value is a JSON integer exactly equal to amount. 1500.0,
// 1.5e3 and "1500" are not.
func (v Value) Is(amount Ariary) bool { return v == AmountValue(amount) }

// MaxShownWidth bounds a text of the service that is shown or stored for
// people, in terminal columns.
const MaxShownWidth = 200

// Shown returns the value's text, cleaned, for a person to read. A missing
// value gives the empty text.
func (v Value) Shown() string {
	if v.Kind == Null {
		return "null"
	}
	return Clean(v.Text, MaxShownWidth)
}

// Event is one notification of the payment service, decoded, with its
// signature already verified. The texts are as they were sent: clean them
// before they are shown.
type Event struct {
	Kind           EventKind
	OrderReference string // The service's name of the order.
	Reference      Value  // Information only; its shape differs from ours.
	Amount         Value
	Currency       Value
	Description    Value
	Error          Value // The reason, in failed, canceled and expired.
}

// EventID is the identity of an event.
type EventID [sha256.Size]byte

// ID returns the identity of the event: a SHA-256 over its decoded fields,
// each with its kind and its length. The specification gives events no id of
// their own; key order, white space, unknown fields and the number of
// deliveries do not change this one.
func (e Event) ID() EventID {
	text := make([]byte, 0, 512)
	for _, field := range [...]Value{
		TextValue(string(e.Kind)), TextValue(e.OrderReference),
		e.Reference, e.Amount, e.Currency, e.Description, e.Error,
	} {
		text = binary.BigEndian.AppendUint64(append(text, byte(field.Kind)), uint64(len(field.Text)))
		text = append(text, field.Text...)
	}
	return sha256.Sum256(text)
}

// Effect is what an event did when it arrived.
type Effect string

// The effects of an event. Logs, metrics, JSON and the database call them outcomes.
const (
	Applied     Effect = "applied"   // The order changed.
	Unchanged   Effect = "unchanged" // The event is new; status, proof and attention stay.
	Duplicate   Effect = "duplicate" // The event had come before.
	NoSuchOrder Effect = "unmatched" // No order has the event's order reference (yet).
	Noticed     Effect = "noticed"   // Unmatched, and a person has looked at it.
	Dropped     Effect = "dropped"   // Not stored: see [MaxEventsPerReference] and [MaxUnmatched].
)

// Effects returns all effects.
func Effects() []Effect {
	return []Effect{Applied, Unchanged, Duplicate, NoSuchOrder, Noticed, Dropped}
}

// OrphanGrace is how long a success may wait for its order before it counts as an
// orphan: every order call ends in less, and an event may come before its answer.
const OrphanGrace = 45 * time.Second

// Record is an event as it is stored.
type Record struct {
	Event      Event
	ID         EventID
	Sequence   int64     // The order of arrival, given by the store.
	Order      string    // The reference of its order; empty while unmatched.
	ReceivedAt time.Time // Of the first delivery.
	Effect     Effect
	Count      int64  // Deliveries so far, at least 1.
	Body       []byte // The raw body of the first delivery.
	BodySHA256 [sha256.Size]byte
}

// Orphan tells whether the record is a payment without an order that a person
// must look at: a success that no order of this shop has, and that nobody has
// looked at yet. Other events without an order are of no consequence.
func (r Record) Orphan(now time.Time) bool {
	return r.Effect == NoSuchOrder && r.Event.Kind == PaymentSuccess && now.Sub(r.ReceivedAt) >= OrphanGrace
}

// EventKind is the value of an event's "event" field.
type EventKind string

// The four kinds of section 6 of the specification. Any other kind is stored
// and changes nothing.
const (
	PaymentSuccess  EventKind = "payment.success"
	PaymentFailed   EventKind = "payment.failed"
	PaymentCanceled EventKind = "payment.canceled"
	PaymentExpired  EventKind = "payment.expired"
)

// EventKinds returns the four kinds of the specification. What one does follows
// from the status that it sets, see [EventKind.Status] and [Order.Apply].
func EventKinds() []EventKind {
	return []EventKind{PaymentSuccess, PaymentFailed, PaymentCanceled, PaymentExpired}
}

// Status returns the status that an event of this kind sets, and false for a
// kind that the specification does not name.
func (k EventKind) Status() (Status, bool) {
	status, known := map[EventKind]Status{
		PaymentSuccess: StatusSuccess, PaymentFailed: StatusFailed,
		PaymentCanceled: StatusCanceled, PaymentExpired: StatusExpired,
	}[k]
	return status, known
}
