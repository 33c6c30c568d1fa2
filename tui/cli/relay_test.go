package cli_test

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/relay"
	"checkout/till/tui/tuitest"
)

func TestWrongFlagsOfTheRelayAreRefused(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ flags, english, french string }{
		{"--domain https://relay.example.mg", "as in relay.example.mg", "comme relais.exemple.mg"},
		{"--domain 127.0.0.1", "as in relay.example.mg", "comme relais.exemple.mg"},
		{"--domain ::1", "as in relay.example.mg", "comme relais.exemple.mg"},
		{"--domain x:443", "as in relay.example.mg", "comme relais.exemple.mg"},
		{"--domain relay", "as in relay.example.mg", "comme relais.exemple.mg"},
		{"--domain relay.example.mg --url https://relay.example.mg", "leave it out", "ne le donnez pas"},
		{"--domain relay.example.mg --acme foo", "--acme: write an address like https://", "--acme"},
		{"--domain relay.example.mg --acme http://ca.example.mg/dir", "--acme: write an address like https://", "--acme"},
		{"--domain relay.example.mg --listen 443", "--listen: write HOST:PORT", "--listen"},
		{"--domain relay.example.mg --admin 8790", "--admin: write HOST:PORT", "--admin"},
		{"--listen 127.0.0.1:0 --room 0", "from 1 to", "de 1 à"},
		{"--listen 127.0.0.1:0 --room -1", "from 1 to", "de 1 à"},
		{"--listen 127.0.0.1:0 --room 9223372036854775807", "from 1 to", "de 1 à"},
		{"--listen 127.0.0.1:0 --url https://relay.example.mg/path", "without a path", "--url"},
		{"--listen 127.0.0.1:0 --url http://relay.example.mg", "write an address like https://", "--url"},
		{"--listen 127.0.0.1:0 --url relay.example.mg", "write an address like https://", "--url"},
		{"--listen 127.0.0.1:0 --url http://relay.example.mg", "as the tills reach the relay", "où les caisses atteignent le relais"},
		{"--url https://relay.example.mg", "--domain", "--domain"},
		{"--domain= --listen 127.0.0.1:0", "--domain needs a value", "--domain"},
		{"--domain relay.example.mg --admin=", "--admin needs a value", "--admin"},
	} {
		desk := newDesk(t)
		data := filepath.Join(desk.env["HOME"], "boxes")
		for language, want := range map[string]string{"en": test.english, "fr": test.french} {
			flags := append(strings.Fields(test.flags), "--language", language, "--data", data)
			desk.says("", 2, want, append([]string{"relay"}, flags...)...)
		}
		if found, _ := filepath.Glob(data); found != nil {
			t.Errorf("%s: a folder is made", test.flags)
		}
	}
	desk := newDesk(t)
	desk.says("", 2, "HOST:PORT", "listen", "--listen", "8788")
	desk.says("", 2, "--data needs a value", "relay", "list", "--data", "")
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
	defer stop()
	data := filepath.Join(desk.env["HOME"], "boxes")
	if code := desk.run(ctx, "relay", "--listen", ":0", "--admin", "127.0.0.1:0", "--data", data); code != 2 || !strings.Contains(desk.err.String(), "--domain") {
		t.Errorf("a relay for other machines, without a name: exit code %d\n%s", code, desk.err)
	}
}

func TestAFolderThatCannotHaveBoxesIsNamed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	tuitest.Must(t, os.WriteFile(file, nil, 0o600))
	desk := newDesk(t)
	for language, want := range map[string]string{"en": "boxes cannot have the relay's data: name another one by --data", "fr": "ne peut pas recevoir les données du relais"} {
		desk.says("", 1, want, "relay", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--data", filepath.Join(file, "boxes"), "--language", language)
		desk.says("", 1, want, "relay", "list", "--data", filepath.Join(file, "boxes"), "--language", language)
	}
}

func TestARelayWithoutTLSOnEveryAddressWarns(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ listen, admin, want string }{
		{"127.0.0.1:0", "127.0.0.1:0", ""},
		{"127.0.0.1:0", "0.0.0.0:0", "flag=--admin"},
		{":0", "127.0.0.1:0", "flag=--listen"},
	} {
		desk := newDesk(t)
		desk.stops(desk.background("boxes: ", "relay", "--data", filepath.Join(desk.env["HOME"], "boxes"),
			"--url", "http://127.0.0.1:8787", "--listen", test.listen, "--admin", test.admin))
		if warned := strings.Contains(desk.err.String(), "on every address"); warned != (test.want != "") || !strings.Contains(desk.err.String(), test.want) {
			t.Errorf("%+v: %s", test, desk.err)
		}
	}
}

