package cli_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/relay"
	"checkout/till/storage/storagetest/postgrestest"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
)

// clinic is a shop without a fault: it has a payment service, and a web server that forwards the
// webhook's path to the till's port.
type clinic struct {
	*desk
	service, front *httptest.Server
	date           time.Duration // How far the clock of the service is ahead of the till's clock.
	target         string        // Address that the web server forwards requests to.
}

func newClinic(t *testing.T) *clinic {
	c := &clinic{desk: newDesk(t)}
	c.start = time.Now()
	c.target = tuitest.FreeAddress(t)
	c.service = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodHead {
			t.Errorf("the service got a %s", r.Method)
		}
		w.Header().Set("Date", time.Now().Add(c.date).UTC().Format(http.TimeFormat))
		w.WriteHeader(http.StatusMethodNotAllowed)
	}))
	t.Cleanup(c.service.Close)
	front := http.NewServeMux()
	front.HandleFunc("/webhook", func(w http.ResponseWriter, r *http.Request) {
		proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: c.target})
		proxy.ErrorHandler = func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) }
		proxy.ServeHTTP(w, r)
	})
	c.front = httptest.NewServer(front)
	t.Cleanup(c.front.Close)
	c.env["TILL_BASE_URL"], c.env["TILL_PUBLIC_URL"], c.env["TILL_LISTEN"] = c.service.URL, c.front.URL, c.target
	return c
}

// found is one finding in the JSON output.
type found struct{ Check, State, Text, Advice, Code string }

// finds runs the doctor. It fails the test unless the first finding of a check has the state and the
// code, and contains the texts.
func (c *clinic) finds(t *testing.T, check, state, code string, texts ...string) {
	t.Helper()
	findings, exit := c.examine(t)
	got := findings[check]
	if got.State != state || got.Code != code || state == "fail" && exit != 1 {
		t.Errorf("exit code %d, %s is %+v", exit, check, got)
	}
	for _, text := range texts {
		if !strings.Contains(got.Text+"\n"+got.Advice, text) {
			t.Errorf("%s does not say %q: %+v", check, text, got)
		}
	}
}

// examine runs the doctor, and returns the findings by the names of their checks.
func (c *clinic) examine(t *testing.T, flags ...string) (findings map[string]found, code int) {
	t.Helper()
	c.out, c.err = &buffer{}, &buffer{}
	code = c.run(t.Context(), append([]string{"doctor", "--json"}, flags...)...)
	var list []found
	if err := json.Unmarshal([]byte(c.out.String()), &list); err != nil || strings.Count(c.out.String(), "\n") != 1 {
		t.Fatalf("%v in\n%s%s", err, c.out, c.err)
	}
	findings = make(map[string]found)
	for _, each := range list {
		if _, twice := findings[each.Check]; !twice {
			findings[each.Check] = each
		}
	}
	c.noSecrets()
	return findings, code
}

// config writes a settings file and returns its path.
func (c *clinic) config(mode os.FileMode, text string) string {
	c.t.Helper()
	path := filepath.Join(c.env["HOME"], "till", "config.toml")
	tuitest.Must(c.t, os.MkdirAll(filepath.Dir(path), 0o700))
	tuitest.Must(c.t, os.WriteFile(path, []byte(text+"\n"), mode))
	return path
}

func (c *clinic) deliver(kind payments.EventKind) {
	c.t.Helper()
	c.send("http://"+c.target+"/webhook", kind)
}

// expired starts an HTTPS server with a certificate that expired yesterday.
func expired(t *testing.T) *httptest.Server {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	tuitest.Must(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-48 * time.Hour), NotAfter: time.Now().Add(-24 * time.Hour),
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	tuitest.Must(t, err)
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{raw}, PrivateKey: key}}}
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	server.StartTLS()
	t.Cleanup(server.Close)
	return server
}

