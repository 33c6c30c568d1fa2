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
	"log/slog"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/storage/postgres"
	"checkout/till/storage/storagetest"
	"checkout/till/storage/storagetest/postgrestest"
)

// certificate makes a self-signed certificate for an address and writes it into a file.
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

// distant returns the address of a server that does not count as loopback. The server uses the
// certificate own. If own is nil, it refuses TLS.
func distant(t *testing.T, database string, own *tls.Certificate) string {
	t.Helper()
	road := postgrestest.NewRoad(t, database, "127.0.0.1:0")
	road.Certificate = own
	return road.Open().Distant()
}

func TestARemoteServerNeedsACertificateByDefault(t *testing.T) {
	database := postgrestest.Database(t)
	own, issuer := certificate(t, "0.0.0.0")
	other, _ := certificate(t, "0.0.0.1")
	plain := distant(t, database, nil)
	refused := postgres.Connection{}
	full, local := postgres.Connection{SSLMode: "verify-full"}, postgres.Connection{Local: true, SSLMode: "verify-full"}
	for _, c := range []struct {
		name, address, environment string
		want                       postgres.Connection
		readable                   bool
	}{
		{"it refuses TLS", plain, "", refused, true},
		{"its certificate has an unknown issuer", distant(t, database, &own), "", refused, true},
		{"it has another server's certificate", distant(t, database, &other) + "?sslrootcert=" + issuer, "", refused, true},
		{"only its first host is this machine", strings.Replace(plain, "0.0.0.0", "127.0.0.1:1,0.0.0.0", 1), "", refused, true},
		{"a blank mode", plain + "?sslmode=", "", refused, true},
		{"it has a trusted certificate", distant(t, database, &own) + "?sslrootcert=" + issuer, "", full, false},
		{"the address asks for no TLS", plain + "?sslmode=disable", "", postgres.Connection{SSLMode: "disable"}, true},
		{"the address prefers TLS", plain + "?sslmode=prefer", "", postgres.Connection{SSLMode: "prefer"}, true},
		{"the environment asks for no TLS", plain, "disable", postgres.Connection{SSLMode: "disable"}, true},
		{"by a socket", database, "", local, false},
		{"by loopback", strings.Replace(plain, "0.0.0.0", "127.0.0.1", 1), "", local, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("PGSSLMODE", c.environment)
			store, err := postgres.Open(t.Context(), c.address, postgres.Options{})
			if c.want.SSLMode == "" {
				if !errors.Is(err, postgres.ErrUntrusted) || postgres.Away(err) {
					t.Errorf("error %v, want ErrUntrusted", err)
				}
				return
			}
			must(t, err)
			defer func() { _ = store.Close() }()
			known := store.Connection()
			if known.Skew, known.Heard = 0, (time.Time{}); !reflect.DeepEqual(known, c.want) || known.Readable() != c.readable {
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

// TestSignsOfLife makes the records of listeners older instead of waiting.
func TestSignsOfLife(t *testing.T) {
	t.Parallel()
	address := postgrestest.Database(t)
	one, two, till := openAt(t, address), openAt(t, address), openAt(t, address)
	silences := func() (found []time.Duration) {
		for _, listener := range till.Connection().Listeners {
			found = append(found, listener.Silent)
		}
		return found
	}
	// The till reads the records once a second.
	expect := func(what string, names ...string) {
		t.Helper()
		expectSoon(t, what, func() bool {
			return slices.EqualFunc(till.Connection().Listeners, names, func(l payments.Listener, name string) bool { return l.Name == name })
		})
	}
	sequence := func() []string {
		read, err := postgrestest.Try(t, address, "SELECT value FROM meta WHERE key = 'change_seq'")
		must(t, err)
		return read
	}
	expect("there is none at first")
	storagetest.Fill(t, one, 1)
	notices, before := till.Watch(t.Context()), sequence()
	expectNotice(t, notices)

	must(t, one.SignOfLife(t.Context(), "a:1"))
	must(t, two.SignOfLife(t.Context(), "b:2"))
	expect("both are found, the last one first", "b:2", "a:1")
	if silent := slices.Max(silences()); silent > 10*time.Second {
		t.Errorf("got %v right after a sign", silent)
	}
	postgrestest.Script(t, address, "UPDATE listeners SET seen_at = seen_at - 60000 WHERE name = 'b:2'")
	expect("the silent one is last", "a:1", "b:2")
	if silent := silences()[1]; silent < time.Minute || silent > 70*time.Second {
		t.Errorf("got %v a minute after a sign", silent)
	}
	must(t, two.SignOfLife(t.Context(), "b:2"))
	expect("it is back", "b:2", "a:1")
	must(t, two.EndSigns(t.Context(), "b:2"))
	expect("it ended cleanly", "a:1")

	postgrestest.Script(t, address, "UPDATE listeners SET seen_at = seen_at - 86400000")
	must(t, two.SignOfLife(t.Context(), "b:2"))
	expect("one that was never ended is forgotten after a day", "b:2")
	postgrestest.Script(t, address, "UPDATE listeners SET seen_at = seen_at + 3600000")
	expectSoon(t, "a sign from before the server's clock was set back is old", func() bool { return silences()[0] > 50*time.Minute })

	if after := sequence(); !slices.Equal(after, before) {
		t.Errorf("the change sequence went from %v to %v", before, after)
	}
	select {
	case <-notices:
		t.Error("a sign of life woke a watcher")
	default:
	}
}
