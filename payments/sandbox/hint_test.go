package sandbox_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"checkout/till/payments"
	"checkout/till/payments/sandbox"
)

func TestAFailedDeliveryIsLoggedWithAHint(t *testing.T) {
	const named = "X-Brand-Signature"
	tests := []struct {
		name   string
		status int
		fault  sandbox.Fault
		want   string
	}{
		{"accepted", http.StatusNoContent, "", ""},
		{"no address", http.StatusOK, "", "--webhook-url"},
		{"no connection", absence, "", "gave no reply"},
		{"a redirect", http.StatusFound, "", "no redirect is followed"},
		{"gone", http.StatusGone, "", "asks for no further try"},
		{"no header found", http.StatusBadRequest, "", "from the header " + named},
		{"a wrong signature", http.StatusUnauthorized, "", "the header " + named + ", the scheme static and"},
		{"a wrong signature by a fault", http.StatusUnauthorized, sandbox.SignatureWrong, "a fault is set for the signature: wrong"},
		{"forbidden", http.StatusForbidden, "", "the scheme static"},
		{"no such path", http.StatusNotFound, "", "store order_reference"},
		{"no such method", http.StatusMethodNotAllowed, "", "by POST"},
		{"a crash", http.StatusInternalServerError, "", "its own log"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var log bytes.Buffer
				made, _ := hear(t, always(test.status), withRetry(sandbox.RetryNone), func(config *sandbox.Config) {
					config.Logger, config.SignatureHeader = slog.New(slog.NewTextHandler(&log, nil)), named
					if test.name == "no address" {
						config.WebhookURL = ""
					}
				})
				_, order := localOrder(t, made, "A-1")
				made.SetFaults(sandbox.Faults{Event: sandbox.EventFaults{Signature: test.fault}})
				act(t, made, order, payments.PaymentSuccess)
				synctest.Wait()
				last := made.Activities()[0]
				if !strings.Contains(last.Hint, test.want) || (test.want == "") != (last.Hint == "") || !strings.Contains(log.String(), test.want) {
					t.Errorf("the hint is %q, the log %s", last.Hint, &log)
				}
				replied := test.want != "" && test.status > http.StatusOK
				if strings.Contains(last.Reply, "<try> 1") != replied || strings.Contains(log.String(), "<try> 1") != replied {
					t.Errorf("the reply is %q, the log %s", last.Reply, &log)
				}
			})
		})
	}
}
