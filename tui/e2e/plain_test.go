package e2e_test

import (
	"io"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"checkout/till/tui/tuitest"
)

// plainly opens the line mode of the shop in a terminal that can do nothing.
func (s *shop) plainly(extra ...string) *tuitest.Terminal {
	s.t.Helper()
	cmd := exec.Command(binary, "--plain")
	cmd.Env = s.env(append([]string{"TERM=dumb"}, extra...)...)
	return tuitest.Start(s.t, 80, 60, cmd)
}

// unadorned fails the test when anything left but lines, and the bell.
func unadorned(t *testing.T, written string) {
	t.Helper()
	// The terminal itself sends a return before each end of line.
	for i, b := range []byte(strings.ReplaceAll(written, "\r\n", "\n")) {
		if b < ' ' && b != '\n' && b != '\a' || b == 0x7f {
			t.Fatalf("the byte %#x left at %d of %q", b, i, written)
		}
	}
}

func TestTheLineModeSellsOnATerminalThatCanDoNothing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, charge, ask, yes, waiting, paid, done string }{
		{"en", "charge", "yes or no?", "yes", "WAITING: 9 000 Ar", "PAID: 9 000 Ar", "done"},
		{"fr", "encaisser", "oui ou non ?", "oui", "EN ATTENTE : 9 000 Ar", "PAYÉ : 9 000 Ar", "vu"},
		{"mg", "haka", "eny sa tsia?", "eny", "MIANDRY: 9 000 Ar", "VOALOA: 9 000 Ar", "hita"},
	} {
		t.Run(c.language, func(t *testing.T) {
			t.Parallel()
			service := serve(t, payAt(func(string) string { return page(78) }))
			shop := openAt(t, service.url)
			terminal := shop.plainly("TILL_LANGUAGE="+c.language).Sees("Tantely", "Vary 3500x2", ">")
			enter := func(lines ...string) {
				for _, line := range lines {
					terminal.Type(line).Press("enter")
				}
			}
			enter("Vary 3500x2", "Coca 2000", c.charge)
			terminal.Sees(c.ask)
			enter(c.yes)
			terminal.Sees(c.waiting, "pay.example.test")
			terminal.Type("Riz 1")
			service.tell(shop.webhook(), "payment.success", service.received()[0], "")
			terminal.Sees(c.paid)
			enter("00")
			terminal.Sees("Riz", "100 Ar")
			enter(c.done)
			terminal.Sees("T1-")
			if order := shop.newest(); order.Verdict != "paid" || !order.Paid {
				t.Errorf("the order is %+v", order)
			}
			terminal.Signal(syscall.SIGTERM)
			if code := terminal.Wait(); code != 0 {
				t.Errorf("it ends with %d", code)
			}
			unadorned(t, terminal.Raw())
		})
	}
}

func TestTheLineModeWorksInAPipe(t *testing.T) {
	t.Parallel()
	service := serve(t, payAt(func(string) string { return page(78) }))
	shop := openAt(t, service.url)
	cmd := exec.Command(binary, "--plain=on")
	cmd.Env = shop.env("LC_ALL=C", "TILL_LANGUAGE=fr", "TILL_SHOP=Épicerie")
	cmd.Stdin = strings.NewReader("Riz 100\r\nencaisser\noui\ncode\n")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"Epicerie\n", "> Riz 100\n1 : Riz, 100 Ar\n", "oui ou non ?\n", "> oui\n", "EN ATTENTE : 100 Ar", "Lien : " + page(78) + "\n", "######", "Paiements attendus : 1.\n",
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("there is no %q in\n%s", want, out)
		}
	}
	if strings.ContainsFunc(string(out), func(r rune) bool { return r >= 0x80 }) {
		t.Errorf("T6 more than ASCII was written: %q", out)
	}
	if len(service.received()) != 1 {
		t.Errorf("%d orders were made", len(service.received()))
	}
	unadorned(t, string(out))
}

func TestTheDemoSpeaksInLinesAndAScriptDoesNot(t *testing.T) {
	t.Parallel()
	shop := openAt(t, "")
	cmd := exec.Command(binary, "demo", "--plain")
	cmd.Env = shop.env("TILL_BASE_URL=", "TILL_ACCESS_TOKEN=", "TILL_WEBHOOK_SECRET=", "TERM=dumb")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out := new(strings.Builder)
	cmd.Stdout = out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(in, "coca\n\nyes\nquit\nyes\n"); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if said := out.String(); !strings.HasPrefix(said, "DEMO") || !strings.Contains(said, "WAITING: 2 000 Ar") {
		t.Errorf("it says %s", said)
	}
	unadorned(t, out.String())
	script := exec.Command(binary, "demo", "--plain", "--script", "happy")
	script.Env = cmd.Env
	if said, err := script.CombinedOutput(); err == nil || !strings.Contains(string(said), "leave --plain out") {
		t.Errorf("a script says %v, %s", err, said)
	}
}
