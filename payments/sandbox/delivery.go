package sandbox

import (
	"math/rand/v2"
	"net/http"
	"time"

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
	Took      time.Duration `json:"took,format:units"`
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

// The keys of the log.
const (
	logFailure = "failure"
	logOrder   = "order_reference"
	logEvent   = "event"
	logTry     = "try"
	logStatus  = "status"
	logStage   = "stage"
	logReply   = "reply" // Its beginning.
	logHint    = "hint"
)

// Activity is one line of the sandbox's log for programs: an "order_call" and how it
// was answered, where status 0 is no answer; an "act" of a customer or the clock; or
// a "delivery", which is one try, and how the merchant answered.
type Activity struct {
	At             time.Time          `json:"at"`
	Kind           string             `json:"kind"`
	OrderReference string             `json:"order_reference,omitzero"`
	Reference      string             `json:"reference,omitzero"`
	Event          payments.EventKind `json:"event,omitzero"`
	Delivery       int64              `json:"delivery,omitzero"`
	Stage          Stage              `json:"stage,omitzero"`
	Status         int                `json:"status,omitzero"`
	Message        string             `json:"message,omitzero"` // Of a refusal, or why no reply came.
	Reply          string             `json:"reply,omitzero"`   // The beginning of one that is not 2xx.
	Hint           string             `json:"hint,omitzero"`    // What would mend a delivery that was not accepted.
	Unknown        []string           `json:"unknown_fields,omitempty"`
}

// Retry is the profile that says which deliveries are retried, since the
// specification does not. A delivery always ends with the first 2xx, and a
// redirect is a failure.
type Retry string

// The retry profiles.
const (
	// RetryNone tries every delivery once.
	RetryNone Retry = "none"
	// RetryServerErrors retries without a reply, and on 5xx, 408 and 429. A
	// merchant who answers 404 to an order that it does not know yet loses the
	// event.
	RetryServerErrors Retry = "5xx-only"
	// RetryAll retries whatever is not 2xx, but for 410, by which a merchant asks
	// for no more. It is the default.
	RetryAll Retry = "all-non-2xx"
)

// backoff returns the pause after the given number of tries, the last of which
// was tried, and false when there is no further one. The pauses grow, and differ
// by up to a fifth so that deliveries that failed together do not come back
// together.
func (r Retry) backoff(tries int, tried Try) (pause time.Duration, again bool) {
	switch {
	case tried.Accepted(), r == RetryNone:
	case r == RetryServerErrors:
		again = tried.Status == 0 || tried.Status >= http.StatusInternalServerError ||
			tried.Status == http.StatusRequestTimeout || tried.Status == http.StatusTooManyRequests
	default:
		again = tried.Status != http.StatusGone
	}
	seconds := []float64{1, 5, 15, 30, 60, 120, 300}
	if tries > len(seconds) || !again {
		return 0, false
	}
	jitter := 0.8 + 0.4*rand.Float64() //nolint:gosec // Nobody gains by guessing a pause.
	return time.Duration(seconds[tries-1] * jitter * float64(time.Second)), true
}