// running starts a relay with the folder data and additional flags. It returns the relay's public
// address, its admin address, and a function that stops it.
func (d *desk) running(data string, flags ...string) (public, admin string, end func() int) {
	d.t.Helper()
	admin = "http://" + tuitest.FreeAddress(d.t)
	arguments := []string{"relay", "--listen", "127.0.0.1:0", "--admin", strings.TrimPrefix(admin, "http://"), "--data", data}
	end = d.background("boxes: ", append(arguments, flags...)...)
	address := regexp.MustCompile(`relay on (\S+), for (\S+)\n`).FindStringSubmatch(d.out.String())
	return address[1], admin, end
}

func TestOneRelayRunsOnAFolder(t *testing.T) {
	desk := newDesk(t)
	data := filepath.Join(desk.env["HOME"], "boxes")
	public, _, end := desk.running(data)
	second := newDesk(t)
	second.says("", 1, "another relay (process ", "relay", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--data", data)
	second.says("", 1, "un autre relais (processus ", "relay", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--data", data, "--lang", "fr")
	second.says("", 0, "http://"+public+"/w/", "relay", "add", "Soa", "--data", data)
	desk.stops(end)
	_, _, end = second.running(data)
	second.stops(end)
}

func TestTheListOfBoxesAnswersASupportCall(t *testing.T) {
	t.Parallel()
	server, operator, shop := newDesk(t), newDesk(t), newDesk(t)
	data := filepath.Join(server.env["HOME"], "boxes")
	_, _, end := server.running(data)
	shop.service(http.StatusOK, sound, func() {})
	list := []string{"relay", "list", "--data", data}
	lists := func(texts ...string) {
		t.Helper()
		operator.waits(strings.Join(texts, ", "), func() bool {
			said := operator.output(append(list, "--json")...)
			return !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(said, text) })
		})
	}
	operator.says("", 0, "[]", append(list, "--json")...)
	box := shop.joins(data)
	operator.says("", 1, "there is no box of the name Vao", "relay", "pair", "Vao", "--data", data)
	operator.says("", 0, `"valid_until":"2026-11-22T09:00:00Z"`, "relay", "pair", "Soa", "--json", "--data", data)
	_, stop := shop.listening()
	lists(`"connected":true`)
	operator.says("", 0, "connected", list...)
	shop.stops(stop)
	shop.says("", 1, "401", "trigger", "payment.success", "--order-reference", "REF_1", "--amount", "1", "--url", box, "--signature", "wrong")
	if shop.post(box) != http.StatusOK {
		t.Error("an event is refused")
	}
	lists(`"connected":false`, `"last_seen":"2`, `"till":"T1 on `, `"paired":true`, `"waiting":1`, `"waiting_since":"2`, `"refused":1`, `"status":401`)
	operator.says("", 0, "UTC (401)", list...)
	server.stops(end)
	operator.says("", 0, "No relay runs on this folder now", list...)
}

// joins adds a mailbox to a running relay, pairs this till with the mailbox, and returns the
// mailbox's webhook.
func (d *desk) joins(data string) (webhook string) {
	d.t.Helper()
	var added struct{ Address, Code, Webhook string }
	tuitest.Must(d.t, json.Unmarshal([]byte(d.output("relay", "add", "Soa", "--json", "--data", data)), &added))
	d.says("", 0, added.Webhook, "relay", "join", added.Address, added.Code)
	return added.Webhook
}

