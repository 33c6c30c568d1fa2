package sandbox_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/sandbox"
	"checkout/till/payments/sandbox/delivery"
)

func TestTheLogSaysWhetherADeliveryIsTriedAgain(t *testing.T) {
	cases := map[string]struct {
		answer int
		retry  delivery.Retry
		says   string
		lines  int
	}{
		"accepted":             {http.StatusOK, delivery.RetryAll, `"event delivered"`, 1},
		"refused at each try":  {http.StatusServiceUnavailable, delivery.RetryAll, `"event not delivered"`, 8},
		"nobody there":         {absence, delivery.RetryAll, `"event not delivered"`, 8},
		"refused once for all": {http.StatusGone, delivery.RetryAll, `"event not delivered"`, 1},
		"tried once only":      {absence, delivery.RetryNone, `"event not delivered"`, 1},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var log bytes.Buffer
				transport, _ := listen(t, always(c.answer))
				made := begin(t, func(config *sandbox.Config) {
					config.Logger = slog.New(slog.NewTextHandler(&log, nil))
				}, transport, sandbox.WithRetry(c.retry))
				_, reference := localOrder(t, made, "T1-20261121-0007")
				act(t, made, reference, payments.PaymentSuccess)
				pass(2 * time.Hour)
				var said []string
				for line := range strings.Lines(log.String()) {
					if strings.Contains(line, "event=") {
						said = append(said, line)
					}
				}
				if len(said) != c.lines {
					t.Fatalf("the log says\n%s", log.String())
				}
				for i, line := range said {
					then := `then="next try in `
					if i == len(said)-1 {
						then = `then="giving up"`
					}
					if !strings.Contains(line, "msg="+c.says) || (c.answer != http.StatusOK) != strings.Contains(line, then) {
						t.Errorf("line %d of %d: %s", i+1, len(said), line)
					}
				}
			})
		})
	}
}
