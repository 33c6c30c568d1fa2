package serve_test

import (
	"strings"
	"testing"
	"time"

	"checkout/till/tui/cli/serve"
)

func TestAFailedRenewalIsNotExplainedByAnOlderRefusal(t *testing.T) {
	const day = 24 * time.Hour
	for name, test := range map[string]struct {
		after func(c serve.Certificates)
		want  string
	}{
		"a refused renewal":             {func(serve.Certificates) {}, "be renewed: too many"},
		"a refusal before the first":    {serve.Certificates.Issued, "has said nothing"},
		"a refusal, and then a renewal": {func(c serve.Certificates) { c.Reported(89 * day) }, "has said nothing"},
	} {
		c := serve.NewCertificates()
		c.Refused("too many")
		test.after(c)
		if got := c.Reported(10 * day); !strings.Contains(got, test.want) {
			t.Errorf("%s: the relay reports %q", name, got)
		}
	}
}
