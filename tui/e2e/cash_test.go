package e2e_test

import (
	"regexp"
	"strings"
	"testing"
	"time"
)

// held is a little longer than an outcome must be visible before a key acknowledges it.
const held = 900 * time.Millisecond

// tills runs a command of the shop, which must succeed, and returns its standard output.
func tills(t *testing.T, shop *shop, args ...string) string {
	t.Helper()
	out, errs, code := shop.till(args...)
	if code != 0 {
		t.Fatalf("%v: exit code %d\n%s%s", args, code, out, errs)
	}
	return out
}

func TestCashIsTakenVoidedAndClosed(t *testing.T) {
	t.Parallel()
	shop, terminal := stocked(t)
	terminal.Type("Menaka 12500\r").Sees("12 500")
	// The keys from the last line to the next sale are Enter, Tab, Alt+5, Enter and Enter.
	in(terminal, 400*time.Millisecond, "", "\r", "\t", "\x1b5").Sees("5 000 + 2 000 + 500").Type("\r")
	terminal.Sees("12 500 Ar · given 20 000 Ar", "-C-000001")
	<-time.After(held)
	terminal.Type("\r").Sees("Type what the customer takes")
	number := regexp.MustCompile(`T1-[A-Z]{2}-C-000001`).FindString(tills(t, shop, "export"))
	if out := tills(t, shop, "cash", "void", number, "--reason", "mistake", "--json"); !strings.Contains(out, `"voided":true`) {
		t.Errorf("the void prints %s", out)
	}
	tills(t, shop, "cash", "count", "0")
	closed := tills(t, shop, "close", "--yes", "--json")
	for _, want := range []string{`-0001"`, `"cash":{"count":1,"amount":12500}`, `"void":{"count":1,"amount":12500}`, `"expected":0`, `"difference":0`} {
		if !strings.Contains(closed, want) {
			t.Errorf("the closing lacks %s: %s", want, closed)
		}
	}
	if out := tills(t, shop, "verify"); !strings.Contains(out, "as they were stored") {
		t.Errorf("till verify says %s", out)
	}
}

func TestALinkThatIsPaidAfterCashIsChecked(t *testing.T) {
	t.Parallel()
	shop, terminal := stocked(t)
	sell(terminal)
	terminal.Sees("… WAITING")
	in(terminal, 400*time.Millisecond, "r", "").Sees("Its lines are back")
	in(terminal, 300*time.Millisecond, "\r", "\t", "\r").Sees("can still be paid", "Take cash all the same?")
	<-time.After(held)
	terminal.Type("\r").Sees("CASH", "-C-000001")
	<-time.After(held)
	terminal.Type("\r").Sees("Type what the customer takes")
	shop.pay(shop.service.last())
	terminal.Sees("! CHECK", "F2  Show").Type("\x1bOQ").Sees("also by T1-")
}
