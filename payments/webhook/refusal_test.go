package webhook_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/webhook"
)

// The requests that cost most to refuse (H7) are sent a second after each other,
// so that each is diagnosed.
func TestW34ARefusedRequestCostsLessThan3Milliseconds(t *testing.T) {
	body := strings.Repeat(" ", 8<<10)
	many, values := http.Header{}, http.Header{}
	for i := range 1500 {
		many.Set(fmt.Sprintf("H%d", i), "x")
	}
	long := http.Header{http.CanonicalHeaderKey(header): {strings.Repeat("0", 64)}}
	for i := range 200 {
		long.Set(fmt.Sprintf("H%d", i), strings.Repeat("a", 64))
	}
	for range 600 {
		values.Add(header, strings.Repeat("0", 20))
	}
	secrets := []payments.Secret{payments.NewSecret(secretText), payments.NewSecret("whsec_next_0123456789abcdef")}
	for _, scheme := range []gateway.Scheme{gateway.Static, gateway.Body} {
		for name, headers := range map[string]http.Header{
			"1,500 headers": many, "600 signature headers": values, "200 headers like signatures": long,
		} {
			t.Run(name+" under "+string(scheme), func(t *testing.T) {
				verifier, err := gateway.NewVerifier(scheme, secrets...)
				must(t, err)
				now := noon()
				rig := newBareRig(t, &receiver{}, func(c *webhook.Config) {
					c.Verifier, c.Now = verifier, func() time.Time { return now }
				})
				fastest := time.Hour
				for range 20 {
					now = now.Add(time.Second)
					request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/webhook", strings.NewReader(body))
					request.Header = headers
					start := time.Now()
					rig.handler.ServeHTTP(httptest.NewRecorder(), request)
					fastest = min(fastest, time.Since(start))
				}
				if fastest >= 3*time.Millisecond {
					t.Errorf("it takes %v", fastest)
				}
			})
		}
	}
}

func TestW34RefusalsAreDiagnosedOnceASecond(t *testing.T) {
	now := noon()
	rig := newRig(t, at(&now))
	refuse := func(value string) payments.CauseKind {
		rig.do(call{signatures: []string{value}, body: successBody})
		return rig.handler.Health().Cause.Kind
	}
	if got := refuse(strings.ToUpper(secretValue)); got != payments.CauseOtherForm {
		t.Errorf("the first gives %v", got)
	}
	other := gateway.Sign(gateway.Body, payments.NewSecret(secretText), []byte(successBody))
	if got := refuse(other); got != payments.CauseOtherForm {
		t.Errorf("the second one of a second gives %v", got)
	}
	now = now.Add(time.Second)
	if got := refuse(other); got != payments.CauseOtherScheme {
		t.Errorf("that of the next second gives %v", got)
	}
	rig.deliver(successBody)
	if got := refuse("0"); got != payments.CauseSecretChanged {
		t.Errorf("one that is not diagnosed gives %v", got)
	}
}

// orphan returns the nth success that no order has.
func orphan(n int) string {
	return strings.Replace(successBody, "REF_700001", fmt.Sprintf("REF_8%05d", n), 1)
}

func TestW37ABurstOfOrphanSuccessesIsASignThatTheSignatureIsKnown(t *testing.T) {
	now := noon()
	rig := newBareRig(t, &receiver{receipt: payments.Receipt{Effect: payments.NoSuchOrder}}, at(&now))
	raised := func() bool {
		known := rig.handler.Health().Cause.Kind == payments.CauseSignatureKnown
		gauge := "till_webhook_signature_known 0\n"
		if known {
			gauge = "till_webhook_signature_known 1\n"
		}
		if text := rig.get("/metrics", nil).Body.String(); !strings.Contains(text, gauge) {
			t.Errorf("not in the metrics:\n%s", text)
		}
		return known
	}
	for n := range 20 {
		for range 3 { // The service tries again.
			rig.record(orphan(n))
		}
		rig.record(strings.Replace(orphan(100+n), "payment.success", "payment.failed", 1))
	}
	if raised() {
		t.Error("20 a minute raise it")
	}
	now = now.Add(time.Minute)
	rig.record(orphan(20))
	if raised() {
		t.Error("21 in more than a minute raise it")
	}
	for n := range 40 {
		rig.record(orphan(200 + n))
	}
	if log := rig.log.String(); !raised() || strings.Count(log, "signature_known") != 1 {
		t.Errorf("raised %v; the log: %s", raised(), log)
	}
	rig.receiver.receipt = payments.Receipt{Effect: payments.Applied, Status: payments.StatusSuccess}
	rig.record(successBody)
	now = now.Add(59 * time.Minute)
	if !raised() {
		t.Error("a good event ends it")
	}
	now = now.Add(time.Minute)
	if raised() {
		t.Error("it lasts for more than an hour")
	}
}
