package tui_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/sandbox"
	"checkout/till/payments/secret"
	"checkout/till/payments/webhook"
	"checkout/till/tui/plain"
	"checkout/till/tui/tuitest"
)

// TestTheStateOfTheWayInDecidesWhatTheTillMayDo performs the acts of each row while the codes of
// two orders A and B, of 9 000 Ar each, are open. The tests of payments and of payments/webhook
// prove which state follows from the acts.
func TestTheStateOfTheWayInDecidesWhatTheTillMayDo(t *testing.T) {
	t.Parallel()
	const yes, asks, no = "yes", "asks", "no"
	const stays, warning, gone = "stays", "warning", "gone"
	const listens, receives, unconfirmed, refused = "awaits payments", "receives payments", "payments not confirmed", "webhooks refused"
	type row struct {
		acts   string // See [wayIn.do].
		reach  payments.Reach
		charge string // Whether the till may charge.
		code   string // Whether the code stays on the screen.
		header string // Text of the header, in lower or upper case.
	}
	for _, row := range tuitest.Some(3, []row{
		{"", payments.ReachListens, yes, stays, listens},
		{"accepts", payments.ReachReceives, yes, stays, receives},
		{"probe leads astray", payments.ReachUnconfirmed, asks, warning, unconfirmed},
		{"names A", payments.ReachUnconfirmed, asks, warning, unconfirmed},
		{"names A, accepts", payments.ReachReceives, yes, stays, receives},
		{"accepts, names A, names B", payments.ReachRefused, asks, warning, refused},
		{"names A, names B, accepts", payments.ReachReceives, yes, stays, receives},
		{"strangers", payments.ReachListens, yes, stays, listens},
		{"names A, names B, strangers", payments.ReachRefused, asks, warning, refused},

		{"elsewhere 11s", payments.ReachListenerSilent, asks, warning, "no listener, 11 s"},
		{"elsewhere", payments.ReachNoListener, no, gone, "no listener"},
		{"elsewhere 3s 1h", payments.ReachListens, yes, stays, "a listener is silent"},

		{"relay answers", payments.ReachRelay, yes, stays, "relay"},
		{"relay fetches", payments.ReachFetching, asks, warning, "fetching payments from the relay"},
		{"relay silent", payments.ReachRelaySilent, asks, warning, "no answer from the relay, 13 s"},
		{"relay gone", payments.ReachNoRelay, no, gone, "no relay"},
		{"relay held", payments.ReachRelayHeld, no, gone, "another till fetches"},
		{"relay full", payments.ReachRelayFull, no, gone, "relay full"},
		{"relay locked", payments.ReachRelayLocked, yes, stays, "payments at the relay cannot be read"},
		{"relay answers, relay names A, relay names B", payments.ReachRefused, asks, warning, refused},
		{"relay answers, relay names A, relay accepts", payments.ReachRelay, yes, stays, "relay"},
		{"relay answers, relay strangers", payments.ReachRelay, yes, stays, "relay"},

		{"crowded", payments.ReachCrowded, asks, warning, "listener busy"},
		{"names A, names B, listener down", payments.ReachNotListening, no, gone, "not listening"},
		{"names A, names B, database away", payments.ReachStoreDown, no, gone, "the database cannot be used"},
		{"server away", payments.ReachCutOff, no, gone, "no database"},
	}) {
		t.Run(row.acts, func(t *testing.T) {
			t.Parallel()
			w := openWayIn(t)
			for act := range strings.SplitSeq(row.acts, ", ") {
				w.do(act)
			}
			w.after(0)
			if got := w.reach(); got != row.reach {
				t.Errorf("/healthz says %q, want %q", got, row.reach)
			}
			warns := w.config.Texts.Charging[row.reach]
			step := warns // The last step next to the code.
			if row.reach == payments.ReachUnconfirmed {
				step = w.config.Texts.Code.Look
			}
			code := gone
			if _, err := w.Screen().Code(); err == nil {
				code = stays
				if step != "" && strings.Contains(w.text(), step) {
					code = warning
				}
			}
			if code != row.code {
				t.Errorf("the code: %s, want %s\n%s", code, row.code, w.View())
			}
			w.press("esc", "enter").enter("Savony 1200")
			if first, _, _ := strings.Cut(w.View(), "\n"); !strings.Contains(strings.ToLower(first), row.header) {
				t.Errorf("the header is %q, want %q", first, row.header)
			}
			if got := w.charges(warns); got != row.charge {
				t.Errorf("the console may charge: %s, want %s\n%s", got, row.charge, w.View())
			}
			said, got := w.chargesInLines(warns)
			header, _, _ := strings.Cut(row.header, ",") // The line mode does not show the number of seconds.
			if header == listens {
				header = "listens" // Only the header has other words, of the same width as those after a payment.
			}
			if got != row.charge || !strings.Contains(strings.ToLower(said), header) {
				t.Errorf("line mode may charge: %s, want %s; want %q in\n%s", got, row.charge, row.header, said)
			}
		})
	}
}

