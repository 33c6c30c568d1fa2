package sandbox_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
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
	"checkout/till/payments/sandbox/delivery"
	"checkout/till/payments/sandbox/server"
)

const (
	token  = "TGP_test_not_a_real_token"
	secret = "whsec_demo_0123456789abcdef"
	header = "x-svc-signature"

	webhookURL = "http://127.0.0.1:8788/webhook"
)

// merchant is a shop's webhook receiver that keeps what it is sent.
type merchant struct {
	*httptest.Server
	events chan received
	mu     sync.Mutex
	answer http.HandlerFunc // Instead of 200.
}

type received struct {
	event  payments.Event
	body   string
	header http.Header
	sound  bool // The signature is right.
}

func newMerchant(t *testing.T) *merchant {
	t.Helper()
	verifier, err := gateway.NewVerifier(gateway.Static, payments.NewSecret(secret))
	if err != nil {
		t.Fatal(err)
	}
	shop := &merchant{events: make(chan received, 10_000)}
	shop.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		event, err := gateway.DecodeEvent(body)
		if err != nil {
			t.Errorf("event %s: %v", body, err)
		}
		shop.mu.Lock()
		answer := shop.answer // Before the test hears of the event, and sets another one.
		shop.mu.Unlock()
		shop.events <- received{event, string(body), r.Header, verifier.Verify(r.Header.Values(header), body) == nil}
		if answer != nil {
			answer(w, r)
			return
		}
		fmt.Fprint(w, `{"received": true, "status": "success"}`)
	}))
	t.Cleanup(shop.Close)
	return shop
}

func (m *merchant) setAnswer(answer http.HandlerFunc) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.answer = answer
}

// next returns the next event that arrives.
func (m *merchant) next(t *testing.T) received {
	t.Helper()
	select {
	case event := <-m.events:
		return event
	case <-time.After(20 * time.Second):
		t.Fatal("no event came")
	}
	return received{}
}

// kinds returns the kinds of the next events.
func (m *merchant) kinds(t *testing.T, count int) []payments.EventKind {
	t.Helper()
	var kinds []payments.EventKind
	for range count {
		kinds = append(kinds, m.next(t).event.Kind)
	}
	return kinds
}

// quiet checks that nothing else was sent.
func (m *merchant) quiet(t *testing.T) {
	t.Helper()
	select {
	case event := <-m.events:
		t.Errorf("another event came: %s", event.body)
	default:
	}
}

// desk is a sandbox that runs behind a real server, and a merchant of it.
type desk struct {
	*sandbox.Sandbox
	server   *httptest.Server
	merchant *merchant
	client   *http.Client // Follows no redirect.
}

func settings(webhook string) sandbox.Config {
	return sandbox.Config{
		Token: payments.NewSecret(token), WebhookSecret: payments.NewSecret(secret),
		WebhookURL: webhook, Shop: "Épicerie Soa",
	}
}

// handlers are the HTTP handlers of the sandboxes: to make one reads templates.
var handlers sync.Map

// handlerOf returns the HTTP handler of a sandbox.
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

// answered is what the order call answers.
type answered struct {
	Status  int    `json:"-"`
	Message string `json:"message"`
	Data    struct {
		CheckoutURL    string `json:"checkout_url"`
		Expires        int    `json:"expires_in_minutes"`
		OrderReference string `json:"order_reference"`
	} `json:"data"`
}

