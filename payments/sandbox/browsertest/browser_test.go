package browsertest_test

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

const (
	patience = time.Minute           // How long a test waits for the browser before it fails.
	answers  = time.Second           // Time after which a page that does not answer is asked again: the browser may have navigated away.
	poll     = 10 * time.Millisecond // How often a page is asked for its state.
)

// shared starts the browser for all tests. It returns nil if no browser is on the PATH. Each window
// has its own cookies and storage.
var shared = sync.OnceValues(func() (context.Context, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
			chromedp.ExecPath(path), chromedp.Flag("hide-scrollbars", true), chromedp.DisableGPU)
		if os.Geteuid() == 0 {
			options = append(options, chromedp.NoSandbox)
		}
		ctx, _ := chromedp.NewExecAllocator(context.Background(), options...)
		ctx, _ = chromedp.NewContext(ctx)
		return ctx, chromedp.Do(ctx)
	}
	return nil, nil
})

// started reports whether a test has used the browser.
var started atomic.Bool

func TestMain(m *testing.M) {
	// Run more tests in parallel than the machine may have CPUs: the tests mostly wait for pages
	// that refresh every two seconds.
	if err := flag.Set("test.parallel", "4"); err != nil {
		panic(err)
	}
	flag.Parse()
	code := m.Run()
	if started.Load() {
		if ctx, err := shared(); err == nil && ctx != nil {
			_ = chromedp.Cancel(ctx)
		}
	}
	os.Exit(code)
}

// visitor describes a customer's browser.
type visitor struct {
	language      string // Accept-Language; "en" if empty.
	dark          bool
	scriptless    bool  // The browser runs no scripts.
	width, height int64 // Size in pixels; 360 × 640 if 0.
}

type window struct {
	t   *testing.T
	ctx context.Context

	mu       sync.Mutex
	asked    []string // URLs of all requests.
	mistakes []string // Entries of the browser's log, and exceptions.
}

// open opens a browser window that is closed at the end of the test.
func open(t *testing.T, who visitor) *window {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser takes its time")
	}
	started.Store(true)
	browser, err := shared()
	switch {
	case err != nil:
		t.Fatal(err)
	case browser == nil && os.Getenv("TILL_TEST_REQUIRE") != "":
		t.Fatal("no browser is on the PATH")
	case browser == nil:
		t.Skip("no browser is on the PATH")
	}
	ctx, cancel := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	w := &window{t: t, ctx: ctx}
	must(t, chromedp.Listen(ctx, w.note))
	if who.width == 0 {
		who.width, who.height = 360, 640
	}
	scheme := map[bool]string{true: "dark", false: "light"}[who.dark]
	must(t, call(ctx, log.Enable, cdp.Empty{}))
	must(t, call(ctx, network.SetExtraHTTPHeaders, network.SetExtraHTTPHeadersParams{
		Headers: network.Headers{"Accept-Language": cmp.Or(who.language, "en")},
	}))
	must(t, call(ctx, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: who.width, Height: who.height, DeviceScaleFactor: 2, Mobile: who.width < 600,
	}))
	must(t, call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: scheme},
	}}))
	// The page must behave as if it had the focus: the browser gives the focus to only one window.
	must(t, call(ctx, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}))
	must(t, call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: who.scriptless}))
	return w
}

// note records requests, log entries and exceptions.
func (w *window) note(event any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch event := event.(type) {
	case *network.EventRequestWillBeSent:
		w.asked = append(w.asked, event.Request.URL)
	case *log.EventEntryAdded:
		// Ignore the statuses of answers, which the tests check themselves.
		if event.Entry.Source != log.EntrySourceNetwork {
			w.mistakes = append(w.mistakes, fmt.Sprintf("%s: %s %s", event.Entry.Source, event.Entry.Text, event.Entry.URL))
		}
	case *runtime.EventExceptionThrown:
		w.mistakes = append(w.mistakes, event.ExceptionDetails.Text)
	}
}

// noted returns the requests and the console's errors since the last call of noted.
func (w *window) noted() (asked, mistakes []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	asked, mistakes = w.asked, w.mistakes
	w.asked, w.mistakes = nil, nil
	return asked, mistakes
}

// call sends a command without a result to the browser.
func call[P any](ctx context.Context, command cdp.Command[P, cdp.Empty], parameters P) error {
	_, err := chromedp.Call(ctx, command, parameters)
	return err
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// do runs actions. The test fails if one of them takes longer than the duration patience.
func (w *window) do(actions ...chromedp.Action[chromedp.Void]) {
	w.t.Helper()
	for _, action := range actions {
		ctx, cancel := context.WithTimeout(w.ctx, patience)
		err := chromedp.Do(ctx, action)
		cancel()
		if err != nil {
			w.t.Fatalf("%v\nat %s", err, w.where())
		}
	}
}

// where describes the page for a failed test.
func (w *window) where() string {
	ctx, cancel := context.WithTimeout(w.ctx, patience)
	defer cancel()
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string](`location.href + "\n" + document.body.innerText`))
	if err != nil {
		return err.Error()
	}
	return text
}

