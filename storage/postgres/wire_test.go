package postgres_test

import (
	"bytes"
	"crypto/tls"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// What becomes of the next commit on a wire.
const (
	passes  = iota
	falls   // It reaches the server, and then nothing passes any more.
	reaches // It reaches the server, and the connection ends before the answer.
	misses  // The connection ends before it reaches the server.
)

// wire is a way to the server of a database, by loopback, on which packets can
// vanish without a word.
type wire struct {
	address     string           // Without TLS.
	certificate *tls.Certificate // Nil where it says no to TLS.

	cut    atomic.Bool  // Nothing passes, and nobody is told.
	keep   atomic.Bool  // The server never learns that the near end is gone.
	commit atomic.Int32 // See passes.
	mu     sync.Mutex
	ends   []net.Conn
}

// newWire returns a wire to the server of a database.
func newWire(t *testing.T, address string) *wire {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	w := &wire{address: strings.Replace(strings.Split(address, "?")[0], "@/", "@"+listener.Addr().String()+"/", 1) + "?sslmode=disable"}
	t.Cleanup(func() {
		_ = listener.Close()
		w.mu.Lock()
		defer w.mu.Unlock()
		for _, end := range w.ends {
			_ = end.Close()
		}
	})
	go func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			go w.connect(near)
		}
	}()
	return w
}

// connect passes a connection on to the server, and takes part in TLS.
func (w *wire) connect(near net.Conn) {
	far, err := net.Dial("unix", filepath.Join(os.Getenv("TILL_TEST_POSTGRES"), ".s.PGSQL.5432"))
	if err != nil {
		_ = near.Close()
		return
	}
	w.mu.Lock()
	w.ends = append(w.ends, near, far)
	w.mu.Unlock()
	first := make([]byte, 8)
	if _, err := io.ReadFull(near, first); err != nil {
		return
	}
	switch asks := bytes.Equal(first[4:], []byte{4, 210, 22, 47}); {
	case asks && w.certificate != nil:
		_, _ = near.Write([]byte("S"))
		near = tls.Server(near, &tls.Config{Certificates: []tls.Certificate{*w.certificate}})
	case asks:
		_, _ = near.Write([]byte("N"))
	default:
		_, _ = far.Write(first)
	}
	go w.pass(far, near)
	w.pass(near, far)
}

// pass passes on what comes, message by message as it was sent.
func (w *wire) pass(to io.WriteCloser, from io.ReadCloser) {
	defer func() {
		if !w.keep.Load() {
			_, _ = to.Close(), from.Close()
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
		fate := int32(passes)
		if bytes.Contains(piece[:n], []byte("COMMIT\x00")) {
			fate = w.commit.Swap(passes)
		}
		switch fate {
		case misses:
			return
		case falls:
			w.cut.Store(true)
		case reaches:
			_ = from.Close()
		}
		if _, err := to.Write(piece[:n]); err != nil || fate == reaches {
			return
		}
	}
}
