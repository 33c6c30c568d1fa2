package sandbox_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/sandbox"
	"checkout/till/payments/secret"
)

func TestDeliveriesOfOneOrderNeverOverlap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		busy, most := make(map[string]bool), 0
		kinds := make(map[string][]payments.EventKind)
		made := begin(t, withTransport(roundTrip(func(r *http.Request) (*http.Response, error) {
			body, err := io.ReadAll(r.Body)
			event, decoded := gateway.DecodeEvent(body)
			if err != nil || decoded != nil {
				t.Errorf("%v, %v", err, decoded)
			}
			mu.Lock()
			if busy[event.OrderReference] {
				t.Error("two deliveries of one order at once")
			}
			busy[event.OrderReference] = true
			most = max(most, len(busy))
			kinds[event.OrderReference] = append(kinds[event.OrderReference], event.Kind)
			mu.Unlock()
			time.Sleep(time.Second)
			mu.Lock()
			defer mu.Unlock()
			delete(busy, event.OrderReference)
			return status(http.StatusOK), nil
		})))
		want := []payments.EventKind{payments.PaymentFailed, payments.PaymentFailed, payments.PaymentSuccess}
		for i := range 61 {
			acted(t, made, fmt.Sprint("T1-", i), want...)
		}
		pass(time.Hour)
		for reference, got := range kinds {
			if !slices.Equal(got, want) {
				t.Errorf("the events of %s came as %v", reference, got)
			}
		}
		if len(kinds) != 61 || most > 32 || most < 20 {
			t.Errorf("%d concurrent deliveries, %d orders", most, len(kinds))
		}
	})
}

func TestARedirectIsNotFollowed(t *testing.T) {
	merchant := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			t.Errorf("%s is asked for", r.URL)
		}
		http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
	}))
	t.Cleanup(merchant.Close)
	if tried := sendTo(t, merchant.URL+"/"); len(tried) != 1 || tried[0].Status != http.StatusTemporaryRedirect {
		t.Errorf("got %+v", tried)
	}
}

func TestRunReturnsAfterItsDeliveriesEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := false
		made := newSandbox(t, settings(webhookURL), withTransport(roundTrip(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			ended = true
			return nil, r.Context().Err()
		})))
		acted(t, made, "T1-20261121-GT-0007", payments.PaymentSuccess)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := made.Run(ctx); err != nil || !ended {
			t.Errorf("Run returned %v before its delivery had ended", err)
		}
	})
}

func TestNoSecretIsShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		transport, merchant := listen(t, first(1, 401)) // The merchant's answer contains the signature.
		config := settings(webhookURL + "/hidden-path")
		config.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		config.Merchants = map[secret.Text]string{secret.New(secondToken): webhookURL}
		made := begin(t, func(c *sandbox.Config) { *c = config }, transport)
		reference := acted(t, made, "T1-20261121-GT-0007", payments.PaymentFailed, payments.PaymentSuccess)
		pass(time.Minute)
		if code := local(made, http.MethodPost, "/api/payement/service", orderBody("T1-20261121-GT-0007")).Code; code != http.StatusConflict {
			t.Fatal(code)
		}
		page := lab(made, http.MethodGet, "/?delivery=1", "")
		if !contains(page, "1 of (not shown)") {
			t.Errorf("the dashboard shows %s", page.Body)
		}
		shown := page.Body.String() + fmt.Sprintf("%+v %#v", config, config)
		for _, hidden := range []string{token, secondToken, webhookSecret, merchant.list()[0].header.Get(header)} {
			if hidden == "" || strings.Contains(shown+log.String(), hidden) {
				t.Errorf("%q is shown or logged", hidden)
			}
		}
		if strings.Contains(log.String(), "hidden-path") || !strings.Contains(log.String(), "order_reference="+reference) {
			t.Errorf("the log says %s", &log)
		}
	})
}

