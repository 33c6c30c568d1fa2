package cli_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"checkout/till/tui/tuitest"
)

// authority is a certificate authority that speaks ACME. It checks each domain by
// TLS-ALPN-01 at the relay's address, and does not verify the signatures of requests.
type authority struct {
	*httptest.Server
	relay string // Address of the relay.
	key   *ecdsa.PrivateKey
	root  *x509.Certificate

	mu      sync.Mutex
	proven  bool     // Whether the domain of the last order was checked.
	domains []string // The domains of the orders.
	issued  []byte   // The last certificate.
}

func newAuthority(t *testing.T, relay string) *authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	tuitest.Must(t, err)
	root := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().AddDate(-1, 0, 0), NotAfter: time.Now().AddDate(1, 0, 0), KeyUsage: x509.KeyUsageCertSign,
	}
	made, err := x509.CreateCertificate(rand.Reader, root, root, key.Public(), key)
	tuitest.Must(t, err)
	root, err = x509.ParseCertificate(made)
	tuitest.Must(t, err)
	a := &authority{relay: relay, key: key, root: root}
	a.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.mu.Lock()
		defer a.mu.Unlock()
		if err := a.answer(w, r); err != nil {
			t.Error(err)
			http.Error(w, err.Error(), http.StatusBadRequest)
		}
	}))
	t.Cleanup(a.Close)
	return a
}

// answer answers a request. The caller holds a.mu.
func (a *authority) answer(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Replay-Nonce", rand.Text())
	var message struct {
		Payload string `json:"payload"`
	}
	var payload struct {
		Identifiers []struct {
			Value string `json:"value"`
		} `json:"identifiers"`
		CSR string `json:"csr"`
	}
	if r.Method == http.MethodPost {
		err := json.NewDecoder(r.Body).Decode(&message)
		text, decoded := base64.RawURLEncoding.DecodeString(message.Payload)
		if err = errors.Join(err, decoded); err == nil && len(text) > 0 {
			err = json.Unmarshal(text, &payload)
		}
		if err != nil {
			return err
		}
	}
	switch r.URL.Path {
	case "/":
		_, err := fmt.Fprintf(w, `{"newNonce":"%[1]s/nonce","newAccount":"%[1]s/account","newOrder":"%[1]s/new"}`, a.URL)
		return err
	case "/account":
		w.Header().Set("Location", a.URL+"/account/1")
		w.WriteHeader(http.StatusCreated)
		_, err := io.WriteString(w, `{"status":"valid"}`)
		return err
	case "/new":
		a.domains = append(a.domains, payload.Identifiers[0].Value)
		a.proven = false
		w.Header().Set("Location", a.URL+"/order")
		w.WriteHeader(http.StatusCreated)
		return a.order(w, "pending")
	case "/authorization", "/challenge":
		if r.URL.Path == "/challenge" {
			if err := a.check(r.Context()); err != nil {
				return err
			}
			a.proven = true
		}
		status := map[bool]string{false: "pending", true: "valid"}[a.proven]
		challenge := fmt.Sprintf(`{"type":"tls-alpn-01","url":"%s/challenge","token":"token","status":%q}`, a.URL, status)
		if r.URL.Path == "/authorization" {
			challenge = fmt.Sprintf(`{"status":%q,"identifier":{"type":"dns","value":%q},"challenges":[%s]}`, status, a.domains[len(a.domains)-1], challenge)
		}
		_, err := io.WriteString(w, challenge)
		return err
	case "/order":
		return a.order(w, map[bool]string{false: "pending", true: "ready"}[a.proven])
	case "/finalize":
		if err := a.issue(payload.CSR); err != nil {
			return err
		}
		w.Header().Set("Location", a.URL+"/order")
		return a.order(w, "valid")
	case "/certificate":
		w.Header().Set("Content-Type", "application/pem-certificate-chain")
		return errors.Join(
			pem.Encode(w, &pem.Block{Type: "CERTIFICATE", Bytes: a.issued}), pem.Encode(w, &pem.Block{Type: "CERTIFICATE", Bytes: a.root.Raw}),
		)
	}
	return nil
}

func (a *authority) order(w io.Writer, status string) error {
	_, err := fmt.Fprintf(w, `{"status":%q,"authorizations":["%[2]s/authorization"],"finalize":"%[2]s/finalize","certificate":"%[2]s/certificate"}`,
		status, a.URL)
	return err
}

