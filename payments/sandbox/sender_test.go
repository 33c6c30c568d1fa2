package sandbox_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/sandbox"
)

func contains(recorder *httptest.ResponseRecorder, text string) bool {
	return strings.Contains(recorder.Body.String(), text)
}

// paidDesk makes a sandbox with one order, without a network, and pays it.
func paidDesk(t *testing.T, options ...sandbox.Option) *sandbox.Sandbox {
	t.Helper()
	made, err := sandbox.New(settings("http://127.0.0.1:8788/webhook"), options...)
	if err != nil {
		t.Fatal(err)
	}
	run(t, made)
	_, reference := localOrder(t, made, "T1-20261121-0007")
	if err := made.Act(t.Context(), reference, payments.PaymentSuccess); err != nil {
		t.Fatal(err)
	}
	return made
}

func dashboard(made *sandbox.Sandbox) *httptest.ResponseRecorder {
	request := httptest.NewRequest(http.MethodGet, "http://127.0.0.1/", nil)
	request.RemoteAddr = "127.0.0.1:5000"
	recorder := httptest.NewRecorder()
	handlerOf(made).ServeHTTP(recorder, request)
	return recorder
}

func resend(made *sandbox.Sandbox, id string) int {
	request := httptest.NewRequest(http.MethodPost, "http://127.0.0.1/dashboard/resend", strings.NewReader("delivery="+id))
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.RemoteAddr = "127.0.0.1:5000"
	recorder := httptest.NewRecorder()
	handlerOf(made).ServeHTTP(recorder, request)
	return recorder.Code
}

func TestADeliveryEndsWithAny2xx(t *testing.T) {
	for _, code := range []int{200, 201, 204} {
		synctest.Test(t, func(t *testing.T) {
			transport, all := listen(t, func(try int) int {
				if try < 3 {
					return 404
				}
				return code
			})
			made := paidDesk(t, transport)
			pass(time.Hour)
			if len(all.list()) != 3 || all.list()[2].event != all.list()[0].event || !contains(dashboard(made), "delivered") {
				t.Errorf("%d: tried %d times", code, len(all.list()))
			}
		})
	}
}

func TestADeliveryWithoutAReplyIsTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tries := 0
		started := time.Now()
		made := paidDesk(t, sandbox.WithTransport(roundTrip(func(r *http.Request) (*http.Response, error) {
			tries++
			if tries == 1 {
				<-r.Context().Done()
				if waited := time.Since(started); waited != 10*time.Second {
					t.Errorf("X7 the time-out is %v", waited)
				}
				return nil, r.Context().Err()
			}
			if tries == 2 {
				return nil, errors.New("connection refused")
			}
			return status(http.StatusOK), nil
		})))
		pass(time.Hour)
		page := dashboard(made)
		for _, want := range []string{"no reply within 10s", "connection refused", "200 OK", "delivered"} {
			if !contains(page, want) {
				t.Errorf("the dashboard lacks %q: %s", want, page.Body)
			}
		}
	})
}

func TestADeliveryCanBeSentAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		transport, all := listen(t, func(try int) int {
			if try <= 8 {
				return 500
			}
			return 200
		})
		made := paidDesk(t, transport)
		pass(time.Hour)
		if code := resend(made, "1"); code != http.StatusSeeOther {
			t.Fatalf("got %d", code)
		}
		synctest.Wait()
		if len(all.list()) != 9 || !contains(dashboard(made), "delivered") {
			t.Errorf("sent %d times", len(all.list()))
		}
		resend(made, "1")
		synctest.Wait()
		if len(all.list()) != 10 {
			t.Errorf("what was delivered is sent again, %d times", len(all.list()))
		}
		for _, unknown := range []string{"2", "", "x"} {
			if code := resend(made, unknown); code != http.StatusNotFound {
				t.Errorf("delivery %q gets %d", unknown, code)
			}
		}
	})
}

