package browsertest_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/sandbox"
)

// developer is who sits at a desk.
func developer() visitor { return visitor{width: 1400, height: 900} }

// integration is a sandbox, and a merchant that still has faults: at first it
// takes a success and an expiry and nothing else.
type integration struct {
	*service
	mended atomic.Bool
	orders int
}

func integrate(t *testing.T, options ...sandbox.Option) *integration {
	t.Helper()
	i := new(integration)
	merchant := httptest.NewServer(http.HandlerFunc(i.answer))
	t.Cleanup(merchant.Close)
	i.service = serve(t, func(config *sandbox.Config) { config.WebhookURL = merchant.URL + "/webhook" }, options...)
	return i
}

func (i *integration) answer(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	switch {
	case !i.mended.Load() && strings.Contains(string(body), string(payments.PaymentFailed)):
		http.Error(w, "<html><body><h1>Order not found</h1><p>No order has this reference.</p></body></html>", http.StatusNotFound)
	case !i.mended.Load() && strings.Contains(string(body), string(payments.PaymentCanceled)):
		http.Error(w, "Internal Server Error", http.StatusInternalServerError)
	default:
		fmt.Fprint(w, `{"received": true, "status": "success"}`)
	}
}

// post makes an order call of this body, whatever comes of it. It asks the
// sandbox itself: the network may be down.
func (i *integration) post(body string) (orderReference string) {
	i.t.Helper()
	request := httptest.NewRequestWithContext(i.t.Context(), http.MethodPost, "http://127.0.0.1"+gateway.DefaultOrderPath, strings.NewReader(body))
	recorder := httptest.NewRecorder()
	i.ServeHTTP(recorder, request)
	var reply struct {
		Data struct {
			OrderReference string `json:"order_reference"`
		}
	}
	if err := json.Unmarshal(recorder.Body.Bytes(), &reply); err != nil {
		i.t.Fatal(err)
	}
	return reply.Data.OrderReference
}

// sells makes an order and returns its order reference.
func (i *integration) sells() string {
	i.t.Helper()
	i.orders++
	return i.post(fmt.Sprintf(`{"description": "%d × Vary, Coca", "access": %q, "reference": "T1-20261121-%04d", "amount": 9000,
		"currency": "Ar", "metadata": [{"label": "Vary", "unit_price": 3500, "quantity": 2}, {"label": "Coca", "unit_price": 2000, "quantity": 1}]}`,
		i.orders, token, i.orders))
}

// morning fills the sandbox with what a morning of work leaves there.
func (i *integration) morning() {
	i.t.Helper()
	kinds := []payments.EventKind{payments.PaymentSuccess, payments.PaymentFailed, payments.PaymentCanceled, payments.PaymentExpired, ""}
	for n := range 12 {
		reference := i.sells()
		if kind := kinds[n%len(kinds)]; kind != "" {
			i.happens(reference, kind)
		}
	}
	i.post(`{"description": "Vary"}`)
	i.post("{")
	i.SetFaults(sandbox.Faults{
		Call: sandbox.CallFaults{Slow: time.Millisecond}, Event: sandbox.EventFaults{Copies: 2, Reason: "a \x1b[2J"},
	})
	if err := i.SetOrderFaults(i.sells(), sandbox.EventFaults{Drop: true}); err != nil {
		i.t.Fatal(err)
	}
}

// happens acts as the customer of an order.
func (i *integration) happens(orderReference string, kind payments.EventKind) {
	i.t.Helper()
	if err := i.Act(i.t.Context(), orderReference, kind); err != nil {
		i.t.Fatal(err)
	}
}

// live opens the dashboard and waits until it listens. Whether it was loaded
// again later can be told by a mark.
func (i *integration) live(who visitor, path string) *window {
	i.t.Helper()
	w := open(i.t, who)
	w.visit(i.server.URL + path)
	w.until(`document.getElementById("state").innerText === "Live"`)
	value[bool](w, `window.mark = true`)
	return w
}

// same checks that the page was not loaded again, asked nobody else, and that
// the browser complains of nothing.
func (i *integration) same(w *window) {
	i.t.Helper()
	if !value[bool](w, `window.mark === true`) {
		i.t.Error("the page was loaded again")
	}
	w.alone(i.service)
}

// shows waits until an element that a selector names holds a text.
func (w *window) shows(selector, text string) {
	w.t.Helper()
	w.until(fmt.Sprintf(`(document.querySelector(%q)?.innerText ?? "").includes(%q)`, selector, text))
}

