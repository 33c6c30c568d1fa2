package cli_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/payments/drawer"
	"checkout/till/tui/cli"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

func TestATillIsClosedFromTheCommandLine(t *testing.T) {
	desk := newDesk(t)
	desk.says("", 0, "no till was closed", "close", "--list")
	desk.says("", 0, `[]`, "close", "--list", "--json")
	desk.says("", 2, "--date", "close", "--date", "2026-11-21")
	for _, word := range []string{"yesterday", "Hier", "omaly", "today", "aujourd'hui", "androany"} {
		desk.says("", 0, "", "report", "--date", word)
	}
	desk.tag()
	desk.taken()
	desk.says("", 0, "Z T1-GT-0001 · till T1 · closed by Rado · ", "close", "--by", "Rado", "--yes")
	desk.pass(time.Hour)
	desk.says("", 0, "Z T2-GT-0001 · till T2 · closed by Soa · ", "close", "--yes", "--by", "Soa", "--till", "T2")
	desk.says("", 0, "Mobile money, 4 sales               36 000", "close", "--list")
	desk.says("", 0, "", "order", "resolve", "B3", "--unpaid", "--by", "Rado")
	desk.says("47118\n", 0, "Hasina is a new owner", "cashier", "add", "Hasina")
	desk.says("", 2, "say with --by who you are", "close", "--yes")
	desk.says("47118\n", 0, "Mobile money, −1 sales              −9 000", "close", "--yes", "--by", "hasina")
}

// typed runs a command in a terminal, types a text, and returns the exit code and all output.
func (d *desk) typed(text string, args ...string) (int, string) {
	d.t.Helper()
	keys, tty, err := pty.Open()
	tuitest.Must(d.t, err)
	defer func() { _, _ = keys.Close(), tty.Close() }()
	if _, err := keys.WriteString(text); err != nil {
		d.t.Fatal(err)
	}
	d.in, d.out, d.err = tty, &buffer{}, &buffer{}
	return d.run(d.t.Context(), args...), d.out.String() + d.err.String()
}

func TestClosingATillShowsItAndAsksFirst(t *testing.T) {
	desk := newDesk(t)
	desk.taken()
	desk.says("", 2, "say --yes", "close", "--by", "Rado")
	desk.says("", 0, "no till was closed", "close", "--list")
	for answer, asked := range map[string]int{"no\n": 1, "\n": 1, "perhaps\nN\n": 2, "yesterday\n\n": 2} {
		code, said := desk.typed(answer, "close", "--by", "Rado")
		if code != 1 || !strings.Contains(said, "till T1 was not closed") || strings.Count(said, "till T1? yes or no? [no] ") != asked {
			t.Errorf("%q: exit code %d\n%s", answer, code, said)
		}
	}
	code, said := desk.typed("non\n", "close", "--by", "Rado", "--lang", "fr")
	for _, want := range []string{"X : pas encore clôturé", "Clôturer la journée de la caisse T1 ?", "la caisse T1 n'a pas été clôturée"} {
		if code != 1 || !strings.Contains(said, want) {
			t.Errorf("exit code %d, or it does not print %q:\n%s", code, want, said)
		}
	}
	code, said = desk.typed("perhaps\nYES\n", "close", "--by", "Rado", "--json")
	if code != 0 {
		t.Errorf("exit code %d", code)
	}
	for _, want := range []string{
		"Mobile money, 4 sales               36 000", "still open:", "B4 ", "Close the day for till T1? yes or no? [no] ", `{"till":"T1","number":"T1-`,
	} {
		if !strings.Contains(said, want) {
			t.Errorf("it does not print %q:\n%s", want, said)
		}
	}
	if !strings.HasPrefix(desk.out.String(), "{") || strings.Count(desk.out.String(), "\n") != 1 {
		t.Errorf("standard output has more than the JSON value:\n%s", desk.out)
	}
}

// In this shop, a day begins at 04:00. Therefore, at 01:30 the sales of the evening still belong to
// the current day.
func TestReportAndExportAgreeWhenADayBegins(t *testing.T) {
	desk := newDesk(t)
	desk.env["TILL_DAY_BEGINS"] = "04:00"
	desk.says("", 0, "", "cash", "sale", "--item", "Vary:9000")
	desk.pass(16*time.Hour + 30*time.Minute)
	desk.says("", 0, "", "cash", "sale", "--item", "Coca:2000")
	if now := desk.now().Local(); now.Hour() < 1 || now.Hour() >= 4 {
		t.Skipf("here it is %s", now)
	}
	for _, arguments := range [][]string{{"report"}, {"report", "--date", "2026-11-21"}, {"report", "--date", "today"}} {
		desk.says("", 0, "11 000 Ar", arguments...)
	}
	desk.says("", 0, "2026-11-21,2,", "export", "--days")
	if said := desk.output("export", "--from", "2026-11-21", "--to", "2026-11-21"); !strings.Contains(said, "Vary") || !strings.Contains(said, "Coca") {
		t.Errorf("the export of the day lacks a sale:\n%s", said)
	}
	desk.says("", 0, `"from":"2026-11-21T`, "report", "--json")
	desk.says("", 2, "from 00:00 to 08:00", "report", "--day-begins", "12:00")
}

