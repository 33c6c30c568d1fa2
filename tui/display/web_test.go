package display_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"checkout/till/payments"
	"checkout/till/tui/display"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

// page is the customer's web page on an HTTP test server, with a shop that the test controls.
type page struct {
	*shoptest.Counter
	t    *testing.T
	url  string
	down atomic.Bool // Makes every request fail.
}

func serve(t *testing.T) *page {
	t.Helper()
	shop := shoptest.Open(t)
	handler := display.Handler(configOf(t, shop, "en"))
	p := &page{Counter: shop, t: t}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p.down.Load() {
			http.Error(w, "", http.StatusInternalServerError)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	p.url = server.URL
	return p
}

func (p *page) ask(method, path, host string) (*http.Response, string) {
	p.t.Helper()
	request, err := http.NewRequestWithContext(p.t.Context(), method, p.url+path, nil)
	tuitest.Must(p.t, err)
	if host != "" {
		request.Host = host
	}
	response, err := http.DefaultClient.Do(request)
	tuitest.Must(p.t, err)
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	tuitest.Must(p.t, err)
	return response, string(body)
}

func (p *page) sees(text string) {
	p.t.Helper()
	if response, scene := p.ask(http.MethodGet, "/scene", ""); response.StatusCode != http.StatusOK || !strings.Contains(scene, text) {
		p.t.Errorf("got status %d, want 200 and %q in %s", response.StatusCode, text, scene)
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
	tuitest.Contains(t, body, "9 000 Ar", "Scan to pay", "&lt;b&gt;Vary&lt;/b&gt;", `<path fill="#000"`, "on pay.example.mg")
	tuitest.Lacks(t, body, order.Reference, "<b>Vary", shoptest.Till+"<")
}

func TestThePageMarksDemoAndTestAccounts(t *testing.T) {
	for name, tt := range map[string]struct {
		demo, test bool
		want       string
	}{
		"the demo's page":       {demo: true, want: "DEMO: no real money"},
		"a test account's page": {test: true, want: "TEST: no real money"},
		"a live account's page": {},
	} {
		t.Run(name, func(t *testing.T) {
			config := configOf(t, shoptest.Open(t), "en")
			config.Demo, config.Test = tt.demo, tt.test
			answer := httptest.NewRecorder()
			display.Handler(config).ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "http://127.0.0.1/", nil))
			said := answer.Body.String()
			if !strings.Contains(said, tt.want) || tt.want == "" && strings.Contains(said, "no real money") {
				t.Errorf("want %q in the page, got\n%s", tt.want, said)
			}
		})
	}
}

func TestAPageThatWakesUpShowsNoOutcomeThatIsOver(t *testing.T) {
	p := serve(t)
	order := p.Charge("S1")
	p.sees("Scan to pay")
	p.Pay(order)
	acknowledge(t, p.Counter, order.Reference)
	p.Advance(time.Hour)
	p.sees("Welcome")
}

func TestTheSceneFollowsTheSale(t *testing.T) {
	p := serve(t)
	p.sees("Welcome")
	enter(t, p.Counter, basket())
	p.sees("9 800 Ar")
	p.Counter.Advance(time.Second)
	order := p.Charge("S9")
	p.sees("Scan to pay")
	p.Break()
	p.sees("Please ask at the counter")
	p.Mend()
	p.Pay(order)
	p.sees("PAID")
	p.sees("Thank you!")
	p.Counter.Advance(21 * time.Second)
	p.sees("Welcome")
}

func TestThePageRefusesOtherHostsAndMethods(t *testing.T) {
	p := serve(t)
	tests := []struct {
		name, method, path, host string
		want                     int
	}{
		{"another host", http.MethodGet, "/", "evil.example", http.StatusMisdirectedRequest},
		{"another host, for the scene", http.MethodGet, "/scene", "evil.example:80", http.StatusMisdirectedRequest},
		{"localhost", http.MethodGet, "/", "localhost:8790", http.StatusOK},
		{"an IPv6 address", http.MethodGet, "/", "[::1]:8790", http.StatusOK},
		{"HEAD of the page", http.MethodHead, "/", "", http.StatusOK},
		{"HEAD of the scene", http.MethodHead, "/scene", "", http.StatusOK},
		{"POST", http.MethodPost, "/", "", http.StatusMethodNotAllowed},
		{"another path", http.MethodGet, "/orders", "", http.StatusNotFound},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			response, _ := p.ask(tt.method, tt.path, tt.host)
			tuitest.Equal(t, response.StatusCode, tt.want, "the status")
		})
	}
	response, _ := p.ask(http.MethodGet, "/", "")
	policy := response.Header.Get("Content-Security-Policy")
	tuitest.Contains(t, policy, "default-src 'none'", "style-src 'sha256-", "script-src 'sha256-", "connect-src 'self'", "frame-ancestors 'none'")
}

