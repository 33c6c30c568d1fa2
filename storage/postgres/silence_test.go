package postgres_test

import (
	"bytes"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"checkout/till/payments"
	"checkout/till/storage/postgres"
	"checkout/till/storage/storagetest/postgrestest"
)

// wire is a way to the server on which packets can vanish without a word.
type wire struct {
	address string
	cut     atomic.Bool
	end     atomic.Bool // It is cut once a commit has gone through.
	keep    atomic.Bool // The server never learns that the near end is gone.
	mu      sync.Mutex
	held    []net.Conn
}

// newWire returns a wire to the server of a database.
func newWire(t *testing.T, address string) *wire {
	t.Helper()
	return newWireTo(t, address)
}

// newWireTo returns a wire to a server that may refuse connections.
func newWireTo(t *testing.T, address string) *wire {
	t.Helper()
	config, err := pgx.ParseConfig(address)
	if err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(config.Host, ".s.PGSQL.5432")
	if _, err := os.Stat(socket); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{address: "postgres://" + config.User + "@" + listener.Addr().String() + "/" + config.Database + "?sslmode=disable"}
	t.Cleanup(func() {
		_ = listener.Close()
		w.mu.Lock()
		defer w.mu.Unlock()
		for _, end := range w.held {
			_ = end.Close()
		}
	})
	go func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			w.join(near, socket)
		}
	}()
	return w
}

// join lets bytes through both ways, until they vanish.
func (w *wire) join(near net.Conn, socket string) {
	far, err := net.Dial("unix", socket)
	if err != nil {
		_ = near.Close()
		return
	}
	w.mu.Lock()
	w.held = append(w.held, near, far)
	w.mu.Unlock()
	pass := func(to io.WriteCloser, from io.Reader) {
		defer func() {
			if !w.keep.Load() {
				_ = to.Close()
			}
		}()
		piece := make([]byte, 64<<10)
		for {
			n, err := from.Read(piece)
			if err != nil {
				return
			}
			if w.cut.Load() {
				continue
			}
			if w.end.Load() && bytes.Contains(piece[:n], []byte("COMMIT\x00")) {
				w.cut.Store(true)
			}
			if _, err := to.Write(piece[:n]); err != nil {
				return
			}
		}
	}
	go pass(far, near)
	go pass(near, far)
}

// P7: whatever the store does at that moment, it is known within 10 s that
// nothing is heard of the server any more, and it goes on by itself.
func TestP7SilenceIsAFaultWithinTenSeconds(t *testing.T) {
	t.Parallel()
	change := func(store *postgres.Store, within func()) error {
		return store.Update(t.Context(), func(tx payments.Tx) error {
			_, err := tx.Sales().NextNumber("series")
			within()
			return err
		})
	}
	for name, begin := range map[string]func(store *postgres.Store, w *wire) error{
		"P7 while nobody does anything": func(_ *postgres.Store, w *wire) error { w.cut.Store(true); return nil },
		"P7 in the middle of a change": func(store *postgres.Store, w *wire) error {
			return change(store, func() { w.cut.Store(true) })
		},
		"P7 in the middle of a commit": func(store *postgres.Store, w *wire) error {
			return change(store, func() { w.end.Store(true) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWire(t, postgrestest.Database(t))
			store := openAt(t, w.address)
			if _, err := store.Orders(t.Context(), payments.Query{}); err != nil {
				t.Fatal(err)
			}
			alarm, began := store.Watch(t.Context()), time.Now()
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				_ = begin(store, w) // It may have been written or not.
			}()
			failing := func() bool {
				_, err := store.Orders(t.Context(), payments.Query{})
				return err != nil
			}
			<-alarm // Nobody asks before.
			if took := time.Since(began); took > 10*time.Second || !failing() {
				t.Errorf("it was told after %v, and is a fault: %v", took, failing())
			}
			w.end.Store(false)
			w.cut.Store(false)
			<-ended
			expectSoon(t, "it goes on", func() bool { return !failing() })
		})
	}
}
