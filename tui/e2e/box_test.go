package e2e_test

import (
	"bufio"
	"os/exec"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/money"
	"checkout/till/storage/storagetest/postgrestest"
	"checkout/till/tui/tuitest"
)

// box is a whole shop under load: a database server, two listeners, commands that create orders for
// the till T1, and the console of T2. The console reaches the server through road, a proxy that the
// test can interrupt.
type box struct {
	*market
	server    *postgrestest.Server
	listeners []*exec.Cmd
	homes     []string // Home folders of the listeners.
	road      *postgrestest.Road
	console   *tuitest.Terminal
}

func openBox(t *testing.T) *box {
	t.Helper()
	server := postgrestest.New(t)
	address := server.Address("postgres")
	b := &box{market: openMarket(t, address, sized(8, 8, 15), tuitest.FreeAddress(t), tuitest.FreeAddress(t)), server: server, homes: []string{t.TempDir(), t.TempDir()}}
	for n, home := range b.homes {
		b.listeners = append(b.listeners, b.shop.listenAlone(home, b.way.listeners[n]))
	}
	b.road = postgrestest.NewRoad(t, address, tuitest.FreeAddress(t)).Open()
	b.console = b.shop.console("HOME="+t.TempDir(), "TILL_TILL=T2", "TILL_LISTEN="+tuitest.FreeAddress(t), "TILL_DATABASE="+b.road.Address())
	return b
}

// listenAlone starts a separate listener program with a home folder and an address, and returns it
// once it listens.
func (s *shop) listenAlone(home, address string) *exec.Cmd {
	s.t.Helper()
	listener := s.program("listen", "HOME="+home, "TILL_LISTEN="+address)
	return s.listens(listener, "listening on")
}

// listens starts a listener, and returns it after it has printed a line that begins with the text
// says.
func (s *shop) listens(listener *exec.Cmd, says string) *exec.Cmd {
	s.t.Helper()
	out, err := listener.StdoutPipe()
	tuitest.Must(s.t, err)
	var log strings.Builder
	listener.Stderr = &log
	tuitest.Must(s.t, listener.Start())
	s.t.Cleanup(func() {
		end(listener)
		tuitest.SearchText(s.t, "the listener's log", []byte(log.String()))
	})
	if line, err := bufio.NewReader(out).ReadString('\n'); !strings.HasPrefix(line, says) {
		s.t.Fatalf("the listener prints %q (%v)", line, err)
	}
	return listener
}

func end(program *exec.Cmd) {
	_ = program.Process.Kill()
	_ = program.Wait()
}

func success(order wireOrder) []byte {
	return gateway.EncodeEvent(gateway.Notification{
		Event: payments.PaymentSuccess, OrderReference: order.orderReference, Reference: "PAY_1",
		Amount: money.Ariary(order.Amount), Currency: payments.Currency, Description: order.Description,
	})
}

// bearable returns the time limit for something that the program promises within a time. The limit
// is longer than promised, because other programs use the same processors. It is stricter in the
// nightly run than in other runs.
func bearable(promised time.Duration) time.Duration { return sized(3*promised, 3*promised, 2*promised) }

// sells types a sale at the console while harm happens. The customer pays with the QR code. In the
// meantime, the console shows no payment unless it can see it.
func (b *box) sells(harm func(pay func())) {
	b.t.Helper()
	sell(b.console)
	harm(func() {
		for _, order := range b.service.received() {
			if strings.HasPrefix(order.Reference, "T2-") {
				b.tell(success(order), 1)
			}
		}
	})
	b.console.Sees("✓ PAID", " · T2-", "9 000 Ar", "next sale").Press("enter").Sees("Type what the customer takes")
}

// unknown waits until the console shows no payment as certain any more.
func (b *box) unknown(since time.Time) {
	b.t.Helper()
	b.console.Sees("? UNKNOWN", "T2-", "9 000 Ar").Gone("✓ PAID")
	if took := time.Since(since); took > bearable(10*time.Second) {
		b.t.Errorf("the console shows UNKNOWN after %v", took)
	}
}

// The test kills a listener and the database server of a shop under load, and cuts a console off from
// the network.
func TestAShopInABox(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a while")
	}
	t.Parallel()
	b := openBox(t)
	b.run(3, 10, 1_000_000, func() {
		for range sized(1, 1, 20) {
			b.note("kill a listener: the other one takes its events")
			b.sells(func(pay func()) {
				end(b.listeners[0])
				pay()
				b.progress(20)
				b.listeners[0] = b.shop.listenAlone(b.homes[0], b.way.listeners[0])
			})
			b.note("kill the server: nothing is paid until it is back")
			b.sells(func(pay func()) {
				b.server.Kill()
				b.unknown(time.Now())
				refused := b.refused.Load()
				paid := make(chan struct{})
				go func() {
					defer close(paid)
					pay() // This ends when the event is acknowledged.
				}()
				eventually(b.t, "events are refused", func() bool { return b.refused.Load() > refused+10 })
				tuitest.Must(b.t, b.server.Restart())
				<-paid
			})
			b.note("cut off the console: it shows UNKNOWN within 10 s")
			b.sells(func(pay func()) {
				b.road.Hush(true)
				began := time.Now()
				pay()
				b.unknown(began)
				b.road.Hush(false)
			})
			b.progress(20)
		}
	})
	b.accountForAll()
}
