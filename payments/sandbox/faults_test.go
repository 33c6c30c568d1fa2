package sandbox_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/sandbox"
)

func TestAnEventComesBeforeTheAnswerToItsOrderCall(t *testing.T) {
	desk := newDesk(t, nil)
	desk.SetFaults(sandbox.Faults{Call: sandbox.CallFaults{EventFirst: payments.PaymentSuccess}})
	answering := make(chan struct{})
	desk.merchant.setAnswer(func(w http.ResponseWriter, _ *http.Request) {
		<-answering
		w.WriteHeader(http.StatusNotFound) // The merchant does not know the order yet.
	})
	replies := make(chan answered)
	go func() { replies <- desk.call(t, orderBody("a")) }()
	event := desk.merchant.next(t).event
	select {
	case <-replies:
		t.Error("W13 the call was answered first")
	default:
	}
	desk.merchant.setAnswer(nil)
	close(answering)
	reply := <-replies
	if reply.Status != http.StatusOK || event.Kind != payments.PaymentSuccess || event.OrderReference != reply.Data.OrderReference {
		t.Errorf("W13 got %+v and %+v", reply, event)
	}
	if again := desk.merchant.next(t).event; again != event {
		t.Errorf("the next try sends %+v", again)
	}
}

func TestAnOrderCallWithTwoFaultsHasTheFirst(t *testing.T) {
	pay := payments.PaymentSuccess
	tests := []struct {
		name   string
		faults sandbox.CallFaults
		status int    // 0 when the connection is cut.
		answer string // What it holds.
		orders int
	}{
		{"O5 the connection is cut after the order was taken", sandbox.CallFaults{Cut: true}, 0, "", 1},
		{"break before refuse", sandbox.CallFaults{Break: true, Refuse: "non"}, 500, "Internal Server Error", 0},
		{"refuse before an event", sandbox.CallFaults{Refuse: "non", EventFirst: pay}, 422, "non", 0},
		{"cut before break after", sandbox.CallFaults{Cut: true, BreakAfter: true}, 0, "", 1},
		{"break after before a reply", sandbox.CallFaults{BreakAfter: true, Reply: sandbox.ReplyHTML}, 500, "Internal Server Error", 1},
		{
			"a reply with its own link",
			sandbox.CallFaults{Reply: sandbox.ReplyWrongFields, CheckoutURL: "ftp://x"},
			200, `"payment_link":"ftp://x"`, 1,
		},
		{"an event that is not sent is not waited for", sandbox.CallFaults{EventFirst: "payment.refunded"}, 200, "Success", 1},
	}
	for _, test := range tests {
		t.Run("O6 "+test.name, func(t *testing.T) {
			desk := newDesk(t, nil)
			desk.SetFaults(sandbox.Faults{Call: test.faults, Event: sandbox.EventFaults{Drop: true}})
			status, answer := 0, ""
			response, err := desk.client.Post(desk.server.URL+"/api/payement/service", "application/json", strings.NewReader(orderBody("a")))
			if err == nil {
				defer response.Body.Close()
				body, err := io.ReadAll(response.Body)
				if err != nil {
					t.Fatal(err)
				}
				status, answer = response.StatusCode, string(body)
			}
			orders := ask[[]labOrder](t, desk.Sandbox, http.MethodGet, "/lab/orders", "")
			desk.SetFaults(sandbox.Faults{})
			again := map[bool]int{true: http.StatusConflict, false: http.StatusOK}[len(orders) == 1]
			if reply := desk.call(t, orderBody("a")); reply.Status != again {
				t.Errorf("the same reference gets %d afterwards", reply.Status)
			}
			if status != test.status || !strings.Contains(answer, test.answer) || len(orders) != test.orders {
				t.Errorf("got %d %q and %d orders: %v", status, answer, len(orders), err)
			}
			desk.merchant.quiet(t)
		})
	}
}

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

func TestADelayedEventIsOvertaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		transport, all := listen(t, always(http.StatusOK))
		made := begin(t, nil, transport)
		_, reference := localOrder(t, made, "a")
		made.SetFaults(sandbox.Faults{Event: sandbox.EventFaults{Delay: time.Minute}})
		act(t, made, reference, payments.PaymentFailed)
		made.SetFaults(sandbox.Faults{})
		act(t, made, reference, payments.PaymentSuccess)
		pass(time.Hour)
		if len(all.list()) != 2 || all.list()[0].event.Kind != payments.PaymentSuccess || all.list()[1].after != time.Minute {
			t.Errorf("got %+v", all.list())
		}
	})
}

func TestOneOrderHasFaultsOfItsOwn(t *testing.T) {
	desk := newDesk(t, nil)
	wrong, sound := desk.order(t), desk.order(t)
	if err := desk.SetOrderFaults(wrong.Data.OrderReference, &sandbox.EventFaults{Signature: sandbox.SignatureWrong}); err != nil {
		t.Fatal(err)
	}
	if err := desk.SetOrderFaults("REF_1", &sandbox.EventFaults{}); !errors.Is(err, sandbox.ErrNoSuchOrder) {
		t.Errorf("got %v", err)
	}
	for _, order := range []answered{wrong, sound} {
		desk.press(t, order.Data.CheckoutURL, "success")
		if got := desk.merchant.next(t); got.sound != (order.Data.OrderReference == sound.Data.OrderReference) {
			t.Errorf("%s is signed soundly: %v", got.body, got.sound)
		}
	}
}

func TestAMendedSignatureIsTakenOnTheNextTry(t *testing.T) {
	desk := newDesk(t, nil)
	desk.SetFaults(sandbox.Faults{Event: sandbox.EventFaults{Signature: sandbox.SignatureWrong}})
	desk.merchant.setAnswer(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) })
	desk.press(t, desk.order(t).Data.CheckoutURL, "success")
	desk.merchant.next(t)
	desk.SetFaults(sandbox.Faults{})
	if got := desk.merchant.next(t); !got.sound {
		t.Error("the signature is still wrong")
	}
}
