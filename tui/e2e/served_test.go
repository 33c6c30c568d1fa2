package e2e_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"checkout/till/storage/storagetest/postgrestest"
	"checkout/till/tui/tuitest"
)

// The till has neither a webhook secret nor a listener. Therefore, it does not send requests to a
// public address in its settings.
func TestASaleIsPaidThroughASeparateListener(t *testing.T) {
	t.Parallel()
	shop := open(t, server, nil)
	listener := shop.listenAlone(shop.home, shop.listen)
	home, silent := "HOME="+t.TempDir(), "TILL_WEBHOOK_SECRET=" // The home folder of another machine.
	terminal := shop.console(home, silent, "TILL_LISTEN=", "TILL_TILL=T2", "TILL_PUBLIC_URL="+shop.service.url)
	sell(terminal)
	shop.pay(shop.service.last())
	terminal.Sees("PAID", "9 000 Ar", "next sale")
	order := shop.expectNewest("success", "paid")
	if !strings.HasPrefix(order.Reference, "T2-") {
		t.Errorf("got order %+v, want one of till T2", order)
	}
	terminal.Press("enter").Sees("Type what the customer takes")
	terminal.Press("f8").Sees("What to do", "s ago").Gone("not confirmed")
	tuitest.Must(t, listener.Process.Signal(os.Interrupt), listener.Wait()) // The tills show at once that it has ended.
	terminal.Sees("NO LISTENER", "Start till listen again").Kill()
	// A console with the setting listen has a listener and needs a secret.
	listens := "TILL_LISTEN=" + tuitest.FreeAddress(t)
	if said, err := shop.program("", home, listens, silent, "TILL_TILL=T2").CombinedOutput(); err == nil || !strings.Contains(string(said), "webhook_secret is not set") {
		t.Errorf("a console with a listener and without a secret says %q (%v)", said, err)
	}
	shop.console(home, listens, "TILL_TILL=T2").Press("f3").Sees(order.Reference[len(order.Reference)-4:], "9 000")
	// A second console with the same name on a third machine.
	shop.start("", "HOME="+t.TempDir(), "TILL_LISTEN="+tuitest.FreeAddress(t), "TILL_TILL=T2").Sees("another console of this shop has the same name")
	// A second console with the same name on the same machine fails before it connects to the database
	// server.
	said, err := shop.program("", home, "TILL_LISTEN="+tuitest.FreeAddress(t), "TILL_TILL=T2").CombinedOutput()
	if err == nil || !strings.Contains(string(said), "another till (process ") {
		t.Errorf("a second console of the name on this machine says %q (%v)", said, err)
	}
}

// remote sets up a shop with a listener in its console. road is a proxy between the shop and its
// database, which the test can open and interrupt.
func remote(t *testing.T) (*shop, *postgrestest.Road) {
	t.Helper()
	shop := open(t, file, nil)
	road := postgrestest.NewRoad(t, postgrestest.Database(t), tuitest.FreeAddress(t))
	shop.address = road.Address()
	return shop, road
}

func TestASaleEnteredWithoutADatabaseIsPaidLater(t *testing.T) {
	t.Parallel()
	shop, road := remote(t)
	terminal := shop.start("").Sees("NO DATABASE: cannot charge, nothing shown is certain", "Type what the customer takes")
	terminal.Type("Vary 3500 x2").Press("enter").Sees("7 000")
	shop.keeps("Vary")
	terminal.Kill()

	// The database is still unreachable.
	terminal = shop.start("").Sees("NO DATABASE", "Vary", "7 000")
	terminal.Press("f8").Sees("Database", "no answer since the start", "nothing can be charged").Press("esc").Gone("no answer since the start")
	terminal.Type("Coca 2000").Press("enter").Sees("9 000")
	terminal.Press("enter").Sees("nothing can be charged; what is typed is kept", "Coca")

	road.Open()
	terminal.Gone("NO DATABASE").Sees("awaits", "Vary", "Coca")
	terminal.Press("enter").Sees("Charge 9 000 Ar?").Press("enter").Sees("To pay", "9 000 Ar").QR()
	shop.pay(shop.service.last())
	terminal.Sees("PAID", "9 000 Ar", "next sale").Press("enter").Sees("Type what the customer takes")
	shop.expectNewest("success", "paid")
	terminal.Press("f8").Sees("Database", "answered ")
	terminal.Kill()
	shop.console().Sees("Type what the customer takes")
}

// The network drops all data. Within ten seconds, every screen must stop showing the payment as
// certain.
func TestNoPaymentIsShownWhileTheDatabaseIsSilent(t *testing.T) {
	t.Parallel()
	shop, road := remote(t)
	road.Open()
	terminal, customer := shop.console(), shop.start("display").Sees("Welcome")
	plain := shop.start("--plain", "HOME="+t.TempDir(), "TILL_LISTEN="+tuitest.FreeAddress(t), "TILL_TILL=T2").Sees("listens")

	terminal.Type("Vary 3500 x2").Press("enter").Sees("7 000")
	customer.Sees("7 000 Ar")
	terminal.Type("Coca 2000").Press("enter").Sees("9 000").Press("enter").Sees("Charge 9 000 Ar?").Press("enter").Sees("To pay")
	customer.Sees("9 000 Ar")
	shop.pay(shop.service.last())
	terminal.Sees("PAID")
	customer.Sees("PAID")

	road.Hush(true)
	began := time.Now()
	terminal.Gone("PAID").Sees("UNKNOWN", "nothing can be charged")
	customer.Sees("Please ask at the counter")
	plain.Sees("NO DATABASE: cannot charge, nothing shown is certain")
	// The program promises ten seconds. The limit is longer, because the machine may be busy.
	if took := time.Since(began); took > bearable(10*time.Second) {
		t.Errorf("it took %v", took)
	}
	plain.Type("Kafe 800").Press("enter").Sees("Total 800 Ar")
	plain.Press("enter").Sees("nothing can be charged; what is typed is kept")

	road.Hush(false)
	terminal.Gone("nothing can be charged").Sees("PAID")
	plain.Sees(">\nlistens")
}