// call makes an order call over the network.
func (d *desk) call(t *testing.T, body string) answered {
	t.Helper()
	response, err := d.client.Post(d.server.URL+"/api/payement/service", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	reply := answered{Status: response.StatusCode}
	if err := json.UnmarshalRead(response.Body, &reply); err != nil {
		t.Fatalf("status %d: %v", response.StatusCode, err)
	}
	return reply
}

// order makes an order that is taken.
func (d *desk) order(t *testing.T) answered {
	t.Helper()
	reply := d.call(t, orderBody(fmt.Sprintf("T1-20261121-%d", time.Now().UnixNano())))
	if reply.Status != http.StatusOK {
		t.Fatalf("the order is refused: %d %s", reply.Status, reply.Message)
	}
	return reply
}

// press presses a button of the page.
func (d *desk) press(t *testing.T, link, outcome string) (status int, location, page string) {
	t.Helper()
	response, err := d.client.PostForm(link, url.Values{"outcome": {outcome}})
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, response.Header.Get("Location"), string(text)
}

// head is what stands before a page.
type head struct {
	StatusCode int
	Header     http.Header
}

// get asks for a page.
func (d *desk) get(t *testing.T, link string, headers ...string) (head, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, link, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
		if headers[i] == "Host" {
			request.Host = headers[i+1]
		}
	}
	response, err := d.client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return head{response.StatusCode, response.Header}, string(text)
}

// ask makes a request that is answered with 200, and reads the answer.
func ask[T any](t *testing.T, made *sandbox.Sandbox, method, target, body string) T {
	t.Helper()
	var answer T
	recorder := lab(made, method, target, body)
	err := json.Unmarshal(recorder.Body.Bytes(), &answer, delivery.JSON(), json.MatchCaseInsensitiveNames(true))
	if err != nil || recorder.Code != http.StatusOK || recorder.Header().Get("Content-Type") != "application/json" {
		t.Fatalf("%s %s answers %d %s: %v", method, target, recorder.Code, recorder.Body, err)
	}
	return answer
}

// labOrder is an order in an answer of the lab.
type labOrder struct {
	OrderReference string `json:"order_reference"`
	Reference      string
	Description    string
	Amount         int64
	Currency       string
	State          string
	CheckoutURL    string    `json:"checkout_url"`
	ExpiresAt      time.Time `json:"expires_at"`
	FailedTries    int       `json:"failed_tries"`
	Faults         *sandbox.EventFaults
}

// heard is an event that was delivered without a network.
type heard struct {
	event      payments.Event
	after      time.Duration // Since the listener was made.
	took       time.Duration // To read the body.
	size       int
	signatures []string
	sound      bool // The signature is right.
}

// inbox is what a merchant without a network was sent.
type inbox struct {
	mu     sync.Mutex
	events []heard
}

func (i *inbox) list() []heard {
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.Clone(i.events)
}

// pass lets time go by in a synctest bubble, and what is due be done.
func pass(span time.Duration) {
	<-time.After(span)
	synctest.Wait()
}

func always(code int) func(int) int { return func(int) int { return code } }

// option changes a sandbox's settings.
type option = func(*sandbox.Config)

func withTransport(transport http.RoundTripper) option {
	return func(config *sandbox.Config) { config.Transport = transport }
}

func withRetry(profile delivery.Retry) option {
	return func(config *sandbox.Config) { config.Retry = profile }
}

func withTargets(hosts ...string) option {
	return func(config *sandbox.Config) { config.Targets.Allowed = hosts }
}