func TestSendingAgainBringsAWaitingTryForward(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		transport, all := listen(t, func(try int) int { return map[bool]int{true: 200, false: 500}[try == 4] })
		made := paidDesk(t, transport)
		pass(10 * time.Second)
		resend(made, "1")
		synctest.Wait()
		pass(time.Hour)
		if len(all.list()) != 4 {
			t.Fatalf("sent %d times", len(all.list()))
		}
		if got := all.list()[3].after; got != 10*time.Second {
			t.Errorf("sent after %v", got)
		}
	})
}

func TestDeliveriesOfOneOrderNeverOverlap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		busy := make(map[string]int)
		var kinds []payments.EventKind
		most := 0
		made, err := sandbox.New(settings("http://127.0.0.1:8788/webhook"),
			sandbox.WithTransport(roundTrip(func(r *http.Request) (*http.Response, error) {
				var body bytes.Buffer
				_, _ = body.ReadFrom(r.Body)
				_, rest, _ := strings.Cut(body.String(), "REF_")
				order, _, _ := strings.Cut(rest, `"`)
				mu.Lock()
				busy[order]++
				if busy[order] > 1 {
					t.Error("two deliveries of one order at once")
				}
				most = max(most, len(busy))
				if strings.Contains(body.String(), "one") {
					kind, _, _ := strings.Cut(body.String()[10:], `"`)
					kinds = append(kinds, payments.EventKind(kind))
				}
				mu.Unlock()
				<-time.After(time.Second)
				mu.Lock()
				defer mu.Unlock()
				if busy[order]--; busy[order] == 0 {
					delete(busy, order)
				}
				return status(http.StatusOK), nil
			})))
		if err != nil {
			t.Fatal(err)
		}
		run(t, made)
		for _, name := range append([]string{"one"}, strings.Fields(strings.Repeat("x ", 60))...) {
			_, reference := localOrder(t, made, fmt.Sprintf("%s-%d", name, time.Now().UnixNano()))
			pass(time.Millisecond) // Another reference.
			for _, kind := range []payments.EventKind{payments.PaymentFailed, payments.PaymentFailed, payments.PaymentSuccess} {
				if err := made.Act(t.Context(), reference, kind); err != nil {
					t.Fatal(err)
				}
			}
		}
		pass(time.Hour)
		want := []payments.EventKind{payments.PaymentFailed, payments.PaymentFailed, payments.PaymentSuccess}
		if fmt.Sprint(kinds) != fmt.Sprint(want) {
			t.Errorf("the order of the events is %v", kinds)
		}
		if most > 32 || most < 20 {
			t.Errorf("%d deliveries at once", most)
		}
	})
}

func TestOneDeadOrderDoesNotHoldUpAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got []string
		made, err := sandbox.New(settings("http://127.0.0.1:8788/webhook"),
			sandbox.WithTransport(roundTrip(func(r *http.Request) (*http.Response, error) {
				var body bytes.Buffer
				_, _ = body.ReadFrom(r.Body)
				if strings.Contains(body.String(), "dead") {
					<-r.Context().Done()
					return nil, r.Context().Err()
				}
				got = append(got, body.String())
				return status(http.StatusOK), nil
			})))
		if err != nil {
			t.Fatal(err)
		}
		run(t, made)
		for _, name := range []string{"dead", "alive"} {
			_, reference := localOrder(t, made, name)
			if err := made.Act(t.Context(), reference, payments.PaymentSuccess); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		if len(got) != 1 {
			t.Errorf("delivered %v", got)
		}
	})
}

func TestARedirectIsNotFollowed(t *testing.T) {
	elsewhere := newMerchant(t)
	desk := newDesk(t, nil)
	desk.merchant.setAnswer(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
	})
	order := desk.order(t)
	desk.press(t, order.Data.CheckoutURL, "success")
	desk.merchant.next(t)
	desk.merchant.setAnswer(nil)
	desk.merchant.next(t) // The next try, after about a second.
	elsewhere.quiet(t)
}

