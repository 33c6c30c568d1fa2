package browsertest_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"checkout/till/payments"
	"checkout/till/payments/sandbox"
)

func TestTwoWindowsPayOnce(t *testing.T) {
	t.Parallel()
	for _, scriptless := range []bool{false, true} {
		who := visitor{language: "fr", scriptless: scriptless}
		t.Run(who.String(), func(t *testing.T) {
			t.Parallel()
			service := serve(t, nil, sandbox.WithAnswerTime(time.Hour))
			order := service.order("Entana", groceries()...)
			one, two := open(t, who), open(t, who)
			for _, w := range []*window{one, two} {
				w.visit(order.link)
				w.giveNumber("A", "034 12 345 67")
				w.sees(`main[data-state="review"]`)
			}
			// The first window's number was replaced by the second's.
			// With scripts it learns that by itself.
			if scriptless {
				one.visit(order.link)
			}
			one.sees(`main[data-state="open"]`)
			two.click("button.pay")
			two.sees(`main[data-state="progress"]`)
			// The other window follows, by itself or when it is used.
			if scriptless {
				one.giveNumber("C", "034 12 345 99")
			}
			one.sees(`main[data-state="progress"]`)
			if text := value[string](one, `document.querySelector(".question").textContent`); !strings.Contains(text, "67") || strings.Contains(text, "99") {
				t.Errorf("the other window shows %s", text)
			}
			service.act(order, payments.PaymentSuccess)
			one.sees(".sign.success")
			two.sees(".sign.success")
			if got := service.kinds(1); got != "success" {
				t.Errorf("events: %s", got)
			}
		})
	}
}

func TestWhoGoesBackPaysOnce(t *testing.T) {
	t.Parallel()
	service := serve(t, nil)
	order := service.order("Entana", groceries()...)
	w := open(t, visitor{})
	w.visit(order.link)
	w.giveNumber("A", "034 12 345 67")
	w.sees(`main[data-state="review"]`)
	w.click("button.pay")
	w.sees(".sign.success")
	w.do(chromedp.NavigateBack())
	w.sees(".sign.success")
	w.do(chromedp.Reload())
	w.sees(".sign.success")
	if got := service.kinds(1); got != "success" {
		t.Errorf("events: %s", got)
	}
}

func TestALinkExpiresWhileThePageIsOpen(t *testing.T) {
	t.Parallel()
	for _, scriptless := range []bool{false, true} {
		for _, step := range []string{"open", "review", "progress"} {
			who := visitor{language: "mg", scriptless: scriptless}
			t.Run(who.String()+" "+step, func(t *testing.T) {
				t.Parallel()
				var clock clock
				service := serve(t, func(config *sandbox.Config) { config.Now = clock.now }, sandbox.WithAnswerTime(time.Hour))
				order := service.order("Entana", groceries()...)
				w := open(t, who)
				w.visit(order.link)
				if step != "open" {
					w.giveNumber("A", "034 12 345 67")
					w.sees(`main[data-state="review"]`)
				}
				if step == "progress" {
					w.click("button.pay")
				}
				w.sees(`main[data-state="` + step + `"]`)
				clock.forward(sandbox.DefaultLifetime - 3*time.Second)
				if scriptless {
					// It learned when it came how long the link lasts.
					w.do(chromedp.Reload())
				}
				w.sees(".sign.expired")
				response, err := http.PostForm(order.link, url.Values{"outcome": {"success"}})
				if err != nil {
					t.Fatal(err)
				}
				response.Body.Close()
				if got := service.kinds(1); response.StatusCode != http.StatusGone || got != "expired" {
					t.Errorf("a payment gets %d; events: %s", response.StatusCode, got)
				}
			})
		}
	}
}

func TestThePageFollowsTheCounter(t *testing.T) {
	t.Parallel()
	service := serve(t, nil)
	order := service.order("Entana", groceries()...)
	w := open(t, visitor{})
	w.visit(order.link)
	service.act(order, payments.PaymentCanceled)
	w.sees(".sign.canceled")
}

