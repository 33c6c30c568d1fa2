package webhook

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
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
	// and logged: a flood must neither fill the disk nor keep a processor busy.
	diagnosePause = time.Second
	// probeAge bounds the age of a probe's answer: the check of the store
	// writes to the disk, and anybody may ask for it.
	probeAge = time.Second
	// More than burstSize successes without an order within burstWindow raise an
	// alarm for the time of burstAlarm.
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

// traffic is what the listener knows of its requests and its store. The
// handler's mutex guards it.
type traffic struct {
	health    payments.Health
	counts    map[string]int // By the names of the metrics; they never fall.
	refusals  []Refusal      // The newest [MaxRefusals], oldest first.
	diagnosed time.Time      // When a refusal was diagnosed last.
	unlogged  int            // Refusals since then.
	alarmed   time.Time      // When the last burst of orphans ended; zero for never.
	// When successes without an order came within burstWindow.
	orphans map[payments.EventID]time.Time
}

// Health returns what is known of the listener and its store now. Whether and
// where it listens is the server's to add.
func (h *Handler) Health() payments.Health {
	crowded := h.config.Crowded()
	h.mu.Lock()
	defer h.mu.Unlock()
	health := h.traffic.health
	health.Crowded = crowded
	if h.bursting() {
		health.Cause = payments.Cause{Kind: payments.CauseSignatureKnown}
	}
	return health
}

// ID tells this listener from every other one; see [gateway.ListenerHeader].
func (h *Handler) ID() string { return h.id }

// Refusals returns the newest refused requests, at most [MaxRefusals], oldest
// first.
func (h *Handler) Refusals() []Refusal {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.traffic.refusals)
}

// noteReceived notes a signed event and what the receiver made of it.
func (h *Handler) noteReceived(event payments.Event, receipt payments.Receipt, err error) {
	now, kind, alarm := h.config.Now().UTC(), event.Kind, false
	if _, known := kind.Status(); !known {
		kind = otherKind
	}
	h.mu.Lock()
	t := &h.traffic
	t.health.Cause, t.health.Refused, t.health.StoreDown = payments.Cause{}, 0, err != nil
	if err != nil {
		t.counts[storeFailures]++
	} else {
		t.counts[fmt.Sprintf(eventsOf, kind, receipt.Effect)]++
		alarm = receipt.Status == "" && event.Kind == payments.PaymentSuccess && h.noteOrphan(event.ID(), now)
		if receipt.Effect != payments.Dropped {
			t.health.LastEvent = now
		}
	}
	h.mu.Unlock()
	if alarm {
		h.config.Logger.Warn("a burst of successes that no order has",
			keyHint, h.config.Explain(payments.Cause{Kind: payments.CauseSignatureKnown}))
	}
}

// noteOrphan counts a success that no order has, once however often it is
// delivered, and returns whether an alarm begins with it. The caller has the
// mutex.
func (h *Handler) noteOrphan(id payments.EventID, now time.Time) (begins bool) {
	t := &h.traffic
	maps.DeleteFunc(t.orphans, func(_ payments.EventID, at time.Time) bool { return now.Sub(at) >= burstWindow })
	if t.orphans[id] = now; len(t.orphans) <= burstSize {
		return false
	}
	clear(t.orphans)
	begins = !h.bursting()
	t.alarmed = now
	return begins
}

// bursting reports whether the alarm of a burst of orphans lasts. The caller has
// the mutex.
func (h *Handler) bursting() bool {
	return !h.traffic.alarmed.IsZero() && h.config.Now().Sub(h.traffic.alarmed) < burstAlarm
}

