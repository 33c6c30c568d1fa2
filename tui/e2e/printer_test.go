package e2e_test

import (
	"strings"
	"testing"
	"time"

	"checkout/till/tui/tuitest"
)

// The test makes a sale, a partial return and the daily closing, in French. At first, the printer
// is off.
func TestAPrinterThatIsOffDelaysNoSale(t *testing.T) {
	t.Parallel()
	shop := open(t, file, nil)
	address := tuitest.FreeAddress(t)
	terminal := shop.start("", "TILL_LANGUAGE=fr", "TILL_PRINTER=tcp://"+address).Resize(120, 36).Sees("Tapez ce que prend le client")
	terminal.Type("Vary 2500x1,2\r").Sees("Vary 1,2", "3 000")
	in(terminal, 400*time.Millisecond, "", "\r", "\t", "\x1b3").Sees("5 000").Type("\r")
	terminal.Sees("donné 5 000 Ar", "-C-000001", "autre caisse") // The printer opens the cash drawer, so the drawer stays closed.
	<-time.After(held)
	terminal.Type("p").Sees("TOTAL", "1,2 ×")
	_, papers := tuitest.Printer(t, address)
	terminal.Type("p").Sees("Envoyé à l'imprimante.")
	if paper := <-papers; !strings.Contains(paper, "-000001") || !strings.Contains(paper, "3 000") {
		t.Errorf("the receipt is %q", paper)
	}
	terminal.Type("\r").Sees("Tapez ce que prend le client")
	terminal.Press("f3").Sees("Historique · ")
	in(terminal, 400*time.Millisecond, "\t", "b", "1").Sees("rendez-")
	in(terminal, 400*time.Millisecond, "1000 gâté", "\r").Sees("Argent rendu", "−1 000").Gone("Envoyé à l'imprimante.")
	if drawer := <-papers; !strings.Contains(drawer, "\x1bp\x00") {
		t.Errorf("after cash was given back, the printer got %q", drawer)
	}
	terminal.Press("f10").Sees("Tiroir").Type("c").Sees("Clôturer la journée de la caisse T1").Type("\r").Sees("Z T1-").Type("p").Sees("Envoyé à l'imprimante.")
	if paper := <-papers; !strings.Contains(paper, "Z T1-") || !strings.Contains(paper, "2 000") {
		t.Errorf("the closing is %q", paper)
	}
	quit(t, terminal)
}
