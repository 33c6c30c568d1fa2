package webhook

import (
	"context"
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

	"checkout/till/payments"
	"checkout/till/payments/gateway"
)

// MaxBody bounds the body of an event, in bytes.
const MaxBody = 64 << 10

// The keys of the listener's log.
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

// Receiver takes the events whose signature was verified.
type Receiver interface {
	// Receive stores the event and applies it to its order. It returns nil
	// only once both are durable; an error says that the event may be lost, so
	// that the sender must be told to send it again. body is the raw request
	// body and is the receiver's to keep.
	Receive(ctx context.Context, event payments.Event, body []byte) (payments.Receipt, error)
}

var _ Receiver = (*payments.Service)(nil)

// Config is what a [Handler] works with. Verifier and Now are required.
type Config struct {
	Path            string // Of the webhook, matched exactly; begins with a slash.
	SignatureHeader string // The name of the header; case does not matter.
	Verifier        *gateway.Verifier
	Now             payments.Clock
	Logger          *slog.Logger                // None is silent.
	Pages           http.Handler                // GET of /success, /canceled and /failed; nil is 404.
	Healthy         func(context.Context) error // Whether events can be stored, for /healthz; nil is always.
	// Ready tells whether an event that comes now would be kept, be it stored
	// or put aside for later, for /readyz; nil is Healthy.
	Ready func(context.Context) error
	// Backlog tells what was put aside because it could not be stored; nil is
	// where nothing is.
	Backlog func() Backlog
}

// Handler answers the payment service's webhook calls, and beside them
// /success, /canceled, /failed, /healthz and /metrics. It is safe for
// concurrent use.
type Handler struct {
	receiver Receiver
	config   Config
	meters   *meters
	journal  *journal
}

var _ http.Handler = (*Handler)(nil)

// NewHandler returns a handler that gives verified events to receiver.
func NewHandler(receiver Receiver, config Config) *Handler {
	if config.Logger == nil {
		config.Logger = slog.New(slog.DiscardHandler)
	}
	config.SignatureHeader = http.CanonicalHeaderKey(config.SignatureHeader)
	handler := &Handler{
		receiver: receiver, config: config, meters: newMeters(),
		journal: newJournal(config.Now, config.Logger),
	}
	handler.meters.gauges(handler.journal, config)
	return handler
}

// ServeHTTP answers one request. Paths match exactly as they are decoded: no
// cleaning, no trailing slash, no redirect.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer h.recover(w)
	if wanted(r.Context()) {
		w.Header().Set("Connection", "close")
	}
	if r.URL.Path == h.config.Path {
		h.serveWebhook(w, r)
		return
	}
	switch r.URL.Path {
	case "/success", "/canceled", "/failed":
		if h.config.Pages == nil {
			writeText(w, http.StatusNotFound, "Not found")
		} else if allow(w, r, http.MethodGet, http.MethodHead) {
			h.config.Pages.ServeHTTP(w, r)
		}
	case "/healthz", "/readyz":
		if allow(w, r, http.MethodGet, http.MethodHead) {
			h.serveHealth(w, r)
		}
	case "/metrics":
		if allow(w, r, http.MethodGet, http.MethodHead) {
			w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
			h.meters.set.WritePrometheus(w)
		}
	default:
		writeText(w, http.StatusNotFound, "Not found")
	}
}

// recover answers 500 after a panic and lets the process live.
func (h *Handler) recover(w http.ResponseWriter) {
	fault := recover()
	if fault == nil {
		return
	}
	// The value of a panic may hold anything; only the runtime's is known not to.
	cause := fmt.Sprintf("%T", fault)
	if known, ok := fault.(runtime.Error); ok {
		cause = known.Error()
	}
	h.config.Logger.Error("a webhook request panicked", keyCause, cause, keyStack, string(debug.Stack()))
	writeText(w, http.StatusInternalServerError, "Internal Server Error")
}

