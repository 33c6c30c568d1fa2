package webhook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/clean"
)

const (
	// diagnosePause is the shortest time between two refusals that are diagnosed and logged.
	// A flood must neither fill the disk nor keep a CPU busy.
	diagnosePause = time.Second
	// probeAge is how long the result of a probe is reused. A probe writes to the disk, and
	// anyone on the network can request one.
	probeAge = time.Second
	maxShown = 80 // Maximum width of a path or event kind that is shown, in columns.
	// More than burstSize unmatched successes within burstWindow raise an alarm that lasts
	// burstAlarm.
	burstSize, burstWindow, burstAlarm = 20, time.Minute, time.Hour
)

// refusalReason names the first check that a refused request did not pass.
type refusalReason string

const (
	tooLarge         refusalReason = "too_large"
	unreadable       refusalReason = "unreadable" // The request ended or stalled before the body was complete.
	noBody           refusalReason = "no_body"
	noSignature      refusalReason = "no_signature"
	badSignature     refusalReason = "bad_signature"
	malformed        refusalReason = "malformed"          // Signed, but not a valid event.
	noOrderReference refusalReason = "no_order_reference" // Signed, but without an order reference.
	wrongPath        refusalReason = "wrong_path"         // Has a signature header, valid or not, but the wrong path.
	wrongMethod      refusalReason = "wrong_method"       // Has a signature header, valid or not, but the wrong method.
)

// answer returns the HTTP status and the text for a refused request. why is the cause that the
// operator sees. It is set only if the signature is valid, because anyone can send a request
// without a valid one.
func (r refusalReason) answer() (status int, text string, why payments.Cause) {
	switch r {
	case tooLarge:
		return http.StatusRequestEntityTooLarge, "Request Entity Too Large", why
	case badSignature:
		return http.StatusUnauthorized, "Invalid signature", why
	case noOrderReference:
		return http.StatusBadRequest, "Missing order_reference", payments.Cause{Kind: payments.CauseNoEvent}
	case malformed:
		why.Kind = payments.CauseNoEvent
	}
	return http.StatusBadRequest, "Bad Request", why
}

// Health returns the state of the listener and its store. The caller sets the fields that the
// handler does not know, such as Listening, Address and Relay.
func (h *Handler) Health() payments.Health {
	crowded := h.config.Crowded()
	h.mu.Lock()
	defer h.mu.Unlock()
	health := h.health
	health.Crowded = crowded
	switch {
	case h.bursting():
		health.Cause = payments.Cause{Kind: payments.CauseSignatureKnown}
	case health.Cause.Kind == payments.CauseNone && health.Expected.Doubt(h.config.Now()):
		health.Cause = payments.Cause{Kind: payments.CauseSecretChanged}
	}
	return health
}

// ID returns the ID that distinguishes this listener from all others; see
// [gateway.ListenerHeader].
func (h *Handler) ID() string { return h.id }