func TestTheDoctorFindsNoFaultInASoundShop(t *testing.T) {
	for name, runs := range map[string]bool{"no till runs and the doctor listens itself": false, "a till runs": true} {
		t.Run(name, func(t *testing.T) {
			c := newClinic(t)
			want := map[string]string{
				"settings": "ok", "token": "ok", "secret": "ok", "listener": "ok", "events": "skipped", "public": "ok",
				"database": "ok", "stored": "ok", "clock": "ok", "service": "ok", "terminal": "skipped", "backup": "ok",
			}
			if runs {
				c.listening()
				c.deliver(payments.PaymentSuccess)
				want["events"] = "ok"
			}
			findings, code := c.examine(t)
			if got := findings["events"].Text; runs && !strings.HasPrefix(got, "last ") {
				t.Errorf("got the text %q for a received event", got)
			}
			for _, secret := range []string{"token", "secret"} { // The doctor uses neither.
				if got := findings[secret].Text; got != "set, not tried yet" {
					t.Errorf("%s: got the text %q", secret, got)
				}
			}
			for check, state := range want {
				if findings[check].State != state {
					t.Errorf("got %s: %+v", check, findings[check])
				}
			}
			if code != 0 || len(findings) != len(want) {
				t.Errorf("exit code %d, %d findings", code, len(findings))
			}
		})
	}
}

// A cashier could use another database or payment service than the shop's. The shop would then not
// see the money.
func TestTheDoctorNamesTheDatabaseAndWhatIsNotFromTheSettingsFile(t *testing.T) {
	c := newClinic(t)
	t.Chdir(c.env["HOME"])
	findings, _ := c.examine(t, "--database", "side.db")
	got := findings["stored"]
	if got.Text != filepath.Join("~", "side.db") || got.Advice != "Not set by the settings file: TILL_BASE_URL, TILL_ACCESS_TOKEN, TILL_WEBHOOK_SECRET, --database" {
		t.Errorf("got %+v", got)
	}
}

