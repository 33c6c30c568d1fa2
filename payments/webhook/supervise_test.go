package webhook_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments/webhook"
)

func TestAStoreThatFailedIsProbedUntilItWorks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fault, asked := errors.New("disk is full"), 0
		receiver := newReceiver("REF_700001")
		rig := newBareRig(t, receiver, func(c *webhook.Config) {
			c.Healthy = func(context.Context) error {
				asked++
				return fault
			}
		})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			rig.handler.Supervise(ctx)
		}()
		time.Sleep(time.Hour)
		if asked != 0 {
			t.Error("a store that works is probed")
		}
		receiver.fault = fault
		rig.record(successBody)
		time.Sleep(3500 * time.Millisecond)
		if asked != 4 || !rig.handler.Health().StoreFailing {
			t.Errorf("a store that fails was probed %d times", asked)
		}
		fault = nil
		time.Sleep(time.Second)
		if asked != 5 || rig.handler.Health().StoreFailing {
			t.Errorf("a store that works again was probed %d times", asked)
		}
		time.Sleep(time.Hour)
		if asked != 5 {
			t.Error("it is probed for ever")
		}
		cancel()
		<-done
	})
}
