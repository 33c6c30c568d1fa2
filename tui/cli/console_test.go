package cli_test

import (
	"context"
	"io"
	"maps"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
)

// keyboard gives a desk something to type on.
func (d *desk) keyboard() io.Writer {
	reader, writer := io.Pipe()
	d.t.Cleanup(func() { _ = writer.Close() })
	d.in = reader
	return writer
}

const ctrlC = "\x03"

// leave types Ctrl+C once the console has the terminal and its database.
func (d *desk) leave(keys io.Writer, database string) {
	d.await(d.out, "\x1b[?1049h")
	_ = eventually[any](func() bool { return exists(filepath.Join(d.env["HOME"], "till", database)) }, nil)
	_, _ = io.WriteString(keys, ctrlC)
}

func TestTheConsoleOpensAndIsLeft(t *testing.T) {
	account := map[string]string{"TILL_BASE_URL": "http://127.0.0.1:1"}
	nobody := map[string]string{"TILL_ACCESS_TOKEN": "", "TILL_WEBHOOK_SECRET": ""}
	tests := []struct {
		name     string
		args     []string
		env      map[string]string
		database string
	}{
		{"the shop's own", nil, account, "till.db"},
		{"in Malagasy", []string{"--lang", "mg"}, account, "till.db"},
		{"the demo, for want of an account", nil, nobody, "demo.db"},
		{"the demo, beside an account", []string{"demo", "--expires", "90s"}, account, "demo.db"},
		{"the demo in the local network", []string{"demo", "--lan"}, nobody, "demo.db"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			desk := newDesk(t)
			maps.Copy(desk.env, tt.env)
			keys := desk.keyboard()
			ended := make(chan int, 1)
			go func() { ended <- desk.run(t.Context(), tt.args...) }()
			go desk.leave(keys, tt.database)
			code := <-ended
			if strings.Contains(desk.err.String(), "no address in a local network") {
				t.Skip(desk.err.String())
			}
			if code != 0 {
				t.Fatalf("exit code %d\n%s", code, desk.err)
			}
			if _, err := os.Stat(filepath.Join(desk.env["HOME"], "till", tt.database)); err != nil {
				t.Error(err)
			}
			desk.noSecrets()
		})
	}
}

// noSecrets looks for the secrets in what was printed and in every file.
func (d *desk) noSecrets() {
	d.t.Helper()
	texts := map[string]string{"standard output": d.out.String(), "standard error": d.err.String()}
	if err := filepath.WalkDir(d.env["HOME"], func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		texts[path] = string(text)
		return err
	}); err != nil {
		d.t.Fatal(err)
	}
	signature := gateway.Sign(gateway.Static, payments.NewSecret(secret), nil)
	for place, text := range texts {
		for _, planted := range []string{token, secret, signature, "TGP_demo_", "whsec_demo_"} {
			if strings.Contains(text, planted) {
				d.t.Errorf("W30 %s holds a secret", place)
			}
		}
	}
}

func TestASignalLeavesTheConsole(t *testing.T) {
	desk := newDesk(t)
	desk.env["TILL_BASE_URL"] = "http://127.0.0.1:1"
	desk.keyboard()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan int, 1)
	go func() { ended <- desk.run(ctx) }()
	desk.await(desk.out, "\x1b[?1049h")
	cancel()
	if code := <-ended; code != 0 {
		t.Errorf("exit code %d\n%s", code, desk.err)
	}
	if !strings.Contains(desk.out.String(), "\x1b[?1049l") {
		t.Error("the terminal is not given back")
	}
}

func TestTheConsoleDoesNotOpen(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	tests := []struct {
		name, want string
		change     func(*desk)
	}{
		{"T12 when the port is taken", taken.Addr().String(), func(d *desk) { d.env["TILL_LISTEN"] = taken.Addr().String() }},
		{"without a webhook secret", "webhook_secret is not set", func(d *desk) { d.env["TILL_WEBHOOK_SECRET"] = "" }},
		{"without a token", "access_token is not set", func(d *desk) { d.env["TILL_ACCESS_TOKEN"] = "" }},
		{"with a wrong setting", "TILL_THEME", func(d *desk) { d.env["TILL_THEME"] = "sepia" }},
		{"when its log cannot be written", "open the log", func(d *desk) { d.env["XDG_STATE_HOME"] = "/dev/null" }},
		{"when its database cannot be written", "till: ", func(d *desk) { d.env["TILL_DATABASE"] = "/dev/null/till.db" }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			desk := newDesk(t)
			desk.env["TILL_BASE_URL"] = "http://127.0.0.1:1"
			tt.change(desk)
			if code := desk.run(t.Context()); code != 1 {
				t.Errorf("exit code %d, want 1", code)
			}
			if !strings.Contains(desk.err.String(), tt.want) || desk.out.String() != "" {
				t.Errorf("printed %q and %q, want a message with %q", desk.out, desk.err, tt.want)
			}
		})
	}
}

func TestALargeLogIsPutAside(t *testing.T) {
	desk := newDesk(t)
	desk.env["TILL_BASE_URL"] = "http://127.0.0.1:1"
	folder := filepath.Join(desk.env["HOME"], "till")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(folder, "till.log")
	if err := os.WriteFile(log, make([]byte, 5<<20+1), 0o600); err != nil {
		t.Fatal(err)
	}
	keys := desk.keyboard()
	go desk.leave(keys, "till.db")
	if code := desk.run(t.Context()); code != 0 {
		t.Fatalf("exit code %d\n%s", code, desk.err)
	}
	about, err := os.Stat(log)
	if err != nil || about.Size() > 5<<20 || about.Mode().Perm() != 0o600 {
		t.Errorf("the log is %v, %v", about, err)
	}
	if older, err := filepath.Glob(filepath.Join(folder, "till-*.log")); err != nil || len(older) != 1 {
		t.Errorf("put aside: %q, %v", older, err)
	}
}
