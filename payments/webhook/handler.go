package webhook

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/payments/gateway"
)

// MaxBody is the largest body of an event, in bytes.
const MaxBody = 64 << 10

const (
	keyAddress        = "address"
	keyCause          = "cause"
	keyError          = "error"
	keyEvent          = "event"
	keyHeaderHash     = "header_sha256"
	keyHint           = "hint"
	keyOrderReference = "order_reference"
	keyOutcome        = "outcome"
	keyReason         = "reason"
	keyStack          = "stack"
	keyUnlogged       = "refusals_not_logged"
)

// Receiver receives the events with a verified signature. It is the [payments.Service], or an
// outbox that queues events for it.
type Receiver interface {
	// ReceiveLate stores the event and applies it to its order. If the error is nil, the result is
	// durable, or the event was dropped because of a limit ([payments.Dropped]). After an error the
	// event may be lost, so the sender must send it again. body is the raw request body, which the
	// receiver may keep. The parameter came is when the event arrived at a relay; zero means now.
	ReceiveLate(ctx context.Context, event payments.Event, body []byte, came time.Time) (payments.Receipt, error)
}

var _ Receiver = (*payments.Service)(nil)

// Config configures a [Handler]. All fields are required, except Name, Outbox, Health, Findings,
// Version and Expects.
type Config struct {
	Name            string // Name of this listener in the shop's list of listeners.
	Path            string // Webhook path, matched exactly; begins with a slash.
	SignatureHeader string // Name of the signature header; case does not matter.
	Verifier        *gateway.Verifier
	Now             payments.Clock
	Logger          *slog.Logger
	Pages           http.Handler                // Handles /success, /canceled and /failed.
	Probe           func(context.Context) error // Returns why events cannot be stored, or nil.
	Explain         func(payments.Cause) string // Returns the text that the log has for a cause.
	Crowded         func() bool                 // Whether there are too many connections: see [Server.Crowded].
	Outbox          func() payments.OutboxState // State of the outbox; nil without an outbox.
	Health          func() payments.Health      // Source of /healthz; nil for [Handler.Health].
	// Findings returns the problems of the till for /healthz and /metrics. If it is nil, they report
	// no problem.
	Findings func(context.Context) []Finding
	Version  string
	// Expects reports whether the payment service could have sent a refused event; see
	// [payments.Service.Expects]. It is nil if the orders are not known.
	Expects func(ctx context.Context, event payments.Event) bool
}

// Handler answers the payment service's webhook calls. It also serves /success, /canceled,
// /failed, /healthz, /readyz and /metrics. It is safe for concurrent use.
type Handler struct {
	receiver Receiver
	config   Config
	id       string // Public ID that distinguishes this listener from all others.

	probing sync.Mutex // Guards probed and fault.
	probed  time.Time
	fault   error // Why the last probe could not store events, or nil.

	finding sync.Mutex // Guards found and foundAt.
	found   []Finding  // Result of the newest call of config.Findings.
	foundAt time.Time

	looking sync.Mutex // Locked while the order of a refused event is looked up.

	mu        sync.Mutex // Guards the fields below.
	health    payments.Health
	counts    map[string]int                 // Counters by metric name; they only increase.
	latency   histogram                      // How long it took to store signed events.
	diagnosed time.Time                      // When a refusal was last logged.
	unlogged  int                            // Refusals since the last one that was logged.
	alarmed   time.Time                      // When a burst of unmatched successes was last found; zero for never.
	unmatched map[payments.EventID]time.Time // Arrival of the unmatched successes within burstWindow.
}

var _ http.Handler = (*Handler)(nil)

// NewHandler returns a handler that passes verified events to receiver.
func NewHandler(receiver Receiver, config Config) *Handler {
	h := &Handler{
		receiver: receiver, config: config, id: payments.NewListenerID(config.Name),
		counts: newCounts(), unmatched: map[payments.EventID]time.Time{},
	}
	if config.Health == nil {
		h.config.Health = h.Health
	}
	return h
}

