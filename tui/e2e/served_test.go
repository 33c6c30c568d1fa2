package e2e_test

import (
	"os/exec"
	"strings"
	"testing"

	"checkout/till/storage/storagetest/postgrestest"
	"checkout/till/tui/tuitest"
)

// served sets up a shop whose database is at a server, with a listener that is
// a program of its own.
func served(t *testing.T) *shop {
	t.Helper()
	shop := open(t, tenMinutes)
	shop.address = postgrestest.Database(t)
	shop.listenAlone(shop.home, shop.listen)
	return shop
}

// P11: the till has no webhook secret, and no listener.
func TestP11ASaleIsPaidThroughTheShopsListenerAtADatabaseServer(t *testing.T) {
	t.Parallel()
	shop := served(t)
	home := t.TempDir() // Another machine's.
	console := exec.Command(binary)
	console.Env = append(shop.env(), "HOME="+home, "TILL_LISTEN=", "TILL_WEBHOOK_SECRET=", "TILL_TILL=T2")
	terminal := tuitest.Start(t, 80, 24, console).Sees("Total", "receives payments")
	shop.customer(sell(terminal), "success")
	terminal.Sees("PAID", "9 000 Ar", "next sale")
	order := shop.newest()
	if order.Status != "success" || order.Verdict != "paid" || len(order.Events) != 1 || !strings.HasPrefix(order.Reference, "T2-") {
		t.Errorf("the order is %+v", order)
	}
	terminal.Press("enter").Sees("Type what the customer takes")
	terminal.Press("f8").Sees("Listener", "not at this till")
	terminal.Kill()
	terminal.Wait()
	// Who sets listen has a listener, and a secret.
	console = exec.Command(binary)
	console.Env = append(shop.env(), "HOME="+home, "TILL_LISTEN="+freeAddress(t), "TILL_WEBHOOK_SECRET=", "TILL_TILL=T2")
	if said, err := console.CombinedOutput(); err == nil || !strings.Contains(string(said), "webhook_secret is not set") {
		t.Errorf("P11 a console with a listener and without a secret says %q (%v)", said, err)
	}
	console = exec.Command(binary)
	console.Env = append(shop.env(), "HOME="+home, "TILL_LISTEN="+freeAddress(t), "TILL_TILL=T2")
	tuitest.Start(t, 80, 24, console).Sees("Total", "receives payments").Press("f3").Sees(order.Reference[len(order.Reference)-4:], "9 000")

	// Another one of this name, on a third machine.
	console = exec.Command(binary)
	console.Env = append(shop.env(), "HOME="+t.TempDir(), "TILL_LISTEN="+freeAddress(t), "TILL_TILL=T2")
	tuitest.Start(t, 80, 24, console).Sees("another console of this shop has the same name")

	// And one on the same machine, whose program says so before it asks anybody.
	console = exec.Command(binary)
	console.Env = append(shop.env(), "HOME="+home, "TILL_LISTEN="+freeAddress(t), "TILL_TILL=T2")
	said, err := console.CombinedOutput()
	if err == nil || !strings.Contains(string(said), "another till (process ") {
		t.Errorf("a second console of the name on this machine says %q (%v)", said, err)
	}
}

// Whatever opens a database opens one at a server, or says what to do instead.
func TestTheCommandsWorkOnADatabaseServer(t *testing.T) {
	t.Parallel()
	shop := served(t)
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"order", "create", "--item", "Vary:9000"}, 0, "http"},
		{[]string{"order", "list"}, 0, "waiting"},
		{[]string{"report"}, 0, "9 000"},
		{[]string{"report", "--json"}, 0, "{"},
		{[]string{"catalog", "export"}, 0, "label"},
		{[]string{"verify"}, 0, "1 orders and 0 events are as they were stored"},
		{[]string{"verify", "--json"}, 0, `"ok":true`},
		{[]string{"backup", "copy.db"}, 1, "pg_dump"},
	} {
		out, errs, code := shop.till(c.args...)
		if code != c.code || !strings.Contains(out+errs, c.want) {
			t.Errorf("till %s: exit %d, want %d with %q\n%s%s", strings.Join(c.args, " "), code, c.code, c.want, out, errs)
		}
		if strings.Contains(out+errs, shop.address) {
			t.Errorf("till %s says the address of the database:\n%s%s", strings.Join(c.args, " "), out, errs)
		}
	}
}
