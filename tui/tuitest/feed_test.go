package tuitest

import (
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestAFrameIsSeenAsAWhole(t *testing.T) {
	t.Parallel()
	f := newFeed(20, 1)
	for _, step := range []struct{ output, want string }{
		{"before", "before"},
		{"\r" + ansi.SetModeSynchronizedOutput + "the fra", "before"},
		{"me" + ansi.ResetModeSynchronizedOutput, "the frame"},
		{"\r" + ansi.SetModeSynchronizedOutput[:4], "the frame"},
		{ansi.SetModeSynchronizedOutput[4:] + "another", "the frame"},
	} {
		f.take([]byte(step.output))
		if s, _, _ := f.look(); s.String() != step.want {
			t.Errorf("after %q, the screen shows %q, want %q", step.output, s, step.want)
		}
	}
	f.end()
	if s, _, _ := f.look(); s.String() != "anotherme" {
		t.Errorf("at the end, the screen shows %q", s)
	}
}