// ServeHTTP answers one request. The decoded path must match exactly: it is not cleaned or
// redirected, and a trailing slash counts. Only the return pages match by prefix, as in /success/1.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer h.recoverPanic(w)
	if r.URL.Path == h.config.Path && r.Method == http.MethodPost {
		h.serveEvent(w, r)
		return
	}
	w.Header().Set(gateway.ListenerHeader, h.id)
	methods, answer := "GET, HEAD", http.HandlerFunc(nil)
	anyMethod := false
	switch path := r.URL.Path; {
	case path == h.config.Path:
		methods = "GET, HEAD, POST"
		answer = func(w http.ResponseWriter, _ *http.Request) {
			writeText(w, http.StatusOK, "The webhook listener is here; events come by POST.")
		}
	case strings.HasPrefix(path, "/success"), strings.HasPrefix(path, "/canceled"), strings.HasPrefix(path, "/failed"):
		answer = h.config.Pages.ServeHTTP
		anyMethod = !h.signed(r) // A POST with a signature is an event with a wrong path.
	case relayed(r.Header): // Answer 404: the paths below are only for this machine and its own network.
	case path == "/healthz", path == "/readyz":
		answer = h.serveProbe
	case path == "/metrics":
		answer = h.serveMetrics
	}
	switch {
	case answer == nil:
		h.noteStray(w, r)
		writeText(w, http.StatusNotFound, "Not found")
	case !anyMethod && r.Method != http.MethodGet && r.Method != http.MethodHead:
		h.noteStray(w, r)
		w.Header().Set("Allow", methods)
		writeText(w, http.StatusMethodNotAllowed, "Method Not Allowed")
	default:
		ignoreBody(w, r)
		answer(w, r)
	}
}

func (h *Handler) recoverPanic(w http.ResponseWriter) {
	fault := recover()
	if fault == nil {
		return
	}
	// Only a runtime error is safe to log; other panic values may contain secrets.
	cause := fmt.Sprintf("%T", fault)
	if known, ok := fault.(runtime.Error); ok {
		cause = known.Error()
	}
	h.config.Logger.Error("a webhook request panicked", keyCause, cause, keyStack, string(debug.Stack()))
	writeText(w, http.StatusInternalServerError, "Internal Server Error")
}

// relayed reports whether a request has a header that reverse proxies and tunnels add. A proxy that
// adds no such header must itself block /healthz, /readyz and /metrics.
func relayed(header http.Header) bool {
	for name := range header {
		switch {
		case strings.HasPrefix(name, "X-Forwarded-"), strings.HasPrefix(name, "Cf-"):
			return true
		case slices.Contains([]string{"Forwarded", "Via", "X-Real-Ip", "X-Client-Ip", "True-Client-Ip"}, name):
			return true
		}
	}
	return false
}

// ignoreBody makes net/http close the connection after the answer, so that it does not read the
// rest of the body.
func ignoreBody(w http.ResponseWriter, r *http.Request) {
	if r.ContentLength != 0 {
		w.Header().Set("Connection", "close")
		_ = http.NewResponseController(w).SetReadDeadline(time.Now()) // Ignore the error: only the recorder of a test has no deadlines.
	}
}

func (h *Handler) serveEvent(w http.ResponseWriter, r *http.Request) {
	// The static signature does not cover the body, so it is checked before the body arrives.
	if h.config.Verifier.Verify(r.Header.Values(h.config.SignatureHeader), nil) == nil {
		Trust(r.Context())
	}
	body, event, reason := h.admit(w, r)
	if reason != "" {
		status, text, why := reason.answer()
		expected := h.noteExpected(r.Context(), body) // body is nil if it was not read completely.
		h.noteRefused(r, reason, why, body, expected)
		writeText(w, status, text)
		return
	}
	hold(r.Context())
	receipt, err := h.store(r.Context(), event, body, time.Time{})
	if err != nil {
		writeText(w, http.StatusInternalServerError, "Internal Server Error")
		return
	}
	if receipt.Status == "" {
		writeText(w, http.StatusNotFound, "Not found")
		return
	}
	w.Header().Set("Content-Type", typeJSON)
	_, _ = io.WriteString(w, `{"received":true,"status":`+strconv.Quote(string(receipt.Status))+`}`)
}

