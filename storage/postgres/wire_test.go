package postgres_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"log/slog"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"checkout/till/storage/postgres"
	"checkout/till/storage/storagetest/postgrestest"
)

// The fates of the next commit on a wire.
const (
	passes  = iota
	falls   // The server receives the commit; after that no data passes.
	reaches // The server receives the commit; the connection ends before the answer.
	misses  // The connection ends before the server receives the commit.
)

// wire is a loopback proxy to the server that can drop data without an error.
type wire struct {
	address     string           // Address of the database through the wire, without TLS.
	certificate *tls.Certificate // Nil to refuse TLS.

	cut    atomic.Bool  // Drops all data and keeps the connections open.
	keep   atomic.Bool  // Leaves the server's end open after the client's end is gone.
	commit atomic.Int32 // Fate of the next commit.
	mu     sync.Mutex
	ends   []net.Conn
}

// newWire starts a wire to the server of a database.
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

// connect forwards a connection to the server, after TLS if the client asks for
// it.
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

// pass forwards data in the pieces in which it arrives.
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

// certificate makes a self-signed certificate for an address and writes it into
// a file.
func certificate(t *testing.T, address string) (made tls.Certificate, file string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.ParseIP(address)},
		IsCA: true, BasicConstraintsValid: true,
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	must(t, err)
	file = filepath.Join(t.TempDir(), "issuer.pem")
	must(t, os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw}), 0o600))
	return tls.Certificate{Certificate: [][]byte{raw}, PrivateKey: key}, file
}

// elsewhere returns the database's address with host 0.0.0.0, which reaches this
// machine but does not count as loopback. The server there uses the certificate
// own, or refuses TLS if own is nil.
func elsewhere(t *testing.T, address string, own *tls.Certificate) string {
	t.Helper()
	w := newWire(t, address)
	w.certificate = own
	return strings.Replace(strings.Split(w.address, "?")[0], "127.0.0.1", "0.0.0.0", 1)
}

func TestARemoteServerNeedsACertificateByDefault(t *testing.T) {
	database := postgrestest.Database(t)
	own, issuer := certificate(t, "0.0.0.0")
	other, _ := certificate(t, "0.0.0.1")
	plain := elsewhere(t, database, nil)
	refused := postgres.Connection{}
	full, local := postgres.Connection{SSLMode: "verify-full"}, postgres.Connection{Local: true, SSLMode: "verify-full"}
	for _, c := range []struct {
		name, address, environment string
		want                       postgres.Connection
		readable                   bool
	}{
		{"it refuses TLS", plain, "", refused, true},
		{"its certificate has an unknown issuer", elsewhere(t, database, &own), "", refused, true},
		{"it has another server's certificate", elsewhere(t, database, &other) + "?sslrootcert=" + issuer, "", refused, true},
		{"a blank mode", plain + "?sslmode=", "", refused, true},
		{"it has a trusted certificate", elsewhere(t, database, &own) + "?sslrootcert=" + issuer, "", full, false},
		{"the address asks for no TLS", plain + "?sslmode=disable", "", postgres.Connection{SSLMode: "disable"}, true},
		{"the address prefers TLS", plain + "?sslmode=prefer", "", postgres.Connection{SSLMode: "prefer"}, true},
		{"the environment asks for no TLS", plain, "disable", postgres.Connection{SSLMode: "disable"}, true},
		{"by a socket", database, "", local, false},
		{"by loopback", strings.Replace(plain, "0.0.0.0", "127.0.0.1", 1), "", local, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("PGSSLMODE", c.environment)
			store, err := postgres.Open(t.Context(), c.address, postgres.Options{})
			if c.want == refused {
				if !errors.Is(err, postgres.ErrUntrusted) || postgres.Away(err) {
					t.Errorf("error %v, want ErrUntrusted", err)
				}
				return
			}
			must(t, err)
			defer func() { _ = store.Close() }()
			known := store.Connection()
			if known.Skew, known.Heard = 0, (time.Time{}); known != c.want || known.Readable() != c.readable {
				t.Errorf("got %+v, readable %v, want %+v", known, known.Readable(), c.want)
			}
		})
	}
}

func TestTheServersClockIsMeasured(t *testing.T) {
	t.Parallel()
	address := postgrestest.Database(t)
	var behind atomic.Int64
	var log bytes.Buffer
	store := openAt(t, address, postgres.Options{
		Clock: func() time.Time { return time.Now().Add(-time.Duration(behind.Load())) }, Logger: slog.New(slog.NewTextHandler(&log, nil)),
	})
	expect := func(want time.Duration) {
		t.Helper()
		if off := (store.Connection().Skew - want).Abs(); off > 2*time.Second {
			t.Errorf("the server's clock is %v ahead, want %v", store.Connection().Skew, want)
		}
	}
	expect(0)
	if log.Len() > 0 {
		t.Errorf("got log %s, want none", &log)
	}
	behind.Store(int64(15 * time.Minute))
	expectSoon(t, "it is measured", func() bool { return (store.Connection().Skew - 15*time.Minute).Abs() < 2*time.Second })
	must(t, store.Close())
	if said := log.String(); !strings.Contains(said, "clock") || !strings.Contains(said, "server_ahead=") {
		t.Errorf("the log names no clock difference: %s", said)
	}
	store = openAt(t, address, postgres.Options{Clock: func() time.Time { return time.Now().Add(time.Hour) }})
	expect(-time.Hour)
}
