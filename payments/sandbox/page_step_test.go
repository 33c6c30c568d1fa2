package sandbox_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/sandbox"
)

// post sends a form, whose names and values follow each other.
func post(made *sandbox.Sandbox, target string, form ...string) *httptest.ResponseRecorder {
	values := url.Values{}
	for i := 0; i < len(form); i += 2 {
		values.Set(form[i], form[i+1])
	}
	request := httptest.NewRequest(http.MethodPost, "http://127.0.0.1"+target, strings.NewReader(values.Encode()))
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	recorder := httptest.NewRecorder()
	made.ServeHTTP(recorder, request)
	return recorder
}

// walk is a customer on the page of one order, without a network.
type walk struct {
	t    *testing.T
	made *sandbox.Sandbox
	all  *[]heard // What the merchant is sent.

	path, reference string
}

// newWalk starts a sandbox in a synctest bubble, with an order.
func newWalk(t *testing.T, change func(*sandbox.Config)) *walk {
	t.Helper()
	transport, all := listen(t, always(http.StatusOK))
	config := settings("http://127.0.0.1:8788/webhook")
	if change != nil {
		change(&config)
	}
	made, err := sandbox.New(config, transport)
	if err != nil {
		t.Fatal(err)
	}
	run(t, made)
	path, reference := localOrder(t, made, "T1-20261121-0007")
	return &walk{t, made, all, path, reference}
}

// give gives a number and returns the address of the window.
func (w *walk) give(number string) string {
	w.t.Helper()
	recorder := post(w.made, w.path, "step", "number", "operator", "A", "number", number)
	if recorder.Code != http.StatusSeeOther || !strings.HasPrefix(recorder.Header().Get("Location"), w.path+"?ask=") {
		w.t.Fatalf("the number gets %d to %q", recorder.Code, recorder.Header().Get("Location"))
	}
	return recorder.Header().Get("Location")
}

// confirm confirms the number of a window.
func (w *walk) confirm(window string) {
	w.t.Helper()
	recorder := post(w.made, window, "step", "confirm")
	if recorder.Code != http.StatusSeeOther || recorder.Header().Get("Location") != window {
		w.t.Fatalf("the confirmation gets %d to %q", recorder.Code, recorder.Header().Get("Location"))
	}
}

// look asks for a page.
func (w *walk) look(target string) *httptest.ResponseRecorder {
	return local(w.made, http.MethodGet, target, "")
}

// watch looks at a page for a while, as it does by itself, and returns what it
// showed last.
func (w *walk) watch(target string, span time.Duration) *httptest.ResponseRecorder {
	for range int(span / (2 * time.Second)) {
		w.look(target)
		pass(2 * time.Second)
	}
	return w.look(target)
}

// sent returns the kinds of the events so far.
func (w *walk) sent() string {
	synctest.Wait()
	var kinds []string
	for _, event := range *w.all {
		kinds = append(kinds, strings.TrimPrefix(string(event.event.Kind), "payment."))
	}
	return strings.Join(kinds, " ")
}

// state asks how things stand, as the page's script does.
func (w *walk) state(window string) string {
	w.t.Helper()
	path, query, _ := strings.Cut(window, "?")
	recorder := w.look(path + "/state?" + query)
	var told struct {
		State string
		Left  *int64 `json:"left_ms"`
	}
	if err := json.Unmarshal(recorder.Body.Bytes(), &told); err != nil || told.Left == nil ||
		recorder.Header().Get("Content-Type") != "application/json" {
		w.t.Errorf("%d %s %v", recorder.Code, recorder.Body, err)
	}
	return told.State
}