func TestTheDoctorNamesEachFaultAndItsRemedy(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		plant func(t *testing.T, c *clinic)
		check string
		state string
		code  string
		want  []string
	}{
		{"a blank after the secret, as events show", func(t *testing.T, c *clinic) {
			c.env["TILL_WEBHOOK_SECRET"] += " "
			c.listening()
			c.deliver(payments.PaymentSuccess)
		}, "events", "fail", "our_white_space", []string{"trim webhook_secret"}},
		{"events come to another path", func(t *testing.T, c *clinic) {
			c.env["TILL_WEBHOOK_PATH"] = "/hook"
			c.listening()
			c.deliver(payments.PaymentSuccess)
		}, "events", "fail", "wrong_path", []string{"they come to /webhook"}},
		{"a payment without an order", func(t *testing.T, c *clinic) {
			c.listening()
			c.deliver(payments.PaymentSuccess)
			c.pass(payments.OrphanGrace)
		}, "events", "warn", "no_order", []string{"payments without an order: 1", "F3 shows them"}},
		{"another spelling of a kind", func(t *testing.T, c *clinic) {
			c.listening()
			c.deliver("payment.cancelled")
			c.deliver(payments.PaymentSuccess)
		}, "events", "warn", "unknown_kind", []string{`unknown kind "payment.cancelled"`, "payment.canceled"}},
		{"a till that runs with an older path", func(_ *testing.T, c *clinic) {
			c.listening()
			c.env["TILL_WEBHOOK_PATH"] = "/webhook/new"
		}, "listener", "fail", "port_taken", []string{"another till has", "Stop that program"}},
		{"the web server forwards to a free port", func(t *testing.T, c *clinic) {
			c.target = tuitest.FreeAddress(t)
		}, "public", "fail", "public_answers", []string{"answers 502", "forward to http://ADDRESS"}},
		{"the public address leads to another till", func(t *testing.T, c *clinic) {
			other := newClinic(t)
			other.listening()
			c.target = other.target
		}, "public", "fail", "public_foreign", []string{"leads to another program"}},
		{"another program has the port", func(t *testing.T, c *clinic) {
			other, err := net.Listen("tcp", c.target)
			tuitest.Must(t, err)
			t.Cleanup(func() { _ = other.Close() })
		}, "listener", "fail", "port_taken", []string{"another program", "Stop that program"}},
		{"the certificate of the public address has expired", func(t *testing.T, c *clinic) {
			c.env["TILL_PUBLIC_URL"] = expired(t).URL
		}, "public", "fail", "public_away", []string{"certificate has expired"}},
		{"no public address", func(_ *testing.T, c *clinic) { delete(c.env, "TILL_PUBLIC_URL") }, "public", "warn", "public_unset", []string{"Set public_url"}},
		{"the service's certificate has expired", func(t *testing.T, c *clinic) {
			c.env["TILL_BASE_URL"] = expired(t).URL
		}, "service", "fail", "service_away", []string{"certificate has expired"}},
		{"a clock that is a minute off", func(_ *testing.T, c *clinic) { c.date = time.Minute }, "clock", "warn", "clock_service", []string{"apart from", "Let the network set it"}},
		{"a clock that is ten minutes off", func(_ *testing.T, c *clinic) { c.date = 10*time.Minute + 30*time.Second }, "clock", "fail", "clock_service", []string{"10 min apart"}},
		{"a damaged database", func(t *testing.T, c *clinic) {
			c.env["TILL_DATABASE"] = filepath.Join(t.TempDir(), "till.db")
			tuitest.Must(t, os.WriteFile(c.env["TILL_DATABASE"], []byte(strings.Repeat("no database\n", 100)), 0o600))
		}, "database", "fail", "store_down", []string{"put the latest backup in its place"}},
		{"no service", func(_ *testing.T, c *clinic) { c.env["TILL_BASE_URL"], c.env["TILL_ACCESS_TOKEN"] = "", "" }, "settings", "fail", "settings_demo", []string{"the demo", "till setup"}},
		{"no token", func(_ *testing.T, c *clinic) { c.env["TILL_ACCESS_TOKEN"] = "" }, "token", "fail", "token_missing", []string{"TILL_ACCESS_TOKEN"}},
		{"no secret", func(_ *testing.T, c *clinic) { c.env["TILL_WEBHOOK_SECRET"] = "" }, "secret", "fail", "secret_missing", []string{"TILL_WEBHOOK_SECRET"}},
		{"a former secret", func(t *testing.T, c *clinic) {
			c.env["TILL_WEBHOOK_SECRET"] = ""
			c.config(0o600, `webhook_secret = ["new_`+webhookSecret+`", "`+webhookSecret+`"]`)
		}, "secret", "warn", "secret_two", []string{"two are accepted: the new one and the former one"}},
		{"a blank after the secret", func(_ *testing.T, c *clinic) { c.env["TILL_WEBHOOK_SECRET"] += " " }, "secret", "warn", "our_white_space", []string{"trim webhook_secret"}},
		{"settings that others can read", func(t *testing.T, c *clinic) {
			c.config(0o644, `shop = "Rado"`)
		}, "settings", "fail", "settings_unusable", []string{"chmod 600 "}},
		{"a folder that others can write to", func(t *testing.T, c *clinic) {
			tuitest.Must(t, os.Chmod(filepath.Dir(c.config(0o600, "")), 0o777))
		}, "settings", "warn", "settings_loose", []string{"Run: chmod 700 "}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := newClinic(t)
			tt.plant(t, c)
			for i, text := range tt.want {
				tt.want[i] = strings.ReplaceAll(text, "ADDRESS", c.env["TILL_LISTEN"])
			}
			c.finds(t, tt.check, tt.state, tt.code, tt.want...)
		})
	}
}

