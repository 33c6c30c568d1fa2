package browsertest_test

import (
	"fmt"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"checkout/till/assets"
	"checkout/till/payments"
	"checkout/till/payments/sandbox"
)

// state is something that the page shows beside the steps of the way to pay.
type state struct {
	name   string
	change func(*sandbox.Config)
	items  []item
	reach  func(service *service, order order, w *window)
	want   string // A selector of what is then visible.
	waits  bool   // The phone does not answer soon.
}

func states() []state {
	happens := func(kinds ...payments.EventKind) func(*service, order, *window) {
		return func(service *service, order order, w *window) {
			for _, kind := range kinds {
				service.act(order, kind)
			}
			w.visit(order.link)
		}
	}
	confirmed := func(number string) func(*service, order, *window) {
		return func(_ *service, order order, w *window) {
			w.visit(order.link)
			w.giveNumber("C", number)
			w.sees(`main[data-state="review"]`)
			w.click("button.pay")
		}
	}
	return []state{
		{name: "trial", reach: func(_ *service, order order, w *window) {
			w.visit(order.link)
			w.click(".trial summary")
		}, want: `button[value="success"]`},
		{name: "progress", reach: confirmed("034 12 345 67"), want: `main[data-state="progress"]`, waits: true},
		{name: "balance", reach: happens(payments.PaymentFailed), want: ".trouble"},
		{name: "silent", reach: confirmed("261341234503"), want: ".trouble"},
		{name: "canceled", reach: happens(payments.PaymentCanceled), want: ".sign.canceled"},
		{name: "expired", reach: happens(payments.PaymentExpired), want: ".sign.expired"},
		{name: "missing", reach: func(_ *service, order order, w *window) { w.visit(order.link + "A") }, want: ".sign.missing"},
		{name: "unclear", reach: func(_ *service, order order, w *window) {
			w.visit(order.link)
			value[any](w, `HTMLFormElement.prototype.submit.call(document.querySelector("form")) ?? true`)
		}, want: ".sign.unclear"},
		{name: "busy", reach: func(service *service, order order, w *window) {
			for range 50 {
				service.act(order, payments.PaymentFailed)
			}
			w.visit(order.link)
			w.click(".trial summary")
			w.click(`button[value="failed"]`)
		}, want: ".sign.busy"},
		{name: "many-lines", items: shopping(), reach: happens(), want: ".lines"},
		{name: "many-lines-unfolded", items: shopping(), reach: func(_ *service, order order, w *window) {
			w.visit(order.link)
			w.click(".lines summary")
		}, want: ".lines table"},
		{name: "last-minute", change: func(config *sandbox.Config) {
			config.Lifetime, config.Shop = 50*time.Second, ""
		}, reach: happens(), want: "#clock.short"},
		{name: "offline", reach: func(service *service, order order, w *window) {
			w.visit(order.link)
			service.gone.Store(true)
		}, want: "#offline"},
	}
}

// shopping is a long list with a long name.
func shopping() []item {
	items := []item{{"Savony fanasan-damba mavo lehibe miaraka amin'ny fonosana maitso sy ny fanomezana", 12500, 12}}
	for i := range 7 {
		items = append(items, item{fmt.Sprintf("Entana %d", i+1), 1_250_000, i + 1})
	}
	return items
}

func TestEveryStateIsClearAndAccessible(t *testing.T) {
	t.Parallel()
	axe := needAxe(t)
	for _, language := range languages() {
		for _, dark := range []bool{false, true} {
			who := visitor{language: language, dark: dark}
			t.Run(who.String(), func(t *testing.T) {
				t.Parallel()
				w := open(t, who)
				for _, state := range states() {
					var options []sandbox.Option
					if state.waits {
						options = append(options, sandbox.WithAnswerTime(time.Hour))
					}
					service := serve(t, state.change, options...)
					if state.items == nil {
						state.items = groceries()
					}
					order := service.order("Entana avy ao amin'ny tsena", state.items...)
					w.visit("about:blank")
					w.noted()
					state.reach(service, order, w)
					w.sees(state.want)
					w.draw(who.String() + "-" + state.name)
					w.fits(state.name)
					w.accessible(state.name, axe)
					w.alone(service)
				}
			})
		}
	}
}

func TestThePageFitsASmallerAndALargerScreen(t *testing.T) {
	t.Parallel()
	for _, width := range []int64{320, 412, 1280} {
		for _, language := range languages() {
			t.Run(fmt.Sprint(language, " at ", width), func(t *testing.T) {
				t.Parallel()
				service := serve(t, nil)
				w := open(t, visitor{language: language, width: width, height: 640})
				w.visit(service.order("Entana", shopping()...).link)
				w.click(".lines summary")
				w.click(".trial summary")
				w.draw(fmt.Sprintf("%s-%d-open", language, width))
				w.fits("open")
				w.giveNumber("A", "034 12 345 67")
				w.sees(`main[data-state="review"]`)
				w.draw(fmt.Sprintf("%s-%d-review", language, width))
				w.fits("review")
			})
		}
	}
}

func TestTheRedirectPagesAreAccessible(t *testing.T) {
	axe := needAxe(t)
	server := httptest.NewServer(assets.Pages())
	t.Cleanup(server.Close)
	for _, language := range languages() {
		for _, dark := range []bool{false, true} {
			who := visitor{language: language, dark: dark}
			t.Run(who.String(), func(t *testing.T) {
				w := open(t, who)
				for _, page := range []string{"success", "canceled", "failed"} {
					w.visit(server.URL + "/" + page)
					w.sees("h1")
					w.draw(who.String() + "-redirect-" + page)
					w.fits(page)
					w.accessible(page, axe)
				}
			})
		}
	}
}

func TestTheCheckFindsWhatIsWrong(t *testing.T) {
	axe := needAxe(t)
	service := serve(t, nil)
	w := open(t, visitor{})
	w.visit(service.order("Entana", groceries()...).link)
	value[any](w, `document.querySelector("main").insertAdjacentHTML("beforeend", '<input type="text"><p>dim</p>') ?? true`)
	value[any](w, `document.querySelector("main p:last-child").style.cssText = "color: #777; background: #888"`)
	var found []string
	for _, violation := range w.violations(axe) {
		found = append(found, violation.ID)
	}
	for _, want := range []string{"label", "color-contrast"} {
		if !slices.Contains(found, want) {
			t.Errorf("%s is not found: %v", want, found)
		}
	}
}
