package webhook

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
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
	// maxShown bounds a path that came, in columns.
	maxShown = 80
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
	WrongPath        Reason = "wrong_path"         // It has a signature, and another path.
	WrongMethod      Reason = "wrong_method"       // It has a signature, and another method.
)

// answer returns the status and the text of the answer to a refused request, and
// what an operator should look at when there is no diagnosis. A request without a
// signature raises nothing by itself: anybody may send one.
func (r Reason) answer() (status int, text string, why payments.Cause) {
	switch r {
	case TooLarge:
		return http.StatusRequestEntityTooLarge, "Request Entity Too Large", why
	case BadSignature:
		return http.StatusUnauthorized, "Invalid signature", payments.Cause{Kind: payments.CauseSecretChanged}
	case NoOrderReference:
		return http.StatusBadRequest, "Missing order_reference", payments.Cause{Kind: payments.CauseNoEvent}
	case Malformed:
		why.Kind = payments.CauseNoEvent
	}
	return http.StatusBadRequest, "Bad Request", why
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

// Health returns what is known of the listener and its store now. Whether and
// where it listens is the server's to add.
func (h *Handler) Health() payments.Health {
	crowded := h.config.Crowded()
	h.mu.Lock()
	defer h.mu.Unlock()
	health := h.health
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
	return slices.Clone(h.refusals)
}

// noteReceived notes a signed event and what the receiver made of it. More than
// burstSize successes that no order has, each counted once however often it is
// delivered, raise an alarm.
func (h *Handler) noteReceived(event payments.Event, receipt payments.Receipt, err error) {
	now := h.config.Now().UTC()
	kind := event.Kind
	alarm := false
	if _, known := kind.Status(); !known {
		kind = otherKind
	}
	h.mu.Lock()
	h.health.Cause = payments.Cause{}
	h.health.Refused = 0
	h.health.StoreDown = err != nil
	h.health.RefusedUntil = time.Time{}
	if err != nil {
		h.counts[storeFailures]++
	} else {
		h.counts[fmt.Sprintf(eventsOf, kind, receipt.Effect)]++
		if receipt.Effect == payments.NoSuchOrder {
			h.health.Unmatched++
		}
		if receipt.Effect != payments.Dropped {
			h.health.LastEvent = now
		}
	}
	if err == nil && receipt.Status == "" && event.Kind == payments.PaymentSuccess {
		maps.DeleteFunc(h.unmatched, func(_ payments.EventID, at time.Time) bool { return now.Sub(at) >= burstWindow })
		h.unmatched[event.ID()] = now
	}
	if len(h.unmatched) > burstSize {
		alarm = !h.bursting()
		h.alarmed = now
		clear(h.unmatched)
	}
	h.mu.Unlock()
	if alarm {
		h.config.Logger.Warn("a burst of successes that no order has",
			keyHint, h.config.Explain(payments.Cause{Kind: payments.CauseSignatureKnown}))
	}
}

// bursting reports whether the alarm of a burst of unmatched successes lasts. The
// caller has the mutex.
func (h *Handler) bursting() bool {
	return h.config.Now().Sub(h.alarmed) < burstAlarm
}

// probe returns why events cannot be stored, as of at most probeAge ago.
func (h *Handler) probe(ctx context.Context) error {
	h.probing.Lock()
	defer h.probing.Unlock()
	if time.Since(h.probed) >= probeAge {
		// Who hangs up must not make the store look broken.
		h.fault = h.config.Probe(context.WithoutCancel(ctx))
		h.probed = time.Now()
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.health.StoreDown && h.fault == nil {
			h.config.Logger.Info("events can be stored again")
		}
		h.health.StoreDown = h.fault != nil
	}
	return h.fault
}

// serveProbe answers /healthz, which says whether events can be stored, and
// /readyz, by which a load balancer decides: a listener that keeps events in
// its outbox is better than none. A client that accepts JSON gets the same status
// and the listener's health.
func (h *Handler) serveProbe(w http.ResponseWriter, r *http.Request) {
	var outbox payments.OutboxState
	status := http.StatusOK
	text := "ok"
	problem := "events cannot be stored"
	kept := false
	if h.config.Outbox != nil {
		outbox = h.config.Outbox()
		if r.URL.Path == "/readyz" {
			problem, kept = "events are neither stored nor kept", !outbox.Full
		}
	}
	if !kept && h.probe(r.Context()) != nil {
		status, text = http.StatusServiceUnavailable, problem
	}
	if r.Header.Get("Accept") == typeJSON {
		h.writeHealth(w, status)
		return
	}
	if h.config.Crowded() {
		text += "; crowded: connections are at their limit"
	}
	if outbox.Away {
		text += "; the database is away"
	}
	if outbox.Events > 0 {
		text += fmt.Sprintf("; waiting in the outbox: %d", outbox.Events)
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
				_ = h.probe(ctx) // Noted.
			}
		}
	}
}

