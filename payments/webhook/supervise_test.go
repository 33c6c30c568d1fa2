package webhook_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments/webhook"
)

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
