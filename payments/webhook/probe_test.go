package webhook_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/webhook"
)

func TestHealthzAndReadyzShowTheStoreAndTheOutbox(t *testing.T) {
	const stored, waits = "events cannot be stored", "; waiting in the outbox: 3"
	down := errors.New("down")
	none, away := payments.OutboxState{}, payments.OutboxState{Away: true}
	waiting, full := payments.OutboxState{Events: 3, Oldest: noon()}, payments.OutboxState{Events: 3, Oldest: noon(), Full: true}
	for _, test := range []struct {
		name          string
		fault         error // Error of the store; nil if the store works.
		outbox        payments.OutboxState
		health, ready int
		healthText    string // The text of /healthz.
		readyText     string
	}{
		{"a store that works", nil, none, 200, 200, "ok", "ok"},
		{"a store that fails", down, none, 503, 503, stored, stored},
		{"a failed store and an outbox with room: load balancers go on sending", down, waiting, 503, 200, stored + waits, "ok" + waits},
		{"a failed store and a full outbox", down, full, 503, 503, stored + waits, "events are neither stored nor kept" + waits},
		{"a working store and a full outbox", nil, full, 200, 200, "ok" + waits, "ok" + waits},
		{"an unreachable store and an outbox", down, away, 503, 200, stored + "; the database is away", "ok; the database is away"},
	} {
		t.Run(test.name, func(t *testing.T) {
			rig := newRig(t, func(c *webhook.Config) {
				c.Probe = func(context.Context) error { return test.fault }
				if test.outbox != none {
					c.Outbox = func() payments.OutboxState { return test.outbox }
				}
			})
			if got := rig.do(call{method: "GET", path: "/healthz"}); got.status != test.health || got.text != test.healthText {
				t.Errorf("/healthz gives %d %s", got.status, got.text)
			}
			if got := rig.do(call{method: "GET", path: "/readyz"}); got.status != test.ready || got.text != test.readyText {
				t.Errorf("/readyz gives %d %s", got.status, got.text)
			}
			if got := rig.do(call{method: "POST", path: "/readyz", body: "x"}); got.status != http.StatusMethodNotAllowed {
				t.Errorf("a POST gives %d", got.status)
			}
		})
	}
}

func TestHealthzAsJSON(t *testing.T) {
	const stored = `{"listening":true,"address":"127.0.0.1:8788","store_down":false,"last_event":"2026-11-21T09:00:00Z",` +
		`"accepted":1,"repeated":0,"refused":1,"refused_cause":"other_header","refused_detail":"X-Brand-Signature","unmatched":1,"unknown_kind":"","relay":null,"listeners":[],"crowded":false,"reach":"receives","version":"v1.2.3","findings":[]}`
	const down = `{"listening":true,"address":"127.0.0.1:8788","store_down":true,"last_event":null,` +
		`"accepted":0,"repeated":0,"refused":0,"refused_cause":"","refused_detail":"","unmatched":0,"unknown_kind":"","relay":{"address":"relay.example.mg","since":"2026-11-21T08:00:00Z","last_contact":"2026-11-21T09:00:00Z","held_by":"Caisse 2","unknown":true,"fault":"no answer","waiting":2},"listeners":[{"name":"server:8788","silent_seconds":11}],"crowded":false,"reach":"store_down","version":"v1.2.3","findings":[]}`
	for want, status := range map[string]int{stored: http.StatusOK, down: http.StatusServiceUnavailable} {
		var handler *webhook.Handler
		rig := newRig(t, func(c *webhook.Config) {
			c.Version = "v1.2.3"
			c.Health = func() payments.Health {
				health := handler.Health()
				health.Listening, health.Address = true, "127.0.0.1:8788"
				if want == down {
					health.Listeners = []payments.Listener{{Name: "server:8788", Silent: 11900 * time.Millisecond}}
					health.Relay = payments.RelayState{
						Host: "relay.example.mg", Since: noon().Add(-time.Hour), Contact: noon(), HeldBy: "Caisse 2",
						Unknown: true, Fault: "no answer", Waiting: 2, Emptied: true,
					}
				}
				return health
			}
			if want == down {
				c.Probe = func(context.Context) error { return errors.New("down") }
			}
		})
		handler = rig.handler
		if want == stored {
			rig.deliver(successOf("REF_9"))
			rig.do(call{headers: http.Header{"X-Brand-Signature": {secretValue}}, body: successOf("REF_9")})
		}
		got := rig.do(call{method: "GET", path: "/healthz", headers: http.Header{"Accept": {"application/json"}}})
		if got.status != status || strings.TrimSpace(got.text) != want || got.header.Get("Content-Type") != "application/json" {
			t.Errorf("got %d %s\nwant %d %s", got.status, got.text, status, want)
		}
		health, reach, err := webhook.ReadHealth(t.Context(), strings.TrimPrefix(rig.url, "http://"))
		must(t, err)
		sent := handler.Health()
		sent.Listening, sent.Address = true, strings.TrimPrefix(rig.url, "http://")
		if want == down {
			sent.Listeners = []payments.Listener{{Name: "server:8788", Silent: 11 * time.Second}}
			sent.Relay = payments.RelayState{
				Host: "relay.example.mg", Since: noon().Add(-time.Hour), Contact: noon(), HeldBy: "Caisse 2",
				Unknown: true, Fault: "no answer", Waiting: 2,
			}
		}
		if !reflect.DeepEqual(health, sent) || reach != sent.Reach(noon()) {
			t.Errorf("read %+v %s, want %+v", health, reach, sent)
		}
	}
}

