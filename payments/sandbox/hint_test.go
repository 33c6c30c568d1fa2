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
	"checkout/till/payments/sandbox/delivery"
)

func TestADeliveryThatIsNotAcceptedIsLoggedWithWhatWouldMendIt(t *testing.T) {
	const named = "X-Brand-Signature"
	noTarget := func(config *sandbox.Config) { config.WebhookURL = "" }
	tests := []struct {
		name   string
		status int
		fault  sandbox.SignatureFault
		change func(*sandbox.Config)
		want   string
	}{
		{"accepted", http.StatusNoContent, "", nil, ""},
		{"no address", http.StatusOK, "", noTarget, "--webhook-url"},
		{"nobody is there", absence, "", nil, "--allow-target"},
		{"a redirect", http.StatusFound, "", nil, "no redirect is followed"},
		{"the end", http.StatusGone, "", nil, "asks for no further try"},
		{"no header found", http.StatusBadRequest, "", nil, "from the header " + named},
		{"a wrong signature", http.StatusUnauthorized, "", nil, "the header " + named + ", the scheme static and"},
		{"a wrong signature by a fault", http.StatusUnauthorized, sandbox.SignatureWrong, nil, "a fault is set for the signature: wrong"},
		{"forbidden", http.StatusForbidden, "", nil, "the scheme static"},
		{"no such path", http.StatusNotFound, "", nil, "store order_reference"},
		{"no such method", http.StatusMethodNotAllowed, "", nil, "by POST"},
		{"a crash", http.StatusInternalServerError, "", nil, "its own log"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var log bytes.Buffer
				transport, _ := listen(t, always(test.status))
				made := begin(t, test.change, transport, withRetry(delivery.RetryNone), func(config *sandbox.Config) {
					config.Logger, config.SignatureHeader = slog.New(slog.NewTextHandler(&log, nil)), named
				})
				_, order := localOrder(t, made, "A-1")
				made.SetFaults(sandbox.Faults{Event: sandbox.EventFaults{Signature: test.fault}})
				act(t, made, order, payments.PaymentSuccess)
				synctest.Wait()
				last := made.Activities()[0]
				if !strings.Contains(last.Hint, test.want) || (test.want == "") != (last.Hint == "") || !strings.Contains(log.String(), test.want) {
					t.Errorf("the hint is %q, the log %s", last.Hint, &log)
				}
				replied := test.want != "" && test.status > 0 && test.change == nil
				if strings.Contains(last.Reply, "<try> 1") != replied || strings.Contains(log.String(), "<try> 1") != replied {
					t.Errorf("the reply is %q, the log %s", last.Reply, &log)
				}
			})
		})
	}
}
