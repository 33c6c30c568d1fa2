package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"checkout/till/tui/tuitest"
)

// noSecrets fails the test if a secret is in the printed output or in a file.
func (d *desk) noSecrets() {
	d.t.Helper()
	tuitest.SearchText(d.t, "the output", []byte(d.out.String()+d.err.String()))
	tuitest.SearchFolder(d.t, d.env["HOME"])
}

func TestADemoWithoutATerminalKeepsTheEarlierDemo(t *testing.T) {
	desk := newDesk(t)
	demo := filepath.Join(desk.env["HOME"], "till", "demo.db")
	tuitest.Must(t, os.MkdirAll(filepath.Dir(demo), 0o700))
	tuitest.Must(t, os.WriteFile(demo, []byte("earlier"), 0o600))
	file, err := os.Open(os.DevNull)
	tuitest.Must(t, err)
	defer func() { _ = file.Close() }()
	desk.in = file
	if code := desk.run(t.Context(), "demo"); code == 0 || !strings.Contains(desk.err.String(), "the console needs a terminal") {
		t.Errorf("exit code %d with %q", code, desk.err.String())
	}
	if kept, err := os.ReadFile(demo); string(kept) != "earlier" {
		t.Errorf("the earlier demo is %q (%v)", kept, err)
	}
}

func TestCommandsInTextsNameTheSettingsFile(t *testing.T) {
	desk := newDesk(t)
	path := filepath.Join(t.TempDir(), "t2.toml")
	tuitest.Must(t, os.WriteFile(path, nil, 0o600))
	blank := filepath.Join(t.TempDir(), "till 2.toml")
	tuitest.Must(t, os.WriteFile(blank, nil, 0o600))
	named := "till --config " + path
	desk.says("", 1, "there is no order A9: "+named+" order list has", "order", "show", "A9", "--config", path)
	desk.says("", 1, "there is no order A9: till --config \""+blank+"\" order list has", "order", "show", "A9", "--config", blank)
	desk.says("", 1, "there is no order A9: till order list has", "order", "show", "A9")
	desk.says("", 2, "till order show --help says how", "order", "show", "--config", path)
	for name := range desk.env {
		if strings.HasPrefix(name, "TILL_") {
			delete(desk.env, name)
		}
	}
	desk.says("", 1, "till --config", "doctor", "--config", path)
	said := strings.Join(strings.Fields(desk.out.String()), " ")
	if !strings.Contains(said, "Run: "+named+" setup") {
		t.Errorf("got %q", said)
	}
}

func TestADumbTerminalGetsNoScreens(t *testing.T) {
	for _, command := range []string{"", "demo", "display"} {
		desk := newDesk(t)
		desk.env["TERM"] = "dumb"
		desk.env["TILL_BASE_URL"] = "http://127.0.0.1:1"
		desk.says("", 1, "needs a terminal", strings.Fields(command)...)
	}
	desk := newDesk(t)
	desk.env["TERM"] = "dumb"
	desk.env["TILL_BASE_URL"] = "http://127.0.0.1:1"
	desk.says("", 0, "", "--plain")
}

func TestALargeLogIsRotated(t *testing.T) {
	desk := newDesk(t)
	desk.env["TILL_BASE_URL"] = "http://127.0.0.1:1"
	folder := filepath.Join(desk.env["HOME"], "till")
	tuitest.Must(t, os.MkdirAll(folder, 0o700))
	log := filepath.Join(folder, "till.log")
	tuitest.Must(t, os.WriteFile(log, make([]byte, 5<<20+1), 0o600))
	desk.says("", 0, "", "--plain")
	about, err := os.Stat(log)
	if err != nil || about.Size() > 5<<20 || about.Mode().Perm() != 0o600 {
		t.Errorf("got log %v (%v)", about, err)
	}
	if older, err := filepath.Glob(filepath.Join(folder, "till-*.log")); err != nil || len(older) != 1 {
		t.Errorf("got old logs %q (%v), want one", older, err)
	}
}
