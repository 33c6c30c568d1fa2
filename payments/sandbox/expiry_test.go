package sandbox_test

import (
	"errors"
	"io"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/sandbox"
)

// heard is an event that was delivered without a network, and when.
type heard struct {
	event payments.Event
	after time.Duration // Since the listener was made.
}

// inbox is what a merchant without a network was sent.
type inbox struct {
	mu     sync.Mutex
	events []heard
}

func (i *inbox) list() []heard {
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.Clone(i.events)
}

// listen returns a transport that takes every event and answers with a status.
func listen(t *testing.T, answer func(try int) int) (sandbox.Option, *inbox) {
	t.Helper()
	all, start := &inbox{}, time.Now()
	return sandbox.WithTransport(roundTrip(func(r *http.Request) (*http.Response, error) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		event, err := gateway.DecodeEvent(body)
		if err != nil {
			t.Error(err)
		}
		all.mu.Lock()
		defer all.mu.Unlock()
		all.events = append(all.events, heard{event, time.Since(start)})
		return status(answer(len(all.events))), nil
	})), all
}

// pass lets time go by in a synctest bubble, and what is due be done.
func pass(span time.Duration) {
	<-time.After(span)
	synctest.Wait()
}

func always(code int) func(int) int { return func(int) int { return code } }

func TestALinkExpiresByItself(t *testing.T) {
	tests := []struct {
		name   string
		act    time.Duration // When the customer pays; 0 for never.
		status int
		want   payments.EventKind
		after  time.Duration
	}{
		{"X2 nobody pays", 0, 0, payments.PaymentExpired, 90 * time.Second},
		{"X2 paid one second before the end", 89 * time.Second, http.StatusSeeOther, payments.PaymentSuccess, 89 * time.Second},
		{"paid in the last moment", 90*time.Second - 1, http.StatusSeeOther, payments.PaymentSuccess, 90*time.Second - 1},
		{"paid at the end", 90 * time.Second, http.StatusGone, payments.PaymentExpired, 90 * time.Second},
		{"X2 paid one second after the end", 91 * time.Second, http.StatusGone, payments.PaymentExpired, 90 * time.Second},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				transport, all := listen(t, always(http.StatusOK))
				config := settings("http://127.0.0.1:8788/webhook")
				config.Lifetime = 90 * time.Second
				made, err := sandbox.New(config, transport)
				if err != nil {
					t.Fatal(err)
				}
				run(t, made)
				path, _ := localOrder(t, made, "T1-20261121-0007")
				if test.act > 0 {
					pass(test.act)
					if recorder := local(made, http.MethodPost, path, "outcome=success"); recorder.Code != test.status {
						t.Errorf("the page answers %d", recorder.Code)
					}
				}
				pass(time.Hour)
				if len(all.list()) != 1 || all.list()[0].event.Kind != test.want || all.list()[0].after != test.after {
					t.Errorf("got %+v", all.list())
				}
			})
		})
	}
}

func TestExpiryNeedsNoRunToStopAPayment(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		made, err := sandbox.New(settings(""))
		if err != nil {
			t.Fatal(err)
		}
		path, reference := localOrder(t, made, "T1-20261121-0007")
		pass(sandbox.DefaultLifetime)
		if recorder := local(made, http.MethodGet, path, ""); recorder.Code != http.StatusGone {
			t.Errorf("a GET answers %d", recorder.Code)
		}
		if err := made.Act(t.Context(), reference, payments.PaymentSuccess); !errors.Is(err, sandbox.ErrLinkOver) {
			t.Errorf("paying gives %v", err)
		}
	})
}

func TestLinksExpireInTheirOwnOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		transport, all := listen(t, always(http.StatusOK))
		made, err := sandbox.New(settings("http://127.0.0.1:8788/webhook"), transport)
		if err != nil {
			t.Fatal(err)
		}
		run(t, made)
		var references []string
		for _, name := range []string{"a", "b", "c", "d"} {
			_, reference := localOrder(t, made, name)
			references = append(references, reference)
			pass(time.Minute)
		}
		// The second is paid: its expiry is off the agenda.
		if err := made.Act(t.Context(), references[1], payments.PaymentSuccess); err != nil {
			t.Fatal(err)
		}
		pass(time.Hour)
		want := []heard{
			{payments.Event{OrderReference: references[1]}, 4 * time.Minute},
			{payments.Event{OrderReference: references[0]}, 10 * time.Minute},
			{payments.Event{OrderReference: references[2]}, 12 * time.Minute},
			{payments.Event{OrderReference: references[3]}, 13 * time.Minute},
		}
		if len(all.list()) != len(want) {
			t.Fatalf("got %+v", all.list())
		}
		for i, got := range all.list() {
			if got.event.OrderReference != want[i].event.OrderReference || got.after != want[i].after {
				t.Errorf("event %d is %+v, want %+v", i, got, want[i])
			}
		}
	})
}

func TestTheTimeLeftIsShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		made, err := sandbox.New(settings(""))
		if err != nil {
			t.Fatal(err)
		}
		path, _ := localOrder(t, made, "T1-20261121-0007")
		for _, step := range []struct {
			wait    time.Duration
			text    string
			refresh string
		}{
			{0, "10 min 00 s", "601"},
			{27500 * time.Millisecond, "9 min 33 s", "573"},
			{9*time.Minute + 32*time.Second, "0 min 01 s", "1"},
		} {
			pass(step.wait)
			recorder := local(made, http.MethodGet, path, "")
			if !contains(recorder, step.text) || !contains(recorder, `http-equiv="refresh" content="`+step.refresh+`"`) {
				t.Errorf("want %q, refresh %q: %s", step.text, step.refresh, recorder.Body)
			}
		}
	})
}

func TestAnEventIsSentAtOnceAfterTheMachineSlept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var slept atomic.Int64
		transport, all := listen(t, always(http.StatusOK))
		config := settings("http://127.0.0.1:8788/webhook")
		config.Now = func() time.Time { return time.Now().Add(time.Duration(slept.Load())) }
		made, err := sandbox.New(config, transport)
		if err != nil {
			t.Fatal(err)
		}
		run(t, made)
		_, earlier := localOrder(t, made, "a")
		if err := made.SetOrderFaults(earlier, &sandbox.EventFaults{Drop: true}); err != nil {
			t.Fatal(err)
		}
		pass(time.Minute)
		_, later := localOrder(t, made, "b")
		synctest.Wait()
		slept.Store(int64(time.Hour))
		if err := made.Act(t.Context(), later, payments.PaymentFailed); !errors.Is(err, sandbox.ErrLinkOver) {
			t.Errorf("got %v", err)
		}
		synctest.Wait()
		if len(all.list()) != 1 || all.list()[0].event.OrderReference != later || all.list()[0].event.Kind != payments.PaymentExpired {
			t.Errorf("got %+v", all.list())
		}
	})
}
