package webhook_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/secret"
	"checkout/till/payments/webhook"
	"checkout/till/storage/storagetest/sqlitetest"
)

const (
	secretText  = "whsec_demo_0123456789abcdef"
	secretValue = "f0cef8a546075b7ff92ec16a2c774fec25c610add3ba6c66af5a64f38f380f3b"
	header      = "x-svc-signature"
	successBody = `{"event":"payment.success","data":{"order_reference":"REF_700001","reference":"SHOP_1",` +
		`"amount":9000,"currency":"Ar","description":"Vary"}}`
)

func noon() time.Time { return time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC) }

// receiver passes events to the embedded Receiver, unless fault or receipt is set. If the embedded
// Receiver is nil, one of them must be set.
type receiver struct {
	webhook.Receiver
	mu      sync.Mutex
	fault   error            // If set, ReceiveLate returns it.
	receipt payments.Receipt // If not zero, ReceiveLate returns it.
	before  func()           // Called at the start of ReceiveLate.
	after   func()           // Called at the end of ReceiveLate.
	calls   int
	ended   bool // Whether a call had a canceled context.
}

func (r *receiver) ReceiveLate(ctx context.Context, event payments.Event, body []byte, _ time.Time) (payments.Receipt, error) {
	if r.before != nil {
		r.before()
	}
	if r.after != nil {
		defer r.after()
	}
	r.mu.Lock()
	r.calls++
	r.ended = r.ended || ctx.Err() != nil
	fault, receipt := r.fault, r.receipt
	r.mu.Unlock()
	if fault != nil || receipt != (payments.Receipt{}) {
		return receipt, fault
	}
	return r.Receiver.ReceiveLate(ctx, event, body, time.Time{})
}

// rig is a listener on a TCP port with a [payments.Service] and a SQLite database.
type rig struct {
	t        *testing.T
	service  *payments.Service
	order    payments.Order // REF_700001, for 9000 Ar.
	receiver *receiver
	handler  *webhook.Handler
	url      string
	log      *bytes.Buffer
}

func TestMain(m *testing.M) {
	_ = flag.Set("test.parallel", "6") // The parallel tests mostly wait, so more can run than there are processors.
	os.Exit(m.Run())
}

// newRig starts a listener with the secret secretText and the static scheme. change may change its
// configuration.
func newRig(t *testing.T, change ...func(*webhook.Config)) *rig {
	t.Helper()
	made := &receiver{}
	var rig *rig
	expects := func(c *webhook.Config) {
		c.Expects = func(ctx context.Context, event payments.Event) bool {
			return rig.service.Expects(context.WithoutCancel(ctx), event) // The time limit must not depend on the load.
		}
	}
	rig = newBareRig(t, made, append([]func(*webhook.Config){expects}, change...)...)
	rig.service = payments.New(sqlitetest.Open(t), rig, noon)
	made.Receiver = rig.service
	server := httptest.NewServer(rig.handler)
	t.Cleanup(server.Close)
	rig.url = server.URL
	var err error
	rig.order, err = rig.service.Checkout(t.Context(), payments.Terms{
		Till: "T1", Items: []payments.Item{{Label: "Vary", UnitPrice: 9000, Quantity: 1}},
	})
	must(t, err)
	return rig
}

// newBareRig is [newRig] without a TCP port and a store. Use [rig.record] to deliver events.
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

// config returns the configuration of a listener with a working store, without outbox and log.
func config(t testing.TB) webhook.Config {
	t.Helper()
	verifier, err := gateway.NewVerifier(gateway.Static, secret.New(secretText))
	must(t, err)
	return webhook.Config{
		Path: "/webhook", SignatureHeader: header, Verifier: verifier, Now: noon, Logger: slog.New(slog.DiscardHandler),
		Pages: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, "page "+r.URL.Path)
		}),
		Probe:   func(context.Context) error { return nil },
		Explain: func(cause payments.Cause) string { return string(cause.Kind) + " " + cause.Display() },
		Crowded: func() bool { return false },
	}
}

