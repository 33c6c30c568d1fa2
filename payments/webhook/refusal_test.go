package webhook_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/secret"
)

// The tests of package gateway have more causes, and their details.
func TestTheCauseOfTheNewestRefusalIsShown(t *testing.T) {
	now := noon()
	rig := newRig(t, at(&now))
	signed := func(signature string) call { return call{signatures: []string{signature}, body: successBody} }
	byBody := signed(gateway.Sign(gateway.Body, secret.New(secretText), []byte(successBody)))
	elsewhere := call{path: "/other", signatures: []string{secretValue}, body: successBody}
	for _, tt := range []struct {
		after time.Duration // Time since the call before.
		call  call
		want  payments.CauseKind
	}{
		{0, signed(strings.ToUpper(secretValue)), payments.CauseOtherForm},
		{0, byBody, payments.CauseOtherForm}, // Only one refusal in a second is diagnosed.
		{time.Second, byBody, payments.CauseOtherScheme},
		{0, call{signatures: []string{secretValue}, body: successOf("REF_9")}, payments.CauseNone}, // It is accepted.
		{0, signed("0"), payments.CauseSecretChanged},                                              // It is not diagnosed.
		{time.Second, elsewhere, payments.CauseWrongPath},
		{time.Second, call{signatures: []string{"0"}, body: successOf("REF_9")}, payments.CauseWrongPath}, // Anyone can send it.
		{time.Second, signed("0"), payments.CauseSecretChanged},
		{time.Second, elsewhere, payments.CauseWrongPath},
		{time.Second, call{headers: http.Header{"X-Brand-Signature": {secretValue}}, body: successBody}, payments.CauseOtherHeader},
		{time.Second, call{signatures: []string{secretValue}, body: "{}"}, payments.CauseNoEvent},
		{time.Second, signed("SHA256=" + secretValue), payments.CauseOtherForm},
	} {
		now = now.Add(tt.after)
		rig.do(tt.call)
		if got := rig.handler.Health().Cause.Kind; got != tt.want {
			t.Errorf("after %+v: %v, want %v", tt.call, got, tt.want)
		}
	}
	if log := rig.log.String(); strings.Contains(strings.ToLower(log), secretValue[:16]) || strings.Contains(log, secretText) {
		t.Errorf("the log has a secret: %s", log)
	}
}

// orphan returns the nth success without an order.
func orphan(n int) string {
	return strings.Replace(successBody, "REF_700001", fmt.Sprintf("REF_8%05d", n), 1)
}

func TestManyOrphanSuccessesRaiseAnAlarm(t *testing.T) {
	now := noon()
	rig := newBareRig(t, &receiver{receipt: payments.Receipt{Effect: payments.Unmatched}}, at(&now))
	raised := func() bool {
		known := rig.handler.Health().Cause.Kind == payments.CauseSignatureKnown
		rig.expectMetrics(map[bool]string{false: "till_webhook_signature_known 0", true: "till_webhook_signature_known 1"}[known])
		return known
	}
	for n := range 20 {
		for range 3 { // The service sends each event three times.
			rig.record(orphan(n))
		}
		rig.record(strings.Replace(orphan(100+n), "payment.success", "payment.failed", 1))
	}
	if raised() {
		t.Error("20 successes in a minute raise the alarm")
	}
	rig.receiver.receipt.Effect = payments.Duplicate
	rig.record(orphan(0))
	rig.receiver.receipt.Effect = payments.Unmatched
	if health := rig.handler.Health(); health.Accepted != 80 || health.Repeated != 1 {
		t.Errorf("got %d events, %d of them twice, want 80 and 1", health.Accepted, health.Repeated)
	}
	now = now.Add(time.Minute)
	rig.record(orphan(20))
	if raised() {
		t.Error("21 successes in more than a minute raise the alarm")
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
		t.Error("an applied event ends the alarm")
	}
	now = now.Add(time.Minute)
	if raised() {
		t.Error("the alarm lasts for more than an hour")
	}
}