func (h *Handler) noteReceived(event payments.Event, receipt payments.Receipt, err error, took time.Duration) {
	now := h.config.Now().UTC()
	kind := event.Kind
	alarm := false
	h.mu.Lock()
	if _, known := kind.Status(); !known {
		h.health.UnknownKind = clean.Text(string(kind), maxShown)
		kind = otherKind
	}
	h.latency.add(took)
	h.health.Cause = payments.Cause{}
	h.health.Refused = 0
	h.health.StoreDown = err != nil
	h.health.Expected = payments.Expected{}
	if err != nil {
		h.counts[storeFailures]++
	} else {
		h.counts[fmt.Sprintf(eventsOf, kind, receipt.Effect)]++
		switch receipt.Effect {
		case payments.Unmatched:
			h.health.Unmatched++
			h.health.Accepted++
		case payments.Duplicate:
			h.health.Repeated++
		case payments.Dropped:
		default:
			h.health.Accepted++
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
		h.config.Logger.Warn("many successes without a matching order",
			keyHint, h.config.Explain(payments.Cause{Kind: payments.CauseSignatureKnown}))
	}
}

// bursting reports whether the alarm for unmatched successes still lasts. The caller holds
// h.mu.
func (h *Handler) bursting() bool {
	return h.config.Now().Sub(h.alarmed) < burstAlarm
}

// probe returns why events cannot be stored, or nil. It reuses a result that is less than probeAge
// old.
func (h *Handler) probe(ctx context.Context) error {
	h.probing.Lock()
	defer h.probing.Unlock()
	if time.Since(h.probed) >= probeAge {
		// The probe must not fail when the client hangs up: the store would seem to have failed.
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

// serveProbe answers /healthz and /readyz with 200 if events can be stored, else with 503. /readyz
// is for load balancers: it also answers 200 if events can be queued in the outbox. If the client
// accepts JSON, the answer is the listener's health.
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
		h.writeHealth(r.Context(), w, status)
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

// Supervise probes a failed store every second, so that [Handler.Health] soon shows that it works
// again. It returns when ctx ends.
func (h *Handler) Supervise(ctx context.Context) {
	ticker := time.NewTicker(probeAge)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if h.Health().StoreDown {
				_ = h.probe(ctx) // Ignore the error: probe records it.
			}
		}
	}
}

const typeJSON = "application/json"

type healthJSON struct {
	Listening     bool               `json:"listening"`
	Address       string             `json:"address"`
	StoreDown     bool               `json:"store_down"`
	LastEvent     *time.Time         `json:"last_event"` // When the listener last accepted an event; null for none since the start.
	Accepted      int64              `json:"accepted"`
	Repeated      int64              `json:"repeated"`
	Refused       int64              `json:"refused"`
	RefusedCause  payments.CauseKind `json:"refused_cause"`
	RefusedDetail string             `json:"refused_detail"`
	Unmatched     int64              `json:"unmatched"`
	UnknownKind   string             `json:"unknown_kind"` // Last event kind that is not in the specification.
	Relay         *relayJSON         `json:"relay"`        // Connection to the relay; null without a relay.
	Listeners     []listenerJSON     `json:"listeners"`    // Listeners that use the database server; empty for a database file.
	Crowded       bool               `json:"crowded"`
	Reach         payments.Reach     `json:"reach"` // Whether the till would see a payment.
	Version       string             `json:"version"`
	Findings      []Finding          `json:"findings"` // Problems that a person should do something about.
}

// Finding is a problem of the till. The contributor's guide lists the codes of all problems.
type Finding struct {
	Code  string `json:"code"`
	Check string `json:"check"` // Subject of the problem, such as "listener".
	State string `json:"state"` // "warn" or "fail".
}

type relayJSON struct {
	Address     string    `json:"address"`
	Since       time.Time `json:"since"`                 // When fetching began.
	LastContact time.Time `json:"last_contact,omitzero"` // When the relay last sent something; omitted if it never did.
	HeldBy      string    `json:"held_by"`               // Name of another till that fetches instead of this one; else blank.
	Unknown     bool      `json:"unknown"`               // The relay does not know the till's key.
	Fault       string    `json:"fault"`                 // Why the last fetch failed; blank after a success.
	Waiting     int       `json:"waiting"`               // Number of requests in the relay's last answer that are not stored yet.
}

type listenerJSON struct {
	Name   string `json:"name"`
	Silent int64  `json:"silent_seconds"` // Seconds since the listener last recorded that it runs.
}

// findings returns the problems of the till. The result is never nil. Like probe, findings reuses a
// result that is less than probeAge old: anyone on the network can request /healthz, and
// config.Findings reads the database.
func (h *Handler) findings(ctx context.Context) []Finding {
	h.finding.Lock()
	defer h.finding.Unlock()
	if h.found == nil || time.Since(h.foundAt) >= probeAge {
		h.found = []Finding{}
		if h.config.Findings != nil {
			h.found = append(h.found, h.config.Findings(context.WithoutCancel(ctx))...)
		}
		h.foundAt = time.Now()
	}
	return h.found
}

func (h *Handler) writeHealth(ctx context.Context, w http.ResponseWriter, status int) {
	health := h.config.Health()
	told := healthJSON{
		Listening: health.Listening, Address: health.Address, StoreDown: health.StoreDown,
		Accepted: health.Accepted, Repeated: health.Repeated, Refused: health.Refused, RefusedCause: health.Cause.Kind, RefusedDetail: health.Cause.Display(),
		Unmatched: health.Unmatched, UnknownKind: health.UnknownKind, Crowded: health.Crowded,
		Reach: health.Reach(h.config.Now()), Version: h.config.Version, Findings: h.findings(ctx),
	}
	if !health.LastEvent.IsZero() {
		told.LastEvent = &health.LastEvent
	}
	if relay := health.Relay; relay.Host != "" {
		told.Relay = &relayJSON{
			Address: relay.Host, Since: relay.Since, LastContact: relay.Contact, HeldBy: relay.HeldBy,
			Unknown: relay.Unknown, Fault: relay.Fault, Waiting: relay.Waiting,
		}
	}
	told.Listeners = []listenerJSON{}
	for _, listener := range health.Listeners {
		told.Listeners = append(told.Listeners, listenerJSON{listener.Name, int64(listener.Silent / time.Second)})
	}
	w.Header().Set("Content-Type", typeJSON)
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(told); err != nil {
		h.config.Logger.Warn("could not send the health report", keyError, err)
	}
}

// ReadHealth requests the health and the [payments.Reach] of another process's listener. It returns
// an error if another program answers. address is the listener's host:port on this machine or its
// network: a listener refuses this request if it comes through a proxy.
func ReadHealth(ctx context.Context, address string) (payments.Health, payments.Reach, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/healthz", nil)
	if err != nil {
		return payments.Health{}, "", fmt.Errorf("ask the listener: %w", err)
	}
	request.Header.Set("Accept", typeJSON)
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}} // This transport does not use a proxy.
	response, err := client.Do(request)
	if err != nil {
		return payments.Health{}, "", fmt.Errorf("ask the listener: %w", err)
	}
	defer response.Body.Close()
	var told healthJSON
	if err := json.NewDecoder(io.LimitReader(response.Body, MaxBody)).Decode(&told); err != nil {
		return payments.Health{}, "", fmt.Errorf("ask the listener: %w", err)
	}
	answers := response.StatusCode == http.StatusOK || response.StatusCode == http.StatusServiceUnavailable
	if !answers || !slices.Contains(payments.Reaches(), told.Reach) {
		return payments.Health{}, "", errors.New("ask the listener: another program answers")
	}
	health := payments.Health{
		Listening: true, Address: address, StoreDown: told.StoreDown, Accepted: told.Accepted, Repeated: told.Repeated, Refused: told.Refused,
		Cause:     payments.Cause{Kind: told.RefusedCause, Detail: told.RefusedDetail},
		Unmatched: told.Unmatched, UnknownKind: told.UnknownKind, Crowded: told.Crowded,
	}
	if told.LastEvent != nil {
		health.LastEvent = *told.LastEvent
	}
	if relay := told.Relay; relay != nil {
		health.Relay = payments.RelayState{
			Host: relay.Address, Since: relay.Since, Contact: relay.LastContact, HeldBy: relay.HeldBy,
			Unknown: relay.Unknown, Fault: relay.Fault, Waiting: relay.Waiting,
		}
	}
	for _, listener := range told.Listeners {
		silent := time.Duration(listener.Silent) * time.Second
		health.Listeners = append(health.Listeners, payments.Listener{Name: listener.Name, Silent: silent})
	}
	return health, told.Reach, nil
}