func TestTheNumberDecidesTheOutcome(t *testing.T) {
	tests := []struct {
		name, number string
		span         time.Duration // Until the phone has answered.
		event, why   string
		status       int // Of the page afterwards.
		text         string
	}{
		{"X1 any other is paid", "034 12 345 67", 4 * time.Second, "success", "", http.StatusOK, "You paid"},
		{"X1 01 is too low a balance", "034 12 345 01", 4 * time.Second, "failed", "Solde insuffisant", http.StatusOK, "Your balance is too low."},
		{"X1 02 is refused on the phone", "034 12 345 02", 4 * time.Second, "failed", "Transaction refusée par le client", http.StatusOK, "It was refused on your phone."},
		{"X1 03 is no answer", "034 12 345 03", 32 * time.Second, "", "", http.StatusOK, "No answer from your phone"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWalk(t, nil)
				window := w.give(test.number)
				if page := w.look(window); !contains(page, "9\u00a0000\u00a0Ar from 034\u00a0••\u00a0•••") || w.sent() != "" {
					t.Errorf("%q %s", w.sent(), page.Body)
				}
				w.confirm(window)
				if page := w.watch(window, test.span-2*time.Second); !contains(page, "Confirm on your phone") || w.sent() != "" {
					t.Errorf("too early: %q %s", w.sent(), page.Body)
				}
				if after := w.watch(window, 4*time.Second); after.Code != http.StatusSeeOther || after.Header().Get("Location") != w.path {
					t.Errorf("afterwards the window gets %d to %q", after.Code, after.Header().Get("Location"))
				}
				if page := w.look(w.path); page.Code != test.status || !contains(page, test.text) {
					t.Errorf("got %d %s", page.Code, page.Body)
				}
				if w.sent() != test.event || len(*w.all) > 0 && (*w.all)[0].event.Error.Text != test.why {
					t.Errorf("got %+v", *w.all)
				}
				if test.event != "success" {
					// The link is open for another try.
					again := w.give("034 12 345 99")
					w.confirm(again)
					w.watch(again, 6*time.Second)
					if want := strings.TrimSpace(test.event + " success"); w.sent() != want {
						t.Errorf("sent %q, want %q", w.sent(), want)
					}
				}
				pass(time.Hour)
				if strings.Contains(w.sent(), "expired") {
					t.Errorf("sent %q", w.sent())
				}
			})
		})
	}
}

func TestClosingThePageSendsNothing(t *testing.T) {
	steps := map[string]func(w *walk){
		"X1 at once":                 func(*walk) {},
		"X1 after the page was seen": func(w *walk) { w.look(w.path) },
		"X1 before the confirmation": func(w *walk) { w.look(w.give("034 12 345 67")) },
		"X1 after the confirmation": func(w *walk) {
			window := w.give("034 12 345 67")
			w.confirm(window)
			w.look(window)
		},
		"X1 with a number that fails": func(w *walk) {
			window := w.give("034 12 345 01")
			w.confirm(window)
			w.look(window)
		},
		"X1 with a number that says nothing": func(w *walk) {
			window := w.give("034 12 345 03")
			w.confirm(window)
			w.watch(window, time.Minute)
		},
	}
	for name, step := range steps {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWalk(t, nil)
				step(w)
				pass(time.Hour)
				if w.sent() != "expired" || (*w.all)[0].after != 10*time.Minute {
					t.Errorf("got %+v", *w.all)
				}
			})
		})
	}
}

func TestWhoComesBackToThePageStillPays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWalk(t, nil)
		window := w.give("034 12 345 67")
		w.confirm(window)
		pass(5 * time.Minute)
		if state := w.state(window); state != "progress" || w.sent() != "success" {
			t.Errorf("%s, sent %q", state, w.sent())
		}
		if state := w.state(window); state != "moved" {
			t.Errorf("then %s", state)
		}
	})
}

func TestTheEndOfTheLinkComesBeforeTheAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWalk(t, func(config *sandbox.Config) { config.Lifetime = 3 * time.Second })
		window := w.give("034 12 345 67")
		w.confirm(window)
		if page := w.look(window); !strings.HasPrefix(page.Header().Get("Refresh"), "2; url=") {
			t.Errorf("refresh %q", page.Header().Get("Refresh"))
		}
		pass(2500 * time.Millisecond)
		if page := w.look(window); !strings.HasPrefix(page.Header().Get("Refresh"), "1; url=") {
			t.Errorf("refresh %q", page.Header().Get("Refresh"))
		}
		w.watch(window, 10*time.Second)
		if page := w.look(w.path); page.Code != http.StatusGone || w.sent() != "expired" {
			t.Errorf("got %d, sent %q", page.Code, w.sent())
		}
		if recorder := post(w.made, w.path, "step", "number", "operator", "A", "number", "034 12 345 67"); recorder.Code != http.StatusGone {
			t.Errorf("a number gets %d", recorder.Code)
		}
		if recorder := post(w.made, w.path, "step", "number"); recorder.Code != http.StatusGone {
			t.Errorf("a wrong entry gets %d", recorder.Code)
		}
	})
}

