package browsertest_test

import (
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/sandbox"
	"checkout/till/payments/sandbox/server"
	"checkout/till/payments/secret"
)

// visitors returns a visitor for each language. Among them are dark, light and small screens, and
// one without scripts.
func visitors() []visitor {
	return []visitor{
		{language: "en", scriptless: true, width: 320, height: 480}, {language: "fr", dark: true}, {language: "mg", width: 320, height: 480},
	}
}

func TestACustomerCanPay(t *testing.T) {
	t.Parallel()
	axe := needAxe(t)
	for _, who := range visitors() {
		t.Run(fmt.Sprintf("%+v", who), func(t *testing.T) {
			t.Parallel()
			service := serve(t)
			order := service.order("2 × Vary, Coca")
			w := open(t, who)
			step := func(name, state string) {
				t.Helper()
				w.sees(state)
				w.fits(name)
				if axe != "" && !who.scriptless {
					w.accessible(name, axe) // axe-core is itself a script. The page without scripts has the same content.
				}
			}
			w.do(chromedp.Navigate(order.CheckoutURL))
			step("1-open", `main[data-state="open"]`)
			w.click("button.pay")
			step("2-nothing-typed", "#number-problem")
			w.give("034 12 345")
			step("3-wrong-number", `#number[aria-invalid=true][value="034 12 345"]`)
			w.give("+261 34 12 345 02")
			step("4-refused", `main[data-state="open"] .trouble`)
			w.give("0341234512")
			step("5-paid", ".tick")
			w.do(chromedp.Navigate(service.order("Vary").CheckoutURL))
			w.click(`button[value="canceled"]`)
			step("6-canceled", `main[data-state="open"] .trouble`)
			if got := service.events(); got != "failed success canceled" {
				t.Errorf("events: %s", got)
			}
			w.checkRequests(service)
		})
	}
}

// With scripts, the time counts down and the mobile operator is named. Without scripts, the page
// shows the time at which it was loaded.
func TestThePageCountsTheTimeDown(t *testing.T) {
	t.Parallel()
	service := serve(t)
	w := open(t, visitor{})
	w.do(chromedp.Navigate(service.order("Vary").CheckoutURL))
	w.until(`/^9:5\d$/.test(document.querySelector("[data-left]").textContent)`)
	w.click("#number")
	w.do(chromedp.KeyEvent("+261 32 12"))
	w.until(`document.querySelector("label[for=number]").textContent === "Phone number" + "Orange Money"`)
	w.checkRequests(service)
	quiet := open(t, visitor{scriptless: true})
	quiet.do(chromedp.Navigate(service.order("Vary").CheckoutURL))
	quiet.until(`document.querySelector("[data-left]").textContent === "10:00"`)
}

// The pay button is visible without scrolling, however much the customer has bought.
func TestThePayButtonIsInTheWindow(t *testing.T) {
	t.Parallel()
	service := serve(t)
	for _, size := range [][2]int64{{390, 844}, {360, 640}, {320, 480}} {
		w := open(t, visitor{width: size[0], height: size[1]})
		w.do(chromedp.Navigate(service.order(strings.Repeat("Vary, ", 12)).CheckoutURL))
		w.sees("button.pay")
		if bottom := value[float64](w, `document.querySelector("button.pay").getBoundingClientRect().bottom - innerHeight`); bottom > 0 {
			t.Errorf("in a window of %v the button is %v pixels below the window", size, bottom)
		}
	}
}

// give types a number into the field and submits it.
func (w *window) give(number string) {
	w.t.Helper()
	w.click("#number")
	value[any](w, `document.getElementById("number").select() ?? true`)
	w.do(chromedp.KeyEvent(number))
	w.click("button.pay")
}

// checkRequests checks that the page made requests only to the service, and that the console has no
// errors, such as a violation of the page's security policy.
func (w *window) checkRequests(service *service) {
	w.t.Helper()
	asked, mistakes := w.noted()
	for _, address := range asked {
		if !strings.HasPrefix(address, service.server.URL+"/") {
			w.t.Errorf("the page requests %s", address)
		}
	}
	if len(mistakes) > 0 {
		w.t.Errorf("errors in the console: %v", mistakes)
	}
}

func TestTheDashboardRefreshesItself(t *testing.T) {
	t.Parallel()
	service := serve(t)
	w := open(t, visitor{scriptless: true, width: 1280, height: 800})
	w.do(chromedp.Navigate(service.server.URL + "/"))
	order := service.order("<b>Vary</b>")
	w.sees(`form[aria-label$="` + order.OrderReference + `"] button[value*="success"]`)
	w.click(`form[aria-label$="` + order.OrderReference + `"] button[value*="success"]`)
	w.sees(".tag.given_up")
	w.click(`form[action$="/resend"] button`)
	w.until(`document.querySelectorAll("#delivery-1 .soft strong").length === 2`)
	w.click(`a[href="/?edit=1"]`)
	w.sees("#scenario")
	w.click(`form[action="/lab/faults"] button`)
	w.sees(`a[href="/?edit=1"]`)
	w.do(chromedp.Navigate(service.server.URL + "/?delivery=1"))
	w.sees("#delivery-1 pre")
	w.checkRequests(service)
}

const token = "TGP_test_not_a_real_token"

// service is a sandbox on an HTTP server. It has no webhook address.
type service struct {
	*sandbox.Sandbox
	t      *testing.T
	server *httptest.Server
}

// serve starts a sandbox. Customers answer on their phones after 300 ms.
func serve(t *testing.T) *service {
	t.Helper()
	made, err := sandbox.New(sandbox.Config{
		Token: secret.New(token), WebhookSecret: secret.New("whsec_demo_0123456789abcdef"),
		Shop: "Épicerie Soa", AnswerTime: 300 * time.Millisecond,
	})
	must(t, err)
	s := &service{Sandbox: made, t: t}
	var running sync.WaitGroup
	running.Go(func() { _ = s.Run(t.Context()) }) // It returns nil.
	t.Cleanup(running.Wait)
	s.server = httptest.NewServer(server.New(s.Sandbox))
	t.Cleanup(s.server.Close)
	return s
}

func (s *service) events() string {
	var kinds []string
	for _, sent := range slices.Backward(s.Deliveries()) {
		kinds = append(kinds, strings.TrimPrefix(string(sent.Event), "payment."))
	}
	return strings.Join(kinds, " ")
}

// order makes an order and returns its link and its order reference.
func (s *service) order(description string) payments.Created {
	s.t.Helper()
	order, err := payments.NewOrder(payments.Terms{
		Reference: fmt.Sprint("T1-20261121-", time.Now().UnixNano()), Description: description,
		Items: []payments.Item{{Label: "Vary", UnitPrice: 3500, Quantity: 2}, {Label: "Coca", UnitPrice: 2000, Quantity: 1}},
	}, time.Now())
	must(s.t, err)
	client, err := gateway.NewClient(s.server.URL, gateway.DefaultOrderPath, secret.New(token))
	must(s.t, err)
	created, err := client.Create(s.t.Context(), order)
	must(s.t, err)
	return created
}
