package sandbox_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/sandbox"
	"checkout/till/payments/sandbox/server"
	"checkout/till/payments/secret"
)

const (
	token         = "TGP_test_not_a_real_token"
	webhookSecret = "whsec_demo_0123456789abcdef"
	header        = "x-svc-signature"

	webhookURL = "http://127.0.0.1:8788/webhook"
)

func settings(webhook string) sandbox.Config {
	return sandbox.Config{
		Token: secret.New(token), WebhookSecret: secret.New(webhookSecret),
		WebhookURL: webhook, Shop: "Épicerie Soa",
	}
}

// handlers caches the HTTP handlers of the sandboxes, because making one parses its templates.
var handlers sync.Map

func handlerOf(made *sandbox.Sandbox) http.Handler {
	if known, ok := handlers.Load(made); ok {
		return known.(http.Handler)
	}
	handler := server.New(made)
	handlers.Store(made, handler)
	return handler
}

func orderBody(reference string) string {
	return fmt.Sprintf(`{"description": "2 × Vary, Coca", "access": %q, "reference": %q, "amount": 9000,
		"currency": "Ar", "metadata": [{"label": "Vary", "unit_price": 3500, "quantity": 2},
		{"label": "Coca", "unit_price": 2000, "quantity": 1}]}`, token, reference)
}

type answered struct {
	Status  int    `json:"-"`
	Message string `json:"message"`
	Data    struct {
		CheckoutURL    string `json:"checkout_url"`
		Expires        int    `json:"expires_in_minutes"`
		OrderReference string `json:"order_reference"`
	} `json:"data"`
}

// ask makes a request from the sandbox's machine and decodes the answer. The status must be 200.
func ask[T any](t *testing.T, made *sandbox.Sandbox, method, target, body string) T {
	t.Helper()
	var answer T
	recorder := lab(made, method, target, body)
	err := json.Unmarshal(recorder.Body.Bytes(), &answer, sandbox.JSON(), json.MatchCaseInsensitiveNames(true))
	if err != nil || recorder.Code != http.StatusOK || recorder.Header().Get("Content-Type") != "application/json" {
		t.Fatalf("%s %s answers %d %s: %v", method, target, recorder.Code, recorder.Body, err)
	}
	return answer
}

// labOrder is an order in an answer of the lab. The tests of the OpenAPI file check the
// names of its fields.
type labOrder struct {
	sandbox.Order
	CheckoutURL string `json:"checkout_url"`
}

// pass advances the time in a synctest bubble and waits until all work that is due is done.
func pass(span time.Duration) {
	<-time.After(span)
	synctest.Wait()
}

func always(code int) func(int) int { return func(int) int { return code } }

// first returns the statuses of a merchant who answers the first tries with code, and later tries
// with 200.
func first(tries, code int) func(int) int {
	return func(try int) int { return map[bool]int{true: code, false: http.StatusOK}[try <= tries] }
}

type option = func(*sandbox.Config)

func withTransport(transport http.RoundTripper) option {
	return func(config *sandbox.Config) { config.Transport = transport }
}

func withRetry(profile sandbox.Retry) option {
	return func(config *sandbox.Config) { config.Retry = profile }
}

// begin runs a sandbox that sends its events to webhookURL, until the test ends.
func begin(t *testing.T, options ...option) *sandbox.Sandbox {
	t.Helper()
	made := newSandbox(t, settings(webhookURL), options...)
	run(t, made)
	return made
}

func run(t *testing.T, made *sandbox.Sandbox) {
	t.Helper()
	var running sync.WaitGroup
	running.Go(func() {
		if err := made.Run(t.Context()); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(running.Wait)
}

func newSandbox(t testing.TB, config sandbox.Config, options ...option) *sandbox.Sandbox {
	t.Helper()
	for _, option := range options {
		option(&config)
	}
	made, err := sandbox.New(config)
	must(t, err)
	return made
}

// quietSandbox makes a sandbox that sends no events.
func quietSandbox(t testing.TB) *sandbox.Sandbox {
	t.Helper()
	return newSandbox(t, settings(""))
}

// act causes events of an order, one after the other.
func act(t *testing.T, made *sandbox.Sandbox, reference string, kinds ...payments.EventKind) {
	t.Helper()
	for _, kind := range kinds {
		must(t, made.Act(t.Context(), reference, kind))
	}
}

// acted makes an order and causes its events. It returns the order reference.
func acted(t *testing.T, made *sandbox.Sandbox, reference string, kinds ...payments.EventKind) string {
	t.Helper()
	_, order := localOrder(t, made, reference)
	act(t, made, order, kinds...)
	return order
}

// paidDesk runs a sandbox and a test merchant as hear does, and pays one order.
func paidDesk(t *testing.T, answer func(try int) int, options ...option) (*sandbox.Sandbox, *inbox) {
	t.Helper()
	made, all := hear(t, answer, options...)
	acted(t, made, "T1-20261121-GT-0007", payments.PaymentSuccess)
	return made, all
}

// lab makes a request from the sandbox's own machine.
func lab(made *sandbox.Sandbox, method, target, body string, headers ...string) *httptest.ResponseRecorder {
	return request(made, "127.0.0.1:5000", method, target, body, headers...)
}

// local makes a request from another machine in the local network.
func local(made *sandbox.Sandbox, method, target, body string, headers ...string) *httptest.ResponseRecorder {
	return request(made, "192.168.1.20:5000", method, target, body, headers...)
}

// request makes a request without a network. A target without a host is on 127.0.0.1.
func request(made *sandbox.Sandbox, from, method, target, body string, headers ...string) *httptest.ResponseRecorder {
	if strings.HasPrefix(target, "/") {
		target = "http://127.0.0.1" + target
	}
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	r.RemoteAddr = from
	if strings.HasPrefix(body, "outcome=") {
		headers = append([]string{"Content-Type", "application/x-www-form-urlencoded"}, headers...)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		}
	}
	recorder := httptest.NewRecorder()
	handlerOf(made).ServeHTTP(recorder, r)
	return recorder
}

// post sends a form. Names and values alternate in the arguments.
func post(made *sandbox.Sandbox, target string, form ...string) *httptest.ResponseRecorder {
	values := url.Values{}
	for i := 0; i < len(form); i += 2 {
		values.Set(form[i], form[i+1])
	}
	return lab(made, http.MethodPost, target, values.Encode(),
		"Content-Type", "application/x-www-form-urlencoded", "Accept", "text/html,*/*;q=0.8")
}

func contains(recorder *httptest.ResponseRecorder, text string) bool {
	return strings.Contains(recorder.Body.String(), text)
}

// call makes an order call with this body and returns the answer.
func call(t *testing.T, made *sandbox.Sandbox, body string) answered {
	t.Helper()
	recorder := local(made, http.MethodPost, gateway.DefaultOrderPath, body)
	reply := answered{Status: recorder.Code}
	if err := json.Unmarshal(recorder.Body.Bytes(), &reply); err != nil {
		t.Fatalf("%d %s: %v", recorder.Code, recorder.Body, err)
	}
	return reply
}

// localOrder makes an order without a network and returns the path of its link and its
// order reference.
func localOrder(t *testing.T, made *sandbox.Sandbox, reference string) (path, orderReference string) {
	t.Helper()
	reply := call(t, made, orderBody(reference))
	if reply.Status != http.StatusOK {
		t.Fatalf("%+v", reply)
	}
	link, err := url.Parse(reply.Data.CheckoutURL)
	must(t, err)
	return link.Path, reply.Data.OrderReference
}

// roundTrip is an http.RoundTripper made from a function.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func status(code int) *http.Response {
	return &http.Response{StatusCode: code, Header: http.Header{}, Body: http.NoBody}
}

