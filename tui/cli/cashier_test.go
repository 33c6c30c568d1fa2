package cli_test

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/tui/tuitest"
)

// says runs a command with input on standard input. It fails the test unless the command exits with
// the code and prints the text want, and neither a secret nor a PIN. Scripts parse standard output, so
// a successful command with --json must print one value in one line, and no other text.
func (d *desk) says(input string, code int, want string, args ...string) {
	d.t.Helper()
	d.in, d.out, d.err = strings.NewReader(input), &buffer{}, &buffer{}
	got := d.run(d.t.Context(), args...)
	command, printed := "till "+strings.Join(args, " "), d.out.String()
	said := printed + d.err.String()
	if got != code || !strings.Contains(said, want) {
		d.t.Errorf("%s: exit code %d, want %d with %q\n%s", command, got, code, want, said)
	}
	prints := slices.Contains(args, "--json") && !slices.Contains(args, "--output")
	if got == 0 && prints && (!json.Valid([]byte(printed)) || strings.Count(printed, "\n") != 1) {
		d.t.Errorf("%s prints more or less than one line of JSON:\n%s", command, printed)
	}
	tuitest.SearchText(d.t, command, []byte(said))
	for line := range strings.Lines(input) {
		if pin := strings.TrimSpace(line); pin != "" && strings.Contains(said, pin) {
			d.t.Errorf("%s prints a PIN:\n%s", command, said)
		}
	}
}

func TestCashiersFromTheCommandLine(t *testing.T) {
	t.Parallel()
	desk := newDesk(t)
	desk.service(http.StatusOK, sound, func() {})
	desk.says("", 0, "REF_700001", "order", "create", "--item", "Vary:3500", "--reference", "A1")
	desk.says("", 0, "nobody is asked", "cashier", "list")
	desk.says("", 0, "MARKED UNPAID by Rado", "order", "resolve", "A1", "--unpaid", "--by", "Rado")

	desk.says("", 2, "say what to do: add, list, pin, remove, reset", "cashier")
	desk.says("", 1, "a PIN is needed", "cashier", "add", "Hasina")
	desk.says("471\n", 1, "a PIN is 4 to 12 digits that do not count", "cashier", "add", "Hasina")
	desk.says("4321\n", 1, "a PIN is 4 to 12 digits that do not count", "cashier", "add", "Hasina")
	desk.says("", 1, "there is no cashier of this name", "cashier", "pin", "Hasina")
	desk.says("", 1, "there is no cashier of this name", "cashier", "add", "Hasina", "--by", "Soa")
	desk.says("47118\n", 1, "needs an owner", "cashier", "add", "Hasina", "--role", "cashier")
	desk.says("47118\n", 0, "Hasina is a new owner\nAdd a second owner too.", "cashier", "add", "Hasina")
	desk.says("73914\n", 2, "say with --by who you are", "cashier", "add", "Soa")
	desk.says("00000\n", 1, "The name or the PIN is wrong.", "cashier", "add", "Soa", "--by", "Hasina") // No new PIN is asked for.
	desk.says("47118\n", 1, "there is a cashier of this name already", "cashier", "add", "hasina", "--by", "Hasina")
	desk.says("47118\r\n73914", 0, "Soa is a new cashier", "cashier", "add", "Soa", "--by", "Hasina")
	desk.says("73914\n58355\n", 1, "Only an owner may do this.", "cashier", "add", "Rado", "--by", "Soa")
	desk.says("", 0, "Hasina  owner\nSoa     cashier\n", "cashier", "list")
	desk.says("", 0, `[{"name":"Hasina","role":"owner","paused_until":null},`, "cashier", "list", "--json")

	desk.says("", 2, "say with --by who you are", "order", "resolve", "A1", "--paid")
	desk.says("47118\n", 1, "The name or the PIN is wrong.", "order", "resolve", "A1", "--paid", "--by", "Soa")
	desk.says("73914\n", 0, "MARKED PAID by Soa", "order", "resolve", "A1", "--paid", "--by", "soa")
	desk.says("73914\n", 1, "there is no order A9", "order", "resolve", "A9", "--paid", "--by", "Soa")

	for range 4 {
		desk.says("00000\n", 1, "The name or the PIN is wrong.", "order", "resolve", "A1", "--paid", "--by", "Soa")
	}
	desk.says("73914\n", 1, "Too many wrong PINs. Wait until ", "order", "resolve", "A1", "--paid", "--by", "Soa")
	desk.says("", 0, "Soa     cashier  paused until 2026-11-21 ", "cashier", "list")
	desk.says("47118\n81838\n", 0, "Soa has a new PIN", "cashier", "pin", "Soa", "--by", "Hasina")
	desk.says("81838\n93129\n", 0, "Soa has a new PIN", "cashier", "pin", "Soa")
	desk.pass(time.Minute)
	desk.says("93129\n", 0, "MARKED UNPAID by Soa", "order", "resolve", "A1", "--unpaid", "--by", "Soa")

	desk.says("28170\n", 1, "there is no cashier of this name", "cashier", "reset", "Rado")
	for range 4 {
		desk.says("00000\n", 1, "The name or the PIN is wrong.", "cashier", "remove", "Soa", "--by", "Hasina")
	}
	desk.says("28170\n", 0, "Hasina has a new PIN. The reset is recorded", "cashier", "reset", "Hasina")
	desk.says("", 0, "PIN of Hasina reset without a PIN at 2026-11-21 ", "report")
	desk.says("28170\n", 0, "PIN of Hasina reset without a PIN at 2026-11-21 ", "close", "--yes", "--by", "Hasina")
	if said := desk.output("report", "--date", "2026-11-20"); strings.Contains(said, "reset") {
		t.Errorf("the report of the day before has the reset:\n%s", said)
	}
	desk.pass(48 * time.Hour)
	desk.says("28170\n", 0, "The reset is recorded", "cashier", "reset", "Hasina")
	desk.pass(-48 * time.Hour) // The clock is corrected.
	desk.says("28170\n", 0, "PIN of Hasina reset without a PIN at 2026-11-23 ", "close", "--yes", "--by", "Hasina")
	desk.says("28170\n47118\n", 0, "Hasina has a new PIN", "cashier", "pin", "Hasina")

	desk.says("47118\n", 1, "needs an owner", "cashier", "remove", "Hasina", "--by", "Hasina")
	desk.says("47118\n", 0, "Soa is no cashier any more", "cashier", "remove", "Soa", "--by", "Hasina")
	desk.says("47118\n", 0, "Hasina is no cashier any more", "cashier", "remove", "Hasina", "--by", "Hasina")
}

