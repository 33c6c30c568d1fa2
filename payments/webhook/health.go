package webhook

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"checkout/till/payments"
)

// MaxRefusals is how many refusals are kept, the newest.
const MaxRefusals = 100

const (
	// diagnosePause is the least time between two refusals that are diagnosed
	// and logged: a flood of them must neither fill the disk nor keep a
	// processor busy.
	diagnosePause = time.Second
	// probeAge is how old the answer of a health check may be: checks of the
	// store write to the disk, and anybody may ask for one.
	probeAge = time.Second
	// burstSize is how many successes without an order are no alarm, when they
	// come within burstWindow. The alarm then lasts for burstAlarm.
	burstSize, burstWindow, burstAlarm = 20, time.Minute, time.Hour
)

// Reason is why a request was refused.
type Reason string

// The reasons, in the order of the checks.
const (
	TooLarge         Reason = "too_large"
	Unreadable       Reason = "unreadable" // It ended or stalled before the body was whole.
	NoBody           Reason = "no_body"
	NoSignature      Reason = "no_signature"
	BadSignature     Reason = "bad_signature"
	Malformed        Reason = "malformed"          // Signed, and no event.
	NoOrderReference Reason = "no_order_reference" // Signed, and for no order.
)

// answer returns the status and the text of the answer to a refused request.
func (r Reason) answer() (status int, text string) {
	switch r {
	case TooLarge:
		return http.StatusRequestEntityTooLarge, "Request Entity Too Large"
	case BadSignature:
		return http.StatusUnauthorized, "Invalid signature"
	case NoOrderReference:
		return http.StatusBadRequest, "Missing order_reference"
	}
	return http.StatusBadRequest, "Bad Request"
}

// Refusal is one refused request.
type Refusal struct {
	At time.Time // UTC.
	// Address is the other end of the connection: behind a reverse proxy the
	// proxy's, for all requests alike.
	Address string
	Reason  Reason
	// SHA256 is the hash of the signature header in hexadecimal, its values
	// joined by newlines, so that equal ones are recognised. Empty without a
	// header.
	SHA256 string
}

// health collects what is known of the listener's traffic and of its store. It
// is safe for concurrent use.
type health struct {
	now     payments.Clock
	logger  *slog.Logger
	explain func(payments.Cause) string // For the log.
	failed  chan struct{}               // One slot: the store has begun to fail.

	mu        sync.Mutex
	report    payments.Health
	refusals  []Refusal // A ring of [MaxRefusals], oldest first.
	diagnosed time.Time // When a refusal was diagnosed last.
	unlogged  int       // Refusals since then.
	strays    []stray   // Successes without an order within burstWindow, oldest first.
	alarmed   time.Time // When a burst of them ended; zero for never.
}

// stray is a success that no order has. Its redeliveries are not counted.
type stray struct {
	id payments.EventID
	at time.Time
}

func newHealth(now payments.Clock, logger *slog.Logger, explain func(payments.Cause) string) *health {
	if explain == nil {
		explain = func(cause payments.Cause) string { return strings.TrimSpace(string(cause.Kind) + " " + cause.Shown()) }
	}
	return &health{now: now, logger: logger, explain: explain, failed: make(chan struct{}, 1)}
}

// Health returns what is known of the listener and its store now. Listening and
// Address are the server's to add.
func (h *Handler) Health() payments.Health {
	report := h.health.snapshot()
	report.Crowded = h.config.Crowded != nil && h.config.Crowded()
	return report
}

// Refusals returns the newest refused requests, at most [MaxRefusals], oldest
// first.
func (h *Handler) Refusals() []Refusal {
	h.health.mu.Lock()
	defer h.health.mu.Unlock()
	return slices.Clone(h.health.refusals)
}

func (h *health) snapshot() payments.Health {
	h.mu.Lock()
	defer h.mu.Unlock()
	report := h.report
	if h.bursting() {
		report.Cause = payments.Cause{Kind: payments.CauseSignatureKnown}
	}
	return report
}

// bursting reports whether the alarm of a burst of strays lasts. The caller has
// the lock.
func (h *health) bursting() bool {
	return !h.alarmed.IsZero() && h.now().Sub(h.alarmed) < burstAlarm
}

// accepted notes a request with a right signature.
func (h *health) accepted() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.report.Cause, h.report.Refused = payments.Cause{}, 0
}

// received notes an event that the receiver took.
func (h *health) received(event payments.Event, receipt payments.Receipt) {
	now := h.now().UTC()
	h.mu.Lock()
	if receipt.Outcome != payments.Dropped {
		h.report.LastEvent = now
	}
	alarm := receipt.Status == "" && event.Kind == payments.PaymentSuccess && h.stray(event.ID(), now)
	h.mu.Unlock()
	if alarm {
		h.logger.Warn("a burst of successes that no order has",
			keyHint, h.explain(payments.Cause{Kind: payments.CauseSignatureKnown}))
	}
}