func TestTheDoctorChecksThePrinterOfTheSettings(t *testing.T) {
	t.Parallel()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	tuitest.Must(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	c := newClinic(t)
	for _, tt := range []struct{ printer, state, code, text, advice string }{
		{"", "", "", "", ""},
		{"tcp://" + listener.Addr().String(), "ok", "", listener.Addr().String() + " can be reached", ""},
		{"/dev/usb/no-such-printer", "warn", "printer_unreachable", "cannot be reached", "Switch it on"},
		{"/proc/sys/kernel/ostype", "warn", "printer_forbidden", "may not use", "sudo usermod -aG lp $USER"}, // Not even root may write to this file.
	} {
		if _, err := os.Stat("/proc/sys"); err != nil && strings.HasPrefix(tt.printer, "/proc") {
			continue
		}
		c.env["TILL_PRINTER"] = tt.printer
		c.finds(t, "printer", tt.state, tt.code, tt.text, tt.advice)
	}
}

func TestTheDoctorAndTheListenerKnowTheAgeOfTheLastBackup(t *testing.T) {
	t.Parallel()
	c := newClinic(t)
	c.listening()
	c.says("", 0, "", "cash", "sale", "--item", "Vary:3500")
	knows := func(state, code, text string) {
		t.Helper()
		c.finds(t, "backup", state, code, text)
		c.waits("the listener has the finding, too", func() bool { // The listener updates its findings at most once a second.
			metrics := get(t, "http://"+c.target+"/metrics").text
			c.says("", 0, "", "health", "http://"+c.target, "--json")
			return strings.Contains(c.out.String(), `{"code":"`+code+`","check":"backup","state":"warn"}`) == (code != "") &&
				strings.Contains(metrics, `till_finding{code="`+code+`",check="backup",state="warn"} 1`) == (code != "")
		})
	}
	knows("ok", "", "none yet")
	c.pass(49 * time.Hour)
	knows("warn", "backup_none", "none yet")
	c.says("", 0, "Copied into", "backup", filepath.Join(t.TempDir(), "copy.db"))
	c.pass(47 * time.Hour)
	knows("ok", "", ", 47 h ago")
	c.pass(2 * time.Hour)
	knows("warn", "backup_old", ", 49 h ago")
	c.pass(-98 * time.Hour) // The clock was ahead at the time of the backup.
	knows("warn", "backup_old", "")
}

func TestTheDoctorSaysWhichProgramSpeaksOnlyWhenTheVoiceIsOn(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		t.Skip("the system has a program that speaks")
	}
	folder := t.TempDir()
	t.Setenv("PATH", folder)
	c := newClinic(t)
	c.finds(t, "voice", "", "")
	c.env["TILL_VOICE"] = "on"
	c.finds(t, "voice", "warn", "voice_missing", "Install espeak-ng")
	tuitest.Must(t, os.WriteFile(filepath.Join(folder, "espeak-ng"), []byte("#!/bin/sh\n"), 0o700))
	c.finds(t, "voice", "ok", "", "espeak-ng speaks")
}

func TestTheDoctorKnowsAShopWithADatabaseServer(t *testing.T) {
	t.Parallel()
	c := newClinic(t)
	c.served()
	delete(c.env, "TILL_LISTEN")
	c.finds(t, "listener", "ok", "listens", "server")
	c.finds(t, "secret", "warn", "secret_spare", "Remove webhook_secret")
	c.finds(t, "database", "warn", "store_owner", "till database roles")
	c.finds(t, "public", "skipped", "", "checked where the listener runs")
	c.env["TILL_LISTEN"], c.env["TILL_ACCESS_TOKEN"] = c.target, ""
	for _, address := range []string{c.service.URL, ""} {
		c.env["TILL_BASE_URL"] = address
		findings, code := c.examine(t)
		for check, state := range map[string]string{"listener": "ok", "public": "ok", "secret": "ok", "token": "skipped", "service": ""} {
			if code != 0 || findings[check].State != state {
				t.Errorf("at the shop's server with the base_url %q: exit code %d, %s is %+v", address, code, check, findings[check])
			}
		}
	}
}

