package e2e_test

import (
	"database/sql"
	"fmt"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"checkout/till/storage/storagetest/disk"
	"checkout/till/tui/keyboard"
	"checkout/till/tui/tuitest"
)

func TestAPowerCutDuringTheOrderCall(t *testing.T) {
	t.Parallel()
	stalled := newStall()
	shop := open(t, file, stalled.answer)
	terminal := enter(shop.console()).Press("enter").Sees("Asking the payment service")
	<-stalled.arrived
	terminal.Signal(syscall.SIGQUIT).Wait() // Ends the program at once, and prints its goroutines. They must show no secret.
	// Instead of waiting, the test moves the time limit of the order call into the past.
	database, err := sql.Open("sqlite", shop.database())
	tuitest.Must(t, err)
	_, err = database.ExecContext(t.Context(), "UPDATE orders SET sent_at = sent_at - 60000")
	tuitest.Must(t, err, database.Close())
	terminal = shop.console().Sees("UNKNOWN", "9 000 Ar", "F2")
	lost := shop.service.last().Reference
	if now := shop.expectNewest("unknown", "unknown"); now.Reference != lost {
		t.Errorf("the order %s is %+v", lost, now)
	}
	terminal.Press("f2").Sees("UNKNOWN", lost, "Enter back").Press("enter").Sees("Vary", "Coca", "Total")
	close(stalled.released)
	terminal.Press("enter").Sees("Charge 9 000 Ar?").Press("enter").Sees("To pay")
	orders := shop.service.received()
	if len(orders) != 2 || orders[1].Reference == lost || shop.expectNewest("pending", "waiting").Reference != orders[1].Reference {
		t.Errorf("the service received %+v", orders)
	}
}

func TestASaleIsBackAfterItsWindowWasClosed(t *testing.T) {
	t.Parallel()
	shop := open(t, file, nil)
	terminal := shop.console()
	terminal.Type("Vary 3500 x2").Press("enter").Sees("7 000").Press("enter").Sees("Charge").Press("esc")
	terminal.HangUp()
	if code := terminal.Wait(); code != 0 {
		t.Errorf("the console ended with %d", code)
	}
	shop.console().Sees("Vary", "charges 7 000", "The previous sale is back")
}

// A stall is a payment service that receives an order call but answers only after the test releases
// it.
type stall struct {
	arrived  chan struct{}
	released chan struct{}
}

func newStall() stall { return stall{make(chan struct{}, 100), make(chan struct{})} }

func (s stall) answer(w http.ResponseWriter, r *http.Request, order wireOrder) {
	s.arrived <- struct{}{}
	select {
	case <-s.released:
		payWithin(10, somePage)(w, r, order)
	case <-r.Context().Done():
	}
}

func TestAHeldEnterMakesOneOrder(t *testing.T) {
	t.Parallel()
	stalled := newStall()
	shop := open(t, file, stalled.answer)
	terminal := enter(shop.console())
	for range 20 {
		if _, err := terminal.Write([]byte(strings.Repeat("\r", 40))); err != nil {
			t.Fatal(err)
		}
	}
	// A key that is held down does not answer a question. A separate key press afterwards does.
	pause := time.NewTicker(3 * keyboard.Repeat)
	defer pause.Stop()
	for range pause.C {
		if len(stalled.arrived) > 0 {
			break
		}
		terminal.Press("enter")
	}
	// The program reads keys in order, so once this key has an effect, all earlier keys were read.
	terminal.Press("f1").Sees("Keys").Press("f1").Sees("Asking the payment service")
	close(stalled.released)
	terminal.Sees("To pay").Press("f1").Sees("Keys").Press("f1").Sees("What to do")
	if orders := shop.service.received(); len(orders) != 1 {
		t.Errorf("the service received %d orders, want 1", len(orders))
	}
}

func TestTheTerminalIsRestoredAfterEverySignal(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			terminal := open(t, file, nil).console()
			terminal.Type("Vary 9000").Press("enter").Sees("9 000")
			if code := terminal.Signal(signal).Wait(); code != 0 {
				t.Errorf("the console ended with %d", code)
			}
			terminal.Restored()
		})
	}
}

// The program writes lines that are not stored yet to disk before it ends.
func TestPendingLinesAreWrittenBeforeTheEnd(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(terminal *tuitest.Terminal){
		"on Ctrl+C":   func(terminal *tuitest.Terminal) { terminal.Press("ctrl+c") },
		"on a signal": func(terminal *tuitest.Terminal) { terminal.Signal(syscall.SIGTERM) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			shop := open(t, file, nil)
			terminal := shop.console()
			release, err := disk.Inject(t.Context(), terminal.PID(), "fsync:delay_enter=300000") // Microseconds.
			if err != nil {
				t.Skip(err)
			}
			terminal.Type("Vary 3500\rCoca 2000\rSavony 500\r").Sees("charges 6 000")
			if end(terminal); terminal.Wait() != 0 {
				t.Errorf("the console ended badly\n%s", terminal.Screen())
			}
			release()
			shop.console().Sees("Vary", "Coca", "Savony", "charges 6 000")
		})
	}
}

func TestACodeScansOnEveryTerminal(t *testing.T) {
	t.Parallel()
	for setting, bytes := range map[string]int{"TERM=xterm-256color": 30, "NO_COLOR=1": 78, "TERM=xterm": 106, "TERM=xterm-direct": 154, "TILL_THEME=contrast": 78} {
		t.Run(fmt.Sprintf("%s, a link of %d bytes", setting, bytes), func(t *testing.T) {
			t.Parallel()
			shop := open(t, file, page(bytes))
			terminal := shop.console(setting)
			if link := sell(terminal); link != pageOf(bytes) {
				t.Errorf("got code %q", link)
			}
			if code, err := terminal.Sees("pay.example.test").Snapshot().Code(); err != nil || code.Quiet() < 1 {
				t.Errorf("got a quiet zone of %d (%v)", code.Quiet(), err)
			}
			shop.tell("failed", shop.service.last(), "Insufficient funds")
			terminal.Sees("Insufficient funds")
		})
	}
}

func TestATerminalWithoutUTF8GetsOnlyASCII(t *testing.T) {
	t.Parallel()
	shop := open(t, file, page(78))
	terminal := tuitest.Start(t, 120, 40, shop.program("", "LC_CTYPE=fr_FR.ISO-8859-15", "TILL_LANGUAGE=fr", "TILL_SHOP=Épicerie Voahangy")).
		Sees("Total", "Epicerie Voahangy", "attend les paiements")
	terminal.Type("Vary 3500 x2").Press("enter").Sees("7 000").Press("enter").Sees("Encaisser").Press("enter")
	if link := terminal.Sees("A payer", "2 x Vary", "EN ATTENTE").QR(); link != pageOf(78) {
		t.Errorf("got code %q", link)
	}
	shop.pay(shop.service.last())
	terminal.Sees("recette du jour").Resize(20, 5).Sees("v PAYE").Resize(80, 24).Sees("vente suivante", "2 x Vary")
	if strings.ContainsFunc(terminal.Raw(), func(r rune) bool { return r >= 0x80 }) {
		t.Errorf("got non-ASCII output: %q", terminal.Raw())
	}
}
