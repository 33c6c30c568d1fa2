package postgrestest

import (
	"net"
	"net/url"
	"path/filepath"
	"sync/atomic"
	"testing"
)

// Road is a loopback proxy to a server. It counts round trips.
type Road struct {
	Address string // Address of the database through the proxy.
	trips   atomic.Int64
}

// NewRoad starts a proxy to the server of a database.
func NewRoad(t testing.TB, database string) *Road {
	t.Helper()
	parsed, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	r := &Road{Address: "postgres://" + parsed.User.Username() + "@" + listener.Addr().String() + parsed.Path + "?sslmode=disable"}
	go func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("unix", filepath.Join(parsed.Query().Get("host"), ".s.PGSQL.5432"))
			if err != nil {
				_ = near.Close()
				continue
			}
			var asked atomic.Bool
			go pass(far, near, func() { asked.Store(true) })
			go pass(near, far, func() {
				if asked.Swap(false) {
					r.trips.Add(1)
				}
			})
		}
	}()
	return r
}

// Trips returns how often a server has answered so far. A reply to several statements that
// were sent together counts once. A notification does not count.
func (r *Road) Trips() int64 { return r.trips.Load() }

// pass forwards data and calls see before each piece.
func pass(to, from net.Conn, see func()) {
	defer func() { _, _ = to.Close(), from.Close() }()
	piece := make([]byte, 64<<10)
	for {
		n, err := from.Read(piece)
		if err != nil {
			return
		}
		see()
		if _, err := to.Write(piece[:n]); err != nil {
			return
		}
	}
}
