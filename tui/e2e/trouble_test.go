package e2e_test

import (
	"bytes"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"checkout/till/tui/sale"
	"checkout/till/tui/tuitest"
)

// A stall is a payment service that reads an order call and does not answer
// before it is released.
type stall struct {
	arrived  chan struct{}
	released chan struct{}
}

func newStall() stall { return stall{make(chan struct{}, 100), make(chan struct{})} }

func (s stall) answer(w http.ResponseWriter, r *http.Request, order wireOrder) {
	s.arrived <- struct{}{}
	select {
	case <-s.released:
		payAt(somePage)(w, r, order)
	case <-r.Context().Done():
	}
}

func TestAPowerCutDuringTheCallLeavesTheOrderUnknown(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, at store) {
		stalled := newStall()
		service := serve(t, stalled.answer)
		shop := at.openAt(t, service.url)
		terminal := shop.console()
		enter(terminal).Press("enter").Sees("Asking the payment service")
		<-stalled.arrived
		terminal.Kill()

		terminal = shop.console().Sees("UNKNOWN", "9 000 Ar", "F2")
		lost := service.received()[0].reference
		if now := shop.newest(); now.Reference != lost || now.Status != "unknown" || now.Verdict != "unknown" {
			t.Errorf("O11 the order %s is %+v", lost, now)
		}
		terminal.Press("f2").Sees("UNKNOWN", lost, "Enter back").Press("enter").Sees("Vary", "Coca", "Total")
		if orders := service.received(); len(orders) != 1 {
			t.Errorf("O11 the service received %d orders", len(orders))
		}

		close(stalled.released)
		terminal.Press("enter").Sees("Charge 9 000 Ar?").Press("enter").Sees("To pay")
		orders := service.received()
		if len(orders) != 2 || orders[1].reference == lost {
			t.Errorf("O4 the service received %+v", orders)
		}
		if late := shop.newest(); late.Reference != orders[1].reference || late.Status != "pending" {
			t.Errorf("O11 the new order is %+v", late)
		}
	})
}

// letGo presses Enter by itself, with a pause in which no held key would be
// silent, until the charge question is answered: a held one answers nothing.
func letGo(terminal *tuitest.Terminal, answered func() bool) {
	pause := time.NewTicker(2 * sale.Settle)
	defer pause.Stop()
	for range pause.C {
		if answered() {
			return
		}
		terminal.Press("enter")
	}
}

func TestAHeldEnterMakesOneOrder(t *testing.T) {
	t.Parallel()
	held := []byte(strings.Repeat("\r", 40))
	t.Run("O12 while the service takes its time", func(t *testing.T) {
		t.Parallel()
		stalled := newStall()
		service := serve(t, stalled.answer)
		terminal := openAt(t, service.url).console()
		enter(terminal)
		for range 3 {
			if _, err := terminal.Write(held); err != nil {
				t.Fatal(err)
			}
		}
		letGo(terminal, func() bool {
			select {
			case <-stalled.arrived:
				return true
			default:
				return false
			}
		})
		// This key is read after all the others.
		terminal.Press("f1").Sees("Keys").Press("f1").Sees("Asking the payment service")
		close(stalled.released)
		terminal.Sees("To pay")
		if orders := service.received(); len(orders) != 1 {
			t.Errorf("the service received %d orders", len(orders))
		}
	})
	t.Run("O12 while the service answers at once", func(t *testing.T) {
		t.Parallel()
		service := serve(t, payAt(somePage))
		shop := openAt(t, service.url)
		terminal := shop.console()
		terminal.Type("Vary 9000").Press("enter").Sees("9 000")
		for range 20 {
			if _, err := terminal.Write(held); err != nil {
				t.Fatal(err)
			}
		}
		letGo(terminal, func() bool { return strings.Contains(terminal.Screen(), "To pay") })
		terminal.Sees("To pay").Press("f1").Sees("Keys").Press("f1").Sees("Scan to pay")
		if orders := service.received(); len(orders) != 1 {
			t.Errorf("the service received %d orders", len(orders))
		}
	})
}