// Statuses for a merchant that sends no answer.
const (
	silence = 0  // The merchant reads the event and does not answer.
	absence = -1 // The merchant refuses the connection.
)

// heard is an event that the merchant received.
type heard struct {
	address    string // Where it was sent.
	event      payments.Event
	after      time.Duration // Time since the call of listen.
	took       time.Duration // Time to read the body.
	body       string
	header     http.Header
	signatures []string
	sound      bool // The signature is valid.
}

// inbox contains the events that a merchant has received.
type inbox struct {
	mu     sync.Mutex
	events []heard
	came   chan heard
}

func (i *inbox) list() []heard {
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.Clone(i.events)
}

// kinds returns the kinds of the events so far, such as "failed success".
func (i *inbox) kinds() string {
	var kinds []string
	for _, one := range i.list() {
		kinds = append(kinds, strings.TrimPrefix(string(one.event.Kind), "payment."))
	}
	return strings.Join(kinds, " ")
}

// next returns the next event that arrives.
func (i *inbox) next(t *testing.T) heard {
	t.Helper()
	select {
	case event := <-i.came:
		return event
	case <-time.After(20 * time.Second):
		t.Fatal("no event came")
	}
	return heard{}
}

// listen returns a merchant's inbox, and an option for a sandbox that sends its events to that
// merchant. answer returns the merchant's status for each try; the text of the answer is the number
// of the try.
func listen(t *testing.T, answer func(try int) int) (option, *inbox) {
	t.Helper()
	all, start := &inbox{came: make(chan heard, 10_000)}, time.Now()
	verifier, err := gateway.NewVerifier(gateway.Static, secret.New(webhookSecret))
	must(t, err)
	return withTransport(roundTrip(func(r *http.Request) (*http.Response, error) {
		began, signatures := time.Now(), r.Header.Values(header)
		body, err := io.ReadAll(r.Body)
		event, decoded := gateway.DecodeEvent(body)
		if err != nil || decoded != nil {
			t.Errorf("%v, %v: %s", err, decoded, body)
		}
		one := heard{
			r.URL.String(), event, began.Sub(start), time.Since(began), string(body), r.Header, signatures, verifier.Verify(signatures, body) == nil,
		}
		all.mu.Lock()
		all.events = append(all.events, one)
		code := answer(len(all.events))
		said := fmt.Sprintf("<try> %d of %s", len(all.events), strings.Join(signatures, " "))
		all.mu.Unlock()
		all.came <- one
		switch code {
		case silence:
			<-r.Context().Done()
			return nil, r.Context().Err()
		case absence:
			return nil, errors.New("connection refused")
		}
		response := status(code)
		response.Body = io.NopCloser(strings.NewReader(said))
		return response, nil
	})), all
}

// hear runs a sandbox that sends its events to a test merchant, and returns the sandbox and the
// merchant's inbox. answer returns the status of the merchant's answer to each try.
func hear(t *testing.T, answer func(try int) int, options ...option) (*sandbox.Sandbox, *inbox) {
	t.Helper()
	transport, all := listen(t, answer)
	return begin(t, append(options, transport)...), all
}

// program returns the path of a program. If it is missing, the test is skipped, or fails if
// TILL_TEST_REQUIRE is set.
func program(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil && os.Getenv("TILL_TEST_REQUIRE") == "" {
		t.Skipf("there is no %s on the path", name)
	}
	must(t, err)
	return path
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// mustFail checks an error with errors.Is. A nil want means no error.
func mustFail(t testing.TB, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("error %v, want %v", err, want)
	}
}

// failure returns the error of a call, without its other result.
func failure[T any](_ T, err error) error { return err }
