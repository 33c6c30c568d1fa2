package sandbox_test

import (
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/sandbox"
)

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
				made := begin(t, func(config *sandbox.Config) { config.Lifetime = 90 * time.Second }, transport)
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

func TestAnEventIsSentAtOnceAfterTheMachineSlept(t *testing.T) {
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