// wayIn is a console with a listener and the waiting orders a and b. The screen shows the code of
// order a.
type wayIn struct {
	*console
	handler *webhook.Handler
	a, b    payments.Order
	crowded bool
	alter   func(*payments.Health) // Changes the listener's report.
}

func openWayIn(t *testing.T) *wayIn {
	t.Helper()
	w := &wayIn{alter: func(*payments.Health) {}}
	w.console = open(t, func(c *console) {
		verifier, err := gateway.NewVerifier(gateway.Static, secret.New(labSecret))
		tuitest.Must(t, err)
		health := func() payments.Health {
			health := w.handler.Health()
			health.Listening, health.Address = true, "127.0.0.1:8788"
			w.alter(&health)
			return health
		}
		w.handler = webhook.NewHandler(c.Service, webhook.Config{
			Path: "/webhook", SignatureHeader: "x-svc-signature", Verifier: verifier, Now: c.Now,
			Probe: func(context.Context) error { return nil }, Crowded: func() bool { return w.crowded }, Health: health,
			Logger: slog.New(slog.DiscardHandler), Explain: payments.Cause.Display, Expects: c.Service.Expects, Findings: w.problems,
		})
		c.config.Health = health
	})
	w.Resize(120, 40)
	w.Reply(func(order payments.Order) (payments.Created, error) {
		created, err := w.Accept(order)
		created.ExpiresMinutes = 1440
		return created, err
	})
	w.b = w.Charge("S2")
	w.a = w.wake().charge()
	return w
}

// do changes the listener's report, or sends requests to the listener. An act that begins with
// "relay" changes the state of the relay, or sends the requests through the relay.
func (w *wayIn) do(act string) {
	w.t.Helper()
	name, what, _ := strings.Cut(act, " ")
	send := w.post
	if name == "relay" {
		if w.relay(what) {
			return
		}
		send = w.deliver
		name, what, _ = strings.Cut(what, " ")
	}
	facts := map[string]payments.Order{"A": w.a, "B": w.b}
	switch name {
	case "": // Nothing happens.
	case "probe":
		now := w.Now()
		w.alter = func(h *payments.Health) { h.Looked = now }
	case "accepts":
		send(request("POST", "/webhook", body("REF_1", "X", 1, "Ar"), gateway.Sign(gateway.Static, secret.New(labSecret), nil)))
	case "names": // Everything except the signature is as the service sends it.
		send(request("POST", "/webhook", body(facts[what].OrderReference, facts[what].Reference, 9000, "Ar")))
	case "strangers":
		for _, stranger := range strangers(w.a, w.b) {
			send(stranger)
		}
	case "crowded":
		w.crowded = true
	case "elsewhere": // The listeners run in other processes and have been silent for these times.
		var listeners []payments.Listener
		for silent := range strings.FieldsSeq(what) {
			silence, err := time.ParseDuration(silent)
			tuitest.Must(w.t, err)
			listeners = append(listeners, payments.Listener{Name: "server:8788", Silent: silence})
		}
		w.alter = func(h *payments.Health) { h.Address, h.Shared, h.Listeners = "", true, listeners }
	case "listener":
		w.alter = func(h *payments.Health) { h.Listening = false }
	case "database":
		w.alter = func(h *payments.Health) { h.StoreDown = true }
	case "server":
		w.alter = func(h *payments.Health) { h.StoreDown, h.Shared = true, true }
	default:
		w.t.Fatalf("unknown act %q", act)
	}
}