// at returns a change for newRig and newBareRig: the listener's clock shows the time in now.
func at(now *time.Time) func(*webhook.Config) {
	return func(c *webhook.Config) { c.Now = func() time.Time { return *now } }
}

// Create accepts every order; it replaces the payment service.
func (r *rig) Create(context.Context, payments.Order) (payments.Created, error) {
	return payments.Created{OrderReference: "REF_700001", CheckoutURL: "https://pay.example/c/1", ExpiresMinutes: 10}, nil
}

// find reads an order and its events from the disk.
func (r *rig) find(ref string) (payments.Order, []payments.Record) {
	r.t.Helper()
	order, records, err := r.service.Order(r.t.Context(), ref)
	must(r.t, err)
	return order, records
}

// stored returns how many different events are on the disk.
func (r *rig) stored() int {
	r.t.Helper()
	_, records := r.find("REF_700001")
	unmatched, err := r.service.Unmatched(r.t.Context(), 1000)
	must(r.t, err)
	return len(records) + len(unmatched)
}

// call is a request. The zero value is an empty POST to /webhook without a signature.
type call struct {
	method, path string
	signatures   []string
	headers      http.Header
	body         string
	reader       io.Reader // Replaces body; sent in chunks.
}

type answer struct {
	status int
	text   string
	header http.Header
}

// do sends a request without following redirects.
func (r *rig) do(c call) answer {
	r.t.Helper()
	var body io.Reader
	if c.body != "" {
		body = strings.NewReader(c.body)
	}
	if c.reader != nil {
		body = c.reader
	}
	request, err := http.NewRequestWithContext(r.t.Context(), cmp.Or(c.method, http.MethodPost), r.url, body)
	must(r.t, err)
	request.URL.Opaque = cmp.Or(c.path, "/webhook")
	maps.Copy(request.Header, c.headers)
	if c.signatures != nil {
		request.Header[http.CanonicalHeaderKey(header)] = c.signatures
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	if c.body != "" && (errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET)) {
		// The listener refused the body and closed the connection before all of it was written.
		return r.do(c)
	}
	must(r.t, err)
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	must(r.t, err)
	return answer{response.StatusCode, string(text), response.Header}
}

// deliver sends a signed body.
func (r *rig) deliver(body string) answer {
	r.t.Helper()
	return r.do(call{signatures: []string{secretValue}, body: body})
}

// record passes a signed body to the handler, without a connection.
func (r *rig) record(body string) {
	request := httptest.NewRequestWithContext(r.t.Context(), http.MethodPost, "/webhook", strings.NewReader(body))
	request.Header.Set(header, secretValue)
	r.handler.ServeHTTP(httptest.NewRecorder(), request)
}

// get passes a GET request to the handler, without a connection, and returns the answer.
func (r *rig) get(path string, headers http.Header) *httptest.ResponseRecorder {
	request := httptest.NewRequestWithContext(r.t.Context(), http.MethodGet, path, nil)
	maps.Copy(request.Header, headers)
	recorder := httptest.NewRecorder()
	r.handler.ServeHTTP(recorder, request)
	return recorder
}

func (r *rig) expectMetrics(lines ...string) {
	r.t.Helper()
	text := r.get("/metrics", nil).Body.String()
	for _, line := range lines {
		if !strings.Contains(text, line+"\n") {
			r.t.Errorf("no %s in\n%s", line, text)
		}
	}
}

// event returns the body of an event of a kind for REF_700001.
func event(kind payments.EventKind) string {
	return string(gateway.EncodeEvent(gateway.Notification{
		Event: kind, OrderReference: "REF_700001", Reference: "SHOP_1", Amount: 9000, Currency: "Ar", Description: "Vary",
	}))
}

// successOf returns the body of a success for an order reference.
func successOf(reference string) string {
	return strings.Replace(successBody, "REF_700001", reference, 1)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
