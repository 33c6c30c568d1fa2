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
	none, wrong := sandbox.EventFaults{}, sandbox.EventFaults{Signature: sandbox.SignatureWrong}
	tests := []struct {
		name   string
		status int
		faults sandbox.EventFaults
		want   string
	}{
		{"accepted", http.StatusNoContent, none, ""},
		{"no address", http.StatusOK, none, "--webhook-url"},
		{"no connection", absence, none, "gave no reply"},
		{"a redirect", http.StatusFound, none, "no redirect is followed"},
		{"gone", http.StatusGone, none, "asks for no further try"},
		{"no header found", http.StatusBadRequest, none, "from the header " + named},
		{"a wrong signature", http.StatusUnauthorized, none, "the header " + named + ", the scheme static and"},
		{"a wrong signature by a fault", http.StatusUnauthorized, wrong, "a fault is set for the signature: wrong"},
		{"a lost try", http.StatusOK, sandbox.EventFaults{Lost: true}, "a fault is set: lost"},
		{"forbidden", http.StatusForbidden, none, "the scheme static"},
		{"no such path", http.StatusNotFound, none, "store order_reference"},
		{"no such method", http.StatusMethodNotAllowed, none, "by POST"},
		{"a crash", http.StatusInternalServerError, none, "its own log"},
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
				made.SetFaults(sandbox.Faults{Event: test.faults})
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
