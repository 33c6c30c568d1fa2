package webhook_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/secret"
	"checkout/till/payments/webhook"
)

func TestHealthReportsEventsAndRefusals(t *testing.T) {
	t.Run("a refused event that was expected raises the alarm, and the next right one clears it", func(t *testing.T) {
		rig := newRig(t)
		wrong := gateway.Sign(gateway.Static, secret.New("whsec_demo_rotated_012345"), nil)
		rig.do(call{signatures: []string{wrong}, body: successBody})
		health := rig.handler.Health()
		if health.Cause.Kind != payments.CauseSecretChanged || health.Refused != 1 {
			t.Fatalf("got %+v", health)
		}
		log, sum := rig.log.String(), sha256.Sum256([]byte(wrong))
		for _, part := range []string{"secret_changed", "reason=bad_signature", hex.EncodeToString(sum[:]), "=127.0.0.1:"} {
			if !strings.Contains(log, part) {
				t.Errorf("the log has no %s: %s", part, log)
			}
		}
		if strings.Contains(log, wrong) {
			t.Errorf("the log has the signature: %s", log)
		}
		rig.deliver(successBody)
		if health := rig.handler.Health(); health.Cause != (payments.Cause{}) || health.Refused != 0 {
			t.Errorf("still %+v", health)
		}
	})
	t.Run("a request without a signature raises no alarm", func(t *testing.T) {
		rig := newRig(t)
		rig.do(call{body: "x"})
		rig.do(call{})
		if health := rig.handler.Health(); health.Cause != (payments.Cause{}) || health.Refused != 2 {
			t.Errorf("got %+v", health)
		}
		rig.expectMetrics(`till_webhook_refusals_total{reason="no_signature"} 1`, `till_webhook_refusals_total{reason="no_body"} 1`)
	})
	t.Run("one refusal a second is logged", func(t *testing.T) {
		now := noon()
		rig := newRig(t, at(&now))
		for i := range 130 {
			now = noon().Add(time.Duration(i/65) * time.Second)
			rig.do(call{signatures: []string{fmt.Sprint(i)}, body: "x"})
		}
		if health := rig.handler.Health(); health.Refused != 130 {
			t.Fatalf("%d refused", health.Refused)
		}
		log := rig.log.String()
		if lines := strings.Count(log, "\n"); lines != 2 || !strings.Contains(log, "refusals_not_logged=64") {
			t.Errorf("%d lines: %s", lines, log)
		}
	})
}

func TestAnUnknownKindIsLoggedAndKept(t *testing.T) {
	rig := newRig(t)
	answer := rig.deliver(strings.Replace(successBody, "payment.success", "payment.cancelled\\u001b[2J", 1))
	rig.deliver(successBody)
	if kind := rig.handler.Health().UnknownKind; answer.status != http.StatusOK || kind != "payment.cancelled[2J" {
		t.Errorf("answered %d, the unknown kind is %q", answer.status, kind)
	}
	if log := rig.log.String(); strings.Count(log, "level=WARN") != 1 || !strings.Contains(log, `level=WARN msg="event of an unknown kind received" event=payment.cancelled[2J`) {
		t.Errorf("the log: %s", log)
	}
	if health, _, err := webhook.ReadHealth(t.Context(), strings.TrimPrefix(rig.url, "http://")); err != nil || health.UnknownKind != "payment.cancelled[2J" {
		t.Errorf("%v, /healthz says %+v", err, health)
	}
}

func TestAnotherProgramIsNoListener(t *testing.T) {
	const reach = `{"reach":"receives"}`
	for _, c := range []struct {
		status int
		text   string
		is     bool
	}{{200, reach, true}, {503, reach, true}, {404, reach, false}, {200, `{}`, false}, {200, `{"reach":"well"}`, false}, {200, "ok", false}} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(c.status)
			_, _ = w.Write([]byte(c.text))
		}))
		health, _, err := webhook.ReadHealth(t.Context(), server.Listener.Addr().String())
		server.Close()
		if (err == nil) != c.is || health.Listening != c.is {
			t.Errorf("%d %s: listening is %v, error %v", c.status, c.text, health.Listening, err)
		}
	}
}