// stray counts a success that no order has, and returns whether an alarm begins
// with it. The caller has the lock.
func (h *health) stray(id payments.EventID, now time.Time) (begins bool) {
	h.strays = slices.DeleteFunc(h.strays, func(s stray) bool { return s.id == id || now.Sub(s.at) >= burstWindow })
	h.strays = append(h.strays, stray{id, now})
	if len(h.strays) <= burstSize {
		return false
	}
	h.strays = slices.Delete(h.strays, 0, 1)
	begins = !h.bursting()
	h.alarmed = now
	return begins
}

// storeAnswered notes whether the store worked.
func (h *health) storeAnswered(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if err != nil && !h.report.StoreFailing {
		select {
		case h.failed <- struct{}{}:
		default:
		}
	}
	h.report.StoreFailing = err != nil
}

// refused notes a refused request. It calls diagnose, which says why the
// signature did not match, at most once in diagnosePause, and logs the request
// then.
func (h *health) refused(address string, reason Reason, header []string, diagnose func() payments.Cause) {
	refusal := Refusal{At: h.now().UTC(), Address: address, Reason: reason}
	if len(header) > 0 {
		sum := sha256.Sum256([]byte(strings.Join(header, "\n")))
		refusal.SHA256 = hex.EncodeToString(sum[:])
	}
	due, unlogged := h.keep(refusal)
	if !due {
		return
	}
	why := cause(reason, diagnose())
	h.mu.Lock()
	if why.Kind != payments.CauseNone {
		h.report.Cause = why
	}
	h.mu.Unlock()
	h.logger.Warn("webhook request refused", keyReason, reason, keyAddress, address,
		keyHeaderHash, refusal.SHA256, keyHint, h.explain(why), keyUnlogged, unlogged)
}

// keep adds a refusal to the ring. It returns whether the refusal is to be
// diagnosed, and how many were not since the last one that was.
func (h *health) keep(refusal Refusal) (due bool, unlogged int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.report.Refused++
	if len(h.refusals) == MaxRefusals {
		h.refusals = slices.Delete(h.refusals, 0, 1)
	}
	h.refusals = append(h.refusals, refusal)
	if !h.diagnosed.IsZero() && refusal.At.Sub(h.diagnosed).Abs() < diagnosePause {
		h.unlogged++
		if h.report.Cause.Kind == payments.CauseNone {
			h.report.Cause = cause(refusal.Reason, payments.Cause{})
		}
		return false, 0
	}
	unlogged, h.unlogged, h.diagnosed = h.unlogged, 0, refusal.At
	return true, unlogged
}

// cause returns what an operator should look at after a refusal. A request
// without a signature raises nothing by itself: anybody may send one.
func cause(reason Reason, diagnosis payments.Cause) payments.Cause {
	switch {
	case diagnosis.Kind != payments.CauseNone:
		return diagnosis
	case reason == BadSignature:
		return payments.Cause{Kind: payments.CauseSecretChanged}
	case reason == Malformed, reason == NoOrderReference:
		return payments.Cause{Kind: payments.CauseNoEvent}
	}
	return payments.Cause{}
}

// probe is a health check whose answer is used again while it is fresh.
type probe struct {
	check func(context.Context) error // Nil for one that always passes.

	mu       sync.Mutex
	at       time.Time
	answered error
}

// ask returns an answer that is younger than maxAge.
func (p *probe) ask(ctx context.Context, maxAge time.Duration) error {
	if p.check == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.at.IsZero() || time.Since(p.at) >= maxAge {
		// Who hangs up must not make the store look broken.
		p.answered = p.check(context.WithoutCancel(ctx))
		p.at = time.Now()
	}
	return p.answered
}

// storeProbe returns the check of the store, which notes its answers.
func storeProbe(check func(context.Context) error, health *health) *probe {
	if check == nil {
		return &probe{}
	}
	return &probe{check: func(ctx context.Context) error {
		err := check(ctx)
		health.storeAnswered(err)
		return err
	}}
}

// serveHealth answers /healthz, which says whether events can be stored, and
// /readyz, by which a load balancer decides: a listener that keeps events in
// its outbox is better than none.
func (h *Handler) serveHealth(w http.ResponseWriter, r *http.Request) {
	fault, problem := h.store.ask(r.Context(), probeAge), "events cannot be stored"
	if r.URL.Path == "/readyz" && h.ready.check != nil {
		fault, problem = h.ready.ask(r.Context(), probeAge), "events are neither stored nor kept"
	}
	status, text := http.StatusOK, "ok"
	if fault != nil {
		status, text = http.StatusServiceUnavailable, problem
	}
	if h.Health().Crowded {
		text += "; crowded: connections are at their limit"
	}
	backlog := h.config.backlog()
	if backlog.Away {
		text += "; the database is away"
	}
	if backlog.Events > 0 {
		text += fmt.Sprintf("; waiting in the spool: %d", backlog.Events)
	}
	writeText(w, status, text)
}

// Supervise probes a store that has begun to fail once a second until it works,
// so that it is trusted again before the next event comes. It returns when ctx
// ends.
func (h *Handler) Supervise(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-h.health.failed:
		}
		for h.store.ask(ctx, 0) != nil {
			select {
			case <-ctx.Done():
				return
			case <-time.After(probeAge):
			}
		}
	}
}
