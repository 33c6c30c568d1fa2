package cli_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"checkout/till/payments"
	"checkout/till/tui/cli"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

func TestADayIsClosedFromTheCommandLine(t *testing.T) {
	desk := newDesk(t)
	desk.service(http.StatusOK, sound, func() {})
	desk.says("", 0, "REF_700001", "order", "create", "--item", "Vary:3500", "--reference", "A1")
	desk.says("", 0, "no day was closed", "close", "--list")
	desk.says("", 0, `[]`, "close", "--list", "--json")
	desk.says("", 2, `"soon" is no day, such as 2026-11-21, 21/11/2026, today or yesterday`, "close", "--date", "soon")
	for _, date := range []string{"2026-11-29", "29/11/2026", "29.11.2026", "29-11-2026", "29/1/2027"} {
		desk.says("", 1, "the day has not begun", "close", "--yes", "--date", date)
	}
	for _, word := range []string{"yesterday", "Hier", "omaly", "today", "aujourd'hui", "androany"} {
		desk.says("", 0, "", "report", "--date", word)
	}
	desk.says("", 0, "unpaid, by Rado", "order", "resolve", "A1", "--unpaid", "--by", "Rado")
	day := desk.start.Local().Format(time.DateOnly)
	desk.says("", 0, day+" closed by Rado at till T1, ", "close", "--by", "Rado", "--yes")
	desk.pass(time.Hour)
	desk.says("", 1, day+" was closed by Rado at till T1, ", "close", "--yes", "--by", "Soa", "--till", "T2", "--date", day)
	desk.says("", 0, "marked unpaid         1         3 500 Ar", "close", "--list")
	desk.says("", 0, `"by":"Rado"`, "close", "--list", "--json")
	desk.says("", 0, "paid, by Rado", "order", "resolve", "A1", "--paid", "--by", "Rado")
	desk.says("", 0, "since then marked unpaid        -1", "report")
	desk.says("", 0, `"closings":[{"day":"`+day+`","till":"T1","by":"Rado",`, "report", "--json")
	at := desk.start.UTC().Format(time.RFC3339)
	desk.says("", 0, "closing,marked_unpaid,1,3500,"+day+",T1,Rado,"+at+"\r\n", "report", "--csv")
	desk.says("", 0, "since,marked_unpaid,-1,-3500,"+day+",T1,Rado,"+at+"\r\n", "report", "--csv")
	desk.says("47118\n", 0, "Hasina is a new owner", "cashier", "add", "Hasina")
	before := desk.start.AddDate(0, 0, -1).Local().Format(time.DateOnly)
	desk.says("", 2, "say with --by who you are", "close", "--yes", "--date", before)
	desk.says("47118\n", 0, before+" closed by Hasina at till T1, ", "close", "--yes", "--date", before, "--by", "hasina")
}

// typed runs a command at a terminal with typed text, and returns the exit code
// and everything that was printed.
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

func TestClosingADayShowsItAndAsksFirst(t *testing.T) {
	desk := newDesk(t)
	desk.taken()
	desk.says("", 2, "say --yes", "close", "--by", "Rado")
	desk.says("", 0, "no day was closed", "close", "--list")
	for answer, asked := range map[string]int{"no\n": 1, "\n": 1, "perhaps\nN\n": 2, "yesterday\n\n": 2} {
		code, said := desk.typed(answer, "close", "--by", "Rado")
		if code != 1 || !strings.Contains(said, "2026-11-21 was not closed") || strings.Count(said, "for good? yes or no? [no] ") != asked {
			t.Errorf("%q: exit code %d\n%s", answer, code, said)
		}
	}
	code, said := desk.typed("non\n", "close", "--by", "Rado", "--lang", "fr")
	for _, want := range []string{"samedi 21 novembre 2026  ", "Clôturer samedi 21 novembre 2026 pour de bon ?", "samedi 21 novembre 2026 n'a pas été clôturé"} {
		if code != 1 || !strings.Contains(said, want) {
			t.Errorf("exit code %d, or it does not print %q:\n%s", code, want, said)
		}
	}
	code, said = desk.typed("perhaps\nYES\n", "close", "--by", "Rado", "--json")
	if code != 0 {
		t.Errorf("exit code %d", code)
	}
	for _, want := range []string{
		"paid                           2        18 000 Ar", "still open: 1 waiting\n", "B4 ", "Close 2026-11-21 for good? yes or no? [no] ",
		`{"day":"2026-11-21","till":"T1","by":"Rado",`,
	} {
		if !strings.Contains(said, want) {
			t.Errorf("it does not print %q:\n%s", want, said)
		}
	}
	if !strings.HasPrefix(desk.out.String(), "{") || strings.Count(desk.out.String(), "\n") != 1 {
		t.Errorf("standard output has more than the JSON value:\n%s", desk.out)
	}
}

func TestTheClosingJSONKeepsItsForm(t *testing.T) {
	desk := newDesk(t)
	desk.taken()
	closed := `{"day":"2026-11-21","till":"T1","by":"Rado","at":"2026-11-21T09:00:00Z","orders":5,"received":{"count":3,"amount":27000},` +
		`"verdicts":{"marked_paid":{"count":1,"amount":9000},"paid":{"count":2,"amount":18000},` +
		`"rejected":{"count":1,"amount":9000},"waiting":{"count":1,"amount":9000}}`
	desk.prints(closed+"}\n", "close", "--yes", "--by", "Rado", "--json")
	desk.prints("["+closed+"}]\n", "close", "--list", "--json")
	desk.says("", 0, "", "order", "resolve", "B4", "--unpaid", "--by", "Rado")
	since := `,"since":{"marked_unpaid":{"count":1,"amount":9000},"waiting":{"count":-1,"amount":-9000}}}`
	report := desk.report("--json")
	if want := `"closings":[` + closed + since + "]}\n"; !strings.HasSuffix(report, want) {
		t.Errorf("got\n%swant it to end with\n%s", report, want)
	}
}

// prints runs a command and fails the test unless it succeeds and standard
// output equals want.
func (d *desk) prints(want string, args ...string) {
	d.t.Helper()
	d.out = &buffer{}
	if code := d.run(d.t.Context(), args...); code != 0 || d.out.String() != want {
		d.t.Errorf("%v: exit code %d, got\n%swant\n%s%s", args, code, d.out, want, d.err)
	}
}

func TestTheOrderTableFitsTheTerminal(t *testing.T) {
	screen, tty, err := pty.Open()
	tuitest.Must(t, err)
	defer func() { _, _ = screen.Close(), tty.Close() }()
	description := strings.TrimSuffix(strings.Repeat("2 × Vary sy laoka, ", 4), ", ")
	listed := []payments.Order{{Reference: "T1-20261121-0001", Amount: 14_000, Description: description, CreatedAt: shoptest.Opening()}}
	for columns, whole := range map[int]bool{40: false, 100: false, 200: true} {
		tuitest.Must(t, pty.Setsize(tty, &pty.Winsize{Rows: 24, Cols: uint16(columns)}))
		table := (&cli.App{Out: tty, Texts: shoptest.Texts(t, "en")}).OrderTable(listed, shoptest.Opening())
		if theme.Width(table) > columns || strings.HasSuffix(table, description) != whole {
			t.Errorf("at %d columns:\n%s", columns, table)
		}
	}
	piped := (&cli.App{Out: &buffer{}, Texts: shoptest.Texts(t, "en")}).OrderTable(listed, shoptest.Opening())
	if want := payments.Clean(description, 40); !strings.HasSuffix(piped, want) {
		t.Errorf("a pipe gets\n%s\nwant it to end with %q", piped, want)
	}
}