func TestASignedEventAtAWrongPathOrMethodIsARefusal(t *testing.T) {
	signed := []string{secretValue}
	for _, test := range []struct {
		name   string
		call   call
		status int
		want   payments.Cause
	}{
		{"a trailing slash", call{path: "/webhook/"}, 404, payments.Cause{Kind: payments.CauseWrongPath, Detail: "/webhook/"}},
		{"two slashes", call{path: "/shop//webhook"}, 404, payments.Cause{Kind: payments.CauseWrongPath, Detail: "/shop//webhook"}},
		{"another case", call{path: "/Webhook"}, 404, payments.Cause{Kind: payments.CauseWrongPath, Detail: "/Webhook"}},
		{"a prefix of the proxy", call{path: "/shop/webhook"}, 404, payments.Cause{Kind: payments.CauseWrongPath, Detail: "/shop/webhook"}},
		{"a page", call{path: "/success"}, 405, payments.Cause{Kind: payments.CauseWrongPath, Detail: "/success"}},
		{"control characters", call{path: "/a%1b%5b2J"}, 404, payments.Cause{Kind: payments.CauseWrongPath, Detail: "/a[2J"}},
		{"PUT", call{method: "PUT"}, 405, payments.Cause{Kind: payments.CauseWrongMethod, Detail: "PUT"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			rig := newRig(t)
			test.call.body = successBody
			unsigned := test.status
			if test.name == "a page" {
				unsigned = http.StatusOK // A customer's browser may open the return page by POST.
			}
			if got := rig.do(test.call); got.status != unsigned || rig.handler.Health().Refused != 0 {
				t.Errorf("without a signature: %d, %+v", got.status, rig.handler.Health())
			}
			test.call.signatures = signed
			got, health := rig.do(test.call), rig.handler.Health()
			if got.status != test.status || health.Refused != 1 || health.Cause != test.want || rig.stored() != 0 {
				t.Errorf("got %d, %+v", got.status, health)
			}
			kind := string(test.want.Kind)
			if log := rig.log.String(); !strings.Contains(log, "reason="+kind) || !strings.Contains(log, test.want.Detail) || strings.Contains(log, secretValue) {
				t.Errorf("the log: %s", log)
			}
			rig.expectMetrics(`till_webhook_refusals_total{reason="` + kind + `"} 1`)
			rig.deliver(successBody)
			if health := rig.handler.Health(); health.Refused != 0 || health.Cause != (payments.Cause{}) {
				t.Errorf("after a good event: %+v", health)
			}
			test.call.signatures = []string{strings.Repeat("0", 64)}
			got, health = rig.do(test.call), rig.handler.Health()
			if got.status != test.status || health.Refused != 1 || health.Suspicious() {
				t.Errorf("with a wrong signature: %d, %+v", got.status, health)
			}
		})
	}
}

func TestARefusedEventThatTheShopExpectsIsReported(t *testing.T) {
	wrong := []string{strings.Repeat("0", 64)}
	for _, test := range []struct {
		name string
		call call
		want bool
	}{
		{"a wrong signature", call{signatures: wrong, body: successBody}, true},
		{"no signature", call{body: successBody}, true},
		{"another path", call{path: "/webhook/", signatures: []string{secretValue}, body: successBody}, false},
		{"another method", call{method: "PUT", signatures: []string{secretValue}, body: successBody}, false},
		{"another order", call{signatures: wrong, body: successOf("REF_9")}, false},
		{"no event", call{signatures: wrong, body: "x"}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			rig := newRig(t)
			rig.do(test.call)
			want := payments.Expected{}
			if test.want {
				want = payments.Expected{Order: "REF_700001", At: noon()}
			}
			if got := rig.handler.Health(); got.Refused != 1 || got.Expected != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
			rig.deliver(successBody)
			rig.do(test.call)
			if got := rig.handler.Health(); got.Expected != (payments.Expected{}) {
				t.Errorf("after the payment: %+v", got)
			}
		})
	}
	t.Run("the sender has hung up", func(t *testing.T) {
		rig := newRig(t)
		gone, hangUp := context.WithCancel(t.Context())
		hangUp()
		request := httptest.NewRequestWithContext(gone, http.MethodPost, "/webhook", strings.NewReader(successBody))
		request.Header.Set(header, wrong[0])
		rig.handler.ServeHTTP(httptest.NewRecorder(), request)
		if got := rig.handler.Health(); got.Expected.Order != "REF_700001" {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("the answer does not wait for a database that hangs", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			rig := newBareRig(t, &receiver{}, func(c *webhook.Config) {
				c.Expects = func(ctx context.Context, _ payments.Event) bool {
					<-ctx.Done()
					return false
				}
			})
			request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/webhook", strings.NewReader(successBody))
			began := time.Now()
			rig.handler.ServeHTTP(httptest.NewRecorder(), request)
			if waited := time.Since(began); waited != time.Second || rig.handler.Health().Refused != 1 {
				t.Errorf("answered after %v, %+v", waited, rig.handler.Health())
			}
		})
	})
	t.Run("through a relay", func(t *testing.T) {
		rig := newRig(t)
		request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/webhook", strings.NewReader(successBody))
		if _, err := rig.handler.Deliver(t.Context(), request, noon()); err != nil || rig.handler.Health().Expected.Order != "REF_700001" {
			t.Errorf("%v, got %+v", err, rig.handler.Health())
		}
	})
	t.Run("the cause ends with the doubt", func(t *testing.T) {
		now := noon()
		rig := newRig(t, at(&now))
		rig.do(call{signatures: wrong, body: successBody})
		now = now.Add(10 * time.Minute)
		if got := rig.handler.Health(); got.Suspicious() {
			t.Errorf("after ten minutes: %+v", got)
		}
	})
}