// typed is an input that calls before when the command begins to read it.
type typed struct {
	io.Reader
	before func()
}

func (t *typed) Read(text []byte) (int, error) {
	t.before()
	t.before = func() {}
	return t.Reader.Read(text)
}

func TestARefundFromTheCommandLineHidesNoEventThatCameDuringThePINPrompt(t *testing.T) {
	desk := newDesk(t)
	desk.service(http.StatusOK, sound, func() {})
	desk.says("", 0, "REF_700001", "order", "create", "--item", "Vary:3500", "--reference", "A1")
	desk.says("47118\n", 0, "new owner", "cashier", "add", "Hasina")
	hear := func(kind payments.EventKind) {
		event := payments.Event{Kind: kind, OrderReference: "REF_700001", Amount: payments.AmountValue(3500), Currency: payments.TextValue("Ar")}
		_, err := payments.New(desk.store(), nil, desk.now).Receive(t.Context(), event, []byte("{}"))
		tuitest.Must(t, err)
	}
	hear(payments.PaymentSuccess)
	desk.in = &typed{strings.NewReader("47118\n"), func() { hear(payments.PaymentExpired) }}
	if code := desk.run(t.Context(), "refund", "A1", "500", "broken", "--from", "drawer", "--by", "Hasina"); code != 1 {
		t.Errorf("the exit code is %d\n%s", code, desk.err)
	}
	desk.says("", 0, "verdict        check", "order", "show", "A1")
}

func TestOnlyWhoMayWriteTheSettingsFileResetsAPIN(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write every file")
	}
	desk := newDesk(t)
	desk.says("47118\n", 0, "Hasina is a new owner", "cashier", "add", "Hasina")
	tuitest.Must(t, os.WriteFile(filepath.Join(desk.env["HOME"], "till", "config.toml"), nil, 0o400))
	desk.says("28170\n", 1, "you may not read or write ", "cashier", "reset", "Hasina")
	desk.says("47118\n", 0, "Hasina is no cashier any more", "cashier", "remove", "Hasina", "--by", "Hasina")
}