func (h *Handler) store(ctx context.Context, event payments.Event, body []byte, came time.Time) (payments.Receipt, error) {
	start := time.Now()
	// Store the event even if the sender hangs up.
	receipt, err := h.receiver.ReceiveLate(context.WithoutCancel(ctx), event, body, came)
	h.noteReceived(event, receipt, err, time.Since(start))
	if err != nil {
		h.config.Logger.Error("an event could not be stored", keyError, err)
		return receipt, err
	}
	level, message := slog.LevelInfo, "event received"
	if receipt.Effect == payments.Dropped {
		level = slog.LevelWarn
	}
	if _, known := event.Kind.Status(); !known {
		level, message = slog.LevelWarn, "event of an unknown kind received"
	}
	h.config.Logger.LogAttrs(ctx, level, message, //nolint:sloglint // message is one of two constants.
		slog.String(keyEvent, clean.Text(string(event.Kind), maxShown)),
		slog.String(keyOrderReference, clean.Text(event.OrderReference, 80)),
		slog.String(keyOutcome, string(receipt.Effect)))
	return receipt, nil
}

// Deliver handles a webhook request that arrived at a relay at the time came. The request's path is
// the configured one, unless the request came to a wrong path at the relay. Deliver returns an empty
// receipt if the request is refused. After an error the request must be delivered again.
func (h *Handler) Deliver(ctx context.Context, r *http.Request, came time.Time) (payments.Receipt, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return payments.Receipt{}, err
	}
	if r.URL.Path != h.config.Path {
		if h.signed(r) {
			h.refuseStray(r, body)
		}
		return payments.Receipt{}, nil
	}
	event, reason := h.judge(r.Header, body)
	if reason != "" {
		_, _, why := reason.answer()
		h.noteRefused(r, reason, why, body, h.noteExpected(ctx, body))
		return payments.Receipt{}, nil
	}
	return h.store(ctx, event, body, came)
}

// admit reads and verifies a request. It returns the body and the event, or the reason for a
// refusal. The order of the checks is part of the contract: the size of the body, whether there is
// a body, the signature, then the content.
func (h *Handler) admit(w http.ResponseWriter, r *http.Request) ([]byte, payments.Event, refusalReason) {
	if r.ContentLength > MaxBody {
		ignoreBody(w, r)
		return nil, payments.Event{}, tooLarge
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
	switch {
	case errors.As(err, new(*http.MaxBytesError)):
		return nil, payments.Event{}, tooLarge
	case err != nil:
		return nil, payments.Event{}, unreadable
	case len(body) == 0:
		return nil, payments.Event{}, noBody
	}
	event, reason := h.judge(r.Header, body)
	return body, event, reason
}

func (h *Handler) judge(header http.Header, body []byte) (payments.Event, refusalReason) {
	err := h.config.Verifier.Verify(header.Values(h.config.SignatureHeader), body)
	switch {
	case errors.Is(err, gateway.ErrNoSignature):
		return payments.Event{}, noSignature
	case err != nil:
		return payments.Event{}, badSignature
	}
	event, err := gateway.DecodeEvent(body)
	switch {
	case errors.Is(err, gateway.ErrNoOrderReference):
		return payments.Event{}, noOrderReference
	case err != nil:
		return payments.Event{}, malformed
	}
	return event, ""
}

// signed reports whether the request has a signature header, valid or not.
func (h *Handler) signed(r *http.Request) bool {
	return len(r.Header.Values(h.config.SignatureHeader)) > 0
}

// noteStray records a request with a signature header as refused, because its path or method is
// wrong.
func (h *Handler) noteStray(w http.ResponseWriter, r *http.Request) {
	defer ignoreBody(w, r)
	if !h.signed(r) {
		return
	}
	var body []byte
	if r.ContentLength <= MaxBody {
		body, _ = io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody)) // Ignore the error: the signature does not cover the body, or does not match an incomplete one.
	}
	h.refuseStray(r, body)
}

