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
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"checkout/till/storage/postgres"
	"checkout/till/storage/storagetest/postgrestest"
)

// certificate makes a certificate for an address that is its own issuer, and
// writes it into a file.
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

// elsewhere serves the database of an address at 0.0.0.0, which is reached like
// loopback and is no loopback address by its number. The server has the
// certificate, or says no to TLS when that is nil.
func elsewhere(t *testing.T, address string, own *tls.Certificate) string {
	t.Helper()
	parsed, err := url.Parse(address)
	must(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	serve := func(client net.Conn) {
		defer func() { _ = client.Close() }()
		first := make([]byte, 8)
		if _, err := io.ReadFull(client, first); err != nil {
			return
		}
		server, err := net.Dial("unix", filepath.Join(parsed.Query().Get("host"), ".s.PGSQL.5432"))
		if err != nil {
			return
		}
		defer func() { _ = server.Close() }()
		switch asks := first[4] == 4 && first[5] == 210 && first[6] == 22 && first[7] == 47; {
		case asks && own != nil:
			_, _ = client.Write([]byte("S"))
			client = tls.Server(client, &tls.Config{Certificates: []tls.Certificate{*own}})
		case asks:
			_, _ = client.Write([]byte("N"))
		default:
			_, _ = server.Write(first)
		}
		go func() { _, _ = io.Copy(client, server) }()
		_, _ = io.Copy(server, client)
	}
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go serve(client)
		}
	}()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	return strings.Split(strings.Replace(address, "@/", "@0.0.0.0:"+port+"/", 1), "?")[0]
}

func TestP12AnotherMachineProvesWhoItIsUnlessTheAddressSaysOtherwise(t *testing.T) {
	database := postgrestest.Database(t)
	own, issuer := certificate(t, "0.0.0.0")
	other, _ := certificate(t, "0.0.0.1")
	open := func(t *testing.T, address string, want postgres.Connection) {
		t.Helper()
		store := openAt(t, address)
		known := store.Connection()
		if known.Skew = 0; known != want {
			t.Errorf("%+v, want %+v", known, want)
		}
	}
	refuse := func(t *testing.T, address string) {
		t.Helper()
		if _, err := postgres.Open(t.Context(), address, postgres.Options{}); !errors.Is(err, postgres.ErrUntrusted) || postgres.Away(err) {
			t.Errorf("error %v", err)
		}
	}
	full, plain, preferred := postgres.Connection{SSLMode: "verify-full"}, postgres.Connection{SSLMode: "disable"}, postgres.Connection{SSLMode: "prefer"}
	if full.Readable() || !plain.Readable() || !preferred.Readable() || (postgres.Connection{Local: true}).Readable() {
		t.Error("it is not told when a connection can be read")
	}
	t.Run("it says no to TLS", func(t *testing.T) { refuse(t, elsewhere(t, database, nil)) })
	t.Run("nobody vouches for it", func(t *testing.T) { refuse(t, elsewhere(t, database, &own)) })
	t.Run("it has another one's certificate", func(t *testing.T) { refuse(t, elsewhere(t, database, &other)+"?sslrootcert="+issuer) })
	t.Run("a blank mode is none", func(t *testing.T) { refuse(t, elsewhere(t, database, nil)+"?sslmode=") })
	t.Run("it proves it", func(t *testing.T) { open(t, elsewhere(t, database, &own)+"?sslrootcert="+issuer, full) })
	t.Run("the address asks for no TLS", func(t *testing.T) { open(t, elsewhere(t, database, nil)+"?sslmode=disable", plain) })
	t.Run("the address prefers TLS", func(t *testing.T) { open(t, elsewhere(t, database, nil)+"?sslmode=prefer", preferred) })
	t.Run("the environment asks for no TLS", func(t *testing.T) {
		t.Setenv("PGSSLMODE", "disable")
		open(t, elsewhere(t, database, nil), plain)
	})
	t.Run("by a socket", func(t *testing.T) { open(t, database, postgres.Connection{Local: true, SSLMode: "verify-full"}) })
	t.Run("by loopback", func(t *testing.T) {
		open(t, strings.Replace(elsewhere(t, database, nil), "0.0.0.0", "127.0.0.1", 1), postgres.Connection{Local: true, SSLMode: "verify-full"})
	})
}

func TestP13TheServersClockIsMeasured(t *testing.T) {
	address := postgrestest.Database(t)
	var behind time.Duration
	var log bytes.Buffer
	store := openAt(t, address, postgres.Options{
		Clock: func() time.Time { return time.Now().Add(-behind) }, Logger: slog.New(slog.NewTextHandler(&log, nil)),
	})
	expect := func(want time.Duration) {
		t.Helper()
		if off := (store.Skew() - want).Abs(); off > 2*time.Second {
			t.Errorf("P13 the server's clock is %v ahead, want %v", store.Skew(), want)
		}
	}
	expect(0)
	if log.Len() > 0 {
		t.Errorf("the log says %s", &log)
	}
	behind = 15 * time.Minute
	must(t, store.Probe(t.Context()))
	expect(15 * time.Minute)
	if said := log.String(); !strings.Contains(said, "clock") || !strings.Contains(said, "server_ahead=15m") {
		t.Errorf("P13 the log says %s", said)
	}
	far := openAt(t, address, postgres.Options{Clock: func() time.Time { return time.Now().Add(time.Hour) }})
	if store = far; store != nil {
		expect(-time.Hour)
	}
}