// relay sets the state of the relay. It returns false if there is no such state.
func (w *wayIn) relay(state string) bool {
	now := w.Now()
	relay := payments.RelayState{Host: "relay.example.mg", Since: now.Add(-time.Hour), Contact: now, Emptied: true}
	switch state {
	case "answers":
	case "fetches":
		relay.Emptied = false
	case "silent":
		relay.Contact = now.Add(-13 * time.Second)
	case "gone":
		relay.Contact = now.Add(-121 * time.Second)
	case "held":
		relay.HeldBy = "T2"
	case "full":
		relay.Full = true
	case "locked":
		relay.OtherKey = 2
	default:
		return false
	}
	w.alter = func(h *payments.Health) { h.Relay = relay }
	return true
}

func (w *wayIn) post(r *http.Request) { w.handler.ServeHTTP(httptest.NewRecorder(), r) }

// deliver sends a request through the relay, which stores only complete bodies.
func (w *wayIn) deliver(r *http.Request) {
	w.t.Helper()
	text, err := io.ReadAll(r.Body)
	if r.Method != http.MethodPost || r.URL.Path != "/webhook" || len(text) > webhook.MaxBody || err != nil {
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(text))
	if _, err := w.handler.Deliver(w.t.Context(), r, w.Now()); err != nil {
		w.t.Error(err)
	}
}

// reach returns the reachability that /healthz reports.
func (w *wayIn) reach() payments.Reach {
	w.t.Helper()
	answer, ask := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/healthz", nil)
	ask.Header.Set("Accept", "application/json")
	w.handler.ServeHTTP(answer, ask)
	var told struct {
		Reach payments.Reach `json:"reach"`
	}
	tuitest.Must(w.t, json.Unmarshal(answer.Body.Bytes(), &told))
	return told.Reach
}

// charges charges the sale on the screen. It returns "asks" if the console first opens a question
// with the warning.
func (w *wayIn) charges(warning string) string {
	w.t.Helper()
	before := len(w.Calls())
	asked := w.press("enter").text()
	w.press("enter")
	return answer(asked, warning, len(w.Calls()) > before)
}

// chargesInLines charges a sale in the line mode of another till. said is the output of the line
// mode.
func (w *wayIn) chargesInLines(warning string) (said, charges string) {
	w.t.Helper()
	before := len(w.Calls())
	said = w.inLines("Savony 1200\ncharge\nyes\n")
	return said, answer(said, warning, len(w.Calls()) > before)
}

// inLines types lines in the line mode of another till, and returns the output.
func (w *wayIn) inLines(lines string) string {
	w.t.Helper()
	var output bytes.Buffer
	console := w.config.Console
	console.Till = "T2"
	err := plain.Run(w.t.Context(), plain.Config{
		Console: console, Health: w.config.Health, Input: strings.NewReader(lines), Output: &output,
	})
	tuitest.Must(w.t, err)
	return output.String()
}

func answer(asked, warning string, charged bool) string {
	switch {
	case !charged:
		return "no"
	case warning != "" && strings.Contains(asked, warning):
		return "asks"
	}
	return "yes"
}

// request returns a request with signature headers.
func request(method, path, body string, signatures ...string) *http.Request {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	for _, signature := range signatures {
		r.Header.Add("x-svc-signature", signature)
	}
	return r
}

// body returns the body of a success event.
func body(orderReference, reference string, amount any, currency string) string {
	return fmt.Sprintf(`{"event":"payment.success","data":{"order_reference":%q,"reference":%q,"amount":%v,"currency":%q,"description":"Vary"}}`,
		orderReference, reference, amount, currency)
}

