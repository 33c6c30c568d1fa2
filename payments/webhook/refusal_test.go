package webhook_test

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/secret"
)

func TestRefusalsAreDiagnosedOnceASecond(t *testing.T) {
	now := noon()
	rig := newRig(t, at(&now))
	refuse := func(value string) payments.CauseKind {
		rig.do(call{signatures: []string{value}, body: successBody})
		return rig.handler.Health().Cause.Kind
	}
	if got := refuse(strings.ToUpper(secretValue)); got != payments.CauseOtherForm {
		t.Errorf("the first refusal: %v", got)
	}
	other := gateway.Sign(gateway.Body, secret.New(secretText), []byte(successBody))
	if got := refuse(other); got != payments.CauseOtherForm {
		t.Errorf("the second refusal in a second: %v", got)
	}
	now = now.Add(time.Second)
	if got := refuse(other); got != payments.CauseOtherScheme {
		t.Errorf("a refusal in the next second: %v", got)
	}
	rig.deliver(successOf("REF_9"))
	if got := refuse("0"); got != payments.CauseSecretChanged {
		t.Errorf("a refusal without a diagnosis: %v", got)
	}
}

func TestTheCauseOfTheNewestRefusalIsShown(t *testing.T) {
	now := noon()
	rig := newRig(t, at(&now))
	for _, tt := range []struct {
		call call
		want payments.CauseKind
	}{
		{call{path: "/other", signatures: []string{secretValue}, body: successBody}, payments.CauseWrongPath},
		{call{signatures: []string{"0"}, body: successOf("REF_9")}, payments.CauseWrongPath}, // Anyone can send it.
		{call{signatures: []string{"0"}, body: successBody}, payments.CauseSecretChanged},
		{call{path: "/other", signatures: []string{secretValue}, body: successBody}, payments.CauseWrongPath},
	} {
		now = now.Add(time.Second)
		rig.do(tt.call)
		if got := rig.handler.Health().Cause.Kind; got != tt.want {
			t.Errorf("after %+v: %v, want %v", tt.call, got, tt.want)
		}
	}
}

func TestTheCauseNamesWhatIsWrongWithoutASecret(t *testing.T) {
	digest, err := hex.DecodeString(secretValue)
	must(t, err)
	for _, tt := range []struct {
		value, detail string
		kind          payments.CauseKind
	}{
		{secretValue + ", " + secretValue, "", payments.CauseDoubled}, // A proxy has joined two headers.
		{secretValue + "," + strings.Repeat("0", 64), "", payments.CauseDoubled},
		{base64.StdEncoding.EncodeToString(digest), "base64", payments.CauseOtherForm},
		{base64.RawURLEncoding.EncodeToString(digest), "base64", payments.CauseOtherForm},
		{`"` + secretValue + `"`, `"…"`, payments.CauseOtherForm},
		{"'" + secretValue + "'", `"…"`, payments.CauseOtherForm},
		{"t=1795158000,v1=" + secretValue, "t=…,v1=…", payments.CauseOtherForm},
		{"v1=" + secretValue + ", t=1795158000", "t=…,v1=…", payments.CauseOtherForm},
		{"SHA256=" + secretValue, "sha256=…", payments.CauseOtherForm},
		{"sha256=" + strings.Repeat("0", 64), "sha256=…", payments.CauseOtherForm}, // Signed with another secret, too.
		{strings.ToUpper(secretValue), "A1B2…", payments.CauseOtherForm},
		{strings.Repeat("0", 64), "", payments.CauseSecretChanged},
		{"password", "", payments.CauseSecretChanged},
	} {
		rig := newRig(t)
		answer := rig.do(call{signatures: []string{tt.value}, body: successBody})
		cause := rig.handler.Health().Cause
		if answer.status != http.StatusUnauthorized || cause != (payments.Cause{Kind: tt.kind, Detail: tt.detail}) || rig.stored() != 0 {
			t.Errorf("%s: %d, %+v, %d stored", tt.value, answer.status, cause, rig.stored())
		}
		if log := rig.log.String(); strings.Contains(strings.ToLower(log), secretValue[:16]) || strings.Contains(log, secretText) {
			t.Errorf("%s: the log has a secret: %s", tt.value, log)
		}
	}
	for want, asked := range map[payments.Cause]call{
		{Kind: payments.CauseOtherHeader, Detail: "X-Brand-Signature"}: {headers: http.Header{"X-Brand-Signature": {secretValue}}, body: successBody},
		{Kind: payments.CauseNoEvent}:                                  {signatures: []string{secretValue}, body: "{}"},
	} {
		rig := newRig(t)
		answer := rig.do(asked)
		if cause := rig.handler.Health().Cause; answer.status != http.StatusBadRequest || cause != want || strings.Contains(rig.log.String(), secretValue[:16]) {
			t.Errorf("%d, got %+v, want %+v; the log: %s", answer.status, cause, want, rig.log)
		}
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
