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