// refuseStray records a request with a wrong path or method as refused. It sets a cause only if the
// signature is valid.
func (h *Handler) refuseStray(r *http.Request, body []byte) {
	reason := wrongPath
	why := payments.Cause{Kind: payments.CauseWrongPath, Detail: clean.Text(r.URL.Path, maxShown)}
	if r.URL.Path == h.config.Path {
		reason = wrongMethod
		why = payments.Cause{Kind: payments.CauseWrongMethod, Detail: clean.Text(r.Method, maxShown)}
	}
	if h.config.Verifier.Verify(r.Header.Values(h.config.SignatureHeader), body) != nil {
		why = payments.Cause{} // Anyone can send a request without a valid signature.
	}
	h.noteRefused(r, reason, why, body, false)
}

// noteRefused counts a refused request. At most once in each [diagnosePause], it also looks for the
// cause of a missing or wrong signature, and logs the refusal without the content of the request.
// expected says whether the shop expects the event in the request.
func (h *Handler) noteRefused(r *http.Request, reason refusalReason, why payments.Cause, body []byte, expected bool) {
	now := h.config.Now()
	h.mu.Lock()
	h.health.Refused++
	h.counts[fmt.Sprintf(refusalsOf, reason)]++
	due, unlogged := now.Sub(h.diagnosed).Abs() >= diagnosePause, h.unlogged
	h.unlogged++
	if due {
		if reason == noSignature || reason == badSignature {
			why = h.config.Verifier.Diagnose(r.Header, h.config.SignatureHeader, body)
		}
		h.unlogged = 0
		h.diagnosed = now
	}
	switch {
	case expected && (due || why.Kind != payments.CauseNone):
		h.health.Cause = why // If the zero Cause is set, Health says that the secret has probably changed.
	case why.Kind != payments.CauseNone && why.Kind != payments.CauseOtherForm:
		h.health.Cause = why // Only a sender who knows the secret or a static signature can lead to these causes.
	}
	h.mu.Unlock()
	if expected {
		why = cmp.Or(why, payments.Cause{Kind: payments.CauseSecretChanged})
	}
	if due {
		h.config.Logger.Warn("webhook request refused", keyReason, reason, keyAddress, r.RemoteAddr,
			keyHeaderHash, hashOf(r.Header.Values(h.config.SignatureHeader)), keyHint, h.config.Explain(why), keyUnlogged, unlogged)
	}
}

// hashOf returns the hash of a signature header, by which the operator recognizes equal headers in
// the log.
func hashOf(header []string) string {
	if len(header) == 0 {
		return ""
	}
	sum := sha256.Sum256([]byte(strings.Join(header, "\n")))
	return hex.EncodeToString(sum[:])
}

// noteExpected reports whether a refused request to the webhook path contains an event that the
// shop expects, and if so, records it for the health report. It looks up one order at a time and
// returns false during a look-up, so that a flood does not keep the database busy.
func (h *Handler) noteExpected(ctx context.Context, body []byte) bool {
	const limit = time.Second // Short, because the answer to the request waits for the lookup.
	if h.config.Expects == nil || len(body) == 0 || !h.looking.TryLock() {
		return false
	}
	defer h.looking.Unlock()
	event, err := gateway.DecodeEvent(body)
	if err != nil {
		return false
	}
	// The request's context ends when the sender hangs up; finish the lookup nevertheless.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer cancel()
	if !h.config.Expects(ctx, event) {
		return false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.health.Expected = h.health.Expected.Refuse(event.OrderReference, h.config.Now().UTC())
	return true
}

// writeText answers with a plain text. After a 4xx it closes the connection, so that a
// flood needs a new connection for each request.
func writeText(w http.ResponseWriter, status int, text string) {
	header := w.Header()
	header.Set("Content-Type", "text/plain; charset=utf-8")
	header.Set("X-Content-Type-Options", "nosniff")
	if status >= http.StatusBadRequest && status < http.StatusInternalServerError {
		header.Set("Connection", "close")
	}
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text) //nolint:gosec // The text is plain and contains nothing of the request.
}
