//go:build unix

package tuitest_test

import (
	"os/exec"
	"strings"
	"testing"

	"checkout/till/tui/tuitest"
)

// The frame in this test is a synchronized update that the program writes in two parts.
func TestAFrameIsSeenAsAWhole(t *testing.T) {
	t.Parallel()
	terminal := tuitest.Start(t, 20, 2, exec.Command("sh", "-c",
		`printf 'old\r\033[?2026hone '; read -r go; printf '\033[H\033[Ktwo\033[?2026l\r'; read -r go`))
	if got := terminal.Shows("one").Screen(); !strings.HasPrefix(got, "old") {
		t.Errorf("half a frame is on the screen:\n%s", got)
	}
	terminal.Press("enter").Sees("two")
}