// begin makes a sandbox that sends its events to webhookURL, and runs it until
// the test ends.
func begin(t *testing.T, change func(*sandbox.Config), options ...option) *sandbox.Sandbox {
	t.Helper()
	config := settings(webhookURL)
	if change != nil {
		change(&config)
	}
	made := newSandbox(t, config, options...)
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
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// quietSandbox makes a sandbox that sends nothing.
func quietSandbox(t testing.TB) *sandbox.Sandbox {
	t.Helper()
	return newSandbox(t, settings(""))
}

// newDesk makes a desk; change may alter its sandbox's configuration.
func newDesk(t *testing.T, change func(*sandbox.Config), options ...option) *desk {
	t.Helper()
	shop := newMerchant(t)
	made := begin(t, func(config *sandbox.Config) {
		config.WebhookURL = shop.URL + "/webhook"
		if change != nil {
			change(config)
		}
	}, options...)
	server := httptest.NewServer(handlerOf(made))
	t.Cleanup(server.Close)
	return &desk{made, server, shop, &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// act lets things happen to an order, one after the other.
func act(t *testing.T, made *sandbox.Sandbox, reference string, kinds ...payments.EventKind) {
	t.Helper()
	for _, kind := range kinds {
		if err := made.Act(t.Context(), reference, kind); err != nil {
			t.Fatal(err)
		}
	}
}

// paidDesk makes a sandbox with one order, without a network, and pays it.
func paidDesk(t *testing.T, options ...option) *sandbox.Sandbox {
	t.Helper()
	made := begin(t, nil, options...)
	_, reference := localOrder(t, made, "T1-20261121-0007")
	act(t, made, reference, payments.PaymentSuccess)
	return made
}

// lab makes a request from the sandbox's own machine.
func lab(made *sandbox.Sandbox, method, target, body string, headers ...string) *httptest.ResponseRecorder {
	return request(made, "127.0.0.1:5000", method, target, body, headers...)
}

// local makes a request from another machine, without a network.
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

// post sends a form, whose names and values follow each other.
func post(made *sandbox.Sandbox, target string, form ...string) *httptest.ResponseRecorder {
	values := url.Values{}
	for i := 0; i < len(form); i += 2 {
		values.Set(form[i], form[i+1])
	}
	return lab(made, http.MethodPost, target, values.Encode(), "Content-Type", "application/x-www-form-urlencoded")
}

func dashboard(made *sandbox.Sandbox) *httptest.ResponseRecorder {
	return lab(made, http.MethodGet, "/", "")
}

func contains(recorder *httptest.ResponseRecorder, text string) bool {
	return strings.Contains(recorder.Body.String(), text)
}

// localOrder makes an order without a network and returns its link's path and
// its order reference.
func localOrder(t *testing.T, made *sandbox.Sandbox, reference string) (path, orderReference string) {
	t.Helper()
	recorder := local(made, http.MethodPost, gateway.DefaultOrderPath, orderBody(reference))
	var reply answered
	if err := json.Unmarshal(recorder.Body.Bytes(), &reply); err != nil || recorder.Code != http.StatusOK {
		t.Fatalf("%d %s", recorder.Code, recorder.Body)
	}
	link, err := url.Parse(reply.Data.CheckoutURL)
	if err != nil {
		t.Fatal(err)
	}
	return link.Path, reply.Data.OrderReference
}

// roundTrip answers the sandbox's events without a network.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func status(code int) *http.Response {
	return &http.Response{StatusCode: code, Header: http.Header{}, Body: http.NoBody}
}

// The answers that are none.
const (
	silence = 0  // The merchant takes the event and says nothing.
	absence = -1 // Nobody is there.
)

// kinds returns the kinds of the events so far.
func (i *inbox) kinds() string {
	var kinds []string
	for _, one := range i.list() {
		kinds = append(kinds, strings.TrimPrefix(string(one.event.Kind), "payment."))
	}
	return strings.Join(kinds, " ")
}

// listen returns a transport that takes every event and answers with a status.
func listen(t *testing.T, answer func(try int) int) (option, *inbox) {
	t.Helper()
	all, start := &inbox{}, time.Now()
	verifier, err := gateway.NewVerifier(gateway.Static, payments.NewSecret(secret))
	if err != nil {
		t.Fatal(err)
	}
	return withTransport(roundTrip(func(r *http.Request) (*http.Response, error) {
		began, signatures := time.Now(), r.Header.Values(header)
		body, err := io.ReadAll(r.Body)
		event, decoded := gateway.DecodeEvent(body)
		if err != nil || decoded != nil {
			t.Errorf("%v, %v: %s", err, decoded, body)
		}
		all.mu.Lock()
		all.events = append(all.events, heard{
			event, began.Sub(start), time.Since(began), len(body), signatures, verifier.Verify(signatures, body) == nil,
		})
		code := answer(len(all.events))
		all.mu.Unlock()
		switch code {
		case silence:
			<-r.Context().Done()
			return nil, r.Context().Err()
		case absence:
			return nil, errors.New("connection refused")
		}
		return status(code), nil
	})), all
}
