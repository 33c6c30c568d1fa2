package sandbox

import (
	"math/rand/v2"
	"net/http"
	"time"

	"checkout/till/payments"
)

// Stage says whether an event was delivered, and whether it will be tried again.
type Stage string

// The stages of a delivery. [Delivery.Done] is true for Dropped, Delivered and Abandoned.
const (
	Held      Stage = "held_back" // Held by the fault Reorder until the link ends.
	Dropped   Stage = "dropped"   // Not sent, because of a fault.
	Waiting   Stage = "waiting"
	Sending   Stage = "sending"
	Delivered Stage = "delivered" // The merchant answered 2xx.
	Abandoned Stage = "given_up"  // Not delivered, and no further try is planned.
)

// Delivery is one event to send to the merchant, with all tries. Its JSON is used by the fault lab
// and in the data file.
type Delivery struct {
	ID         int64              `json:"id"`
	Order      string             `json:"order_reference"`
	WebhookURL string             `json:"webhook_url,omitzero"` // The order's address in [Config.Merchants].
	Event      payments.EventKind `json:"event"`
	Stage      Stage              `json:"stage"`
	CreatedAt  time.Time          `json:"created_at"`
	NextTryAt  *time.Time         `json:"next_try_at"` // Nil unless the delivery waits.
	Body       string             `json:"body"`
	Tries      []Try              `json:"tries"` // Newest last.
}

// Try is one request to the merchant with its answer.
type Try struct {
	At        time.Time     `json:"at"`
	Took      time.Duration `json:"took,format:units"`
	Signature string        `json:"signature"` // Kind of signature that was sent, never the signature itself.
	Status    int           `json:"status"`    // HTTP status of the reply; 0 without a complete reply.
	Reply     string        `json:"reply"`     // Start of the reply, cleaned by [clean.Text].
	Failure   string        `json:"failure"`   // Why there was no complete reply; else empty.
}

// Accepted reports whether the merchant answered 2xx, so that the event is not sent again.
func (t Try) Accepted() bool { return t.Status >= 200 && t.Status <= 299 }

// Done reports whether no further try is planned.
func (d Delivery) Done() bool {
	return d.Stage == Delivered || d.Stage == Abandoned || d.Stage == Dropped
}

const (
	logFailure = "failure"
	logOrder   = "order_reference"
	logEvent   = "event"
	logTry     = "try"
	logStatus  = "status"
	logStage   = "stage"
	logReply   = "reply"
	logHint    = "hint"
)

// OrderCall is the Kind of an [Activity] that records an order call.
const OrderCall = "order_call"

// Activity is an entry of the sandbox's journal. Its Kind is [OrderCall], "act" for an action of a
// customer or the end of a link, or "delivery" for a try. Status is the status of the answer; 0
// without one.
type Activity struct {
	At             time.Time          `json:"at"`
	Kind           string             `json:"kind"`
	OrderReference string             `json:"order_reference,omitzero"`
	Reference      string             `json:"reference,omitzero"`
	Event          payments.EventKind `json:"event,omitzero"`
	Delivery       int64              `json:"delivery,omitzero"`
	Stage          Stage              `json:"stage,omitzero"`
	Status         int                `json:"status,omitzero"`
	Message        string             `json:"message,omitzero"` // Message of a refusal, or why there was no reply.
	Reply          string             `json:"reply,omitzero"`   // Start of a reply that is not 2xx.
	Hint           string             `json:"hint,omitzero"`    // How to fix a delivery that was not accepted.
	Unknown        []string           `json:"unknown_fields,omitempty"`
	Body           string             `json:"body,omitzero"` // First bytes of an order call's body, without the access token.
}

// Retry selects which failed deliveries are retried, because the specification does not say. A 2xx
// always ends the tries. A redirect is a failure.
type Retry string

// The values of [Config].Retry.
const (
	// RetryNone tries every delivery once.
	RetryNone Retry = "none"
	// RetryServerErrors retries if there was no reply, and on 5xx, 408 and 429. If the merchant
	// answers 404 because the order is not stored yet, the event is lost.
	RetryServerErrors Retry = "5xx-only"
	// RetryAll retries if there was no reply, and on every status except 2xx and 410. With 410 a
	// merchant asks for no further tries.
	RetryAll Retry = "all-non-2xx"
)

// DefaultPauses returns the default of [Config].Pauses: with these pauses, a delivery is tried
// eight times in about nine minutes.
func DefaultPauses() []time.Duration {
	return []time.Duration{
		time.Second, 5 * time.Second, 15 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute,
	}
}

// backoff returns the pause before the next try of a delivery, and false if there is no further
// try. tries is the number of tries so far, and tried is the last of them. The pauses vary by up to
// a fifth, so that deliveries that failed together are not retried together.
func (c Config) backoff(tries int, tried Try) (pause time.Duration, again bool) {
	switch {
	case tried.Accepted(), c.Retry == RetryNone:
	case c.Retry == RetryServerErrors:
		again = tried.Status == 0 || tried.Status >= http.StatusInternalServerError ||
			tried.Status == http.StatusRequestTimeout || tried.Status == http.StatusTooManyRequests
	default:
		again = tried.Status != http.StatusGone
	}
	if tries > len(c.Pauses) || !again {
		return 0, false
	}
	jitter := 0.8 + 0.4*rand.Float64() //nolint:gosec // Pauses need no secure randomness.
	return time.Duration(jitter * float64(c.Pauses[tries-1])), true
}