func TestThePageDrawsAmountsInTheTerminalsLetters(t *testing.T) {
	p := serve(t)
	enter(t, p.Counter, payments.Sale{ID: "S9", Items: []payments.Item{{Label: "Bonbon", UnitPrice: 1, Quantity: 1}}})
	p.sees(`<svg class="figures" viewBox="0 0 6 10" aria-hidden="true"><path d="M2 0h2v1H2zM1 1h3v1H1zM0 2h4v1H0zM2 3h2v1H2z`)
	p.sees(`<span class="spoken">1 Ar</span>`)
}

// browse opens the page in a browser. The function until waits until a JavaScript expression is
// true; resize changes the size of the browser's window.
func (p *page) browse() (until func(expression string), resize func(width, height int64)) {
	p.t.Helper()
	if testing.Short() {
		p.t.Skip("starts a browser: skipped with -short")
	}
	path, err := exec.LookPath("chromium")
	switch {
	case err != nil && os.Getenv("TILL_TEST_REQUIRE") != "":
		p.t.Fatal(err)
	case err != nil:
		p.t.Skip("chromium is not on the PATH")
	}
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(path), chromedp.DisableGPU)
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	ctx, cancel := chromedp.NewExecAllocator(p.t.Context(), options...)
	p.t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	p.t.Cleanup(cancel)
	tuitest.Must(p.t, chromedp.Do(ctx, chromedp.Navigate(p.url)))
	resize = func(width, height int64) {
		p.t.Helper()
		tuitest.Must(p.t, chromedp.Do(ctx, chromedp.EmulateViewport(width, height)))
	}
	until = func(expression string) {
		p.t.Helper()
		for start := time.Now(); time.Since(start) < 20*time.Second; {
			if is, err := chromedp.Run(ctx, chromedp.Evaluate[bool](expression)); err == nil && is {
				return
			}
			<-time.After(20 * time.Millisecond)
		}
		p.t.Fatalf("timed out waiting for %s", expression)
	}
	return until, resize
}

func TestALargeCodeAndTheTimeLeftFitEveryWindow(t *testing.T) {
	t.Parallel()
	p := serve(t)
	p.Charge("S1")
	until, resize := p.browse()
	until(`document.querySelector("progress") !== null`)
	for _, size := range [][2]int64{{1024, 768}, {1280, 800}, {1920, 1080}, {390, 844}, {360, 800}, {360, 740}, {375, 667}, {360, 640}, {320, 568}, {768, 1024}, {800, 1280}} {
		resize(size[0], size[1])
		until(fmt.Sprintf(`innerWidth == %d && [".qr", ".total", ".time", "progress"].every(part => {
			const at = document.querySelector(part).getBoundingClientRect(), end = document.querySelector("footer").getBoundingClientRect()
			const least = part === ".qr" ? 0.85 * Math.min(innerWidth, innerHeight) - 1 : 1
			return Math.min(at.width, at.height) >= least && at.left >= 0 && at.right <= innerWidth && at.top >= 0 && at.bottom <= end.top
		})`, size[0]))
	}
}

// The shop's clock and the browser's clock differ by days.
func TestTheTimeLeftDoesNotDependOnTheBrowsersClock(t *testing.T) {
	t.Parallel()
	p := serve(t)
	p.Charge("S1")
	until, _ := p.browse()
	until(`/^9:5\d$/.test(document.querySelector(".time")?.textContent)`)
	p.Counter.Advance(9 * time.Minute)
	until(`/^0:5\d$/.test(document.querySelector(".time")?.textContent)`)
}

func TestALongSaleKeepsItsTotalInTheWindow(t *testing.T) {
	t.Parallel()
	p := serve(t)
	enter(t, p.Counter, longSale())
	until, resize := p.browse()
	resize(1024, 768)
	until(`["tr:last-child", ".total", "footer"].every(part => {
		const at = document.querySelector(part)?.getBoundingClientRect()
		return at && at.top > 0 && at.bottom <= innerHeight && at.right <= innerWidth
	})`)
}

func TestThePageFadesWhileTheServerFails(t *testing.T) {
	t.Parallel()
	p := serve(t)
	until, _ := p.browse()
	const lost = `document.documentElement.classList.contains("lost")`
	until("!" + lost)
	p.down.Store(true)
	until(lost)
	p.down.Store(false)
	p.Charge("S1")
	until("!" + lost)
	until(`document.querySelector("main").innerText.includes("Scan to pay")`)
}
