package webhook_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/webhook"
)

const (
	secretText  = "whsec_demo_0123456789abcdef"
	secretValue = "f0cef8a546075b7ff92ec16a2c774fec25c610add3ba6c66af5a64f38f380f3b"
	header      = "x-svc-signature"
	successBody = `{"event":"payment.success","data":{"order_reference":"REF_700001","reference":"SHOP_1",` +
		`"amount":9000,"currency":"Ar","description":"Vary"}}`
)

// noon is the time of every test.
func noon() time.Time { return time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC) }

// receiver applies events to orders in memory, as the service does on disk.
type receiver struct {
	mu       sync.Mutex
	orders   map[string]payments.Order // By order reference.
	outcomes map[payments.EventID]payments.Outcome
	bodies   []string
	fault    error            // Returned instead.
	receipt  payments.Receipt // Returned instead, unless it is zero.
	before   func()           // Called first.
	after    func()           // Called last.
	ended    bool             // A context that had ended was given.
}

func newReceiver(references ...string) *receiver {
	r := &receiver{orders: map[string]payments.Order{}, outcomes: map[payments.EventID]payments.Outcome{}}
	for _, reference := range references {
		r.orders[reference] = payments.Order{
			Reference: "T1-" + reference, OrderReference: reference, Amount: 9000, Status: payments.StatusPending,
		}
	}
	return r
}

func (r *receiver) Receive(ctx context.Context, event payments.Event, body []byte) (payments.Receipt, error) {
	if r.before != nil {
		r.before()
	}
	if r.after != nil {
		defer r.after()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended = r.ended || ctx.Err() != nil
	if r.fault != nil {
		return payments.Receipt{}, r.fault
	}
	if r.receipt != (payments.Receipt{}) {
		return r.receipt, nil
	}
	order, known := r.orders[event.OrderReference]
	_, seen := r.outcomes[event.ID()]
	if !seen {
		r.bodies = append(r.bodies, string(body))
		r.outcomes[event.ID()] = payments.NoSuchOrder
	}
	switch {
	case !known:
		return payments.Receipt{Outcome: payments.NoSuchOrder}, nil
	case seen:
		return payments.Receipt{Outcome: payments.Duplicate, Status: order.Status}, nil
	}
	order, outcome := order.Apply(event, nil, noon())
	r.orders[event.OrderReference], r.outcomes[event.ID()] = order, outcome
	return payments.Receipt{Outcome: outcome, Status: order.Status}, nil
}

// stored returns how many different events were stored.
func (r *receiver) stored() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.bodies)
}

// rig is a listener on a real connection.
type rig struct {
	t        *testing.T
	receiver *receiver
	handler  *webhook.Handler
	url      string
	log      *bytes.Buffer
}

// verifier accepts secretText by the static scheme.
func verifier(t testing.TB) *gateway.Verifier {
	t.Helper()
	made, err := gateway.NewVerifier(gateway.Static, payments.NewSecret(secretText))
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// newRig starts a listener that accepts secretText by the static scheme; change
// may alter its configuration.
func newRig(t *testing.T, receiver *receiver, change ...func(*webhook.Config)) *rig {
	t.Helper()
	rig := newBareRig(t, receiver, change...)
	server := httptest.NewServer(rig.handler)
	t.Cleanup(server.Close)
	rig.url = server.URL
	return rig
}

// newBareRig is [newRig] without a connection; see [rig.record].
func newBareRig(t *testing.T, receiver *receiver, change ...func(*webhook.Config)) *rig {
	t.Helper()
	log := new(bytes.Buffer)
	config := config(t)
	config.Logger = slog.New(slog.NewTextHandler(log, nil))
	for _, alter := range change {
		alter(&config)
	}
	return &rig{t: t, receiver: receiver, handler: webhook.NewHandler(receiver, config), log: log}
}

// config is that of a listener whose store works, without an outbox and a log.
func config(t testing.TB) webhook.Config {
	t.Helper()
	return webhook.Config{
		Path: "/webhook", SignatureHeader: header, Verifier: verifier(t), Now: noon, Logger: slog.New(slog.DiscardHandler),
		Pages: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, "page "+r.URL.Path)
		}),
		Healthy: func(context.Context) error { return nil },
		Explain: func(cause payments.Cause) string { return string(cause.Kind) + " " + cause.Shown() },
		Crowded: func() bool { return false },
	}
}

// call is one request of a test. The zero value is a POST of nothing to
// /webhook without a signature.
type call struct {
	method, path string
	signatures   []string
	headers      http.Header
	body         string
	reader       io.Reader // Instead of body: sent in chunks.
}

// answer is what came back.
type answer struct {
	status int
	text   string
	header http.Header
}

// do sends a request without following redirects.
func (r *rig) do(c call) answer {
	r.t.Helper()
	method, path := c.method, c.path
	if method == "" {
		method = http.MethodPost
	}
	if path == "" {
		path = "/webhook"
	}
	var body io.Reader
	if c.body != "" {
		body = strings.NewReader(c.body)
	}
	if c.reader != nil {
		body = c.reader
	}
	request, err := http.NewRequestWithContext(r.t.Context(), method, r.url, body)
	if err != nil {
		r.t.Fatal(err)
	}
	request.URL.Opaque = path
	maps.Copy(request.Header, c.headers)
	if c.signatures != nil {
		request.Header[http.CanonicalHeaderKey(header)] = c.signatures
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		r.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	return answer{response.StatusCode, string(text), response.Header}
}

// deliver sends a signed body.
func (r *rig) deliver(body string) answer {
	r.t.Helper()
	return r.do(call{signatures: []string{secretValue}, body: body})
}

// record delivers a signed body without a connection and returns the status.
func (r *rig) record(body string) int {
	request := httptest.NewRequestWithContext(r.t.Context(), http.MethodPost, "/webhook", strings.NewReader(body))
	request.Header.Set(header, secretValue)
	recorder := httptest.NewRecorder()
	r.handler.ServeHTTP(recorder, request)
	return recorder.Code
}

// get asks for a path without a connection.
func (r *rig) get(path string, headers http.Header) *httptest.ResponseRecorder {
	request := httptest.NewRequestWithContext(r.t.Context(), http.MethodGet, path, nil)
	maps.Copy(request.Header, headers)
	recorder := httptest.NewRecorder()
	r.handler.ServeHTTP(recorder, request)
	return recorder
}

// event returns the body of an event for REF_700001.
func event(kind payments.EventKind, reason string) string {
	return string(gateway.EncodeEvent(gateway.Notification{
		Event: kind, OrderReference: "REF_700001", Reference: "SHOP_1", Amount: 9000,
		Currency: "Ar", Description: "Vary", Error: reason,
	}))
}