// strangers returns requests of every kind that a sender without the secret can send. Some senders
// do not know the service's reference of the order. Others know it, but not the other data of the
// order.
func strangers(order, other payments.Order) []*http.Request {
	wrong, ref, own := strings.Repeat("0", 64), order.OrderReference, order.Reference
	whole := body(ref, own, 9000, "Ar")
	half := request("POST", "/webhook", whole, wrong)
	half.Body = io.NopCloser(io.MultiReader(strings.NewReader(whole[:len(whole)-1]), iotest.ErrReader(io.ErrUnexpectedEOF)))
	requests := []*http.Request{
		half, request("POST", "/webhook", whole+strings.Repeat(" ", webhook.MaxBody), wrong),
		request("POST", "/webhook/", whole, wrong), request("POST", "/", whole), request("POST", "/success", whole, wrong),
		request("POST", "/"+own, whole), request("POST", "/healthz", whole, wrong), request("POST", "/metrics", whole, wrong),
		request("PUT", "/webhook", whole, wrong), request("GET", "/webhook", whole, wrong), request("DELETE", "/webhook", whole, wrong),
	}
	bodies := []string{
		"", "x", "{}", "[]", "null", whole + "{}", whole[:40], "\x00\xff", strings.Repeat("[", 40_000), strings.Repeat("a", webhook.MaxBody),
		body(own, own, 9000, "Ar"), body(own, ref, 9000, "Ar"), body("", own, 9000, "Ar"), body("REF_9", own, 9000, "Ar"),
		body(ref, own, 9001, "Ar"), body(ref, own, "9000.0", "Ar"), body(ref, own, `"9000"`, "Ar"), body(ref, own, 9000, "MGA"),
		body(ref, own, 9000, ""), body(ref, other.Reference, 9000, "Ar"), body(strings.ToLower(ref), own, 9000, "Ar"),
		strings.Replace(whole, `"amount":9000,`, "", 1), strings.Replace(whole, `"currency":"Ar",`, "", 1),
	}
	for _, text := range bodies {
		requests = append(requests,
			request("POST", "/webhook", text), request("POST", "/webhook", text, wrong), request("POST", "/webhook", text, "sha256="+wrong),
			request("POST", "/webhook", text, wrong, wrong), request("POST", "/elsewhere", text, "password"))
	}
	return requests
}

// TestStrangersChangeNothing sends requests of strangers over HTTP to a shop with a waiting order.
func TestStrangersChangeNothing(t *testing.T) {
	t.Parallel()
	l := openLab(t, labSetup{}, sandbox.Faults{})
	other := l.Charge("S2")
	l.do("charge")
	waiting := l.newest()
	before, metrics := l.View(), l.metrics()
	for sent := 0; sent < 200; {
		for _, stranger := range strangers(waiting, other) {
			l.send(stranger)
			sent++
		}
	}
	l.pass(0)
	health := l.config.Health()
	if l.View() != before || health.Suspicious() || health.Refused < 100 || health.Expected != (payments.Expected{}) {
		t.Errorf("after the strangers' requests: %+v\n%s", health, l.View())
	}
	if after := l.metrics(); !slices.Equal(after, metrics) {
		t.Errorf("the requests changed the metrics from\n%s\nto\n%s", metrics, after)
	}
	l.story("look => waiting, code", "leave, charge => waiting, code", "success => paid: success applied (200)")
}

// send sends a request to the shop's listener. It ignores errors, because the listener does not
// read every body to its end.
func (l *lab) send(r *http.Request) *http.Response {
	l.t.Helper()
	r.URL.Scheme, r.URL.Host, r.RequestURI = "http", l.config.Health().Address, ""
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil
	}
	text, _ := io.ReadAll(response.Body)
	_ = response.Body.Close()
	response.Body = io.NopCloser(bytes.NewReader(text))
	return response
}

// metrics returns the names and labels of the listener's metrics.
func (l *lab) metrics() (series []string) {
	l.t.Helper()
	text, err := io.ReadAll(l.send(request(http.MethodGet, "/metrics", "")).Body)
	tuitest.Must(l.t, err)
	for line := range strings.Lines(string(text)) {
		name, _, _ := strings.Cut(line, " ")
		series = append(series, name)
	}
	return series
}
