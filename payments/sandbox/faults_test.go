package sandbox_test

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/sandbox"
)

func TestASlowAnswerEndsWithTheSandbox(t *testing.T) {
	for name, faults := range map[string]sandbox.Faults{
		"a slow one": {Call: sandbox.CallFaults{Slow: time.Hour}},
		"one that waits for its event": {
			Call: sandbox.CallFaults{EventFirst: payments.PaymentSuccess}, Event: sandbox.EventFaults{Delay: time.Hour},
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				made := quietSandbox(t)
				made.SetFaults(faults)
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				go func() { _ = made.Run(ctx) }()
				start := time.Now()
				if _, reference := localOrder(t, made, "a"); reference == "" || time.Since(start) != time.Minute {
					t.Errorf("answered after %v", time.Since(start))
				}
			})
		})
	}
}

func TestAMendedSignatureIsTakenOnTheNextTry(t *testing.T) {
	transport, merchant := listen(t, always(http.StatusUnauthorized))
	made := begin(t, nil, transport)
	made.SetFaults(sandbox.Faults{Event: sandbox.EventFaults{Signature: sandbox.SignatureWrong}})
	_, order := localOrder(t, made, "T1")
	act(t, made, order, payments.PaymentSuccess)
	merchant.next(t)
	made.SetFaults(sandbox.Faults{})
	if got := merchant.next(t); !got.sound {
		t.Error("the signature is still wrong")
	}
}

func TestASlowBodyMakesATryLonger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		made := begin(t, nil, withTransport(roundTrip(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		})))
		made.SetFaults(sandbox.Faults{Event: sandbox.EventFaults{Slow: time.Minute}})
		_, reference := localOrder(t, made, "T1")
		act(t, made, reference, payments.PaymentSuccess)
		pass(69 * time.Second)
		if recorder := lab(made, http.MethodGet, "/lab/deliveries", ""); contains(recorder, "no reply") {
			t.Errorf("W26 too early: %s", recorder.Body)
		}
		pass(2 * time.Second)
		if recorder := lab(made, http.MethodGet, "/lab/deliveries", ""); !contains(recorder, "no reply within 1m10s") {
			t.Errorf("W26 got %s", recorder.Body)
		}
	})
}
