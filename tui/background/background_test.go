package background_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"checkout/till/tui/tuitest"
)

// build compiles the program in testdata/NAME.
func build(t *testing.T, name string) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), name)
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, "./testdata/"+name).CombinedOutput()
	if err != nil {
		t.Fatalf("build %s: %v\n%s", name, err, out)
	}
	return binary
}

const question = "\x1b]11;?"

func TestAProgramWithASetBackgroundDoesNotAskTheTerminal(t *testing.T) {
	binary := build(t, "states")
	started := time.Now()
	term := tuitest.Start(t, 80, 24, exec.Command(binary))
	term.Sees("first frame")
	// A program that asks a silent terminal would take 5 s; this one takes about 30 ms.
	if took := time.Since(started); took > 3*time.Second {
		t.Errorf("the first frame came after %v", took)
	}
	term.Kill()
	if out := term.Raw(); strings.Contains(out, question) {
		t.Errorf("the program asked for the background: %q", out)
	}
}

func TestAProgramWithoutASetBackgroundAsks(t *testing.T) {
	// The test writes both answers, a background and a cursor position, before the program
	// asks.
	term := tuitest.Start(t, 80, 24, exec.Command(build(t, "asks"))).Type("\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\\x1b[1;1R")
	term.Sees("first frame").Kill()
	if out := term.Raw(); !strings.Contains(out, question) {
		t.Errorf("no question in %q, so the test of the other program cannot fail", out)
	}
}

func TestThePackageIsInitializedBeforeBubbleTea(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-f", "{{.ImportPath}} {{.Imports}}", ".").Output()
	tuitest.Must(t, err)
	path, imports, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	if path >= "github.com/charmbracelet/bubbletea" {
		t.Errorf("%s is initialized after Bubble Tea", path)
	}
	if want := "[github.com/charmbracelet/lipgloss]"; imports != want {
		t.Errorf("the package imports %s, want only %s", imports, want)
	}
}
