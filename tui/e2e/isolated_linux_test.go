package e2e_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"checkout/till/tui/tuitest"
)

// namespace is the environment variable that is set for a test in an isolated network. The value
// is the path of the program to test.
const namespace = "TILL_E2E_NAMESPACE"

// needs skips the test if one of the tools is not installed. If TILL_TEST_REQUIRE is set, the test
// goes on and fails when it uses the tool.
func needs(t *testing.T, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil && os.Getenv("TILL_TEST_REQUIRE") == "" {
			t.Skip("this machine has no ", tool)
		}
	}
}

// isolated runs the test again in a child process with a separate network, separate mounts
// and its own /etc/hosts. It returns true in the child process.
func isolated(t *testing.T, hosts string) bool {
	t.Helper()
	if os.Getenv(namespace) != "" {
		enter := func() error {
			socket, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
			if err != nil {
				return err
			}
			loopback, err := unix.NewIfreq("lo")
			if err != nil {
				return err
			}
			loopback.SetUint16(unix.IFF_UP)
			if err := unix.IoctlIfreq(socket, unix.SIOCSIFFLAGS, loopback); err != nil {
				return err
			}
			file := filepath.Join(t.TempDir(), "hosts")
			if err := os.WriteFile(file, []byte(hosts), 0o644); err != nil {
				return err
			}
			return unix.Mount(file, "/etc/hosts", "", unix.MS_BIND, "")
		}
		if err := enter(); err != nil {
			t.Skip("a namespace gives no rights on this machine: ", err)
		}
		return true
	}
	t.Parallel()
	child := exec.CommandContext(t.Context(), "/proc/self/exe", "-test.v", "-test.run=^"+t.Name()+"$")
	child.Env = append(os.Environ(), namespace+"="+binary)
	child.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  unix.CLONE_NEWUSER | unix.CLONE_NEWNET | unix.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	said, err := child.CombinedOutput()
	switch {
	case child.ProcessState == nil:
		t.Skip("this machine cannot isolate a network: ", err)
	case err != nil:
		t.Errorf("%v\n%s", err, said)
	case strings.Contains(string(said), "--- SKIP"):
		t.Skip(string(said))
	default:
		t.Logf("%s", said)
	}
	return false
}

type authority struct {
	t    testing.TB
	key  *ecdsa.PrivateKey
	cert *x509.Certificate
}

// trusted makes a certificate authority. This process trusts it, and so do the programs that
// inherit its SSL_CERT_FILE.
func trusted(t testing.TB) authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	tuitest.Must(t, err)
	a := authority{t, key, &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().AddDate(1, 0, 0), IsCA: true, BasicConstraintsValid: true,
	}}
	file := filepath.Join(t.TempDir(), "authority.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.sign(a.cert)})
	tuitest.Must(t, os.WriteFile(file, text, 0o600))
	t.Setenv("SSL_CERT_FILE", file)
	return a
}

func (a authority) sign(certificate *x509.Certificate) []byte {
	a.t.Helper()
	raw, err := x509.CreateCertificate(rand.Reader, certificate, a.cert, a.key.Public(), a.key)
	tuitest.Must(a.t, err)
	return raw
}

// certify returns a certificate for a host and its private key, in the format PEM.
func (a authority) certify(host string) (certificate, key []byte) {
	a.t.Helper()
	private, err := x509.MarshalECPrivateKey(a.key)
	tuitest.Must(a.t, err)
	raw := a.sign(&x509.Certificate{SerialNumber: big.NewInt(2), DNSNames: []string{host}, NotAfter: time.Now().AddDate(1, 0, 0)})
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw}), pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: private})
}

// front is a web server that serves a host over HTTPS and forwards one path.
type front struct {
	host, path, target string
}

func (a authority) open(f front) (end func()) {
	a.t.Helper()
	certificate, err := tls.X509KeyPair(a.certify(f.host))
	tuitest.Must(a.t, err)
	mux := http.NewServeMux()
	mux.Handle(f.path, httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: f.target}))
	server := httptest.NewUnstartedServer(mux)
	listener, err := net.Listen("tcp", f.host+":443")
	tuitest.Must(a.t, err)
	_ = server.Listener.Close()
	server.Listener, server.TLS = listener, &tls.Config{Certificates: []tls.Certificate{certificate}}
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	server.StartTLS()
	return server.Close
}