func TestAReplyIsReadToABound(t *testing.T) {
	desk := newDesk(t, nil)
	stopped := make(chan struct{})
	desk.merchant.setAnswer(func(w http.ResponseWriter, r *http.Request) {
		defer close(stopped)
		for {
			if _, err := w.Write(bytes.Repeat([]byte("x"), 1<<16)); err != nil {
				return
			}
		}
	})
	desk.press(t, desk.order(t).Data.CheckoutURL, "success")
	desk.merchant.next(t)
	select {
	case <-stopped:
	case <-time.After(10 * time.Second):
		t.Error("an endless reply is read for ever")
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := false
		made, err := sandbox.New(settings("http://127.0.0.1:8788/webhook"),
			sandbox.WithTransport(roundTrip(func(r *http.Request) (*http.Response, error) {
				<-r.Context().Done()
				ended = true
				return nil, r.Context().Err()
			})))
		if err != nil {
			t.Fatal(err)
		}
		_, reference := localOrder(t, made, "T1-20261121-0007")
		if err := made.Act(t.Context(), reference, payments.PaymentSuccess); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := made.Run(ctx); err != nil || !ended {
			t.Errorf("Run returned %v before its delivery had ended", err)
		}
		if err := made.Act(ctx, reference, payments.PaymentFailed); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("an action after the end gives %v", err)
		}
	})
}

// safeLog keeps a log that is written while it is read.
type safeLog struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *safeLog) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(line)
}

func (l *safeLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func TestNoSecretIsShown(t *testing.T) {
	var log safeLog
	shop := newMerchant(t)
	config := settings(shop.URL + "/hidden-path")
	config.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	made, err := sandbox.New(config)
	if err != nil {
		t.Fatal(err)
	}
	run(t, made)
	_, reference := localOrder(t, made, "T1-20261121-0007")
	shop.setAnswer(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) })
	if err := made.Act(t.Context(), reference, payments.PaymentFailed); err != nil {
		t.Fatal(err)
	}
	shop.next(t)
	shop.setAnswer(nil)
	if err := made.Act(t.Context(), reference, payments.PaymentSuccess); err != nil {
		t.Fatal(err)
	}
	signature := shop.next(t).header.Get(header)
	if code := local(made, http.MethodPost, "/api/payement/service", orderBody("T1-20261121-0007")).Code; code != http.StatusConflict {
		t.Fatal(code)
	}
	shown := dashboard(made).Body.String() + fmt.Sprintf("%+v %#v", config, config)
	for _, hidden := range []string{token, secret, signature} {
		if hidden == "" || strings.Contains(shown, hidden) {
			t.Errorf("W30 %q is shown", hidden)
		}
	}
	for _, hidden := range []string{token, secret, signature, "hidden-path"} {
		if strings.Contains(log.String(), hidden) {
			t.Errorf("W30 %q is logged", hidden)
		}
	}
	if !strings.Contains(log.String(), "order_reference="+reference) {
		t.Errorf("the log says %s", &log)
	}
}

func TestTheHistoryIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const orders, events = 300, 4
		transport, all := listen(t, func(try int) int { return map[bool]int{true: 500, false: 200}[try <= orders*events] })
		made, err := sandbox.New(settings("http://127.0.0.1:8788/webhook"), transport)
		if err != nil {
			t.Fatal(err)
		}
		run(t, made)
		for i := range orders {
			_, reference := localOrder(t, made, fmt.Sprint("T1-", i))
			for range events {
				if err := made.Act(t.Context(), reference, payments.PaymentFailed); err != nil {
					t.Fatal(err)
				}
			}
		}
		if got := len(made.Deliveries()); got != orders*events {
			t.Errorf("%d deliveries are kept that are not done", got)
		}
		pass(time.Hour)
		localOrder(t, made, "one more")
		if err := made.Act(t.Context(), made.Orders()[0].OrderReference, payments.PaymentFailed); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if got := len(made.Deliveries()); got != 500 {
			t.Errorf("%d deliveries are kept in the end", got)
		}
		if len(all.list()) != 2*orders*events+orders+1 { // The links expire meanwhile.
			t.Errorf("tried %d times", len(all.list()))
		}
	})
}