func TestABlindCountHidesTheExpectedCashUntilTheCount(t *testing.T) {
	desk := newDesk(t)
	desk.env["TILL_BLIND_COUNT"] = "on"
	desk.says("", 0, "after the count", "cash", "float", "50000")
	desk.says("", 0, "", "cash", "sale", "--item", "Vary:9000")
	desk.says("", 0, "after the count", "cash", "out", "500", "tea")
	if said := desk.out.String(); strings.Contains(said, "58 500") || strings.Contains(said, "9 000") {
		t.Errorf("the account names what must be counted:\n%s", said)
	}
	if _, said := desk.typed("no\n", "close", "--by", "Rado"); strings.Contains(said, "58 500") || strings.Contains(said, "9 000") {
		t.Errorf("the account before a closing names what must be counted:\n%s", said)
	}
	desk.says("", 0, "58 500", "cash", "count", "58000")
	desk.says("", 0, "500 Ar are missing", "close", "--yes", "--by", "Rado")
}

func TestAClosingAwaitsNoOrderOfASalePaidInCash(t *testing.T) {
	desk := newDesk(t)
	desk.service(http.StatusOK, sound, func() {})
	var order struct{ Sale string }
	tuitest.Must(t, json.Unmarshal([]byte(desk.output("order", "create", "--json", "--item", "Vary:3500")), &order))
	if _, said := desk.typed("no\n", "close", "--by", "Rado"); !strings.Contains(said, "still open:") {
		t.Errorf("it does not list the order:\n%s", said)
	}
	store := desk.store()
	terms := shoptest.Terms(order.Sale)
	terms.By = "Rado"
	terms.Despite = []payments.ObjectionKind{payments.SalePayable}
	_, err := drawer.New(store, payments.New(store, nil, desk.now)).Take(t.Context(), terms, drawer.Paying{Tender: drawer.TenderCash, Given: 9000})
	tuitest.Must(t, err)
	if _, said := desk.typed("no\n", "close", "--by", "Rado"); strings.Contains(said, "still open:") || !strings.Contains(said, "Close the day") {
		t.Errorf("it lists the order:\n%s", said)
	}
}

func TestTheClosingJSONKeepsItsForm(t *testing.T) {
	desk := newDesk(t)
	desk.env["TILL_VAT"] = "20"
	desk.tag()
	desk.taken()
	const zero = `{"count":0,"amount":0}`
	closed := `{"till":"T1","number":"T1-GT-0001","since":null,"by":"Rado","at":"2026-11-21T09:00:00Z","moves":{"cash":` + zero +
		`,"float":` + zero + `,"in":` + zero + `,"open":` + zero + `,"out":` + zero + `,"refund":` + zero + `,"restore":` + zero + `,"reversal":` + zero + `,"void":` + zero +
		`},"counts":[],"expected":0,"received":{"count":4,"amount":36000},"returned":` + zero +
		`,"tenders":{},"taken":{"count":4,"amount":36000},"vat":20,"grand_total":36000,"seal":"`
	made := desk.output("close", "--yes", "--by", "Rado", "--json")
	seal, _ := strings.CutPrefix(made, closed) // The seal depends on the local time zone.
	if !regexp.MustCompile(`^[0-9a-f]{16}"}\n$`).MatchString(seal) {
		t.Errorf("got\n%swant\n%s", made, closed)
	}
	closed = strings.TrimSuffix(made, "\n")
	desk.says("", 0, "["+closed+"]\n", "close", "--list", "--json")
	report := desk.output("report", "--json")
	if want := `"closings":[` + closed + "]}\n"; !strings.HasSuffix(report, want) {
		t.Errorf("got\n%swant it to end with\n%s", report, want)
	}
	table := desk.output("report", "--csv")
	if want := "closing,received,4,36000,2026-11-21,T1,Rado,2026-11-21T09:00:00Z,,\r\n"; !strings.Contains(table, want) {
		t.Errorf("got\n%swant the row\n%s", table, want)
	}
}

func TestTheOrderTableFitsTheTerminal(t *testing.T) {
	screen, tty, err := pty.Open()
	tuitest.Must(t, err)
	defer func() { _, _ = screen.Close(), tty.Close() }()
	description := strings.TrimSuffix(strings.Repeat("2 × Vary sy laoka, ", 4), ", ")
	listed := []payments.Order{{Reference: "T1-20261121-GT-0001", Amount: 14_000, Description: description, CreatedAt: shoptest.Opening()}}
	for columns, whole := range map[int]bool{40: false, 80: false, 100: false, 200: true} {
		tuitest.Must(t, pty.Setsize(tty, &pty.Winsize{Rows: 24, Cols: uint16(columns)}))
		table := (&cli.App{Out: tty, Texts: i18n.Load("en"), Env: func(string) string { return "" }}).OrderTable(listed, shoptest.Opening())
		if theme.Width(table) > columns || strings.HasSuffix(table, description) != whole || columns >= 80 && !strings.Contains(table, "2 × Vary sy laoka") {
			t.Errorf("at %d columns:\n%s", columns, table)
		}
	}
	piped := (&cli.App{Out: &buffer{}, Texts: i18n.Load("en")}).OrderTable(listed, shoptest.Opening())
	if want := clean.Text(description, 40); !strings.HasSuffix(piped, want) {
		t.Errorf("a pipe gets\n%s\nwant it to end with %q", piped, want)
	}
}