// The till is off when the customer pays, and starts two and a half minutes after the link has
// expired. At that time, an event that is sent directly to the till would be too late.
func TestAPaymentCountsFromItsArrivalAtTheRelay(t *testing.T) {
	t.Parallel()
	for place, want := range map[string]string{
		"the relay": "paid []",
		"the till":  "check [paid_late]",
	} {
		t.Run(place, func(t *testing.T) {
			t.Parallel()
			server, shop := newDesk(t), newDesk(t)
			data, address := filepath.Join(server.env["HOME"], "boxes"), tuitest.FreeAddress(t)
			_, _, end := server.running(data, "--listen", address)
			box := shop.joins(data)
			shop.service(http.StatusOK, sound, func() {})
			shop.says("", 0, "", "order", "create", "--item", "Vary:3500")
			if place == "the relay" && shop.post(box) != http.StatusOK {
				t.Error("the relay refuses the event")
			}
			server.stops(end)
			for _, desk := range []*desk{server, shop} {
				desk.pass(12*time.Minute + 30*time.Second)
			}
			tuitest.Vacated(t, address)
			_, _, end = server.running(data, "--listen", address) // The relay reads the test's clock only when it starts.
			till, stop := shop.listening()
			if place == "the till" && shop.post(till) != http.StatusOK {
				t.Error("the till refuses the event")
			}
			shop.await(shop.err, "outcome=applied")
			shop.stops(stop)
			server.stops(end)
			var orders []struct {
				Verdict   string
				Attention []string
			}
			tuitest.Must(t, json.Unmarshal([]byte(shop.output("order", "list", "--json")), &orders))
			if got := fmt.Sprint(orders[0].Verdict, " ", orders[0].Attention); got != want {
				t.Errorf("the order is %s, want %s", got, want)
			}
		})
	}
}

// The relay refuses an event with a wrong signature. It sends a sample of the event to the till,
// and the till reports it.
func TestATillDiagnosesWhatItsRelayRefuses(t *testing.T) {
	t.Parallel()
	server, shop := newDesk(t), newDesk(t)
	data := filepath.Join(server.env["HOME"], "boxes")
	_, _, end := server.running(data)
	box := shop.joins(data)
	shop.service(http.StatusOK, sound, func() {})
	shop.says("", 0, "", "order", "create", "--item", "Vary:3500")
	till, stop := shop.listening()
	till = strings.TrimSuffix(strings.TrimPrefix(till, "http://"), "/webhook")
	shop.reaches(till, payments.ReachRelay)
	began := time.Now()
	shop.says("", 1, "401", "trigger", "payment.success", "--order-reference", "REF_700001", "--amount", "3500", "--url", box, "--signature", "wrong")
	shop.reaches(till, payments.ReachUnconfirmed)
	t.Logf("from the sending of a wrong signature until the till reports it: %d ms", time.Since(began).Milliseconds())
	shop.stops(stop)
	server.stops(end)
}

func TestATillWithARelayOpensWhenThePortIsTaken(t *testing.T) {
	t.Parallel()
	operator := newDesk(t)
	data := filepath.Join(operator.env["HOME"], "boxes")
	_, _, end := operator.running(data)
	taken := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(taken.Close)
	shop := newDesk(t)
	shop.env["TILL_LISTEN"] = taken.Listener.Addr().String()
	shop.says("", 1, "another program", "listen") // Without a relay, the till needs the port.
	shop.joins(data)
	shop.stops(shop.background("listening on ", "listen"))
	shop.stops(shop.background("listening on ", "listen"))
	operator.stops(end)
}

// No error of "relay join" blames the database. The tests of payments/gateway prove why a server was
// not reached.
func TestErrorsOfPairingSayWhereTheyComeFrom(t *testing.T) {
	for _, test := range []struct {
		name            string
		status          int
		body            string
		english, french string
	}{
		{"another program", 404, "no", "no relay of till answers at this address (status 404)", "ce n'est pas un relais"},
		{"another page", 200, "<html>", "no relay of till answers at this address (status 200)", "ce n'est pas un relais"},
		{"another JSON", 200, "{}", "no relay of till answers at this address (status 200)", "ce n'est pas un relais"},
		{"a web server without the relay", 502, "", "(status 502): try again", "réessayez dans quelques minutes"},
		{"too many tries", 429, "", "(status 429): try again", "réessayez dans quelques minutes"},
		{"nobody", 0, "", "nobody answers", "personne ne répond"},
	} {
		t.Run(test.name, func(t *testing.T) {
			desk := newDesk(t)
			address := "http://127.0.0.1:1"
			if test.status != 0 {
				desk.service(test.status, test.body, func() {})
				address = desk.env["TILL_BASE_URL"]
			}
			for language, want := range map[string]string{"en": test.english, "fr": test.french} {
				desk.says("", 1, want, "relay", "join", address, "ABCDE12345", "--language", language)
				if said := desk.err.String(); strings.Contains(said, "database") || strings.Contains(said, "base de données") {
					t.Errorf("%s", said)
				}
			}
		})
	}
}

