package e2e_test

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/tui/tuitest"
)

// page is the address of a hosted page, exactly as many bytes long.
func page(bytes int) string {
	const start = "https://pay.example.test/"
	return start + strings.Repeat("c7f3kq2aa9", bytes/10)[:bytes-len(start)]
}

func TestACodeScansAtEightyByTwentyFour(t *testing.T) {
	t.Parallel()
	for _, bytes := range []int{30, 78, 106, 154} {
		t.Run(fmt.Sprintf("T6 a link of %d bytes", bytes), func(t *testing.T) {
			t.Parallel()
			service := serve(t, payAt(func(string) string { return page(bytes) }))
			terminal := openAt(t, service.url).console()
			if link := sell(terminal); link != page(bytes) {
				t.Errorf("the code says %q", link)
			}
			code, err := terminal.Snapshot().Code()
			if err != nil || code.Quiet() < 1 {
				t.Errorf("the quiet zone is %d, %v", code.Quiet(), err)
			}
			terminal.Sees("pay.example.test", "9 000 Ar")
			tickWritesLittle(t, terminal)
		})
	}
}

// tickLimit is how many bytes a tick of the countdown may write: the time in
// figures is drawn anew with the three rows of the code that it stands beside.
const tickLimit = 1200

// tickWritesLittle watches some ticks of the countdown on the screen.
func tickWritesLittle(t *testing.T, terminal *tuitest.Terminal) {
	t.Helper()
	seconds := func() (shown string, count int) {
		screen := terminal.Screen()
		for count = range 601 {
			shown = i18n.Countdown(time.Duration(600-count) * time.Second)
			if tuitest.Shows(screen, shown) {
				return shown, 600 - count
			}
		}
		t.Fatalf("there is no countdown on the screen\n%s", screen)
		return "", 0
	}
	// The bytes that were written until the countdown showed these seconds. A
	// busy machine may show two ticks at once, so that they are counted.
	next := func() (count, bytes int) {
		shown, _ := seconds()
		terminal.Gone(shown)
		for {
			_, count = seconds()
			bytes = terminal.Bytes()
			if _, after := seconds(); after == count {
				return count, bytes
			}
		}
	}
	started, before := next()
	for range 2 {
		count, after := next()
		ticks := max(1, started-count)
		if wrote := (after - before) / ticks; wrote <= 0 || wrote >= tickLimit {
			t.Errorf("a tick writes %d bytes, not fewer than %d", wrote, tickLimit)
		}
		started, before = count, after
	}
}

func TestACodeScansOnEveryTerminal(t *testing.T) {
	t.Parallel()
	for _, setting := range []string{
		"NO_COLOR=1", "TERM=xterm", "TERM=xterm-direct", "COLORTERM=truecolor",
		"TILL_THEME=dark", "TILL_THEME=light", "TILL_THEME=contrast",
	} {
		t.Run("T6 "+setting, func(t *testing.T) {
			t.Parallel()
			service := serve(t, payAt(func(string) string { return page(78) }))
			shop := openAt(t, service.url)
			cmd := exec.Command(binary)
			cmd.Env = shop.env(setting)
			terminal := tuitest.Start(t, 80, 24, cmd).Sees("Total", "receives payments")
			if link := sell(terminal); link != page(78) {
				t.Errorf("the code says %q", link)
			}
			service.tell(shop.webhook(), "payment.failed", service.received()[0], "Insufficient funds")
			terminal.Sees("Payment refused")
		})
	}
}

func TestASilentTerminalIsAskedNothing(t *testing.T) {
	t.Parallel()
	queries := []string{"\x1b]11;?", "\x1b]10;?", "\x1b[6n", "\x1b[c", "\x1b[0c"}
	asks := func(t *testing.T, terminal *tuitest.Terminal) {
		t.Helper()
		for _, query := range queries {
			if strings.Contains(terminal.Raw(), query) {
				t.Errorf("the terminal is asked %q", query)
			}
		}
	}
	service := serve(t, payAt(somePage))
	t.Run("the console", func(t *testing.T) {
		t.Parallel()
		shop := openAt(t, service.url)
		terminal := shop.console()
		asks(t, terminal)
		sell(terminal)
		asks(t, terminal)
	})
	for _, command := range [][]string{
		{"version"},
		{"order", "list"},
		{"order", "create", "--item", "Vary:9000", "--qr"},
	} {
		t.Run(strings.Join(command, " "), func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(binary, command...)
			cmd.Env = openAt(t, service.url).env()
			terminal := tuitest.Start(t, 80, 24, cmd)
			if code := terminal.Wait(); code != 0 {
				t.Errorf("exit code %d\n%s", code, terminal.Screen())
			}
			asks(t, terminal)
		})
	}
}

func TestAnOutcomeArrivesWhileTheWindowChanges(t *testing.T) {
	t.Parallel()
	sizes := [][2]int{{200, 60}, {20, 5}, {80, 24}}
	for arrival, size := range sizes {
		t.Run(fmt.Sprintf("T5 at %d×%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			service := serve(t, payAt(somePage))
			shop := openAt(t, service.url)
			terminal := shop.console()
			link := sell(terminal)
			for i, size := range sizes {
				answered := make(chan reply, 1)
				if i == arrival {
					go func() {
						answered <- service.tell(shop.webhook(), "payment.success", service.received()[0], "")
					}()
				}
				terminal.Resize(size[0], size[1])
				switch {
				case i == arrival:
					if got := <-answered; got.Status != "success" {
						t.Errorf("the event is answered %+v", got)
					}
					fallthrough
				case i > arrival:
					terminal.Sees("PAID")
					nothingToScan(t, terminal)
				case size[1] < 15:
					terminal.Sees("larger: 20×6")
					nothingToScan(t, terminal)
				default:
					if got := terminal.QR(); got != link {
						t.Errorf("the code says %q", got)
					}
				}
			}
			terminal.Sees("next sale").Press("enter").Sees("Type what the customer takes")
		})
	}
}

// nothingToScan demands that no code is on the screen, not even a piece of one.
func nothingToScan(t *testing.T, terminal *tuitest.Terminal) {
	t.Helper()
	eventually(t, "no code is on the screen", func() bool {
		_, err := terminal.Snapshot().Code()
		return errors.Is(err, tuitest.ErrNoCode)
	})
}

// eventually waits until good holds, for what no screen tells.
func eventually(t *testing.T, what string, good func() bool) {
	t.Helper()
	limit := time.NewTimer(time.Minute)
	defer limit.Stop()
	again := time.NewTicker(5 * time.Millisecond)
	defer again.Stop()
	for !good() {
		select {
		case <-again.C:
		case <-limit.C:
			t.Fatalf("it does not come about that %s", what)
		}
	}
}
