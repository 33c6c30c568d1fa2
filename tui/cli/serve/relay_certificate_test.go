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
		ago    time.Duration
		issued bool
		want   string
	}{
		"a refused renewal":               {5 * day, false, "be renewed: too many"},
		"a refusal before the first":      {5 * day, true, "has said nothing"},
		"a refusal of an earlier renewal": {60 * day, false, "has said nothing"},
	} {
		if got := serve.RenewalProblem(test.ago, "too many", test.issued); !strings.Contains(got, test.want) {
			t.Errorf("%s: the relay reports %q", name, got)
		}
	}
}
