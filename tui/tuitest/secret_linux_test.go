package tuitest_test

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"checkout/till/tui/tuitest"
)

// spy records errors instead of failing the test.
type spy struct {
	testing.TB
	said string
}

func (s *spy) Errorf(format string, args ...any) { s.said += fmt.Sprintf(format, args...) }

func TestWritingASecretFailsTheTest(t *testing.T) {
	for where, script := range map[string]string{
		"the terminal":                "echo $SECRET",
		"the terminal, in two rows":   "printf '\\033[1m%.10s\\r\\n%s' $SECRET ${SECRET#??????????}",
		"the terminal, as capitals":   "echo $SECRET | tr a-z A-Z",
		"a file in its home":          "echo $SECRET > $HOME/till.log",
		"the process list":            "sh -c 'echo ready; sleep 60' $SECRET",
		"nothing but a settings file": "echo $SECRET > $HOME/config.toml",
	} {
		t.Run(where, func(t *testing.T) {
			watched := &spy{TB: t}
			t.Run("the test", func(t *testing.T) {
				watched.TB = t
				cmd := exec.Command("sh", "-c", script+"; echo ready; exec sleep 60")
				cmd.Env = tuitest.Environ("HOME="+t.TempDir(), "SECRET="+tuitest.WebhookSecret)
				tuitest.Start(watched, 80, 24, cmd).Sees("ready")
			})
			if told := strings.Contains(watched.said, "the secret"); told == strings.HasPrefix(where, "nothing") {
				t.Errorf("got the errors %q", watched.said)
			}
		})
	}
}
