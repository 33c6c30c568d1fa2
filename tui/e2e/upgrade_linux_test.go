package e2e_test

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"checkout/till/storage"
	"checkout/till/storage/storagetest/postgrestest"
	"checkout/till/tui/tuitest"
)

// nextVersion builds a made-up next version of the program, and returns its path. The version
// differs only in the schema: the schema's number is higher by one, and the table transfers has one
// more column.
func nextVersion(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	replaced := map[string]string{}
	for file, change := range map[string][2]string{
		"storage/internal/sqlstore/tables.go": {`(?m)^const SchemaVersion = .*$`, "const SchemaVersion = " + strconv.Itoa(storage.SchemaVersion+1)},
		"storage/postgres/postgres.go":        {`(?m)^\t\tVersion: .*$`, "$0\nMigrations: []string{`ALTER TABLE transfers ADD COLUMN made_up bigint NOT NULL DEFAULT 0`},"},
		"storage/sqlite/open.go":              {`(?m)^\t\tVersion: .*$`, "$0\nMigrations: []string{`ALTER TABLE transfers ADD COLUMN made_up INTEGER NOT NULL DEFAULT 0`},"},
	} {
		path, err := filepath.Abs("../../" + file)
		tuitest.Must(t, err)
		source, err := os.ReadFile(path)
		tuitest.Must(t, err)
		changed := regexp.MustCompile(change[0]).ReplaceAllString(string(source), change[1])
		if changed == string(source) {
			t.Fatalf("%s has no line %s", file, change[0])
		}
		replaced[path] = filepath.Join(folder, filepath.Base(file))
		tuitest.Must(t, os.WriteFile(replaced[path], []byte(changed), 0o600))
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replaced})
	tuitest.Must(t, err)
	list, program := filepath.Join(folder, "overlay.json"), filepath.Join(folder, "till")
	tuitest.Must(t, os.WriteFile(list, overlay, 0o600))
	build := exec.CommandContext(t.Context(), "go", "build", "-ldflags=-s -w", "-overlay", list, "-o", program, "checkout/till")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the next version: %v\n%s", err, said)
	}
	return program
}

// upgraded is a shop with two listeners on a server, and two tills on another machine. The test
// replaces their programs while events arrive. T1 creates the orders with commands, and T2 is an
// open console.
type upgraded struct {
	*market
	keeper    administrator
	installed string // Path of the program that the listeners run.
	next      string
	roles     bool
	listeners []*exec.Cmd
	homes     []string // Home folders of the listeners.
}

func openUpgraded(t *testing.T, next string, roles bool) *upgraded {
	t.Helper()
	u := &upgraded{keeper: administrator{t, postgrestest.New(t), t.TempDir()}, next: next, roles: roles, homes: []string{t.TempDir(), t.TempDir()}}
	u.keeper.server.Script(t, "CREATE DATABASE till TEMPLATE template0")
	u.keeper.hire("till") // A dump needs the database user keeper.
	u.installed = u.install("server", binary)
	u.market = openMarket(t, u.as("t1"), 40, tuitest.FreeAddress(t), tuitest.FreeAddress(t))
	u.shop.path = u.install("tills", binary)
	for n := range u.homes {
		u.listeners = append(u.listeners, u.listen(n))
	}
	return u
}

// install copies a program into a machine's folder, as a new file, because the old file may be
// running. Another process writes the new file: if this process wrote it, a process started
// meanwhile would inherit the open file, and Linux does not run a file that is open for writing.
// The file gets its name when it is complete, because commands run all the time.
func (u *upgraded) install(machine, program string) (path string) {
	path = filepath.Join(u.keeper.folder, machine, "till")
	draft := path + ".new"
	tuitest.Must(u.keeper.t, exec.Command("install", "-D", "-m", "700", program, draft).Run(), os.Rename(draft, path))
	return path
}

// as returns the database's address with the name of a user, or with the owner's name if the shop
// does not use the roles.
func (u *upgraded) as(user string) string {
	if u.roles {
		return u.keeper.as(user, "till")
	}
	return u.keeper.server.Address("till")
}

func (u *upgraded) listen(n int) *exec.Cmd {
	u.t.Helper()
	listener := *u.shop
	listener.path = u.installed
	listener.address = u.as("listener")
	return listener.listenAlone(u.homes[n], u.way.listeners[n])
}

