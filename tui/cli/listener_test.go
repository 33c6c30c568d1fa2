package cli_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments/webhook"
	"checkout/till/tui/cli"
)

func TestAStoreThatFailedIsWatchedUntilItWorks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fault, asked := errors.New("disk is full"), 0
		handler := webhook.NewHandler(nil, webhook.Config{Path: "/webhook", Now: time.Now, Healthy: func(context.Context) error {
			asked++
			return fault
		}})
		changes, watching := make(chan struct{}), 0
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			cli.Recheck(ctx, handler, func(ctx context.Context) <-chan struct{} {
				watching++
				context.AfterFunc(ctx, func() { watching-- })
				return changes
			})
		}()
		synctest.Wait()
		if watching != 0 {
			t.Error("a store that works is watched")
		}
		handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/healthz", nil))
		synctest.Wait()
		if watching != 1 || asked != 2 || !handler.Health().StoreFailing {
			t.Errorf("a store that fails is watched %d times and was asked %d times", watching, asked)
		}
		changes <- struct{}{}
		synctest.Wait()
		if watching != 1 || asked != 3 {
			t.Errorf("after a change it is watched %d times and was asked %d times", watching, asked)
		}
		fault = nil
		changes <- struct{}{}
		synctest.Wait()
		if watching != 0 || asked != 4 || handler.Health().StoreFailing {
			t.Errorf("a store that works again is watched %d times and was asked %d times", watching, asked)
		}
		cancel()
		<-done
	})
}
