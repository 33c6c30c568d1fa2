package sandbox

import (
	"math/rand/v2"
	"net/http"
	"slices"
	"time"

	"github.com/go-json-experiment/json"

	"checkout/till/payments"
)

const (
	// maxInFlight bounds the concurrent tries.
	maxInFlight = 32
	// maxHistory bounds the deliveries that are kept once they are done.
	maxHistory = 500
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

// JSON returns the option by which deliveries and faults are JSON: spans of time
// are texts, as in "1m30s".
func JSON() json.Options { return json.ExperimentalSupportFormatTag(true) }

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

// emit queues the event of a kind with the faults of the moment. Deliveries of one
// order never overlap, and go out in the order in which they were queued. The lock
// must be held.
func (s *Sandbox) emit(order *Order, kind payments.EventKind) {
	faults, kinds, stage := s.eventFaults(order), []payments.EventKind{kind}, Waiting
	if faults.Then != "" && order.State != Open {
		kinds = append(kinds, faults.Then)
	}
	if faults.Reorder {
		slices.Reverse(kinds)
	}
	if faults.Drop {
		stage = Dropped
	} else if faults.Reorder && order.State == Open {
		stage = Held
	}
	for _, kind := range kinds {
		if faults.Shape == ShapeUnknownKind {
			kind = "payment.pending" // The specification knows no such kind.
		}
		for range 1 + faults.Copies {
			s.lastID++
			added := &Delivery{
				ID: s.lastID, Order: order.OrderReference, Event: kind, Stage: stage,
				CreatedAt: s.config.Now().UTC(), Body: order.body(faults, kind), Tries: []Try{},
			}
			s.deliveries = append(s.deliveries, added)
			if stage == Waiting {
				s.plan(added, faults.Delay)
			}
		}
	}
	surplus := len(s.deliveries) - maxHistory
	s.deliveries = slices.DeleteFunc(s.deliveries, func(d *Delivery) bool {
		forget := surplus > 0 && d.Done()
		if forget {
			surplus--
		}
		return forget
	})
	for _, held := range slices.Backward(s.deliveries) {
		if stage == Waiting && held.Order == order.OrderReference && held.Stage == Held {
			s.plan(held, faults.Delay)
		}
	}
}

// plan has a delivery wait for its next try, behind those of its order that are
// due before it. The lock must be held.
func (s *Sandbox) plan(planned *Delivery, delay time.Duration) {
	at := s.config.Now().Add(delay).UTC()
	planned.Stage, planned.NextTryAt = Waiting, &at
	s.queue = append(slices.DeleteFunc(s.queue, func(d *Delivery) bool { return d == planned }), planned)
}

// Deliveries returns the deliveries that are kept, the newest first.
func (s *Sandbox) Deliveries() []Delivery { return newestFirst(s, &s.deliveries) }

// Resend sends a delivery now, whatever came of it, unless it is held or being
// sent. It returns it. Its errors are [ErrNoSuchDelivery] and [ErrSnapshot].
func (s *Sandbox) Resend(id int64) (sent Delivery, err error) {
	err = s.change(func() error {
		at := slices.IndexFunc(s.deliveries, func(d *Delivery) bool { return d.ID == id })
		if at < 0 {
			return ErrNoSuchDelivery
		}
		if stage := s.deliveries[at].Stage; stage != Sending && stage != Held {
			s.plan(s.deliveries[at], 0)
		}
		sent = *s.deliveries[at]
		return nil
	})
	return sent, err
}

// newestFirst returns copies of values of a sandbox that stand with the oldest first.
func newestFirst[T any](s *Sandbox, values *[]*T) []T {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]T, 0, len(*values))
	for _, value := range slices.Backward(*values) {
		list = append(list, *value)
	}
	return list
}
