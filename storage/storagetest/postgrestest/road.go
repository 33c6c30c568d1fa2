package postgrestest

import (
	"bytes"
	"crypto/tls"
	"io"
	"net"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// Fate is what happens to a commit that passes through a [Road].
type Fate int32

// The fates of a commit. [Road.NextCommit] sets one.
const (
	Passes  Fate = iota
	Falls        // The server receives the commit; after that, the proxy drops all data.
	Reaches      // The server commits; the connection ends before the answer.
	Misses       // The connection ends before the server receives the commit.
)

// Road is a proxy on loopback to a server. It counts round trips, and it can drop data and end
// connections.
type Road struct {
	Certificate *tls.Certificate // Certificate for TLS; nil to refuse TLS. Set it before Open.

	t        testing.TB
	database *url.URL
	listen   string
	trips    atomic.Int64
	silent   atomic.Bool
	leaves   atomic.Bool
	passing  atomic.Int32 // Number of commits that pass before the one with the fate.
	commit   atomic.Int32 // Fate of the commit after the passing ones.
	mu       sync.Mutex
	ends     []net.Conn
}

// NewRoad returns a proxy for the server of a database. listen is the proxy's HOST:PORT. The proxy
// refuses connections until it is opened.
func NewRoad(t testing.TB, database, listen string) *Road {
	t.Helper()
	parsed, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	return &Road{t: t, database: parsed, listen: listen}
}

// Address returns the address of the database through the proxy. If the proxy chooses its port,
// call Address after Open.
func (r *Road) Address() string {
	return "postgres://" + r.database.User.Username() + "@" + r.listen + r.database.Path + "?sslmode=disable"
}

// Distant returns the address with the host 0.0.0.0 and without options. It reaches this machine,
// but does not count as loopback.
func (r *Road) Distant() string {
	address, _, _ := strings.Cut(r.Address(), "?")
	return strings.Replace(address, "127.0.0.1", "0.0.0.0", 1)
}

// Open accepts connections until the test ends. It returns r.
func (r *Road) Open() *Road {
	r.t.Helper()
	listener, err := net.Listen("tcp", r.listen)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() {
		_ = listener.Close()
		r.mu.Lock()
		defer r.mu.Unlock()
		for _, end := range r.ends {
			_ = end.Close()
		}
	})
	r.listen = listener.Addr().String()
	go func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			go r.connect(near)
		}
	}()
	return r
}

// connect forwards a connection to the server. If the client asks for TLS, connect accepts or
// refuses it.
func (r *Road) connect(near net.Conn) {
	far, err := net.Dial("unix", filepath.Join(r.database.Query().Get("host"), ".s.PGSQL.5432"))
	if err != nil {
		_ = near.Close()
		return
	}
	r.mu.Lock()
	r.ends = append(r.ends, near, far)
	r.mu.Unlock()
	first := make([]byte, 8)
	if _, err := io.ReadFull(near, first); err != nil {
		return
	}
	switch asks := bytes.Equal(first[4:], []byte{4, 210, 22, 47}); {
	case asks && r.Certificate != nil:
		_, _ = near.Write([]byte("S"))
		near = tls.Server(near, &tls.Config{Certificates: []tls.Certificate{*r.Certificate}})
	case asks:
		_, _ = near.Write([]byte("N"))
	default:
		_, _ = far.Write(first)
	}
	var asked, lost atomic.Bool
	go r.pass(far, near, &lost, func() { asked.Store(true) })
	r.pass(near, far, &lost, func() {
		if asked.Swap(false) {
			r.trips.Add(1)
		}
	})
}

// Hush makes the proxy drop all data if silent is true, else pass data again. The connections stay
// open.
func (r *Road) Hush(silent bool) { r.silent.Store(silent) }

// LeaveOpen makes the proxy keep the connection to the server when the client's connection ends.
func (r *Road) LeaveOpen() { r.leaves.Store(true) }

// NextCommit sets the fate of the next commit only.
func (r *Road) NextCommit(fate Fate) { r.CommitAfter(0, fate) }

// CommitAfter sets the fate of a commit. passing is the number of commits that pass before it.
func (r *Road) CommitAfter(passing int, fate Fate) {
	r.passing.Store(int32(passing))
	r.commit.Store(int32(fate))
}

// Committed reports whether a commit has met the fate that NextCommit or CommitAfter has set.
func (r *Road) Committed() bool { return r.commit.Load() == int32(Passes) }

// Trips returns how often the server has answered so far. A reply to several statements that were
// sent together counts once; a notification does not count.
func (r *Road) Trips() int64 { return r.trips.Load() }

// pass forwards data in the pieces in which it arrives, and calls see before each piece. For a
// commit with the fate Reaches, it sets lost: then the pass in the other direction ends the
// connection before the answer.
func (r *Road) pass(to, from net.Conn, lost *atomic.Bool, see func()) {
	defer func() {
		if !r.leaves.Load() {
			_, _ = to.Close(), from.Close()
		}
	}()
	piece := make([]byte, 64<<10)
	for {
		n, err := from.Read(piece)
		if err != nil || lost.Load() {
			return
		}
		see()
		if r.silent.Load() {
			continue
		}
		fate := Passes
		if bytes.Contains(piece[:n], []byte("COMMIT\x00")) && r.passing.Add(-1) < 0 {
			fate = Fate(r.commit.Swap(int32(Passes)))
		}
		switch fate {
		case Passes:
		case Misses:
			return
		case Falls:
			r.silent.Store(true)
		case Reaches:
			lost.Store(true)
		}
		if _, err := to.Write(piece[:n]); err != nil {
			return
		}
	}
}
