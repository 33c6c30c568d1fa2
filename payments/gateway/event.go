package gateway

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"

	"checkout/till/payments"
	"checkout/till/payments/money"
)

var (
	// ErrMalformed says that a body is not a valid event; see [DecodeEvent].
	ErrMalformed = errors.New("malformed event")
	// ErrNoOrderReference says that data.order_reference of an event is missing, null or blank.
	ErrNoOrderReference = errors.New("missing order_reference")
)

// MaxName is the length of the longest event name or order reference, in bytes. A database can
// index a text of this length.
const MaxName = 256

// DecodeEvent decodes an event, which must be one JSON object. It does not check the signature. The
// errors are [ErrMalformed] and [ErrNoOrderReference]; they contain no bytes of the body.
//
// The fields event and order_reference must be strings of at most [MaxName] bytes that are not
// blank and contain no NUL, no U+FFFD and no invalid UTF-8. The other known fields may be missing
// or have any type; invalid bytes in them become U+FFFD. Unknown fields and keys in another case
// are ignored.
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
	Event          payments.EventKind `json:"-"` // In the JSON, the event is outside the object data.
	OrderReference string             `json:"order_reference"`
	Reference      string             `json:"reference"`
	Amount         money.Ariary       `json:"amount"`
	Currency       string             `json:"currency"`
	Description    string             `json:"description"`
	Error          string             `json:"error,omitempty"`
}

// EncodeEvent returns the JSON body of a notification.
func EncodeEvent(notification Notification) []byte {
	return encode(struct {
		Event payments.EventKind `json:"event"`
		Data  Notification       `json:"data"`
	}{notification.Event, notification})
}

// encode returns the JSON of a value of this package. Such values contain only texts, numbers and
// lists, which can always be encoded.
func encode(value any) []byte {
	text, _ := json.Marshal(value)
	return text
}