func TestNothingPaysTwice(t *testing.T) {
	tests := []struct {
		name   string
		act    func(w *walk, window string) *httptest.ResponseRecorder
		status int // While the phone is asked.
		after  int // When it was paid.
		events string
	}{
		{"the same confirmation again", func(w *walk, window string) *httptest.ResponseRecorder {
			return post(w.made, window, "step", "confirm")
		}, http.StatusSeeOther, http.StatusSeeOther, "success"},
		{"a confirmation of no number", func(w *walk, _ string) *httptest.ResponseRecorder {
			return post(w.made, w.path, "step", "confirm")
		}, http.StatusConflict, http.StatusGone, "success"},
		{"a confirmation of another number", func(w *walk, _ string) *httptest.ResponseRecorder {
			return post(w.made, w.path+"?ask=ABCDEFGHIJKL", "step", "confirm")
		}, http.StatusConflict, http.StatusGone, "success"},
		{"another number", func(w *walk, _ string) *httptest.ResponseRecorder {
			return post(w.made, w.path, "step", "number", "operator", "B", "number", "032 00 000 00")
		}, http.StatusConflict, http.StatusGone, "success"},
		{"a wrong number", func(w *walk, _ string) *httptest.ResponseRecorder {
			return post(w.made, w.path, "step", "number", "operator", "B", "number", "032")
		}, http.StatusConflict, http.StatusGone, "success"},
		{"a change of the number", func(w *walk, window string) *httptest.ResponseRecorder {
			return post(w.made, window, "step", "change")
		}, http.StatusConflict, http.StatusGone, "success"},
		{"the button that pays at once", func(w *walk, window string) *httptest.ResponseRecorder {
			return post(w.made, window, "outcome", "success")
		}, http.StatusConflict, http.StatusGone, "success"},
		{"the button that fails at once", func(w *walk, window string) *httptest.ResponseRecorder {
			return post(w.made, window, "outcome", "failed")
		}, http.StatusConflict, http.StatusGone, "success"},
		{"the button that cancels", func(w *walk, window string) *httptest.ResponseRecorder {
			return post(w.made, window, "outcome", "canceled")
		}, http.StatusSeeOther, http.StatusGone, "canceled"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWalk(t, nil)
				window := w.give("034 12 345 67")
				w.confirm(window)
				pass(time.Second)
				during := test.act(w, window)
				if during.Code != test.status {
					t.Errorf("while the phone is asked it gets %d: %s", during.Code, during.Body)
				}
				if during.Code == http.StatusConflict && (!contains(during, "Confirm on your phone") || !contains(during, `data-address="`+window+`"`)) {
					t.Errorf("it shows %s", during.Body)
				}
				w.watch(window, 10*time.Second)
				if w.sent() != test.events {
					t.Errorf("sent %q", w.sent())
				}
				if after := test.act(w, window); after.Code != test.after {
					t.Errorf("afterwards it gets %d: %s", after.Code, after.Body)
				}
				pass(time.Hour)
				if w.sent() != test.events {
					t.Errorf("in the end, sent %q", w.sent())
				}
			})
		})
	}
}

func TestManyWindowsAtOncePayOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWalk(t, nil)
		var windows sync.WaitGroup
		for i := range 30 {
			windows.Go(func() {
				recorder := post(w.made, w.path, "step", "number", "operator", "C", "number", "034 12 345 67")
				window := recorder.Header().Get("Location")
				if window == "" {
					window = w.path
				}
				post(w.made, window, "step", "confirm", "script", "1")
				if i%3 == 0 {
					post(w.made, window, "outcome", "success")
				}
				for range 5 {
					w.look(window)
					<-time.After(2 * time.Second)
				}
			})
		}
		windows.Wait()
		if w.sent() != "success" {
			t.Errorf("sent %q", w.sent())
		}
	})
}

