package cli_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"checkout/till/storage/storagetest/postgrestest"
	"checkout/till/tui/tuitest"
)

// cutOff is a desk that connects to its database server through a proxy. The proxy can lose the
// server's answer to a commit.
type cutOff struct {
	*desk
	database string // Address without the proxy.
	road     *postgrestest.Road
	called   func() // Called at each order call.
}

func newCutOff(t *testing.T) *cutOff {
	t.Helper()
	if testing.Short() {
		t.Skip("it takes a while")
	}
	d := &cutOff{desk: newDesk(t), called: func() {}}
	d.database = d.served()
	postgrestest.Script(t, d.database, "UPDATE meta SET value = 26 * 6 + 19 WHERE key = 'tag'") // GT.
	d.road = postgrestest.NewRoad(t, d.database, "127.0.0.1:0").Open()
	d.env["TILL_DATABASE"] = d.road.Address()
	made := 0
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		d.called()
		made++
		_, _ = fmt.Fprintf(w, strings.Replace(sound, "REF_700001", "REF_%d", 1), made)
	}))
	t.Cleanup(service.Close)
	d.env["TILL_BASE_URL"] = service.URL
	return d
}

// changes returns the number of rows that the commands have added so far.
func (d *cutOff) changes() string {
	d.t.Helper()
	counts, err := postgrestest.Try(d.t, d.database, `SELECT (SELECT count(*) FROM transfers) || ' transfers, ' ||
		(SELECT count(*) FROM cash_sales) || ' sales, ' || (SELECT count(*) FROM findings) || ' findings'`)
	tuitest.Must(d.t, err)
	return strings.Join(counts, "")
}

// Each command that changes the drawer runs with two faults: once its connection ends before the
// server receives COMMIT, and once after that.
func TestAChangeOfTheDrawerIsMadeOnceWhenTheAnswerToItsCommitIsLost(t *testing.T) {
	t.Parallel()
	d := newCutOff(t)
	for _, fate := range []postgrestest.Fate{postgrestest.Misses, postgrestest.Reaches} {
		order := fmt.Sprint("A", fate)
		d.says("", 0, "", "order", "create", "--item", "Vary:3500", "--reference", order)
		d.says("", 0, "", "order", "resolve", order, "--paid")
		d.says("", 0, "", "cash", "sale", "--item", "Vary:3500")
		sale := regexp.MustCompile(`T1-GT-C-\d+`).FindString(d.out.String())
		for i, command := range []string{
			"cash float 500", "cash in 500 change", "cash out 500 bread", "cash count 500", "cash sale --item Coca:2000 --given 5000",
			"cash refund " + sale + " 500 broken", "cash refund " + order + " 500 broken", "cash void " + sale + " mistake", "close --yes",
		} {
			args := append(strings.Fields(command), "--id", fmt.Sprint(order, ".", i))
			before := d.changes()
			passing := 0
			if args[0] == "close" {
				passing = 2 // The transactions that read the list of PIN resets change nothing.
			}
			d.road.CommitAfter(passing, fate)
			d.says("", 0, "", args...)
			if !d.road.Committed() {
				t.Errorf("till %s: the commit did not come", command)
			}
			once := d.changes()
			if strings.Contains(d.err.String(), "done before") {
				t.Errorf("till %s, first: %s", command, d.err)
			}
			d.says("", 0, "this was done before with this --id: nothing was recorded now", args...)
			if before == once || d.changes() != once {
				t.Errorf("till %s: before %s, then %s, then %s", command, before, once, d.changes())
			}
		}
	}
}

func TestOtherCommandsSayThatTheirChangeMayBeStored(t *testing.T) {
	t.Parallel()
	const pin = "47118\n"
	d := newCutOff(t)
	articles := filepath.Join(t.TempDir(), "articles.csv")
	tuitest.Must(t, os.WriteFile(articles, []byte("label,unit_price\nVary,3500\n"), 0o600))
	config := filepath.Join(t.TempDir(), "config.toml") // "cashier reset" needs write access to this file.
	tuitest.Must(t, os.WriteFile(config, nil, 0o600))
	d.env["TILL_CONFIG"] = config
	d.says("", 0, "", "cash", "sale", "--item", "Vary:3500")
	for _, c := range []struct {
		command, input string
		again          int    // Exit code if the command is repeated after its commit has succeeded.
		says           string // What it says then.
	}{
		{"receipt T1-GT-C-000001", "", 0, ""},
		{"catalog import " + articles, "", 0, ""},
		{"cashier add Hasina", pin, 2, "say with --by who you are"},
		{"cashier pin Hasina --by Hasina", pin + "58229\n", 1, "wrong"},
		{"cashier reset Hasina", pin, 0, ""},
		{"cashier remove Hasina --by Hasina", pin, 1, ""},
	} {
		for _, fate := range []postgrestest.Fate{postgrestest.Misses, postgrestest.Reaches} {
			d.road.NextCommit(fate)
			d.says(c.input, 4, "It is not known whether this is stored", strings.Fields(c.command)...)
		}
		d.says(c.input, c.again, c.says, strings.Fields(c.command)...)
	}
	empty := strings.Replace(d.road.Address(), postgrestest.Name(d.database), postgrestest.Name(postgrestest.Database(t)), 1)
	d.says("", 0, "", "order", "list", "--database", empty)
	d.road.NextCommit(postgrestest.Reaches)
	d.says("", 4, "It is not known whether this is stored", "database", "copy", d.database, empty)
}

func TestACommandSaysHowToRepeatItWhileTheDatabaseStaysAway(t *testing.T) {
	t.Parallel()
	d := newCutOff(t)
	sell := []string{"cash", "sale", "--item", "Vary:3500", "--lang", "fr"}
	d.road.NextCommit(postgrestest.Falls)
	d.says("", 4, "on ne sait pas si c'est enregistré", sell...)
	id := regexp.MustCompile(`--id (\S+)`).FindStringSubmatch(d.err.String())
	d.road.Hush(false)
	if id == nil {
		t.Fatal("it names no ID")
	}
	for range 2 {
		d.says("", 0, "T1-GT-C-000001", append(sell, "--id", id[1])...)
	}
	if changes := d.changes(); !strings.HasPrefix(changes, "1 transfers, 1 sales,") {
		t.Errorf("got %s", changes)
	}
	d.says("", 2, "une autre opération a déjà cet --id", "cash", "float", "500", "--id", id[1], "--lang", "fr")
	d.says("", 2, "--id prend 1 à 64", "cash", "float", "500", "--id", "a b", "--lang", "fr")
}

// The program shows no link if the order, or the answer with the link, may not be stored.
func TestAnOrderThatMayBeStoredHasNoLink(t *testing.T) {
	t.Parallel()
	d := newCutOff(t)
	for _, fate := range []postgrestest.Fate{postgrestest.Misses, postgrestest.Reaches} {
		for name, calls := range map[string]bool{"the order": false, "the answer": true} {
			if calls {
				d.called = func() { d.road.NextCommit(fate) }
			} else {
				d.road.NextCommit(fate)
			}
			d.says("", 4, "a new order is safe", "order", "create", "--item", "Vary:3500", "--qr")
			if printed := d.out.String(); strings.Contains(printed, "pay.example.mg") || strings.Contains(printed, "█") {
				t.Errorf("the answer to the commit of %s is lost, and a link is printed:\n%s", name, printed)
			}
			d.called = func() {}
			d.says("", 0, "pay.example.mg", "order", "create", "--item", "Vary:3500")
		}
	}
}
