package e2e_test

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"checkout/till/storage/postgres"
	"checkout/till/storage/storagetest/postgrestest"
	"checkout/till/tui/tuitest"
)

// administrator runs commands of the guides as they are printed, on a database server.
type administrator struct {
	t      *testing.T
	server *postgrestest.Server
	folder string // Where the commands run.
}

func (a administrator) run(commands string, env ...string) {
	a.t.Helper()
	shell := exec.CommandContext(a.t.Context(), "/bin/sh", "-eu", "-c", commands)
	shell.Dir = a.folder
	shell.Env = append(tuitest.Environ("PATH="+filepath.Dir(binary)+":"+os.Getenv("PATH"), "HOME="+a.folder,
		"PGHOST="+a.server.Folder, "PGUSER=till"), env...)
	if said, err := shell.CombinedOutput(); err != nil {
		a.t.Fatalf("%s\n%v\n%s", commands, err, said)
	}
}

// hire follows the comment in the SQL file of the roles: it creates the tables, the roles and the
// users.
func (a administrator) hire(database string) {
	a.t.Helper()
	comment := strings.ReplaceAll("\n"+postgres.Roles(), "\n-- ", "\n")
	indented := regexp.MustCompile(`(?m)^  (till database .*)$`).FindAllStringSubmatch(comment, -1)
	users := regexp.MustCompile(`(?m)^  (CREATE USER .*)$`).FindAllString(comment, -1)
	if len(indented) != 2 || len(users) != 3 {
		a.t.Fatalf("the comment has the commands %q and %q", indented, users)
	}
	for _, command := range indented {
		a.run(command[1], "TILL_DATABASE="+a.server.Address(database))
	}
	a.server.Script(a.t, users...)
}

// dump runs the command of the unit till-backup.service, and returns the dump.
func (a administrator) dump(database string) string {
	a.t.Helper()
	unit, err := os.ReadFile("../../assets/deploy/till-backup.service")
	tuitest.Must(a.t, err)
	_, command, _ := strings.Cut(string(unit), "ExecStart=/bin/sh -eu -c '")
	command, _, found := strings.Cut(command, "'\n")
	if !found {
		a.t.Fatal("the unit has no command")
	}
	tuitest.Must(a.t, os.WriteFile(filepath.Join(a.folder, "pgpass"), nil, 0o600))
	run := a.t.TempDir()
	a.run(strings.NewReplacer("\\\n", "", "%%", "%").Replace(command), "PGDATABASE="+database, "PGUSER=keeper",
		"CREDENTIALS_DIRECTORY="+a.folder, "RUNTIME_DIRECTORY="+run, "STATE_DIRECTORY="+a.folder)
	dumps, err := filepath.Glob(filepath.Join(a.folder, "till-*.dump"))
	if err != nil || len(dumps) != 1 {
		a.t.Fatalf("got the dumps %q, %v", dumps, err)
	}
	return filepath.Base(dumps[0])
}

// as returns the address of a database with the name of a user.
func (a administrator) as(user, database string) string {
	return strings.Replace(a.server.Address(database), "till@", user+"@", 1)
}

// A shop's database is restored as the guide says, while events arrive. The server program is the
// installed one, as in Debian.
func TestARestoreLosesNoEventThatArrivesMeanwhile(t *testing.T) {
	t.Parallel()
	needs(t, "psql", "createdb", "pg_restore", "pg_dump")
	keeper := administrator{t, postgrestest.New(t), t.TempDir()}
	keeper.server.Script(t, "CREATE DATABASE till TEMPLATE template0")
	keeper.hire("till")
	shop := open(t, file, nil)
	on := func(database string) *exec.Cmd {
		shop.address = keeper.as("listener", database)
		listener := shop.listenAlone(shop.home, shop.listen)
		shop.address = keeper.as("t1", database)
		return listener
	}
	charge := func() wireOrder {
		out, errs, code := shop.till("order", "create", "--item", "Vary:9000")
		if code != 0 {
			t.Fatalf("order create: exit %d\n%s%s", code, out, errs)
		}
		return shop.service.last()
	}
	listener := on("till")
	before := charge()
	dump := keeper.dump("till")
	after := charge()

	keeper.run(block(t, "psql --dbname=postgres"))
	for _, order := range []wireOrder{before, after} {
		if code, text := shop.post(http.DefaultClient, success(order), seal(webhookSecret)); code != http.StatusInternalServerError {
			t.Errorf("without the database a success is answered %d %s", code, text)
		}
	}
	restore := strings.ReplaceAll(block(t, "createdb"), "till-….dump", dump)
	keeper.run(restore)
	end(listener)
	listener = on("till_restored")
	eventually(t, "the event in the outbox is applied", func() bool {
		out, _, _ := shop.till("order", "show", before.orderReference, "--json")
		return strings.Contains(out, `"paid":true`)
	})
	shop.verify()
	if out, _, _ := shop.till("order", "list", "--json"); strings.Contains(out, after.orderReference) {
		t.Errorf("the dump has an order that was made after it:\n%s", out)
	}
	shop.pay(charge())
	end(listener)

	// A new server has no roles yet.
	other := administrator{t, postgrestest.New(t), keeper.folder}
	other.run(block(t, "createuser"))
	other.run(restore)
}