// narrow checks that nothing is wider than the window.
func (w *window) narrow(name string) {
	w.t.Helper()
	if wide := value[string](w, `(() => {
		const room = document.documentElement.clientWidth;
		if (document.documentElement.scrollWidth <= room) return "";
		return [...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > room + 1).map(e => e.outerHTML).slice(0, 3).join("\n");
	})()`); wide != "" {
		w.t.Errorf("%s: wider than the window: %s", name, wide)
	}
}

func TestTheDashboardIsDrawnForEverybody(t *testing.T) {
	axe := needAxe(t)
	for name, who := range map[string]visitor{
		"desk-light": {width: 1400, height: 900}, "desk-dark": {width: 1400, height: 900, dark: true},
		"phone-light": {}, "phone-dark": {dark: true}, "tablet-light": {width: 800, height: 1000},
	} {
		t.Run(name, func(t *testing.T) {
			service := integrate(t)
			w := service.live(who, "/")
			step := func(state string) {
				t.Helper()
				w.draw("dashboard-" + name + "-" + state)
				w.narrow(state)
				w.accessible(state, axe)
			}
			step("1-empty")
			service.morning()
			w.visit(service.server.URL)
			step("2-busy")
			value[bool](w, `document.querySelectorAll("#faults-all, #lines, #deliveries li:nth-child(-n+3) details").forEach(d => d.open = true); true`)
			step("3-open")
			w.visit(service.server.URL + "/?order=" + value[string](w, `document.querySelector("#orders li").id.slice(6)`))
			value[bool](w, `document.querySelector("#faults-own").open = true`)
			step("4-one-order")
			w.visit(service.server.URL + "/?order=nothing")
			step("5-none-chosen")
			value[bool](w, `(() => {
				const form = document.querySelector("#faults-all form");
				form.elements["event.copies"].value = "many";
				HTMLFormElement.prototype.submit.call(form);
				return true;
			})()`)
			w.sees("#problem")
			step("6-not-done")
			version := value[string](w, `document.querySelector("main").dataset.version`)
			service.sells()
			w.until(fmt.Sprintf(`document.querySelector("main").dataset.version !== %q`, version))
			w.sees("#problem")
			w.alone(service.service)
		})
	}
}

func TestAnOrderAppearsAndChangesByItself(t *testing.T) {
	t.Parallel()
	service := integrate(t)
	w := service.live(developer(), "/")
	reference := service.sells()
	row := "#order-" + reference
	w.shows(row, "open")
	w.click("#act-" + reference + " button[value=success]")
	w.shows(row, "success")
	w.shows("#done", "Done: Pay "+reference)
	w.shows("#deliveries li", "delivered")
	w.shows("#deliveries li", "200 OK")
	// Its buttons are gone, and with them what had the focus.
	w.until(fmt.Sprintf(`document.activeElement.id === %q`, row[1:]))
	other := service.sells()
	w.shows("#order-"+other, "open")
	value[any](w, fmt.Sprintf(`document.querySelector("#act-%s button[value=failed]").focus()`, other))
	w.keys(kb.Enter)
	w.shows("#order-"+other, "failed tries: 1")
	w.shows("#deliveries li", "404 Not Found")
	if !value[bool](w, fmt.Sprintf(`document.activeElement.closest("form").id === "act-%s"`, other)) {
		t.Error("the button that was pressed has lost the focus")
	}
	service.same(w)
}

func TestWhatACustomerDoesOnThePageIsSeen(t *testing.T) {
	t.Parallel()
	service := integrate(t, sandbox.WithAnswerTime(3*time.Second))
	reference := service.sells()
	w := service.live(developer(), "/")
	customer := open(t, visitor{language: "mg"})
	customer.visit(value[string](w, fmt.Sprintf(`document.querySelector("#order-%s a[href*='/c/']").href`, reference)))
	customer.giveNumber("A", "034 12 345 67")
	w.shows("#order-"+reference, "has to confirm")
	customer.sees(`main[data-state="review"]`)
	customer.click("button.pay")
	w.shows("#order-"+reference, "is being asked")
	w.shows("#order-"+reference, "success")
	customer.sees(".sign.success")
	service.same(w)
}