// The relay has paired the till, and encrypts requests with its key from then on.
func TestAKeyIsNotLostWithTheAnswerOfTheRelay(t *testing.T) {
	keys := make(chan string, 2)
	relay := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct{ Key string }
		tuitest.Must(t, json.NewDecoder(r.Body).Decode(&asked))
		keys <- asked.Key
		conn, _, err := http.NewResponseController(w).Hijack()
		tuitest.Must(t, err)
		_ = conn.Close()
	}))
	t.Cleanup(relay.Close)
	desk := newDesk(t)
	for range 2 {
		desk.says("", 1, "the connection ended before the answer", "relay", "join", relay.URL, "ABCDE12345")
	}
	if first, second := <-keys, <-keys; first == "" || first != second {
		t.Errorf("the relay got the keys %q and %q, want the same one twice", first, second)
	}
}

// While the relay has no certificate, it prints the answer of the certificate authority. No TLS
// handshake hangs, and the relay can be stopped immediately.
func TestARelayWithoutCertificateSaysWhy(t *testing.T) {
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	t.Cleanup(silent.Close)
	limited := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "3600")
		w.Header().Set("Content-Type", "application/problem+json")
		w.WriteHeader(http.StatusTooManyRequests)
		_, _ = io.WriteString(w, `{"type":"urn:ietf:params:acme:error:rateLimited","detail":"too many certificates already issued"}`)
	}))
	t.Cleanup(limited.Close)
	for _, test := range []struct{ name, authority, want string }{
		{"an authority that limits requests", limited.URL, "too many certificates already issued"},
		{"an authority that is away", "http://127.0.0.1:1", "connection refused"},
		{"an authority that does not answer", silent.URL, "is being obtained"},
	} {
		t.Run(test.name, func(t *testing.T) {
			desk := newDesk(t)
			public, admin, end := desk.running(filepath.Join(desk.env["HOME"], "boxes"), "--domain", "relay.example.mg", "--acme", test.authority)
			desk.waits("/healthz says "+test.want, func() bool {
				got := get(t, admin+"/healthz")
				return got.status == http.StatusServiceUnavailable && strings.Contains(got.text, test.want)
			})
			if test.want != "is being obtained" {
				desk.await(desk.err, test.want)
			}
			began := time.Now()
			_, err := tls.Dial("tcp", public, &tls.Config{ServerName: "relay.example.mg", MinVersion: tls.VersionTLS12})
			if took := time.Since(began); err == nil || took > 3*time.Second {
				t.Errorf("a handshake takes %v: %v", took, err)
			}
			began = time.Now()
			desk.stops(end)
			if took := time.Since(began); took > 3*time.Second {
				t.Errorf("the stop takes %v", took)
			}
		})
	}
}

// After a power cut during till restore, the till must still get the events that the backup lacks.
func TestARestoreAsksTheRelayBeforeItReplacesTheDatabase(t *testing.T) {
	desk := newDesk(t)
	home := desk.env["HOME"]
	former, asked := filepath.Join(home, "till", "till-before-*.db"), 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		if replaced, _ := filepath.Glob(former); r.URL.Path != "/v1/replay" || len(replaced) > 0 {
			t.Errorf("%s is asked when the former database is %q", r.URL.Path, replaced)
		}
		w.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(server.Close)
	key, err := relay.NewKey()
	file, backup := filepath.Join(home, "key"), filepath.Join(home, "backup.db")
	tuitest.Must(t, err)
	tuitest.Must(t, os.WriteFile(file, []byte(key.Text()), 0o600))
	desk.says("", 0, "", "cash", "float", "500")
	desk.says("", 0, "", "backup", backup)
	desk.env["TILL_RELAY"], desk.env["TILL_RELAY_KEY_FILE"] = server.URL+"/w/BOX", file
	desk.says("", 0, "Restored into", "restore", backup)
	if replaced, _ := filepath.Glob(former); asked != 1 || len(replaced) != 1 {
		t.Errorf("the relay was asked %d times, and the former database is %q", asked, replaced)
	}
}