// sees waits until the page has loaded and an element with this selector is visible.
func (w *window) sees(selector string) {
	w.t.Helper()
	const visible = `document.readyState === "complete" && (document.querySelector(%q)?.getClientRects().length ?? 0) > 0`
	w.until(fmt.Sprintf(visible, selector))
}

// until waits until an expression is true. It evaluates again after an error, because a
// page that navigates away may not answer.
func (w *window) until(expression string) {
	w.t.Helper()
	for start := time.Now(); time.Since(start) < patience; {
		ctx, cancel := context.WithTimeout(w.ctx, answers)
		done, err := chromedp.Run(ctx, chromedp.Evaluate[bool](expression))
		cancel()
		if err == nil && done {
			return
		}
		<-time.After(poll)
	}
	w.t.Fatalf("%s did not become true\nat %s", expression, w.where())
}

// click clicks in the middle of an element. It uses coordinates, because the browser's node IDs
// become invalid when the page refreshes.
func (w *window) click(selector string) {
	w.t.Helper()
	w.sees(selector)
	at := value[[2]float64](w, fmt.Sprintf(`(() => {
		const element = document.querySelector(%q);
		element.scrollIntoView({ block: "center", behavior: "instant" });
		const box = element.getBoundingClientRect();
		return [box.left + box.width / 2, box.top + box.height / 2];
	})()`, selector))
	w.do(chromedp.MouseClickXY(at[0], at[1]))
}

// value evaluates an expression in a page, even if the page's own scripts are disabled.
func value[T any](w *window, expression string) T {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, patience)
	defer cancel()
	got, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		w.t.Fatalf("%s: %v\nat %s", expression, err, w.where())
	}
	return got
}

// violation is an accessibility problem that axe-core finds.
type violation struct {
	ID, Help string
	Nodes    []struct {
		HTML           string
		FailureSummary string
	}
}

// accessible checks the page with axe-core. axe is the source of axe-core, from needAxe.
func (w *window) accessible(name, axe string) {
	w.t.Helper()
	value[any](w, axe+"\n;true")
	// Allow the meta refresh, because the pages refresh without a script.
	text := value[string](w, `axe.run(document, {resultTypes: ["violations"], rules: {"meta-refresh": {enabled: false}}})
		.then(r => JSON.stringify(r.violations))`)
	var found []violation
	must(w.t, json.Unmarshal([]byte(text), &found))
	for _, broken := range found {
		for _, node := range broken.Nodes {
			w.t.Errorf("%s: %s: %s\n%s\n%s", name, broken.ID, broken.Help, node.HTML, node.FailureSummary)
		}
	}
}

// needAxe returns the source of axe-core. If neither TILL_AXE nor TILL_TEST_REQUIRE is set, it
// returns "".
func needAxe(t *testing.T) string {
	t.Helper()
	path := os.Getenv("TILL_AXE")
	if path == "" && os.Getenv("TILL_TEST_REQUIRE") == "" {
		return "" // The test then runs without axe-core.
	}
	source, err := os.ReadFile(path)
	must(t, err)
	return string(source)
}

// fits checks that nothing is wider than the window, and that controls are at least 44
// pixels high and wide.
func (w *window) fits(name string) {
	w.t.Helper()
	wrong := value[[]string](w, `(() => {
		const wrong = [];
		const room = document.documentElement.clientWidth;
		const width = document.documentElement.scrollWidth;
		if (width > room) wrong.push("the page is " + width + " of " + room + " wide");
		const touched = "a, button, summary, label:has(input), input:not([type=hidden], [type=radio])";
		for (const element of document.querySelectorAll(touched)) {
			const box = element.getBoundingClientRect();
			const small = box.height > 0 && (box.height < 43.9 || box.width < 43.9);
			if (small) wrong.push(element.outerHTML + " is " + box.width + " by " + box.height);
		}
		for (const element of document.querySelectorAll("button, .choice, dd, dt, th, td, h1, h2, p:not(.spoken), summary")) {
			const cut = element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0;
			if (cut && !element.matches(".spoken, .spoken *, thead *")) wrong.push("cut: " + element.outerHTML);
		}
		return wrong;
	})()`)
	if len(wrong) > 0 {
		w.t.Errorf("%s:\n%s", name, strings.Join(wrong, "\n"))
	}
}