// check returns an error unless the relay presents the TLS-ALPN-01 certificate of the last
// order's domain.
func (a *authority) check(ctx context.Context) error {
	domain := a.domains[len(a.domains)-1]
	dialer := tls.Dialer{Config: &tls.Config{ServerName: domain, NextProtos: []string{"acme-tls/1"}, InsecureSkipVerify: true}} // The proof is self-signed.
	conn, err := dialer.DialContext(ctx, "tcp", a.relay)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	state := conn.(*tls.Conn).ConnectionState()
	proof := state.PeerCertificates[0]
	extends := func(extension pkix.Extension) bool { return extension.Id.String() == "1.3.6.1.5.5.7.1.31" }
	if state.NegotiatedProtocol != "acme-tls/1" || !slices.Equal(proof.DNSNames, []string{domain}) || !slices.ContainsFunc(proof.Extensions, extends) {
		return fmt.Errorf("no proof of %s: %v", domain, proof.DNSNames)
	}
	return nil
}

// issue issues a certificate. The first one expires in a day, so that it must be renewed.
func (a *authority) issue(csr string) error {
	text, err := base64.RawURLEncoding.DecodeString(csr)
	if err != nil {
		return err
	}
	request, err := x509.ParseCertificateRequest(text)
	if err != nil {
		return err
	}
	made := &x509.Certificate{
		SerialNumber: big.NewInt(int64(len(a.domains) + 1)), DNSNames: request.DNSNames,
		NotBefore: time.Now().AddDate(0, 0, -60), NotAfter: time.Now().AddDate(0, 0, 1), KeyUsage: x509.KeyUsageDigitalSignature,
	}
	if len(a.domains) > 1 {
		made.NotBefore, made.NotAfter = time.Now().Add(-time.Hour), time.Now().AddDate(0, 0, 90)
	}
	a.issued, err = x509.CreateCertificate(rand.Reader, made, a.root, request.PublicKey, a.key)
	return err
}

// visit sends the relay a request for a host name, and returns the serial number of the
// relay's certificate.
func (a *authority) visit(ctx context.Context, name string) (int64, error) {
	roots := x509.NewCertPool()
	roots.AddCert(a.root)
	dialer := tls.Dialer{Config: &tls.Config{ServerName: name, RootCAs: roots}}
	conn, err := dialer.DialContext(ctx, "tcp", a.relay)
	if err != nil {
		return 0, err
	}
	defer func() { _ = conn.Close() }()
	_, err = fmt.Fprintf(conn, "GET /w/none HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", name)
	answer, unread := io.ReadAll(conn)
	if !strings.HasPrefix(string(answer), "HTTP/1.1 404 ") {
		err = fmt.Errorf("the relay answers %q", answer)
	}
	return conn.(*tls.Conn).ConnectionState().PeerCertificates[0].SerialNumber.Int64(), errors.Join(err, unread)
}

func TestARelayGetsAndRenewsItsCertificate(t *testing.T) {
	const domain = "relay.example.mg"
	desk := newDesk(t)
	address := ownPort(t)
	authority := newAuthority(t, address)
	boxes := filepath.Join(desk.env["HOME"], "boxes")
	args := []string{"relay", "--domain", domain, "--listen", address, "--admin", "127.0.0.1:0", "--acme", authority.URL + "/", "--data", boxes}
	end := desk.background("for https://"+domain, args...)
	var serial int64
	var err error
	if !eventually(func() bool {
		serial, err = authority.visit(t.Context(), domain)
		return serial == 3
	}, make(chan int)) {
		t.Errorf("the certificate was not renewed: serial number %d, %v", serial, err)
	}
	for _, name := range []string{"other.example.mg", "www." + domain} {
		if _, err := authority.visit(t.Context(), name); err == nil {
			t.Errorf("the relay answers as %s", name)
		}
	}
	desk.stops(end)

	// The next start uses the stored certificate.
	end = desk.background("for https://"+domain, args...)
	defer end()
	if serial, err := authority.visit(t.Context(), domain); serial != 3 || err != nil {
		t.Errorf("after a restart: serial number %d, %v", serial, err)
	}
	authority.mu.Lock()
	defer authority.mu.Unlock()
	if !slices.Equal(authority.domains, []string{domain, domain}) {
		t.Errorf("certificates were ordered for %q", authority.domains)
	}
}