func TestADeliveryIsSentAgain(t *testing.T) {
	t.Parallel()
	service := integrate(t)
	w := service.live(developer(), "/")
	service.happens(service.sells(), payments.PaymentCanceled)
	w.shows("#delivery-1", "waiting")
	w.click("#delivery-1 summary")
	w.shows("#delivery-1 ol", "500 Internal Server Error")
	service.mended.Store(true)
	w.click("#again-1 button")
	w.shows("#delivery-1 summary", "delivered")
	w.shows("#delivery-1 ol", "200 OK")
	w.shows("#delivery-1 ol", `{"received": true, "status": "success"}`)
	w.shows("#delivery-1 ol", "500 Internal Server Error")
	service.same(w)
}

func TestAScenarioIsPlayedAndEnded(t *testing.T) {
	t.Parallel()
	service := integrate(t)
	w := service.live(developer(), "/")
	w.shows(".now", "Nothing goes wrong.")
	w.do(chromedp.SetValue(chromedp.ID("scenario"), "duplicate"))
	w.click("#scenario + button")
	w.shows(".now", "duplicate Every event comes three times.")
	if want, err := sandbox.FindScenario("duplicate"); err != nil || service.Faults() != want.Faults {
		t.Errorf("set is %+v, %v", service.Faults(), err)
	}
	w.click(`form[action^="/dashboard/clear"] button`)
	w.shows(".now", "Nothing goes wrong.")
	if service.Faults() != (sandbox.Faults{}) {
		t.Errorf("set is %+v", service.Faults())
	}
	// What others set is seen, too.
	service.SetFaults(sandbox.Faults{Event: sandbox.EventFaults{Signature: sandbox.SignatureWrong}})
	w.shows(".now", "signature-wrong")
	w.until(`document.getElementById("scenario").value === "signature-wrong"`)
	w.click("#faults-all summary")
	w.until(`document.getElementById("all-event-signature").value === "wrong"`)
	service.same(w)
}

func TestEachFaultIsSetByItself(t *testing.T) {
	t.Parallel()
	service := integrate(t)
	reference := service.sells()
	w := service.live(developer(), "/")
	w.click("#faults-all summary")
	w.do(chromedp.SendKeys(chromedp.ID("all-event-copies"), "many"))
	w.click(`#faults-all form > p button`)
	w.shows("#done.bad", "event.copies must be a whole number from 0 to 10")
	value[any](w, `document.getElementById("all-event-copies").select()`)
	w.keys("2")
	w.click(`label[for="all-call-cut"]`)
	w.click(`#faults-all form > p button`)
	w.shows(".now", "Send so many copies too: 2")
	w.shows(".now", "Make the order, cut the connection")
	w.until(`document.getElementById("all-event-copies").value === "2"`)
	want := sandbox.Faults{Call: sandbox.CallFaults{Cut: true}, Event: sandbox.EventFaults{Copies: 2}}
	if service.Faults() != want {
		t.Errorf("set is %+v", service.Faults())
	}
	service.same(w)
	one := service.live(developer(), "/?order="+reference)
	one.click("#faults-own summary")
	one.click(`label[for="own-event-drop"]`)
	one.click(`#faults-own form > p button`)
	one.shows("#order-"+reference, "Its own faults:")
	one.shows("#order-"+reference, "Send nothing")
	one.shows("#order-"+reference, "Send so many copies too: 2")
	one.click("#order-" + reference + ` form[action^="/dashboard/clear"] button`)
	one.until(fmt.Sprintf(`!document.getElementById("order-%s").innerText.includes("Its own faults")`, reference))
	if service.Faults() != want {
		t.Errorf("set is %+v for all", service.Faults())
	}
	service.same(one)
}

