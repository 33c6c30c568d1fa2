package cli_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"checkout/till/storage/postgres"
	"checkout/till/storage/storagetest/postgrestest"
	"checkout/till/tui/tuitest"
)

// served makes a database on the PostgreSQL server of the tests, and returns its address. From then
// on, the commands of the desk use this database, in which a listener has just left a sign of life.
func (d *desk) served() (address string) {
	d.t.Helper()
	address = postgrestest.Database(d.t)
	d.uses(address)
	return address
}

// uses makes the commands of the desk use a PostgreSQL database, in which a listener has just left a
// sign of life.
func (d *desk) uses(address string) {
	d.t.Helper()
	d.env["TILL_DATABASE"] = address
	store, err := postgres.Open(d.t.Context(), address, postgres.Options{})
	tuitest.Must(d.t, err)
	tuitest.Must(d.t, store.SignOfLife(d.t.Context(), "server:8788"))
	tuitest.Must(d.t, store.Close())
}

func TestAListenerStartsWithoutItsDatabaseServer(t *testing.T) {
	t.Parallel()
	desk := newDesk(t)
	server := postgrestest.New(t)
	desk.uses(server.Address("postgres"))
	desk.service(http.StatusOK, sound, func() {})
	desk.says("", 0, "", "order", "create", "--item", "Vary:3500")
	server.Kill()
	outbox := filepath.Join(t.TempDir(), "disk", "outbox.db")
	address, end := desk.listening("--outbox", outbox)
	desk.await(desk.err, "the database is away")
	if status := desk.post(address); status != http.StatusInternalServerError {
		t.Errorf("got status %d without the server, want 500", status)
	}
	desk.stops(end)
	if said := desk.err.String(); !strings.Contains(said, "the next start applies what waits in the outbox") || !strings.Contains(said, "events=1") {
		t.Errorf("the log at the end does not report the queued event:\n%s", said)
	}
	address, end = desk.listening("--outbox", outbox)
	base := strings.TrimSuffix(address, "/webhook")
	for path, want := range map[string]int{"/readyz": http.StatusOK, "/healthz": http.StatusServiceUnavailable} {
		if said := get(t, base+path); said.status != want || !strings.Contains(said.text, "the database is away; waiting in the outbox: 1") {
			t.Errorf("%s says %+v", path, said)
		}
	}
	// The server's shared memory is in use until its last process has ended, so retry.
	desk.waits("the server starts again", func() bool { return server.Restart() == nil })
	desk.await(desk.err, "events of the outbox were applied")
	if said := get(t, base+"/readyz"); said != (reply{http.StatusOK, "ok"}) {
		t.Errorf("/readyz says %+v", said)
	}
	if status := desk.post(address); status != http.StatusOK {
		t.Errorf("got status %d after the restart, want 200", status)
	}
	desk.stops(end)
	said := desk.err.String()
	if !strings.Contains(said, "the database is open") || !strings.Contains(said, "nothing waits in the outbox") || strings.Contains(said, desk.env["TILL_DATABASE"]) {
		t.Errorf("the log names the address, or does not say that all is applied:\n%s", said)
	}
	desk.says("", 0, `"status":"success"`, "order", "show", "REF_700001", "--json")
}

// "till restore" cannot restore a PostgreSQL database.
func TestVerifyAtAServerAdvisesToRestoreADump(t *testing.T) {
	t.Parallel()
	desk := newDesk(t)
	database := desk.served()
	desk.service(http.StatusOK, sound, func() {})
	desk.says("", 0, "", "order", "create", "--item", "Vary:3500")
	postgrestest.Script(t, database, "UPDATE orders SET amount = 1")
	desk.says("", 1, "restore the latest dump into another one", "verify")
	if said := desk.out.String() + desk.err.String(); strings.Contains(said, "till restore") {
		t.Errorf("verify says\n%s", said)
	}
}