func TestAWindowWhoseNumberWasReplacedBeginsAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWalk(t, nil)
		first, second := w.give("034 12 345 67"), w.give("034 12 345 99")
		for _, window := range []string{first, w.path + "?ask=ABCDEFGHIJKL"} {
			recorder := w.look(window)
			if post(w.made, window, "step", "confirm"); recorder.Code != http.StatusSeeOther || recorder.Header().Get("Location") != w.path {
				t.Errorf("%s gets %d to %q", window, recorder.Code, recorder.Header().Get("Location"))
			}
		}
		if recorder := post(w.made, w.path+"?ask=ABCDEFGHIJKL", "step", "confirm"); recorder.Code != http.StatusSeeOther ||
			recorder.Header().Get("Location") != w.path {
			t.Errorf("an unknown number's confirmation gets %d to %q", recorder.Code, recorder.Header().Get("Location"))
		}
		if page := w.look(w.path); contains(page, "••") {
			t.Errorf("a number is shown to whoever has the link: %s", page.Body)
		}
		pass(time.Minute)
		if w.sent() != "" {
			t.Errorf("sent %q", w.sent())
		}
		if page := w.look(second); !contains(page, "99") {
			t.Errorf("the second window shows %s", page.Body)
		}
		if recorder := post(w.made, second, "step", "change"); recorder.Code != http.StatusSeeOther || recorder.Header().Get("Location") != w.path {
			t.Errorf("a change gets %d to %q", recorder.Code, recorder.Header().Get("Location"))
		}
		if page := w.look(w.path); !contains(page, `id="number"`) {
			t.Errorf("after it the page shows %s", page.Body)
		}
	})
}

func TestTheStateOfAWindowIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWalk(t, nil)
		check := func(window, want string) {
			t.Helper()
			if got := w.state(window); got != want {
				t.Errorf("%s is %q, want %q", window, got, want)
			}
		}
		check(w.path, "open")
		window := w.give("034 12 345 67")
		check(window, "review")
		check(w.path, "open")
		w.confirm(window)
		check(window, "progress")
		check(w.path, "progress")
		w.watch(window, 6*time.Second)
		check(window, "moved")
		check(w.path, "success")
		check(w.path+"A", "missing")
		if recorder := local(w.made, http.MethodPost, w.path+"/state", "outcome=success"); recorder.Code != http.StatusMethodNotAllowed {
			t.Errorf("a POST gets %d", recorder.Code)
		}
		if recorder := w.look(w.path + "A/state"); recorder.Code != http.StatusNotFound {
			t.Errorf("a link that does not exist gets %d", recorder.Code)
		}
		body := w.look(w.path + "/state").Body.String()
		if body != `{"state":"success","left_ms":594000}` {
			t.Errorf("got %s", body)
		}
	})
}

func TestTheMerchantsPageComesAfterThePhonesAnswer(t *testing.T) {
	tests := []struct{ name, number, want string }{
		{"paid", "034 12 345 67", "https://shop.example.mg/thanks?order_reference="},
		{"failed", "034 12 345 01", "https://shop.example.mg/failed?order_reference="},
		{"no answer", "034 12 345 03", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWalk(t, func(config *sandbox.Config) {
					config.SuccessURL, config.FailureURL = "https://shop.example.mg/thanks", "https://shop.example.mg/failed"
				})
				window := w.give(test.number)
				w.confirm(window)
				w.watch(window, 40*time.Second)
				want := w.path
				if test.want != "" {
					want = test.want + w.reference + "&reference=T1-20261121-0007"
				}
				for range 2 { // Asking changes nothing.
					if recorder := w.look(window); recorder.Code != http.StatusSeeOther || recorder.Header().Get("Location") != want {
						t.Errorf("the window gets %d to %q", recorder.Code, recorder.Header().Get("Location"))
					}
				}
				if recorder := w.look(w.path); recorder.Code != http.StatusOK {
					t.Errorf("the link gets %d", recorder.Code)
				}
			})
		})
	}
}

func TestTheCounterEndsWhatTheCustomerBegan(t *testing.T) {
	for _, kind := range payments.EventKinds() {
		t.Run(string(kind), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWalk(t, nil)
				window := w.give("034 12 345 67")
				w.confirm(window)
				if err := w.made.Act(t.Context(), w.reference, kind); err != nil {
					t.Fatal(err)
				}
				w.watch(window, 10*time.Second)
				if got := "payment." + w.sent(); got != string(kind) {
					t.Errorf("sent %q", got)
				}
			})
		})
	}
}

