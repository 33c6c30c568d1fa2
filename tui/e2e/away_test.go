package e2e_test

import (
	"net"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"checkout/till/storage/storagetest/postgrestest"
	"checkout/till/tui/tuitest"
)

// road is the way from a counter to the database server. It can be closed, so
// that nobody answers, or fall silent, so that packets vanish without a word.
type road struct {
	t       *testing.T
	server  string // The server's socket.
	address string // HOST:PORT of the near end.

	mu     sync.Mutex
	silent bool
	near   net.Listener // Nil while it is closed.
	ends   []net.Conn
}

// pave lays a road to the server of a database, closed as yet, and returns it
// with the database's address along it.
func pave(t *testing.T, database string) (r *road, address string) {
	t.Helper()
	parsed, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	folder := parsed.Query().Get("host")
	r = &road{t: t, server: filepath.Join(folder, ".s.PGSQL.5432"), address: freeAddress(t)}
	t.Cleanup(r.close)
	return r, "postgres://" + parsed.User.Username() + "@" + r.address + parsed.Path + "?sslmode=disable"
}

// open lets connections through.
func (r *road) open() {
	r.t.Helper()
	listener, err := net.Listen("tcp", r.address)
	if err != nil {
		r.t.Fatal(err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.near = listener
	go func() {
		for {
			end, err := listener.Accept()
			if err != nil {
				return
			}
			r.join(end)
		}
	}()
}

// join joins a connection with the server.
func (r *road) join(near net.Conn) {
	far, err := net.Dial("unix", r.server)
	if err != nil {
		_ = near.Close()
		return
	}
	r.mu.Lock()
	r.ends = append(r.ends, near, far)
	r.mu.Unlock()
	pass := func(to, from net.Conn) {
		defer func() { _ = to.Close() }()
		piece := make([]byte, 64<<10)
		for {
			n, err := from.Read(piece)
			if err != nil {
				return
			}
			if r.quiet() {
				continue
			}
			if _, err := to.Write(piece[:n]); err != nil {
				return
			}
		}
	}
	go pass(far, near)
	go pass(near, far)
}

func (r *road) quiet() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.silent
}

// hush lets everything vanish that is said, or not any more.
func (r *road) hush(silent bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.silent = silent
}

// close ends all connections and takes no more.
func (r *road) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.near != nil {
		_ = r.near.Close()
		r.near = nil
	}
	for _, end := range r.ends {
		_ = end.Close()
	}
	r.ends = nil
}

// remote sets up a shop whose database is at the end of a road, and returns it
// with the road.
func remote(t *testing.T) (*shop, *road) {
	t.Helper()
	shop := open(t, tenMinutes)
	road, address := pave(t, postgrestest.Database(t))
	shop.address = address
	return shop, road
}

// begin opens the console of a shop as it is.
func (s *shop) begin() *tuitest.Terminal {
	s.t.Helper()
	cmd := exec.Command(binary)
	cmd.Env = s.env()
	return tuitest.Start(s.t, 80, 24, cmd, tuitest.Patience(time.Minute)).Sees("Total")
}

func TestASaleIsEnteredWhileTheDatabaseIsAwayAndPaidWhenItComes(t *testing.T) {
	t.Parallel()
	shop, road := remote(t)
	terminal := shop.begin().Sees("NO DATABASE: cannot charge, nothing shown is certain", "Type what the customer takes")
	terminal.Type("Vary 3500 x2").Press("enter").Sees("7 000")
	shop.keeps(t, "Vary")
	terminal.Kill()
	terminal.Wait()

	// Still away.
	terminal = shop.begin().Sees("NO DATABASE", "Vary", "7 000")
	terminal.Press("f8").Sees("Database", "no answer since the start", "nothing can be charged").Press("esc").Gone("no answer since the start")
	terminal.Type("Coca 2000").Press("enter").Sees("9 000").Press("enter").Sees("Charge 9 000 Ar?")
	terminal.Press("enter").Sees("Cut off from the database: nothing can be charged now. The lines are kept.", "Coca")

	road.open()
	terminal.Gone("NO DATABASE").Sees("receives payments", "Vary", "Coca")
	link := terminal.Press("enter").Sees("Charge 9 000 Ar?")
	shop.customer(link.Press("enter").Sees("To pay", "9 000 Ar").QR(), "success")
	terminal.Sees("PAID", "9 000 Ar", "next sale").Press("enter").Sees("Type what the customer takes")
	if order := shop.newest(); order.Verdict != "paid" || !strings.HasPrefix(order.Reference, "T1-") {
		t.Errorf("the order is %+v", order)
	}
	terminal.Press("f8").Sees("Database", "answered ")
	terminal.Kill()
	terminal.Wait()
	shop.begin().Sees("receives payments", "Type what the customer takes")
}

// P7: the network falls silent without a word, and no screen of the shop says
// any longer than ten seconds what may not be so any more.
func TestP7NothingIsShownAsPaidWhileTheDatabaseIsSilent(t *testing.T) {
	shop, road := remote(t)
	road.open()
	terminal := shop.begin().Sees("receives payments")
	display := exec.Command(binary, "display")
	display.Env = shop.env()
	customer := tuitest.Start(t, 80, 24, display).Sees("Welcome")
	spoken := exec.Command(binary, "--plain")
	spoken.Env = append(shop.env(), "HOME="+t.TempDir(), "TILL_LISTEN="+freeAddress(t), "TILL_TILL=T2")
	plain := tuitest.Start(t, 80, 24, spoken, tuitest.Patience(time.Minute)).Sees("receives payments")

	terminal.Type("Vary 3500 x2").Press("enter").Sees("7 000")
	customer.Sees("7 000 Ar")
	link := terminal.Type("Coca 2000").Press("enter").Sees("9 000").Press("enter").Sees("Charge 9 000 Ar?")
	paying := link.Press("enter").Sees("To pay").QR()
	customer.Sees("9 000 Ar")
	shop.customer(paying, "success")
	terminal.Sees("PAID")
	customer.Sees("PAID")

	road.hush(true)
	began := time.Now()
	terminal.Gone("PAID").Sees("UNKNOWN", "Payments cannot be seen at the moment")
	customer.Sees("Please ask at the counter")
	plain.Sees("NO DATABASE: cannot charge, nothing shown is certain")
	// Ten seconds are promised; the machine has other things to do.
	if took := time.Since(began); took > bearable(10*time.Second) {
		t.Errorf("P7 it took %v", took)
	}
	plain.Type("health").Press("enter").Sees("Database: last answer ")
	plain.Type("Kafe 800").Press("enter").Sees("Total 800 Ar")
	plain.Press("enter").Sees("Cut off from the database: nothing can be charged now.")

	road.hush(false)
	terminal.Gone("Payments cannot be seen at the moment").Sees("PAID")
	plain.Sees(">\nreceives payments")
}