func TestAnOutcomeDoesNotDisturbTheNextSale(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, at store) {
		service := serve(t, payAt(somePage))
		shop := at.openAt(t, service.url)
		terminal := shop.console()
		sell(terminal)
		terminal.Press("esc").Sees("This link can be paid until").Press("enter").Sees("Type what the customer takes", "Waiting  1")
		terminal.Type("Mofo 500").Press("enter").Sees("500 Ar").Type("Savo 15").Sees("Savo 15")
		if rung := strings.Count(terminal.Raw(), "\a"); rung != 0 {
			t.Errorf("T8 the bell rang %d times before", rung)
		}
		service.tell(shop.webhook(), "payment.success", service.received()[0], "")
		terminal.Sees("PAID", "9 000 Ar", "F2  Show", "Savo 15", "Mofo")
		eventually(t, "T8 the bell rings", func() bool { return strings.Count(terminal.Raw(), "\a") == 2 })
		terminal.Type("00").Press("enter").Sees("2 000", "F2  Show")
		terminal.Press("f2").Sees("PAID", "next sale").Press("enter").Sees("Mofo", "Savo", "2 000 Ar")
		if rung := strings.Count(terminal.Raw(), "\a"); rung != 2 {
			t.Errorf("T8 the bell rang %d times", rung)
		}
	})
}

func TestNoSecretIsWrittenAnywhere(t *testing.T) {
	t.Parallel()
	service := serve(t, payAt(somePage))
	shop := openAt(t, service.url)
	settings := filepath.Join(t.TempDir(), "config.toml")
	text := "access_token = \"" + accessToken + "\"\nwebhook_secret = \"" + webhookSecret + "\"\n"
	if err := os.WriteFile(settings, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	const former = "whsec_demo_former_0123456789"
	secrets := map[string]string{
		"the token": accessToken, "the secret": webhookSecret, "the signature": seal(webhookSecret),
		"the signature of another secret": seal(former),
	}
	console := shop.withSettings(settings)
	sell(console)
	made := service.received()[0]
	for _, signature := range []string{seal(former), strings.ToUpper(seal(webhookSecret)), accessToken} {
		if code := shop.notify([]byte(`{"event":"payment.success"}`), signature); code != http.StatusUnauthorized {
			t.Errorf("W6 a wrong signature is answered %d", code)
		}
	}
	// What an event brings along is kept, but its signature stands in no body.
	service.tell(shop.webhook(), "payment.failed", made, "Insufficient funds")
	console.Sees("Payment refused: Insufficient funds")
	service.tell(shop.webhook(), "payment.success", made, "")
	console.Sees("PAID", "next sale")
	searchFolder(t, shop.home, secrets)
	console.Press("enter").Sees("Type what the customer takes").Press("ctrl+c").Wait()
	searchFolder(t, shop.home, secrets)
	searchText(t, "the terminal", []byte(console.Raw()), secrets)
	for _, command := range [][]string{
		{"order", "list", "--json"},
		{"order", "show", made.reference},
		{"order", "show", made.reference, "--json"},
		{"order", "show", "nothing"},
		{"--help"},
		{"version"},
	} {
		stdout, stderr, _ := shop.till(command...)
		searchText(t, strings.Join(command, " "), []byte(stdout+stderr), secrets)
	}
}

// searchFolder looks for secrets in every file below folder.
func searchFolder(t *testing.T, folder string, secrets map[string]string) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		content, err := os.ReadFile(path)
		files++
		searchText(t, path, content, secrets)
		return err
	})
	if err != nil || files == 0 {
		t.Errorf("%d files were searched: %v", files, err)
	}
}

func searchText(t *testing.T, where string, text []byte, secrets map[string]string) {
	t.Helper()
	text = bytes.ToLower(text)
	for name, secret := range secrets {
		if bytes.Contains(text, bytes.ToLower([]byte(secret))) {
			t.Errorf("W30 %s stands in %s", name, where)
		}
	}
}