func TestAnAnswerThatFindsNoRoomIsNone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWalk(t, nil)
		for range 50 {
			if err := w.made.Act(t.Context(), w.reference, payments.PaymentFailed); err != nil {
				t.Fatal(err)
			}
		}
		window := w.give("034 12 345 01")
		w.confirm(window)
		w.watch(window, 6*time.Second)
		if page := w.look(w.path); !contains(page, "No answer from your phone") || len(strings.Fields(w.sent())) != 50 {
			t.Errorf("sent %q: %s", w.sent(), page.Body)
		}
	})
}

func TestStepsKeepTheLanguage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWalk(t, nil)
		recorder := post(w.made, w.path+"?lang=mg", "step", "number", "operator", "A", "number", "034 12 345 02")
		window := recorder.Header().Get("Location")
		if !strings.HasPrefix(window, w.path+"?ask=") || !strings.HasSuffix(window, "&lang=mg") {
			t.Fatalf("goes to %q", window)
		}
		token := strings.TrimSuffix(strings.TrimPrefix(window, w.path+"?ask="), "&lang=mg")
		if page := w.look(window); !contains(page, `href="?lang=fr&amp;ask=`+token+`"`) || !contains(page, "Hamarino dia hamafiso") {
			t.Errorf("the review is %s", page.Body)
		}
		if recorder := post(w.made, window, "step", "confirm"); recorder.Header().Get("Location") != window {
			t.Errorf("goes to %q", recorder.Header().Get("Location"))
		}
		w.watch(window, 6*time.Second)
		if recorder := w.look(window); recorder.Header().Get("Location") != w.path+"?lang=mg" {
			t.Errorf("ends at %q", recorder.Header().Get("Location"))
		}
	})
}

func TestAPageWhoseScriptRunsIsRarelyDrawnAnew(t *testing.T) {
	for script, want := range map[string]string{"": "2; url=", "1": "60; url="} {
		synctest.Test(t, func(t *testing.T) {
			w := newWalk(t, nil)
			window := w.give("034 12 345 67")
			post(w.made, window, "step", "confirm", "script", script)
			if got := w.look(window).Header().Get("Refresh"); got != want+window {
				t.Errorf("script %q: %q", script, got)
			}
			// Another window follows the same phone.
			if got := w.look(w.path).Header().Get("Refresh"); got != want+window {
				t.Errorf("script %q, another window: %q", script, got)
			}
		})
	}
}

func TestTheNumberStaysWithTheCustomer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var logged bytes.Buffer
		w := newWalk(t, func(config *sandbox.Config) {
			config.Logger = slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug}))
		})
		var shown strings.Builder
		see := func(recorder *httptest.ResponseRecorder) {
			shown.WriteString(recorder.Header().Get("Location") + recorder.Header().Get("Refresh") + recorder.Body.String())
		}
		window := w.give("+261 34 98 765 41")
		see(w.look(window))
		w.confirm(window)
		see(w.look(window))
		dashboard := httptest.NewRequest(http.MethodGet, "http://127.0.0.1/", nil)
		dashboard.RemoteAddr = "127.0.0.1:5000"
		recorder := httptest.NewRecorder()
		w.made.ServeHTTP(recorder, dashboard)
		see(recorder)
		w.watch(window, 6*time.Second)
		see(w.look(window))
		see(w.look(w.path))
		for _, part := range []string{"98 765", "3498765", "9876541"} {
			if strings.Contains(window+shown.String()+logged.String(), part) {
				t.Errorf("%q is shown", part)
			}
		}
		if page := w.look(w.path); w.sent() != "success" || contains(page, "••") {
			t.Errorf("the page keeps the number: %s", page.Body)
		}
	})
}

func TestThePolicyNamesTheScript(t *testing.T) {
	desk := newDesk(t, nil)
	link := desk.order(t).Data.CheckoutURL
	response, page := desk.get(t, link)
	policy := response.Header.Get("Content-Security-Policy")
	if !strings.Contains(policy, "script-src 'sha256-") || !strings.Contains(policy, "connect-src 'self'") ||
		strings.Contains(policy, "unsafe") || strings.Count(page, "<script>") != 1 {
		t.Errorf("the policy is %s", policy)
	}
	if strings.Count(page, "<form") != 1 {
		t.Error("the page has not one form")
	}
	for _, outcome := range []string{"success", "failed", "canceled"} {
		if strings.Count(page, `name="outcome" value="`+outcome+`"`) != 1 {
			t.Errorf("the form has no button for %s", outcome)
		}
	}
}