func TestNobodyIsDisturbedByWhatChanges(t *testing.T) {
	t.Parallel()
	service := integrate(t, sandbox.WithRetry(sandbox.RetryNone))
	service.morning()
	w := service.live(developer(), "/")
	w.click("#delivery-3 summary")
	w.click("#faults-all summary")
	value[any](w, `(() => {
		document.getElementById("all-event-delay").focus();
		document.getElementById("delivery-3").scrollIntoView({block: "center"});
	})()`)
	w.keys("9")
	value[any](w, `window.place = document.getElementById("delivery-3").getBoundingClientRect().top`)
	var newest string
	for range 5 {
		newest = service.sells()
		service.happens(newest, payments.PaymentSuccess)
	}
	w.shows("#order-"+newest, "success")
	w.until(fmt.Sprintf(`[...document.querySelectorAll("#order-%s .events a")].filter(e => e.innerText.includes("delivered")).length === 3`, newest))
	w.keys("0s")
	for what, expression := range map[string]string{
		"the details were closed":         `document.getElementById("tries-3").open && document.getElementById("faults-all").open`,
		"the focus was lost":              `document.activeElement.id === "all-event-delay"`,
		"what was typed was lost":         `document.activeElement.value === "90s"`,
		"what was looked at went away":    `Math.abs(document.getElementById("delivery-3").getBoundingClientRect().top - window.place) < 3`,
		"a row was kept beyond the bound": `document.querySelectorAll("#deliveries > ul > li").length <= 50`,
		"a row is there twice":            `new Set([...document.querySelectorAll("[id]")].map(e => e.id)).size === document.querySelectorAll("[id]").length`,
	} {
		if !value[bool](w, expression) {
			t.Error(what)
		}
	}
	// What is shown is what a new page shows.
	fresh := service.live(developer(), "/")
	const rows = `[...document.querySelectorAll("#orders li, #deliveries li, #calls li")].map(e => e.textContent).join("\n")`
	w.until(fmt.Sprintf(`%s === %q`, rows, value[string](fresh, rows)))
	service.same(w)
}

func TestTheDashboardComesBackByItself(t *testing.T) {
	t.Parallel()
	service := integrate(t)
	w := service.live(developer(), "/")
	service.gone.Store(true)
	service.server.CloseClientConnections()
	w.shows("#state", "Not connected")
	missed := service.sells()
	service.gone.Store(false)
	w.shows("#order-"+missed, "open")
	w.shows("#state", "Live")
	if !value[bool](w, `window.mark === true`) {
		t.Error("the page was loaded again")
	}
}

func TestAPageThatNobodyLooksAtDoesNotListen(t *testing.T) {
	t.Parallel()
	service := integrate(t)
	w := service.live(developer(), "/")
	const look = `Object.defineProperty(document, "hidden", {configurable: true, value: %v}); document.dispatchEvent(new Event("visibilitychange"))`
	value[any](w, fmt.Sprintf(look, true))
	before := service.sells()
	// Another page hears of it, so that this one would have heard, too.
	other := service.live(developer(), "/")
	after := service.sells()
	other.shows("#order-"+after, "open")
	if value[bool](w, fmt.Sprintf(`document.getElementById("order-%s") !== null`, before)) {
		t.Error("the page listened")
	}
	value[any](w, fmt.Sprintf(look, false))
	w.shows("#order-"+before, "open")
	service.same(w)
}

func TestLinesAreCopied(t *testing.T) {
	t.Parallel()
	service := integrate(t)
	w := service.live(developer(), "/")
	w.click(`[data-copy="first"]`)
	w.until(`/^(Copied|Selected)/.test(document.getElementById("done").innerText)`)
	line := value[string](w, `document.getElementById("first").textContent`)
	if !strings.Contains(line, service.server.URL+gateway.DefaultOrderPath) || strings.Contains(line, token) {
		t.Errorf("the line is %s", line)
	}
	service.same(w)
}

func TestTheDashboardNeedsNoScript(t *testing.T) {
	t.Parallel()
	service := integrate(t)
	reference := service.sells()
	w := open(t, visitor{width: 1400, height: 900, scriptless: true})
	w.visit(service.server.URL)
	w.shows("#state", "Reload to see what is new")
	if value[bool](w, `[...document.querySelectorAll("[data-copy]")].some(e => e.getClientRects().length > 0)`) {
		t.Error("there is a button that does nothing")
	}
	w.click("#act-" + reference + " button[value=canceled]")
	w.shows("#order-"+reference, "canceled")
	if got := value[string](w, "location.hash"); got != "#order-"+reference {
		t.Errorf("it leads to %s", got)
	}
	w.visit(service.server.URL)
	w.shows("#delivery-1", "500 Internal Server Error")
	service.mended.Store(true)
	w.click("#again-1 button")
	w.until(`location.hash === "#delivery-1" && document.readyState === "complete"`)
	w.do(chromedp.SetValue(chromedp.ID("scenario"), "drop"))
	w.click("#scenario + button")
	w.shows(".now", "No event is ever sent.")
	w.do(chromedp.SendKeys(chromedp.ID("filter"), reference[:8]+kb.Enter))
	w.shows("#faults-own summary", "for "+reference+" alone")
	w.alone(service.service)
}