func TestEveryMetricExistsFromTheStart(t *testing.T) {
	rig := newRig(t, func(c *webhook.Config) {
		c.Version = "v1.2.3"
		c.Outbox = func() payments.OutboxState { return payments.OutboxState{} }
	})
	series := func(text string) (names []string) {
		for line := range strings.Lines(text) {
			name, _, _ := strings.Cut(line, " ")
			if !strings.HasPrefix(line, "#") {
				names = append(names, name)
			}
		}
		return names
	}
	before := rig.do(call{method: "GET", path: "/metrics"})
	if before.status != 200 || !strings.HasPrefix(before.header.Get("Content-Type"), "text/plain") {
		t.Errorf("got %d, %q", before.status, before.header.Get("Content-Type"))
	}
	rig.deliver(successBody)
	rig.deliver(successBody)
	rig.deliver(event("payment.seen"))
	rig.deliver(event("payment\".\n\x1b"))
	rig.deliver(successOf("REF_9"))
	rig.do(call{signatures: []string{"0"}, body: "x"})
	rig.do(call{method: "PUT", signatures: []string{"0"}, body: "x"})
	rig.receiver.fault = http.ErrAbortHandler
	rig.deliver(successBody)
	after := rig.do(call{method: "GET", path: "/metrics"}).text
	if got := series(after); !slices.Equal(got, series(before.text)) {
		t.Errorf("the events add series to\n%s\nto\n%s", before.text, after)
	}
	rig.expectMetrics(
		`till_build_info{version="v1.2.3",goversion="`+runtime.Version()+`"} 1`,
		`till_webhook_events_total{kind="payment.success",outcome="applied"} 1`,
		`till_webhook_events_total{kind="payment.success",outcome="duplicate"} 1`,
		`till_webhook_events_total{kind="payment.success",outcome="unmatched"} 1`,
		`till_webhook_events_total{kind="other",outcome="unchanged"} 2`,
		`till_webhook_refusals_total{reason="bad_signature"} 1`,
		`till_webhook_store_failures_total 1`,
		`till_webhook_duration_seconds_bucket{le="+Inf"} 6`,
		`till_webhook_duration_seconds_count 6`,
	)
	if strings.Contains(after, secretValue) || strings.Contains(after, "\x1b") {
		t.Errorf("the metrics have a signature or an escape character: %s", after)
	}
	promtool, err := exec.LookPath("promtool")
	if err != nil && os.Getenv("TILL_TEST_REQUIRE") == "" {
		t.Skip("there is no promtool on the path")
	}
	check := exec.CommandContext(t.Context(), promtool, "check", "metrics")
	check.Stdin = strings.NewReader(after)
	if said, err := check.CombinedOutput(); err != nil || len(said) > 0 {
		t.Errorf("promtool: %v\n%s\n%s", err, said, after)
	}
}
