package gateway

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"

	"checkout/till/payments"
)

var (
	// ErrMalformed says that a body is no event: not one JSON object, a
	// repeated event, data or order_reference, an order_reference that is no
	// string, or no usable event.
	ErrMalformed = errors.New("malformed event")
	// ErrNoOrderReference says that an event has no data.order_reference.
	ErrNoOrderReference = errors.New("missing order_reference")
)

// MaxName bounds the name of an event and its order reference, in bytes: what a
// database can index. The service's own have some ten.
const MaxName = 256

// DecodeEvent reads an event whose signature was verified. Its errors are
// [ErrMalformed] and [ErrNoOrderReference]; they hold no byte of the body.
//
// A usable event and order_reference are texts that are not blank and hold
// neither NUL nor invalid UTF-8, of at most [MaxName] bytes. With these the event
// is never refused for another field: the others are kept as they are, of
// whatever type, bad bytes in a text as U+FFFD. Unknown fields are ignored, and
// so is a key in another case.
func DecodeEvent(body []byte) (payments.Event, error) {
	root, err := parse(body)
	if err != nil {
		return payments.Event{}, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	event := fieldsOf(root)
	if event == nil {
		return payments.Event{}, malformed("it is not a JSON object")
	}
	data := fieldsOf(event.first("data"))
	if len(event["event"]) > 1 || len(event["data"]) > 1 || len(data["order_reference"]) > 1 {
		return payments.Event{}, malformed("event, data or order_reference is repeated")
	}
	named := data.value("order_reference")
	if named.Kind == payments.Missing || named.Kind == payments.Null || named.Kind == payments.Text && strings.TrimSpace(named.Text) == "" {
		return payments.Event{}, ErrNoOrderReference
	}
	reference, sound := usable(data.first("order_reference"))
	if !sound {
		return payments.Event{}, malformed("order_reference is not a valid text")
	}
	kind, sound := usable(event.first("event"))
	if !sound {
		return payments.Event{}, malformed("event is not a valid text")
	}
	return payments.Event{
		Kind:           payments.EventKind(kind),
		OrderReference: reference,
		Reference:      data.value("reference"),
		Amount:         data.value("amount"),
		Currency:       data.value("currency"),
		Description:    data.value("description"),
		Error:          data.value("error"),
	}, nil
}

func malformed(problem string) error { return fmt.Errorf("%w: %s", ErrMalformed, problem) }

// Notification is an event as the payment service sends it.
type Notification struct {
	Event          payments.EventKind `json:"-"` // It stands beside the data.
	OrderReference string             `json:"order_reference"`
	Reference      string             `json:"reference"`
	Amount         payments.Ariary    `json:"amount"`
	Currency       string             `json:"currency"`
	Description    string             `json:"description"`
	Error          string             `json:"error,omitempty"` // Left out when empty, as a success has it.
}

// EncodeEvent returns the JSON body of a notification.
func EncodeEvent(notification Notification) []byte {
	return encode(struct {
		Event payments.EventKind `json:"event"`
		Data  Notification       `json:"data"`
	}{notification.Event, notification})
}

// encode returns the JSON of a value that this package defines: texts, numbers and
// lists, which always encode.
func encode(value any) []byte {
	text, _ := json.Marshal(value)
	return text
}
