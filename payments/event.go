package payments

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
	"time"

	"checkout/till/payments/clean"
	"checkout/till/payments/money"
)

// ValueKind is the JSON type of an event's field.
type ValueKind byte

// The kinds of values. An event's ID is a hash that includes these bytes, so they must not change.
const (
	Missing ValueKind = 0
	Null    ValueKind = 'z'
	Text    ValueKind = 's' // A string; Value.Text is the decoded text.
	Number  ValueKind = 'n' // A number; Value.Text is the number as sent.
	Other   ValueKind = 'o' // Anything else; Value.Text is its compact JSON. A repeated field has this kind, too.
)

// Value is one decoded field of an event. It can have any JSON type: an event with a field of an
// unexpected type is stored, too, because it may report a payment.
type Value struct {
	Kind ValueKind
	Text string
}

// TextValue returns the value that an event has for a field with this JSON string.
func TextValue(text string) Value { return Value{Kind: Text, Text: text} }

// AmountValue returns the value that an event has for a field with this JSON integer.
func AmountValue(amount money.Ariary) Value {
	return Value{Kind: Number, Text: strconv.FormatInt(int64(amount), 10)}
}

// Is reports whether the value is a JSON integer equal to amount. 1500.0, 1.5e3 and "1500" are not.
func (v Value) Is(amount money.Ariary) bool { return v == AmountValue(amount) }

// amount returns the amount of a JSON integer from 1 to [money.MaxAriary], and false for any other
// value.
func (v Value) amount() (money.Ariary, bool) {
	amount, err := money.ParseAriary(v.Text)
	return amount, err == nil && v.Is(amount)
}

// Display returns the text of the value, cleaned by [clean.Text]. It returns "null" for the JSON
// value null, and "" for a missing value.
func (v Value) Display() string {
	if v.Kind == Null {
		return "null"
	}
	return clean.Text(v.Text, MaxShownWidth)
}

// Event is one decoded notification of the payment service. Its texts are as they were received,
// and may harm a terminal. [Service.Receive] expects that the signature was verified before.
type Event struct {
	Kind           EventKind
	OrderReference string // The service's name for the order.
	Reference      Value  // The shop's reference as sent. It does not identify the order; see [OtherReference].
	Amount         Value
	Currency       Value
	Description    Value
	Error          Value // The reason in failed, canceled and expired events.
}

// Names returns the text of the event's field Reference. another reports whether it may be the
// reference of another order of this shop.
func (e Event) Names(order Order) (reference string, another bool) {
	text := e.Reference.Text
	return text, e.Reference.Kind == Text && text != order.Reference && validReference(text)
}

// EventID identifies an event: two events have the same ID exactly if all their fields are equal.
type EventID [sha256.Size]byte

// ID returns a SHA-256 of the decoded fields, because the specification gives events no ID. Key
// order, white space and unknown fields do not change it.
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

// Effect says what happened to an event.
type Effect string

// The effects. Logs, metrics, JSON and the database call them outcomes.
const (
	Applied   Effect = "applied"   // The order changed.
	Unchanged Effect = "unchanged" // The event changed neither status nor proof nor attention.
	Duplicate Effect = "duplicate" // The event was stored before, and has an order already.
	Unmatched Effect = "unmatched" // No order has the event's order reference yet.
	Reviewed  Effect = "noticed"   // Unmatched, and reviewed by a person.
	Dropped   Effect = "dropped"   // Not stored because of a limit, or an unmatched success was deleted to make room.
)

// Effects returns all effects. No stored record is [Duplicate] or [Dropped].
func Effects() []Effect {
	return []Effect{Applied, Unchanged, Duplicate, Unmatched, Reviewed, Dropped}
}

// OrphanGrace is how long a success without an order may wait before it is a [Record.Orphan]. An
// event may come before the answer to the order call is stored.
const OrphanGrace = CallLimit

// Record is a stored event, with its order and its effect.
type Record struct {
	Event      Event
	ID         EventID
	Sequence   int64     // Assigned by the store in order of arrival.
	Order      string    // Reference of the event's order; empty while unmatched.
	ReceivedAt time.Time // When the event first arrived; corrected if the clock was set back.
	Effect     Effect
	Count      int64  // Deliveries so far, at least 1.
	Body       []byte // The raw body of the first delivery, for [Tx.InsertEvent]. A record that was read has no body.
	BodySHA256 [sha256.Size]byte
}

// Orphan reports whether a person must review the record: it is a success without an order,
// it was not reviewed, and [OrphanGrace] is over.
func (r Record) Orphan(now time.Time) bool {
	// Abs: if the clock was set back, ReceivedAt is in the future.
	return r.Effect == Unmatched && r.Event.Kind == PaymentSuccess && now.Sub(r.ReceivedAt).Abs() >= OrphanGrace
}

// EventKind is the value of an event's "event" field.
type EventKind string

// The four kinds of section 6 of the specification. Any other kind is stored and changes nothing.
const (
	PaymentSuccess  EventKind = "payment.success"
	PaymentFailed   EventKind = "payment.failed"
	PaymentCanceled EventKind = "payment.canceled"
	PaymentExpired  EventKind = "payment.expired"
)

// EventKinds returns the four kinds of the specification.
func EventKinds() []EventKind {
	return []EventKind{PaymentSuccess, PaymentFailed, PaymentCanceled, PaymentExpired}
}

// Status returns the status that an event of this kind sets. It returns false for a kind
// that is not in the specification.
func (k EventKind) Status() (Status, bool) {
	if !slices.Contains(EventKinds(), k) {
		return "", false
	}
	return Status(strings.TrimPrefix(string(k), "payment.")), true
}
