package e2e_test

import (
	"strings"
	"syscall"
	"testing"

	"checkout/till/tui/tuitest"
)

// unadorned fails the test if the output contains a control character other than a line feed or the
// bell.
func unadorned(t *testing.T, written string) {
	t.Helper()
	// The terminal driver adds a carriage return before each line feed.
	for i, b := range []byte(strings.ReplaceAll(written, "\r\n", "\n")) {
		if b < ' ' && b != '\n' && b != '\a' || b == 0x7f {
			t.Fatalf("got byte %#x at %d of %q", b, i, written)
		}
	}
}

func TestTheLineModeSellsOnADumbTerminal(t *testing.T) {
	t.Parallel()
	shop := open(t, file, nil)
	terminal := shop.start("--plain", "TERM=dumb", "TILL_LANGUAGE=mg").Sees("Tantely", "Vary 3500x2", ">")
	for _, line := range []string{"Vary 3500x2", "Coca 2000", "haka"} {
		terminal.Type(line).Press("enter")
	}
	terminal.Sees("eny sa tsia?").Type("eny").Press("enter").Sees("MIANDRY: 9 000 Ar", "pay.example.test")
	terminal.Type("Riz 1")
	shop.pay(shop.service.last())
	terminal.Sees("VOALOA: 9 000 Ar").Type("00").Press("enter").Sees("Riz", "100 Ar").Type("hita").Press("enter").Sees("T1-")
	shop.expectNewest("success", "paid")
	if code := terminal.Signal(syscall.SIGTERM).Wait(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	unadorned(t, terminal.Raw())
}

func TestTheLineModeWorksInAPipe(t *testing.T) {
	t.Parallel()
	shop := open(t, file, page(78))
	cmd := shop.program("--plain=on", "LC_ALL=C", "TILL_LANGUAGE=fr", "TILL_SHOP=Épicerie")
	cmd.Stdin = strings.NewReader("Riz 100\r\nencaisser\noui\ncode\n")
	out, err := cmd.Output()
	tuitest.Must(t, err)
	for _, want := range []string{
		"Epicerie\n", "> Riz 100\n1 : Riz, 100 Ar\n", "oui ou non ?\n", "> oui\n", "EN ATTENTE : 100 Ar", "Lien : " + pageOf(78) + "\n", "######", "Paiements attendus : 1.\n",
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("there is no %q in\n%s", want, out)
		}
	}
	if strings.ContainsFunc(string(out), func(r rune) bool { return r >= 0x80 }) {
		t.Errorf("more than ASCII was written: %q", out)
	}
	unadorned(t, string(out))
}