// steps runs a block of the guide. Instead of calling systemctl, it does what the unit's file says.
func (u *upgraded) steps(begins string) {
	u.t.Helper()
	commands := strings.ReplaceAll(block(u.keeper.t, begins), "/usr/local/bin/till", u.installed)
	for command := range strings.SplitSeq(commands, "\n") {
		u.note("%s", command)
		if n := slices.Index([]string{"systemctl restart till-listen@8788", "systemctl restart till-listen@8790"}, command); n >= 0 {
			tuitest.Must(u.t, u.listeners[n].Process.Signal(syscall.SIGTERM), u.listeners[n].Wait())
			u.listeners[n] = u.listen(n)
			u.progress(20)
			continue
		}
		folder := u.keeper
		folder.folder = filepath.Dir(u.next)
		folder.run(command, "TILL_DATABASE="+u.keeper.server.Address("till"))
	}
}

// head returns the number of the last transfer.
func (u *upgraded) head() string {
	u.t.Helper()
	found, err := postgrestest.Try(u.keeper.t, u.keeper.server.Address("till"), "SELECT transfers::text FROM meta WHERE key = 'change_seq'")
	tuitest.Must(u.t, err)
	return found[0]
}

func (u *upgraded) close(tills ...string) {
	u.t.Helper()
	for _, till := range tills {
		if said, code := u.command("close", "--yes", "--till", till); code != 0 {
			u.t.Errorf("close of %s: exit %d\n%s", till, code, said)
		}
	}
}

// A shop is upgraded as the deploy guide says, to a version that changes the tables, while events
// arrive. The next version is made up. The test shows that the steps lose no event, and that no
// program writes into tables of a version that it does not know. It does not show that a real
// migration is right.
func TestAnUpgradeLosesNoEvent(t *testing.T) {
	t.Parallel()
	needs(t, "psql", "pg_dump")
	next := nextVersion(t)
	for _, roles := range sized([]bool{true}, []bool{true}, []bool{true, false}) {
		t.Run("with roles: "+strconv.FormatBool(roles), func(t *testing.T) {
			t.Parallel()
			u := openUpgraded(t, next, roles)
			open := func() *tuitest.Terminal {
				return u.shop.console("HOME="+t.TempDir(), "TILL_WEBHOOK_SECRET=", "TILL_LISTEN=", "TILL_TILL=T2")
			}
			console := open()
			u.run(6, 12, 1_000_000, func() { u.upgrade(console, open) })
			u.close("T1", "T2")
			u.shop.verify()
			u.downgrade()
			u.accountForAll()
		})
	}
}

// upgrade follows the steps of the guide for an upgrade.
func (u *upgraded) upgrade(console *tuitest.Terminal, open func() *tuitest.Terminal) {
	u.progress(50)
	u.close("T1")
	u.keeper.dump("till")
	if u.roles {
		u.steps("./till database update")
		before, refused := u.head(), u.refused.Load()
		console.Sees("NO DATABASE").Press("f8").Sees("a newer version of till wrote this database").Press("esc")
		eventually(u.t, "events are refused", func() bool { return u.refused.Load() > refused+10 })
		if after := u.head(); after != before {
			u.t.Errorf("the last transfer was %s, and after the tables were updated an old program added %s", before, after)
		}
	}
	u.steps("install -m 755 ./till")
	for _, address := range u.way.listeners {
		if code, _, text := get("http://" + address + "/healthz"); code != http.StatusOK {
			u.t.Errorf("/healthz answers %d %s", code, text)
		}
	}
	console.Sees("NO DATABASE")
	if said, code := u.command("order", "create", "--item", "Vary:9000"); code != 1 || !strings.Contains(said, "a newer version of till wrote this database") {
		u.t.Errorf("a till of the old version: exit %d\n%s", code, said)
	}
	console.Kill()
	u.install("tills", u.next)
	console = open()
	sell(console)
	for _, order := range u.service.received() {
		if strings.HasPrefix(order.Reference, "T2-") {
			u.tell(success(order), 1)
		}
	}
	console.Sees("PAID", "9 000 Ar")
	u.progress(50)
}

// downgrade undoes the made-up change of the tables, because the test itself reads the database
// with the old version's code.
func (u *upgraded) downgrade() {
	u.keeper.t.Helper()
	postgrestest.Script(u.keeper.t, u.keeper.server.Address("till"), "ALTER TABLE transfers DROP COLUMN made_up",
		"UPDATE meta SET value = "+strconv.Itoa(storage.SchemaVersion)+" WHERE key = 'schema'")
	u.shop.path = ""
	u.shop.address = u.keeper.server.Address("till")
}