// typeJSON is the media type of JSON.
const typeJSON = "application/json"

// healthJSON is the body of /healthz.
type healthJSON struct {
	Listening     bool               `json:"listening"`
	Address       string             `json:"address"`
	StoreDown     bool               `json:"store_down"`
	LastEvent     *time.Time         `json:"last_event"` // Null when no event came since the start.
	Refused       int64              `json:"refused"`
	RefusedCause  payments.CauseKind `json:"refused_cause"`
	RefusedDetail string             `json:"refused_detail"`
	Unmatched     int64              `json:"unmatched"`
	Crowded       bool               `json:"crowded"`
	Reach         payments.Reach     `json:"reach"` // Whether a payment would be seen.
	Version       string             `json:"version"`
}

// writeHealth answers with the listener's health as JSON.
func (h *Handler) writeHealth(w http.ResponseWriter, status int) {
	health := h.config.Health()
	told := healthJSON{
		Listening: health.Listening, Address: health.Address, StoreDown: health.StoreDown,
		Refused: health.Refused, RefusedCause: health.Cause.Kind, RefusedDetail: health.Cause.Shown(),
		Unmatched: health.Unmatched, Crowded: health.Crowded,
		Reach: health.Reach(h.config.Now()), Version: h.config.Version,
	}
	if !health.LastEvent.IsZero() {
		told.LastEvent = &health.LastEvent
	}
	w.Header().Set("Content-Type", typeJSON)
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(told); err != nil {
		h.config.Logger.Warn("the health could not be told", keyError, err)
	}
}

// ReadHealth asks a listener of another process for its health, and whether it would
// see a payment. address is the listener's host:port on this machine or its network:
// a listener tells nothing through a proxy.
func ReadHealth(ctx context.Context, address string) (payments.Health, payments.Reach, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/healthz", nil)
	if err != nil {
		return payments.Health{}, "", fmt.Errorf("ask the listener: %w", err)
	}
	request.Header.Set("Accept", typeJSON)
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}} // Without a proxy.
	response, err := client.Do(request)
	if err != nil {
		return payments.Health{}, "", fmt.Errorf("ask the listener: %w", err)
	}
	defer response.Body.Close()
	var told healthJSON
	if err := json.NewDecoder(io.LimitReader(response.Body, MaxBody)).Decode(&told); err != nil {
		return payments.Health{}, "", fmt.Errorf("ask the listener: %w", err)
	}
	health := payments.Health{
		Listening: true, Address: address, StoreDown: told.StoreDown, Refused: told.Refused,
		Cause:     payments.Cause{Kind: told.RefusedCause, Detail: told.RefusedDetail},
		Unmatched: told.Unmatched, Crowded: told.Crowded,
	}
	if told.LastEvent != nil {
		health.LastEvent = *told.LastEvent
	}
	return health, told.Reach, nil
}