func (h *Handler) serveWebhook(w http.ResponseWriter, r *http.Request) {
	if !allow(w, r, http.MethodGet, http.MethodHead, http.MethodPost) {
		return
	}
	if r.Method != http.MethodPost {
		writeText(w, http.StatusOK, "The webhook listener is here; events come by POST.")
		return
	}
	start := h.config.Now()
	defer func() { h.meters.answered(h.config.Now().Sub(start).Seconds()) }()
	body, event, reason := h.admit(w, r)
	if reason != "" {
		h.refuse(w, r, reason, body)
		return
	}
	h.journal.accepted()
	// The event must reach the store even when the sender hangs up.
	receipt, err := h.receiver.Receive(context.WithoutCancel(r.Context()), event, body)
	h.journal.storeAnswered(err)
	if err != nil {
		h.meters.storeFailures.Inc()
		h.config.Logger.Error("an event could not be stored", keyError, err)
		writeText(w, http.StatusInternalServerError, "Internal Server Error")
		return
	}
	h.journal.stored()
	h.meters.event(event.Kind, receipt.Outcome)
	h.config.Logger.LogAttrs(r.Context(), slog.LevelInfo, "event received",
		slog.String(keyEvent, payments.Clean(string(event.Kind), 40)),
		slog.String(keyOrderReference, payments.Clean(event.OrderReference, 80)),
		slog.String(keyOutcome, string(receipt.Outcome)))
	if receipt.Status == "" { // No order has it.
		writeText(w, http.StatusNotFound, "Not found")
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, `{"received":true,"status":`+strconv.Quote(string(receipt.Status))+`}`)
}

// admit reads a request and verifies it, in the order of the checks that the
// service may rely on: size, presence, signature, and only then the content.
// It returns the event, or why the request is refused.
func (h *Handler) admit(w http.ResponseWriter, r *http.Request) ([]byte, payments.Event, Reason) {
	if r.ContentLength > MaxBody {
		return nil, payments.Event{}, TooLarge
	}
	wait(r.Context(), true)
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
	wait(r.Context(), false)
	switch {
	case errors.As(err, new(*http.MaxBytesError)):
		return nil, payments.Event{}, TooLarge
	case err != nil:
		return nil, payments.Event{}, Unreadable
	case len(body) == 0:
		return nil, payments.Event{}, NoBody
	}
	err = h.config.Verifier.Verify(r.Header.Values(h.config.SignatureHeader), body)
	switch {
	case errors.Is(err, gateway.ErrNoSignature):
		return body, payments.Event{}, NoSignature
	case err != nil:
		return body, payments.Event{}, BadSignature
	}
	event, err := gateway.DecodeEvent(body)
	switch {
	case errors.Is(err, gateway.ErrNoOrderReference):
		return body, payments.Event{}, NoOrderReference
	case err != nil:
		return body, payments.Event{}, Malformed
	}
	return body, event, ""
}

// refuse answers a refused request and notes the refusal. body is nil when it
// was not read whole.
func (h *Handler) refuse(w http.ResponseWriter, r *http.Request, reason Reason, body []byte) {
	h.meters.refusal(reason)
	values := r.Header.Values(h.config.SignatureHeader)
	var finding payments.Cause
	if reason == NoSignature || reason == BadSignature {
		finding = h.config.Verifier.Diagnose(r.Header, h.config.SignatureHeader, body)
	}
	h.journal.refused(r.RemoteAddr, reason, values, finding)
	status, text := reason.answer()
	writeText(w, status, text)
}

// allow answers 405 unless the request has one of the methods.
func allow(w http.ResponseWriter, r *http.Request, methods ...string) bool {
	if slices.Contains(methods, r.Method) {
		return true
	}
	w.Header().Set("Allow", strings.Join(methods, ", "))
	writeText(w, http.StatusMethodNotAllowed, "Method Not Allowed")
	return false
}

// writeText answers with a plain text. After a refusal the connection is
// closed, so that who floods the listener pays for each request.
func writeText(w http.ResponseWriter, status int, text string) {
	header := w.Header()
	header.Set("Content-Type", "text/plain; charset=utf-8")
	header.Set("X-Content-Type-Options", "nosniff")
	if status >= http.StatusBadRequest && status < http.StatusInternalServerError {
		header.Set("Connection", "close")
	}
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text)
}
