package sandbox

import (
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"checkout/till/payments"
)

// Stage is the state of a delivery.
type Stage string

// The stages of a delivery.
const (
	Held      Stage = "held_back" // By a fault, until the link is over.
	Dropped   Stage = "dropped"   // By a fault; it was not sent.
	Waiting   Stage = "waiting"   // For its next try.
	Sending   Stage = "sending"
	Delivered Stage = "delivered" // The merchant answered 2xx.
	Abandoned Stage = "given_up"  // No further try is planned.
)

// Delivery is one event on its way to the merchant. Its JSON is that of the lab
// and of a snapshot.
type Delivery struct {
	ID        int64              `json:"id"`
	Order     string             `json:"order_reference"`
	Event     payments.EventKind `json:"event"`
	Stage     Stage              `json:"stage"`
	CreatedAt time.Time          `json:"created_at"`
	NextTryAt *time.Time         `json:"next_try_at"` // Nil unless it waits.
	Body      string             `json:"body"`
	Tries     []Try              `json:"tries"` // The newest last.
}

// Try is one request to the merchant, and its answer.
type Try struct {
	At        time.Time     `json:"at"`
	Took      time.Duration `json:"took"`
	Signature string        `json:"signature"` // How it was signed, never the signature.
	Status    int           `json:"status"`    // 0 when no reply came.
	Reply     string        `json:"reply"`     // Its beginning, cleaned.
	Failure   string        `json:"failure"`   // Why no reply came.
}

// Accepted tells whether the merchant took the event.
func (t Try) Accepted() bool { return t.Status >= 200 && t.Status <= 299 }

// Done tells whether no further try is planned.
func (d Delivery) Done() bool {
	return d.Stage == Delivered || d.Stage == Abandoned || d.Stage == Dropped
}

// Last returns the newest try; the zero value when there was none.
func (d Delivery) Last() Try {
	if len(d.Tries) == 0 {
		return Try{}
	}
	return d.Tries[len(d.Tries)-1]
}

// JSON returns the options by which deliveries and faults are JSON: spans of time
// are texts, as in "1m30s".
func JSON() json.Options {
	return json.JoinOptions(
		json.WithMarshalers(json.MarshalFunc(func(span time.Duration) ([]byte, error) {
			return strconv.AppendQuote(nil, span.String()), nil
		})),
		json.WithUnmarshalers(json.UnmarshalFunc(func(text []byte, span *time.Duration) (err error) {
			*span, err = time.ParseDuration(strings.Trim(string(text), `"`))
			return err
		})))
}
