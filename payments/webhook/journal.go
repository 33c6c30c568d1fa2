package webhook

import (
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"checkout/till/payments"
)

// MaxRefusals is how many refusals a [Health] report holds, the newest.
const MaxRefusals = 100

// refusalLogPause is how long the log stays silent about refusals after it
// named one: who floods the listener must not fill the disk.
const refusalLogPause = time.Second

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
	At      time.Time // UTC.
	Address string    // Of the sender, or of the proxy before the listener.
	Reason  Reason
	// SHA256 is the hash of the signature header in hexadecimal, its values
	// joined by newlines: equal ones are recognised without being kept. Empty
	// without a header.
	SHA256 string
}

// Health is what is known of the listener's traffic since the start.
type Health struct {
	LastEvent time.Time // When an event was stored last, UTC; zero for never.
	Events    int64     // Deliveries that were stored, duplicates included.
	Refused   int64     // Requests that were refused, by any [Reason].
	Refusals  []Refusal // The newest at most [MaxRefusals], oldest first.
	// RefusedSince are those of them that came after the last good event.
	RefusedSince int64
	// Cause is what an operator should look at; none while all is well. A
	// refused signature raises it, the next right one clears it.
	Cause        payments.Cause
	StoreFailing bool // The store refused the last event or the last probe.
}

// Health returns the listener's health now.
func (h *Handler) Health() Health { return h.journal.report() }

// journal keeps the health of the listener. It is safe for concurrent use.
type journal struct {
	now    payments.Clock
	logger *slog.Logger
	failed chan struct{} // One slot: the store has begun to fail.

	mu         sync.Mutex
	health     Health
	lastLogged time.Time
	unlogged   int // Refusals since then that the log does not name.
}

func newJournal(now payments.Clock, logger *slog.Logger) *journal {
	return &journal{now: now, logger: logger, failed: make(chan struct{}, 1)}
}

func (j *journal) report() Health {
	j.mu.Lock()
	defer j.mu.Unlock()
	report := j.health
	report.Refusals = slices.Clone(report.Refusals)
	return report
}

// accepted notes a request with a right signature.
func (j *journal) accepted() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.health.Cause, j.health.RefusedSince = payments.Cause{}, 0
}

// stored notes an event that is durable.
func (j *journal) stored() {
	now := j.now().UTC()
	j.mu.Lock()
	defer j.mu.Unlock()
	j.health.LastEvent = now
	j.health.Events++
}

// storeAnswered notes whether the store worked.
func (j *journal) storeAnswered(err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if err != nil && !j.health.StoreFailing {
		select {
		case j.failed <- struct{}{}:
		default:
		}
	}
	j.health.StoreFailing = err != nil
}

// storeFails tells whether the store failed when it was asked last.
func (j *journal) storeFails() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.health.StoreFailing
}

// refused notes a refused request. finding is why its signature did not match,
// as far as that is known.
func (j *journal) refused(address string, reason Reason, header []string, finding payments.Cause) {
	refusal := Refusal{At: j.now().UTC(), Address: address, Reason: reason}
	if len(header) > 0 {
		sum := sha256.Sum256([]byte(strings.Join(header, "\n")))
		refusal.SHA256 = hex.EncodeToString(sum[:])
	}
	why := cause(reason, finding)
	if name, unlogged := j.note(refusal, why); name {
		j.logger.Warn("webhook request refused", keyReason, reason, keyAddress, address,
			keyHeaderHash, refusal.SHA256, keyHint, why.String(), keyUnlogged, unlogged)
	}
}

// note keeps a refusal. It returns whether the log should name it, and how many
// the log did not name since the last it did.
func (j *journal) note(refusal Refusal, why payments.Cause) (name bool, unlogged int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.health.Refused++
	j.health.RefusedSince++
	if len(j.health.Refusals) == MaxRefusals {
		j.health.Refusals = slices.Delete(j.health.Refusals, 0, 1)
	}
	j.health.Refusals = append(j.health.Refusals, refusal)
	if why.Kind != payments.CauseNone {
		j.health.Cause = why
	}
	if !j.lastLogged.IsZero() && refusal.At.Sub(j.lastLogged).Abs() < refusalLogPause {
		j.unlogged++
		return false, 0
	}
	unlogged, j.unlogged, j.lastLogged = j.unlogged, 0, refusal.At
	return true, unlogged
}

// cause returns what an operator should look at after a refusal. A request
// without a signature raises nothing by itself: anybody may send one.
func cause(reason Reason, finding payments.Cause) payments.Cause {
	switch {
	case finding.Kind != payments.CauseNone:
		return finding
	case reason == BadSignature:
		return payments.Cause{Kind: payments.CauseSecretChanged}
	case reason == Malformed, reason == NoOrderReference:
		return payments.Cause{Kind: payments.CauseNoEvent}
	}
	return payments.Cause{}
}