func TestAShopWithAServerUsesTheServersClock(t *testing.T) {
	t.Parallel()
	desk := newDesk(t)
	desk.served()
	desk.service(http.StatusOK, sound, func() {})
	desk.says("", 0, "", "order", "create", "--item", "Vary:3500", "--json")
	var order struct {
		CreatedAt time.Time `json:"created_at"`
		ExpiresAt time.Time `json:"expires_at"`
	}
	tuitest.Must(t, json.Unmarshal([]byte(desk.out.String()), &order))
	if off := time.Since(desk.now()).Abs(); off < time.Minute {
		t.Fatalf("the desk's clock differs by only %v", off)
	}
	if off := time.Since(order.CreatedAt).Abs(); off > time.Minute || !order.ExpiresAt.After(time.Now()) {
		t.Errorf("got an order created at %v that expires at %v", order.CreatedAt, order.ExpiresAt)
	}
	desk.start = time.Now().Add(time.Hour)
	for _, command := range [][]string{{"order", "show", "REF_700001", "--json"}, {"order", "list", "--json"}} {
		desk.says("", 0, `"verdict":"waiting"`, command...)
	}
	desk.start = time.Now().AddDate(0, 0, 2)
	desk.says("", 0, "", "cash", "sale", "--item", "Vary:3500")
	for _, report := range []string{"report", "export"} {
		desk.says("", 0, "3500", report, "--csv")
	}
	desk.service(http.StatusOK, strings.Replace(sound, "700001", "700002", 1), func() {})
	over := make(chan int, 1)
	go func() { over <- desk.run(t.Context(), "order", "create", "--wait", "--item", "Vary:3500") }()
	desk.await(desk.err, "waiting for the payment until")
	desk.says("", 0, "", "order", "resolve", "REF_700002", "--paid")
	if code := <-over; code != 0 {
		t.Errorf("the wait ends with %d\n%s", code, desk.err)
	}
}

func TestTheUpdateNamesTheDatabaseWithoutThePassword(t *testing.T) {
	t.Parallel()
	desk := newDesk(t)
	desk.served()
	address, err := url.Parse(desk.env["TILL_DATABASE"])
	tuitest.Must(t, err)
	address.User = url.UserPassword(address.User.Username(), "hunter2hunter2")
	desk.env["TILL_DATABASE"] = address.String()
	name := postgrestest.Name(desk.env["TILL_DATABASE"])
	desk.says("", 0, "/"+name+" is up to date: its schema is ", "database", "update")
	if printed := desk.out.String(); strings.Contains(printed, "hunter2") || !strings.Contains(printed, "postgres://") {
		t.Errorf("it prints %s", printed)
	}
}

func TestWhyAServerRefusesIsNamed(t *testing.T) {
	t.Parallel()
	desk := newDesk(t)
	server := postgrestest.New(t)
	desk.uses(server.Address("postgres"))
	desk.says("", 0, "", "database", "update")
	server.Script(t, "CREATE USER poor", "GRANT SELECT ON ALL TABLES IN SCHEMA public TO poor", "CREATE USER late CONNECTION LIMIT 0",
		"CREATE DATABASE closed", "ALTER DATABASE closed ALLOW_CONNECTIONS false")
	for _, test := range []struct {
		user, database, english, french string
		command                         []string
	}{
		{"poor", "postgres", "as the user of the owner of the tables", "du propriétaire des tables", []string{"cashier", "add", "Soa"}},
		{"till", "closed", "lets nobody into this database", "ne laisse entrer personne", []string{"order", "list"}},
		{"late", "postgres", "has no connection left", "n'a plus de connexion libre", []string{"order", "list"}},
	} {
		address, err := url.Parse(server.Address(test.database))
		tuitest.Must(t, err)
		address.User = url.User(test.user)
		desk.env["TILL_DATABASE"] = address.String()
		for language, want := range map[string]string{"en": test.english, "fr": test.french} {
			desk.says("1470\n", 1, want, append(test.command, "--language", language)...)
		}
	}
}