// listens starts a listener without a console at an address. The listener stops at the end of the
// test.
func (c *clinic) listens(t *testing.T, address string) {
	t.Helper()
	tuitest.Vacated(t, address) // The doctor may have listened there.
	c.out, c.err = &buffer{}, &buffer{}
	c.env["TILL_LISTEN"] = address
	_, end := c.listening("--outbox", filepath.Join(t.TempDir(), "outbox.db"))
	t.Cleanup(func() { end() })
	c.waits("the listener's first sign of life", func() bool {
		findings, _ := c.examine(t)
		return strings.Contains(findings["listener"].Text, "receives payments")
	})
}

func TestADeadListenerIsNamedWhereverTheDoctorRuns(t *testing.T) {
	t.Parallel()
	c := newClinic(t)
	database := c.served()
	machine, err := os.Hostname()
	tuitest.Must(t, err)
	_, port, _ := net.SplitHostPort(c.target)
	own := net.JoinHostPort(machine, port)
	postgrestest.Script(t, database, "UPDATE listeners SET seen_at = seen_at - 600000", "INSERT INTO listeners SELECT '"+own+"', seen_at - 1 FROM listeners")
	delete(c.env, "TILL_LISTEN")
	c.finds(t, "listener", "fail", "no_listener", "server:8788, "+own+": NO LISTENER", "till listen")
	c.says("", 1, "The shop's listener does not run", "order", "create", "--item", "Vary:3500")
	c.env["TILL_LISTEN"], c.env["TILL_BASE_URL"], c.env["TILL_ACCESS_TOKEN"] = c.target, "", ""
	for range 2 { // The doctor itself uses this port for a moment. The first run must not remove the sign of life of the silent listener with the same address.
		tuitest.Vacated(t, c.target)
		c.finds(t, "listener", "warn", "listener_lost", c.target+" is free", "No sign of life of server:8788, "+own+" for 10 min. Start it again")
	}
	c.listens(t, c.target)
	c.finds(t, "listener", "warn", "listener_lost", "receives payments", "No sign of life of server:8788 for 10 min. Start it again where it runs, or end it cleanly. Another listener works.")
	c.listens(t, tuitest.FreeAddress(t)) // The web server prefers the first of the two listeners.
	c.finds(t, "public", "ok", "", "leads to "+own+" of this shop; this one stands by")
}

func TestTheFindingsFitAPlainTerminalInEveryLanguage(t *testing.T) {
	for _, language := range i18n.Languages() {
		c := newClinic(t)
		c.front.Close()
		c.env["LC_ALL"], c.env["TILL_LANGUAGE"] = "C", language
		c.says("", 1, ": 1 · ", "doctor")
		printed := c.out.String()
		for line := range strings.Lines(printed) {
			if theme.Width(strings.TrimSuffix(line, "\n")) > 80 || strings.ContainsFunc(line, func(r rune) bool { return r >= 0x80 || r == '\x1b' }) {
				t.Errorf("%s: %q", language, line)
			}
		}
		if strings.Count(printed, "\nv ") < 5 || !strings.Contains(printed, "\nx ") {
			t.Errorf("%s:\n%s", language, printed)
		}
	}
}

// The first answer of the relay takes longer than the doctor waits, as with a slow connection.
func TestTheDoctorFindsThePublicAddressWhileTheRelaySends(t *testing.T) {
	t.Parallel()
	c := newClinic(t)
	var listener atomic.Value
	listener.Store("")
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/w/BOX":
			w.Header().Set("Till-Listener", listener.Load().(string))
		case "/v1/events":
			listener.Store(r.Header.Get("Till-Listener"))
			<-r.Context().Done()
		default:
			w.WriteHeader(http.StatusNoContent)
		}
	}))
	t.Cleanup(slow.Close)
	key, err := relay.NewKey()
	tuitest.Must(t, err)
	file := filepath.Join(t.TempDir(), "key")
	tuitest.Must(t, os.WriteFile(file, []byte(key.Text()), 0o600))
	c.env["TILL_RELAY"], c.env["TILL_RELAY_KEY_FILE"] = slow.URL+"/w/BOX", file
	c.finds(t, "public", "ok", "")
}
