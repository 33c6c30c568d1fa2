package background_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"checkout/till/tui/tuitest"
)

func TestAProgramWithThePackageDoesNotAskTheTerminal(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "states")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, "./testdata/states").CombinedOutput(); err != nil {
		t.Fatalf("build the program: %v\n%s", err, out)
	}
	started := time.Now()
	term := tuitest.Start(t, 80, 24, exec.Command(binary))
	term.Sees("first frame")
	// A program that waits for the answers of a silent terminal would need 5 s; this program needs
	// about 30 ms.
	if took := time.Since(started); took > 3*time.Second {
		t.Errorf("the first frame came after %v", took)
	}
	term.Kill()
	if out := term.Raw(); strings.Contains(out, "\x1b]11;?") {
		t.Errorf("the program asked for the background: %q", out)
	}
}
