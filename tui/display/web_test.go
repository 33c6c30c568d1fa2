package display_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/tui/display"
	"checkout/till/tui/tuitest/counter"
)

// page is the customer's screen as a page, on a real listener.
type page struct {
	*counter.Counter
	t    *testing.T
	url  string
	stop context.CancelFunc
}

func serve(t *testing.T) *page {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	t.Cleanup(stop)
	shop := counter.Open(t)
	handler, err := display.Handler(ctx, configOf(t, shop, "en"))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return &page{Counter: shop, t: t, url: server.URL, stop: stop}
}

func (p *page) ask(method, path, host string) (*http.Response, string) {
	p.t.Helper()
	request, err := http.NewRequestWithContext(p.t.Context(), method, p.url+path, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	if host != "" {
		request.Host = host
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return response, string(body)
}

// scenes returns the scenes of a stream as they come.
func (p *page) scenes() <-chan string { return p.scenesTo("127.0.0.1") }

// scenesTo returns those that a browser at an address of this machine is told.
func (p *page) scenesTo(address string) <-chan string {
	p.t.Helper()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	client := http.Client{Transport: &http.Transport{DialContext: dialer.DialContext}}
	request, err := http.NewRequestWithContext(p.t.Context(), http.MethodGet, p.url+"/scenes", nil)
	if err != nil {
		p.t.Fatal(err)
	}
	response, err := client.Do(request)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = response.Body.Close() })
	told := make(chan string, 16)
	go func() {
		defer close(told)
		lines := bufio.NewScanner(response.Body)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var scene string
			data, is := strings.CutPrefix(lines.Text(), "data: ")
			if is && json.Unmarshal([]byte(data), &scene) == nil {
				told <- scene
			}
		}
	}()
	return told
}

// await returns the first scene that holds a text.
func (p *page) await(told <-chan string, text string) string {
	p.t.Helper()
	deadline := time.After(time.Minute)
	for {
		select {
		case scene, alive := <-told:
			if strings.Contains(scene, text) {
				return scene
			}
			if !alive {
				p.t.Fatalf("the stream ended before it said %q", text)
			}
		case <-deadline:
			p.t.Fatalf("nothing says %q", text)
		}
	}
}

func TestThePageShowsWhatTheCustomerSees(t *testing.T) {
	p := serve(t)
	response, body := p.ask(http.MethodGet, "/", "")
	if response.StatusCode != http.StatusOK || !strings.Contains(body, "Épicerie Soa") || !strings.Contains(body, "Welcome") {
		t.Errorf("%d\n%s", response.StatusCode, body)
	}
	order := p.Charge("S1", payments.Item{Label: "<b>Vary</b>", UnitPrice: 9000, Quantity: 1})
	_, body = p.ask(http.MethodGet, "/", "")
	for _, want := range []string{"9 000 Ar", "Scan to pay", "&lt;b&gt;Vary&lt;/b&gt;", `<path fill="#000"`, "on pay.example.mg"} {
		if !strings.Contains(body, want) {
			t.Errorf("the page does not say %q\n%s", want, body)
		}
	}
	for _, secret := range []string{order.Reference, "<b>Vary", counter.Till + "<"} {
		if strings.Contains(body, secret) {
			t.Errorf("the page says %q", secret)
		}
	}
}

func TestThePageSaysThatNoMoneyMoves(t *testing.T) {
	for name, tt := range map[string]struct {
		demo, test bool
		want       string
	}{
		"the demo's page":       {demo: true, want: "DEMO: no real money"},
		"a test account's page": {test: true, want: "TEST: no real money"},
		"a live account's page": {},
	} {
		t.Run(name, func(t *testing.T) {
			config := configOf(t, counter.Open(t), "en")
			config.Demo, config.Test = tt.demo, tt.test
			handler, err := display.Handler(t.Context(), config)
			if err != nil {
				t.Fatal(err)
			}
			answer := httptest.NewRecorder()
			handler.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "http://127.0.0.1/", nil))
			said := answer.Body.String()
			if !strings.Contains(said, tt.want) || tt.want == "" && strings.Contains(said, "no real money") {
				t.Errorf("it says\n%s", said)
			}
		})
	}
}

func TestThePageIsToldOfEveryScene(t *testing.T) {
	p := serve(t)
	told := p.scenes()
	p.await(told, "Welcome")
	enter(t, p.Counter, basket())
	p.await(told, "9 800 Ar")
	p.Counter.Advance(time.Second)
	order := p.Charge("S9")
	p.await(told, "Scan to pay")
	p.Pay(order)
	if scene := p.await(told, "PAID"); !strings.Contains(scene, "Thank you!") {
		t.Errorf("the scene is %s", scene)
	}
	p.Counter.Advance(21 * time.Second)
	p.await(told, "Welcome")
}

func TestAStreamEndsWithTheServer(t *testing.T) {
	p := serve(t)
	told := p.scenes()
	p.await(told, "Welcome")
	p.stop()
	select {
	case _, alive := <-told:
		if alive {
			t.Error("another scene came")
		}
	case <-time.After(time.Minute):
		t.Error("the stream goes on")
	}
}

func TestS15OneAddressShutsNoOtherOut(t *testing.T) {
	p := serve(t)
	for range 4 {
		p.await(p.scenes(), "Welcome")
	}
	if response, _ := p.ask(http.MethodGet, "/scenes", ""); response.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("the fifth of an address is answered %d", response.StatusCode)
	}
	for i := range 12 {
		p.await(p.scenesTo(fmt.Sprintf("127.0.0.%d", 2+i/4)), "Welcome")
	}
	if _, told := <-p.scenesTo("127.0.0.9"); told {
		t.Error("a seventeenth browser is told something")
	}
}

func TestThePageIsGuarded(t *testing.T) {
	p := serve(t)
	tests := []struct {
		name, method, path, host string
		want                     int
	}{
		{"another site's name", http.MethodGet, "/", "evil.example", http.StatusMisdirectedRequest},
		{"another site's name, for the stream", http.MethodGet, "/scenes", "evil.example:80", http.StatusMisdirectedRequest},
		{"the machine's own name", http.MethodGet, "/", "localhost:8790", http.StatusOK},
		{"an address of version six", http.MethodGet, "/", "[::1]:8790", http.StatusOK},
		{"a look without a body", http.MethodHead, "/", "", http.StatusOK},
		{"a look at the stream", http.MethodHead, "/scenes", "", http.StatusOK},
		{"anything that could change something", http.MethodPost, "/", "", http.StatusMethodNotAllowed},
		{"another path", http.MethodGet, "/orders", "", http.StatusNotFound},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			response, _ := p.ask(tt.method, tt.path, tt.host)
			if response.StatusCode != tt.want {
				t.Errorf("%d, want %d", response.StatusCode, tt.want)
			}
		})
	}
	response, _ := p.ask(http.MethodGet, "/", "")
	policy := response.Header.Get("Content-Security-Policy")
	for _, want := range []string{"default-src 'none'", "style-src 'sha256-", "script-src 'sha256-", "connect-src 'self'", "frame-ancestors 'none'"} {
		if !strings.Contains(policy, want) {
			t.Errorf("the policy lacks %s: %s", want, policy)
		}
	}
}
