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
		ago   time.Duration
		after func(c serve.Certificates)
		want  string
	}{
		"a refused renewal":               {5 * day, func(serve.Certificates) {}, "be renewed: too many"},
		"a refusal before the first":      {5 * day, serve.Certificates.Issued, "has said nothing"},
		"a refusal of an earlier renewal": {60 * day, func(serve.Certificates) {}, "has said nothing"},
	} {
		c := serve.NewCertificates()
		c.Refused("too many", test.ago)
		test.after(c)
		if got := c.Reported(10 * day); !strings.Contains(got, test.want) {
			t.Errorf("%s: the relay reports %q", name, got)
		}
	}
}
