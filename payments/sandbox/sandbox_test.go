package sandbox_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/sandbox"
	"checkout/till/payments/sandbox/server"
)

const (
	token  = "TGP_test_not_a_real_token"
	secret = "whsec_demo_0123456789abcdef"
	header = "x-svc-signature"
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

func newDesk(t *testing.T, change func(*sandbox.Config), options ...sandbox.Option) *desk {
	t.Helper()
	shop := newMerchant(t)
	config := settings(shop.URL + "/webhook")
	if change != nil {
		change(&config)
	}
	made, err := sandbox.New(config, options...)
	if err != nil {
		t.Fatal(err)
	}
	run(t, made)
	server := httptest.NewServer(handlerOf(made))
	t.Cleanup(server.Close)
	return &desk{made, server, shop, &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
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

// run runs the sandbox until the test ends.
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

func orderBody(reference string) string {
	return fmt.Sprintf(`{"description": "2 × Vary, Coca", "access": %q, "reference": %q, "amount": 9000,
		"currency": "Ar", "metadata": [{"label": "Vary", "unit_price": 3500, "quantity": 2},
		{"label": "Coca", "unit_price": 2000, "quantity": 1}]}`, token, reference)
}

// answered is what the order call answers.
type answered struct {
	Status  int `json:"-"`
	Message string
	Data    struct {
		CheckoutURL    string `json:"checkout_url"`
		Expires        int    `json:"expires_in_minutes"`
		OrderReference string `json:"order_reference"`
	}
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
	if err := json.NewDecoder(response.Body).Decode(&reply); err != nil {
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

// roundTrip answers the sandbox's events without a network.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func status(code int) *http.Response {
	return &http.Response{StatusCode: code, Header: http.Header{}, Body: http.NoBody}
}

// local makes a request to the sandbox without a network.
func local(made *sandbox.Sandbox, method, target, body string) *httptest.ResponseRecorder {
	request := httptest.NewRequest(method, "http://127.0.0.1"+target, strings.NewReader(body))
	if strings.HasPrefix(body, "outcome=") {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	recorder := httptest.NewRecorder()
	handlerOf(made).ServeHTTP(recorder, request)
	return recorder
}

// localOrder makes an order without a network and returns its link's path and
// its order reference.
func localOrder(t *testing.T, made *sandbox.Sandbox, reference string) (path, orderReference string) {
	t.Helper()
	recorder := local(made, http.MethodPost, "/api/payement/service", orderBody(reference))
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