// noteRefusal keeps a refusal. It returns whether this one is to be diagnosed
// and logged, and how many were not since the last.
func (h *Handler) noteRefusal(r *http.Request, reason Reason) (refusal Refusal, due bool, unlogged int) {
	refusal = Refusal{At: h.config.Now().UTC(), Address: r.RemoteAddr, Reason: reason}
	if header := r.Header.Values(h.config.SignatureHeader); len(header) > 0 {
		sum := sha256.Sum256([]byte(strings.Join(header, "\n")))
		refusal.SHA256 = hex.EncodeToString(sum[:])
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	t := &h.traffic
	t.health.Refused++
	t.counts[fmt.Sprintf(refusalsOf, reason)]++
	t.refusals = append(t.refusals[max(0, len(t.refusals)-MaxRefusals+1):], refusal)
	if due = t.diagnosed.IsZero() || refusal.At.Sub(t.diagnosed).Abs() >= diagnosePause; due {
		unlogged, t.unlogged, t.diagnosed = t.unlogged, 0, refusal.At
		return refusal, due, unlogged
	}
	t.unlogged++
	if t.health.Cause.Kind == payments.CauseNone {
		t.health.Cause = cause(reason)
	}
	return refusal, due, 0
}

func (h *Handler) noteCause(why payments.Cause) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if why.Kind != payments.CauseNone {
		h.traffic.health.Cause = why
	}
}

// cause returns what an operator should look at after a refusal that has no
// diagnosis. A request without a signature raises nothing by itself: anybody may
// send one.
func cause(reason Reason) payments.Cause {
	switch reason {
	case BadSignature:
		return payments.Cause{Kind: payments.CauseSecretChanged}
	case Malformed, NoOrderReference:
		return payments.Cause{Kind: payments.CauseNoEvent}
	}
	return payments.Cause{}
}

// probe is a check whose answer is used again while it is fresh.
type probe struct {
	check   func(context.Context) error
	problem string // That a failure is.

	mu       sync.Mutex
	at       time.Time
	answered error
}

// ask returns an answer that is younger than maxAge.
func (p *probe) ask(ctx context.Context, maxAge time.Duration) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.at.IsZero() || time.Since(p.at) >= maxAge {
		// Who hangs up must not make the store look broken.
		p.answered = p.check(context.WithoutCancel(ctx))
		p.at = time.Now()
	}
	return p.answered
}

func (h *Handler) checkStore(ctx context.Context) error {
	err := h.config.Probe(ctx)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.traffic.health.StoreDown = err != nil
	return err
}

// serveProbe answers /healthz, which says whether events can be stored, and
// /readyz, by which a load balancer decides: a listener that keeps events in
// its outbox is better than none. Who accepts JSON gets [Handler.Health].
func (h *Handler) serveProbe(w http.ResponseWriter, r *http.Request) {
	asked, status, text := h.store, http.StatusOK, "ok"
	if r.Header.Get("Accept") == typeJSON {
		_ = asked.ask(r.Context(), probeAge) // Noted.
		w.Header().Set("Content-Type", typeJSON)
		if err := json.NewEncoder(w).Encode(h.Health()); err != nil {
			h.config.Logger.Warn("the health could not be told", keyError, err)
		}
		return
	}
	if r.URL.Path == "/readyz" {
		asked = h.ready
	}
	if asked.ask(r.Context(), probeAge) != nil {
		status, text = http.StatusServiceUnavailable, asked.problem
	}
	if h.config.Crowded() {
		text += "; crowded: connections are at their limit"
	}
	if h.config.Outbox != nil {
		outbox := h.config.Outbox()
		if outbox.Away {
			text += "; the database is away"
		}
		if outbox.Events > 0 {
			text += fmt.Sprintf("; waiting in the spool: %d", outbox.Events)
		}
	}
	writeText(w, status, text)
}

// Supervise probes a store that failed once a second until it works, so that it
// is trusted again before the next event comes. It returns when ctx ends.
func (h *Handler) Supervise(ctx context.Context) {
	ticker := time.NewTicker(probeAge)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if h.Health().StoreDown {
				_ = h.store.ask(ctx, 0) // Noted.
			}
		}
	}
}