func TestTheStoreIsProbedOnceASecondAtMost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fault, asked, found := error(nil), 0, 0
		rig := newBareRig(t, &receiver{}, func(c *webhook.Config) {
			c.Probe = func(ctx context.Context) error {
				asked++
				return errors.Join(fault, ctx.Err())
			}
			c.Findings = func(context.Context) []webhook.Finding {
				found++
				return nil
			}
		})
		for _, fault = range []error{nil, errors.New("disk is full"), nil} {
			time.Sleep(time.Second)
			asked, found = 0, 0
			gone, hangUp := context.WithCancel(t.Context())
			hangUp()
			rig.handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(gone, http.MethodGet, "/healthz", nil))
			for range 100 {
				for _, path := range []string{"/healthz", "/metrics", "/readyz"} {
					answer := rig.get(path, nil)
					if path != "/metrics" && (answer.Code == http.StatusOK) != (fault == nil) {
						t.Errorf("with %v %s gives %d", fault, path, answer.Code)
					}
					if strings.Contains(answer.Body.String(), "disk") {
						t.Errorf("the answer has the store's error: %s", answer.Body)
					}
				}
			}
			if found != 1 {
				t.Errorf("the findings were made %d times", found)
			}
			if asked != 1 || rig.handler.Health().StoreDown != (fault != nil) {
				t.Errorf("with %v the store was probed %d times, %+v", fault, asked, rig.handler.Health())
			}
		}
	})
}

func TestProbesAreNotServedThroughAProxy(t *testing.T) {
	rig := newBareRig(t, &receiver{})
	for _, path := range []string{"/healthz", "/readyz", "/metrics"} {
		for _, name := range []string{
			"X-Forwarded-For", "Forwarded", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip", "Via", "Cf-Connecting-Ip",
		} {
			if answer := rig.get(path, http.Header{name: {"192.0.2.1"}}); answer.Code != http.StatusNotFound {
				t.Errorf("%s with %s gives %d", path, name, answer.Code)
			}
		}
		if answer := rig.get(path, nil); answer.Code != http.StatusOK {
			t.Errorf("%s gives %d", path, answer.Code)
		}
	}
	if answer := rig.get("/success", http.Header{"X-Forwarded-For": {"192.0.2.1"}}); answer.Code != http.StatusOK {
		t.Errorf("/success gives %d", answer.Code)
	}
}

func TestMetricsOfTheOutboxAndTheStore(t *testing.T) {
	state := payments.OutboxState{Events: 3, SetAside: 1, Queued: 7, Applied: 4, Lost: 2, Oldest: noon().Add(-90 * time.Second)}
	rig := newRig(t, func(c *webhook.Config) {
		c.Outbox = func() payments.OutboxState { return state }
	})
	rig.expectMetrics(
		"till_webhook_store_up 1", "till_outbox_events 3", "till_outbox_set_aside_events 1",
		"till_outbox_kept_total 7", "till_outbox_applied_total 4", "till_outbox_lost_total 2", "till_outbox_oldest_age_seconds 90",
	)
	state = payments.OutboxState{}
	rig.receiver.fault = errors.New("down")
	rig.deliver(successBody)
	rig.expectMetrics("till_webhook_store_up 0", "till_outbox_events 0", "till_outbox_oldest_age_seconds 0")
	if text := newRig(t).do(call{method: "GET", path: "/metrics"}).text; strings.Contains(text, "till_outbox") {
		t.Errorf("a listener without an outbox has its metrics:\n%s", text)
	}
}

func TestAFailedStoreIsProbedUntilItWorks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var failing, asked atomic.Int64
		fault := errors.New("disk is full")
		failing.Store(1)
		receiver := &receiver{}
		rig := newBareRig(t, receiver, func(c *webhook.Config) {
			c.Probe = func(context.Context) error {
				asked.Add(1)
				if failing.Load() > 0 {
					return fault
				}
				return nil
			}
		})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			rig.handler.Supervise(ctx)
		}()
		time.Sleep(time.Hour + 500*time.Millisecond) // Halfway between two probes.
		if asked.Load() != 0 {
			t.Error("a store that works is probed")
		}
		receiver.fault = fault
		rig.record(successBody)
		time.Sleep(3 * time.Second)
		if asked.Load() != 3 || !rig.handler.Health().StoreDown {
			t.Errorf("a store that fails was probed %d times", asked.Load())
		}
		failing.Store(0)
		time.Sleep(time.Second)
		if asked.Load() != 4 || rig.handler.Health().StoreDown {
			t.Errorf("a store that works again was probed %d times", asked.Load())
		}
		if !strings.Contains(rig.log.String(), "events can be stored again") {
			t.Errorf("the log does not say so:\n%s", rig.log)
		}
		time.Sleep(time.Hour)
		if asked.Load() != 4 {
			t.Error("a working store is still probed")
		}
		cancel()
		<-done
	})
}