func TestTheHistoryKeeps500FinishedDeliveries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const orders, events = 300, 4
		made, all := hear(t, first(orders*events, 500))
		for i := range orders {
			acted(t, made, fmt.Sprint("T1-", i), slices.Repeat([]payments.EventKind{payments.PaymentFailed}, events)...)
		}
		if got := len(made.Deliveries()); got != orders*events {
			t.Errorf("%d unfinished deliveries are kept", got)
		}
		pass(time.Hour)
		acted(t, made, "one more", payments.PaymentFailed)
		synctest.Wait()
		if got := len(made.Deliveries()); got != 500 {
			t.Errorf("%d deliveries are kept at the end", got)
		}
		if len(all.list()) != 2*orders*events+orders+1 { // Each link expires and sends one more event.
			t.Errorf("tried %d times", len(all.list()))
		}
	})
}

func TestALinkThatExpiredDuringSleepSendsItsEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var slept atomic.Int64
		transport, all := listen(t, always(http.StatusOK))
		made := begin(t, func(config *sandbox.Config) {
			config.Now = func() time.Time { return time.Now().Add(time.Duration(slept.Load())) }
		}, transport)
		_, earlier := localOrder(t, made, "a")
		must(t, made.SetOrderFaults(earlier, sandbox.EventFaults{Drop: true}))
		pass(time.Minute)
		path, later := localOrder(t, made, "b")
		synctest.Wait()
		slept.Store(int64(time.Hour))
		if recorder := local(made, http.MethodGet, path, ""); recorder.Code != http.StatusGone {
			t.Errorf("the page answers %d", recorder.Code)
		}
		mustFail(t, made.Act(t.Context(), later, payments.PaymentFailed), sandbox.ErrLinkOver)
		synctest.Wait()
		if len(all.list()) != 1 || all.list()[0].event.OrderReference != later || all.list()[0].event.Kind != payments.PaymentExpired {
			t.Errorf("got %+v", all.list())
		}
	})
}

func TestAFailedDeliveryIsLoggedWithAHint(t *testing.T) {
	const named = "X-Brand-Signature"
	tests := []struct {
		name   string
		status int
		fault  sandbox.Fault
		want   string
	}{
		{"accepted", http.StatusNoContent, "", ""},
		{"no address", http.StatusOK, "", "--webhook-url"},
		{"no connection", absence, "", "gave no reply"},
		{"a redirect", http.StatusFound, "", "no redirect is followed"},
		{"gone", http.StatusGone, "", "asks for no further try"},
		{"no header found", http.StatusBadRequest, "", "from the header " + named},
		{"a wrong signature", http.StatusUnauthorized, "", "the header " + named + ", the scheme static and"},
		{"a wrong signature by a fault", http.StatusUnauthorized, sandbox.SignatureWrong, "a fault is set for the signature: wrong"},
		{"forbidden", http.StatusForbidden, "", "the scheme static"},
		{"no such path", http.StatusNotFound, "", "store order_reference"},
		{"no such method", http.StatusMethodNotAllowed, "", "by POST"},
		{"a crash", http.StatusInternalServerError, "", "its own log"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var log bytes.Buffer
				made, _ := hear(t, always(test.status), withRetry(sandbox.RetryNone), func(config *sandbox.Config) {
					config.Logger, config.SignatureHeader = slog.New(slog.NewTextHandler(&log, nil)), named
					if test.name == "no address" {
						config.WebhookURL = ""
					}
				})
				_, order := localOrder(t, made, "A-1")
				made.SetFaults(sandbox.Faults{Event: sandbox.EventFaults{Signature: test.fault}})
				act(t, made, order, payments.PaymentSuccess)
				synctest.Wait()
				last := made.Activities()[0]
				if !strings.Contains(last.Hint, test.want) || (test.want == "") != (last.Hint == "") || !strings.Contains(log.String(), test.want) {
					t.Errorf("the hint is %q, the log %s", last.Hint, &log)
				}
				replied := test.want != "" && test.status > http.StatusOK
				if strings.Contains(last.Reply, "<try> 1") != replied || strings.Contains(log.String(), "<try> 1") != replied {
					t.Errorf("the reply is %q, the log %s", last.Reply, &log)
				}
			})
		})
	}
}
