package payments_test

import (
	"fmt"
	"strings"
	"testing"

	"checkout/till/payments"
)

func TestEveryCauseSaysWhatToLookAt(t *testing.T) {
	said := map[string]payments.CauseKind{}
	for _, kind := range payments.CauseKinds() {
		text := payments.Cause{Kind: kind, Detail: "X-Sum"}.String()
		if other, twice := said[text]; text == "" || twice {
			t.Errorf("cause %d says %q, as cause %d", kind, text, other)
		}
		said[text] = kind
	}
	if len(said) < 12 {
		t.Errorf("there are %d causes", len(said))
	}
	if got := (payments.Cause{}).String(); got != "" {
		t.Errorf("no cause says %q", got)
	}
}

func TestACauseShowsItsDetailCleaned(t *testing.T) {
	cause := payments.Cause{Kind: payments.CauseOtherHeader, Detail: "X-\x1b[31mSum\u202e" + strings.Repeat("y", 100)}
	for _, text := range []string{cause.Shown(), cause.String()} {
		if strings.ContainsAny(text, "\x1b\u202e") || !strings.Contains(text, "…") {
			t.Errorf("it shows %q", text)
		}
	}
}

func ExampleCause() {
	fmt.Println(payments.Cause{Kind: payments.CauseOtherScheme, Detail: "body"})
	// Output: the signature is right for the other scheme: set signature_scheme to "body"
}
