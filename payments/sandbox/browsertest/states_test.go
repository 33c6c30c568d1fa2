package browsertest_test

import (
	"fmt"
	"testing"
	"time"

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
	return []state{
		{"trial", nil, nil, func(_ *service, order order, w *window) {
			w.visit(order.link)
			w.click(".trial summary")
		}, `button[value="success"]`},
		{"balance", nil, nil, happens(payments.PaymentFailed), ".failed"},
		{"silent", nil, nil, func(_ *service, order order, w *window) {
			w.visit(order.link)
			w.giveNumber("C", "261341234503")
			w.sees(`main[data-state="review"]`)
			w.click("button.pay")
		}, ".failed"},
		{"canceled", nil, nil, happens(payments.PaymentCanceled), ".sign.canceled"},
		{"expired", nil, nil, happens(payments.PaymentExpired), ".sign.expired"},
		{"missing", nil, nil, func(_ *service, order order, w *window) { w.visit(order.link + "A") }, ".sign.missing"},
		{"unclear", nil, nil, func(_ *service, order order, w *window) {
			w.visit(order.link)
			value[any](w, `HTMLFormElement.prototype.submit.call(document.querySelector("form")) ?? true`)
		}, ".sign.unclear"},
		{"busy", nil, nil, func(service *service, order order, w *window) {
			for range 50 {
				service.act(order, payments.PaymentFailed)
			}
			w.visit(order.link)
			w.click(".trial summary")
			w.click(`button[value="failed"]`)
		}, ".sign.busy"},
		{"many-lines", nil, shopping(), happens(), ".lines"},
		{"many-lines-unfolded", nil, shopping(), func(_ *service, order order, w *window) {
			w.visit(order.link)
			w.click(".lines summary")
		}, ".lines table"},
		{"last-minute", func(config *sandbox.Config) { config.Lifetime, config.Shop = 50*time.Second, "" }, nil, happens(), "#clock.short"},
		{"offline", nil, nil, func(service *service, order order, w *window) {
			w.visit(order.link)
			service.gone.Store(true)
		}, "#offline"},
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
	axe := needAxe(t)
	for _, language := range languages() {
		for _, dark := range []bool{false, true} {
			who := visitor{language: language, dark: dark}
			t.Run(who.String(), func(t *testing.T) {
				t.Parallel()
				w := open(t, who)
				for _, state := range states() {
					service := serve(t, state.change)
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