func TestTheTimeRuns(t *testing.T) {
	t.Parallel()
	service := serve(t, nil)
	w := open(t, visitor{})
	w.visit(service.order("Entana", groceries()...).link)
	for shown := "9 min 99 s"; shown > "9 min 57 s"; {
		w.until(`/^9 min/.test(document.getElementById("clock").textContent) && document.getElementById("clock").textContent < "` + shown + `"`)
		shown = value[string](w, `document.getElementById("clock").textContent`)
	}
}

func TestALostConnectionIsSaidAndPasses(t *testing.T) {
	t.Parallel()
	service := serve(t, nil)
	w := open(t, visitor{})
	w.visit(service.order("Entana", groceries()...).link)
	service.gone.Store(true)
	w.sees("#offline")
	service.gone.Store(false)
	w.sees("body:has(#offline:empty)")
}

func TestTheLanguageIsKeptOverTheSteps(t *testing.T) {
	t.Parallel()
	service := serve(t, nil, sandbox.WithAnswerTime(time.Hour))
	order := service.order("Entana", groceries()...)
	w := open(t, visitor{language: "en"})
	w.visit(order.link)
	w.click(`a[lang="mg"]`)
	w.sees(`html[lang="mg"]`)
	w.click("button.pay")
	w.sees(`html[lang="mg"] #problems`)
	w.giveNumber("A", "034 12 345 67")
	w.sees(`html[lang="mg"] main[data-state="review"]`)
	w.click(`a[lang="fr"]`)
	w.sees(`html[lang="fr"] main[data-state="review"]`)
	w.click("button.pay")
	w.sees(`html[lang="fr"] main[data-state="progress"]`)
	service.act(order, payments.PaymentSuccess)
	w.sees(`html[lang="fr"] .sign.success`)
}

func TestTheCustomerEndsOnTheMerchantsPage(t *testing.T) {
	t.Parallel()
	tests := []struct{ number, page string }{
		{"034 12 345 67", "/thanks"}, {"034 12 345 01", "/failed"}, {"", "/canceled"},
	}
	for _, test := range tests {
		for _, scriptless := range []bool{false, true} {
			who := visitor{language: "en", scriptless: scriptless}
			t.Run(who.String()+test.page, func(t *testing.T) {
				t.Parallel()
				shop := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					w.Header().Set("Content-Type", "text/html")
					_, _ = w.Write([]byte(`<!doctype html><title>shop</title><h1 id="shop">The shop</h1>`))
				}))
				t.Cleanup(shop.Close)
				service := serve(t, func(config *sandbox.Config) {
					config.SuccessURL, config.CancelURL, config.FailureURL = shop.URL+"/thanks?from=till", shop.URL+"/canceled", shop.URL+"/failed"
				})
				order := service.order("Entana", groceries()...)
				w := open(t, who)
				w.visit(order.link)
				if test.number == "" {
					w.click(`button[value="canceled"]`)
				} else {
					w.giveNumber("A", test.number)
					w.sees(`main[data-state="review"]`)
					w.click("button.pay")
				}
				w.sees("#shop")
				at, err := url.Parse(value[string](w, "location.href"))
				if err != nil || at.Path != test.page || at.Query().Get("order_reference") != order.reference ||
					!strings.HasPrefix(at.Query().Get("reference"), "T1-20261121-") {
					t.Errorf("the customer is at %s", at)
				}
				service.kinds(1)
			})
		}
	}
}

func TestReducedMotionIsRespected(t *testing.T) {
	for _, still := range []bool{false, true} {
		service := serve(t, nil, sandbox.WithAnswerTime(time.Hour))
		w := open(t, visitor{still: still})
		w.visit(service.order("Entana", groceries()...).link)
		w.giveNumber("A", "034 12 345 67")
		w.sees(`main[data-state="review"]`)
		w.click("button.pay")
		w.sees(`main[data-state="progress"]`)
		if moving := value[int](w, `document.getAnimations().length`); (moving == 0) != still {
			t.Errorf("reduced motion %v: %d animations", still, moving)
		}
	}
}
