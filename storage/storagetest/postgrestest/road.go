package postgrestest

import (
	"net"
	"net/url"
	"path/filepath"
	"sync/atomic"
	"testing"
)

// Road is a loopback proxy to a server. It counts round trips, and can drop all data.
type Road struct {
	t        testing.TB
	database *url.URL
	listen   string // HOST:PORT of the proxy.
	trips    atomic.Int64
	silent   atomic.Bool
}

// NewRoad returns a proxy at a HOST:PORT to the server of a database. It refuses connections
// until it is opened.
func NewRoad(t testing.TB, database, listen string) *Road {
	t.Helper()
	parsed, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	return &Road{t: t, database: parsed, listen: listen}
}

// Address returns the address of the database through the proxy. If the proxy chooses its
// port, the address is known after Open.
func (r *Road) Address() string {
	return "postgres://" + r.database.User.Username() + "@" + r.listen + r.database.Path + "?sslmode=disable"
}

// Open accepts connections until the test ends. It returns r.
func (r *Road) Open() *Road {
	r.t.Helper()
	listener, err := net.Listen("tcp", r.listen)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _ = listener.Close() })
	r.listen = listener.Addr().String()
	go r.accept(listener)
	return r
}

func (r *Road) accept(listener net.Listener) {
	for {
		near, err := listener.Accept()
		if err != nil {
			return
		}
		far, err := net.Dial("unix", filepath.Join(r.database.Query().Get("host"), ".s.PGSQL.5432"))
		if err != nil {
			_ = near.Close()
			continue
		}
		var asked atomic.Bool
		go r.pass(far, near, func() { asked.Store(true) })
		go r.pass(near, far, func() {
			if asked.Swap(false) {
				r.trips.Add(1)
			}
		})
	}
}

// Hush makes the proxy drop all data, or pass data again.
func (r *Road) Hush(silent bool) { r.silent.Store(silent) }

// Trips returns how often a server has answered so far. A reply to several statements that
// were sent together counts once. A notification does not count.
func (r *Road) Trips() int64 { return r.trips.Load() }

// pass forwards data and calls see before each piece.
func (r *Road) pass(to, from net.Conn, see func()) {
	defer func() { _, _ = to.Close(), from.Close() }()
	piece := make([]byte, 64<<10)
	for {
		n, err := from.Read(piece)
		if err != nil {
			return
		}
		see()
		if r.silent.Load() {
			continue
		}
		if _, err := to.Write(piece[:n]); err != nil {
			return
		}
	}
}
