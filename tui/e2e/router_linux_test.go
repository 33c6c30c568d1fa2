package e2e_test

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"checkout/till/tui/tuitest"
)

// The addresses of the public network, and of the shop behind its router.
const (
	relayHost, relayAddress     = "relay.example.mg", "10.8.0.1"
	serviceHost, serviceAddress = "pay.example.mg", "10.8.0.2"
	shopAddress                 = "10.8.0.3"
)

// run runs a command of the operating system. It skips the test if the machine forbids it.
func run(t *testing.T, command string) {
	t.Helper()
	fields := strings.Fields(command)
	if out, err := exec.CommandContext(t.Context(), fields[0], fields[1:]...).CombinedOutput(); err != nil {
		t.Skipf("%s: %v: %s", command, err, out)
	}
}

// behindRouter makes a network namespace for the shop's programs. A pair of virtual interfaces
// connects it to the network of this test. The process keeper keeps the namespace alive.
func behindRouter(t *testing.T) (keeper int) {
	t.Helper()
	idle := exec.CommandContext(t.Context(), "unshare", "--net", "sleep", "600")
	tuitest.Must(t, idle.Start())
	t.Cleanup(func() { end(idle) })
	keeper = idle.Process.Pid
	own, err := os.Readlink("/proc/self/ns/net")
	tuitest.Must(t, err)
	eventually(t, "the shop has a network", func() bool {
		network, err := os.Readlink(fmt.Sprintf("/proc/%d/ns/net", keeper))
		return err == nil && network != own
	})
	inside := fmt.Sprintf("nsenter --net --target %d ", keeper)
	run(t, fmt.Sprintf("ip link add street type veth peer name shop netns %d", keeper))
	run(t, "ip address add "+relayAddress+"/24 dev street")
	run(t, "ip address add "+serviceAddress+"/24 dev street")
	run(t, "ip link set street up")
	run(t, inside+"ip address add "+shopAddress+"/24 dev shop")
	run(t, inside+"ip link set shop up")
	run(t, inside+"ip link set lo up")
	return keeper
}

// certify starts a certificate authority with the ACME protocol. Its certificates are valid for 20
// seconds, so a relay renews its certificate during the test. certify returns the address of the
// authority's directory, and the authority's root certificate.
func certify(t *testing.T, issuer authority) (directory string, root []byte) {
	t.Helper()
	folder := t.TempDir()
	write := func(name string, text []byte) string {
		file := filepath.Join(folder, name)
		tuitest.Must(t, os.WriteFile(file, text, 0o600))
		return file
	}
	certificate, key := issuer.certify("localhost")
	listen, manage := tuitest.FreeAddress(t), tuitest.FreeAddress(t)
	config, err := json.Marshal(map[string]any{"pebble": map[string]any{
		"listenAddress": listen, "managementListenAddress": manage, "tlsPort": 443, "certificateValidityPeriod": 20,
		"certificate": write("certificate.pem", certificate), "privateKey": write("key.pem", key),
	}})
	tuitest.Must(t, err)
	server := exec.CommandContext(t.Context(), "pebble", "-config", write("config.json", config))
	server.Env = append(os.Environ(), "PEBBLE_VA_NOSLEEP=1", "PEBBLE_WFE_NONCEREJECT=0")
	tuitest.Must(t, server.Start())
	t.Cleanup(func() { end(server) })
	address := func(listening string) string {
		return "https://localhost" + listening[strings.LastIndex(listening, ":"):]
	}
	eventually(t, "the certificate authority has a root", func() bool {
		code, _, text := get(address(manage) + "/roots/0")
		root = []byte(text)
		return code != 0
	})
	return address(listen) + "/dir", root
}

// serialOf returns the serial number of the certificate that the relay sends for a host.
func serialOf(roots *x509.CertPool, host string) (string, error) {
	connection, err := tls.Dial("tcp", relayAddress+":443", &tls.Config{ServerName: host, RootCAs: roots})
	if err != nil {
		return "", err
	}
	defer func() { _ = connection.Close() }()
	return connection.ConnectionState().PeerCertificates[0].SerialNumber.String(), nil
}

// publicRelay is a relay in the public network. It has a certificate, and a mailbox for a shop.
type publicRelay struct {
	*shop
	boxes         string // Folder of the boxes.
	directory     string // Address of the certificate authority.
	roots         *x509.CertPool
	first         string // Serial number of the relay's first certificate.
	code, webhook string // Pairing code and webhook of the mailbox.
	relay         *exec.Cmd
}

func (r *publicRelay) startRelay() {
	r.t.Helper()
	r.relay = r.listens(r.program("relay --domain "+relayHost+" --listen "+relayAddress+":443 --admin 127.0.0.1:0 --data "+r.boxes+" --acme "+r.directory,
		"SSL_CERT_FILE="+os.Getenv("SSL_CERT_FILE")), "relay on")
}

// serial waits until the relay has a certificate, and returns the certificate's serial number.
func (r *publicRelay) serial() (serial string) {
	r.t.Helper()
	eventually(r.t, "the relay has a certificate", func() bool {
		var err error
		serial, err = serialOf(r.roots, relayHost)
		return err == nil
	})
	return serial
}

// openPublicRelay starts a relay. Afterwards, programs that read SSL_CERT_FILE trust the relay's
// certificates.
func openPublicRelay(t *testing.T, issuer authority) *publicRelay {
	t.Helper()
	directory, root := certify(t, issuer)
	r := &publicRelay{shop: openAt(t, &paymentService{url: "https://" + serviceHost}), roots: x509.NewCertPool()}
	r.boxes = filepath.Join(r.home, "boxes")
	r.directory = directory
	r.roots.AppendCertsFromPEM(root)
	began := time.Now()
	r.startRelay()
	r.first = r.serial()
	t.Logf("the relay has a certificate %.1f s after its start", time.Since(began).Seconds())
	eventually(t, "the certificate is stored", func() bool {
		_, err := os.Stat(filepath.Join(r.boxes, "certificates", relayHost))
		return err == nil
	})
	end(r.relay)
	r.startRelay()
	if serial := r.serial(); serial != r.first {
		t.Error("a restarted relay has another certificate")
	}
	_, r.code, r.webhook = r.addBox(r.boxes)
	trust, err := os.OpenFile(os.Getenv("SSL_CERT_FILE"), os.O_APPEND|os.O_WRONLY, 0)
	tuitest.Must(t, err)
	_, err = trust.Write(root)
	tuitest.Must(t, err)
	tuitest.Must(t, trust.Close())
	return r
}

// account starts the payment service at the address listen. The service sends its events to the
// shop's mailbox.
func (r *publicRelay) account(listen string) {
	r.t.Helper()
	alone(r.t, "sandbox --allow-host "+serviceHost+" --allow-target "+relayHost+" --listen "+listen+" --public-url "+r.service.url+" --webhook-url "+r.webhook,
		"SSL_CERT_FILE="+os.Getenv("SSL_CERT_FILE"), "TILL_ACCESS_TOKEN="+accessToken, "TILL_WEBHOOK_SECRET="+webhookSecret).Sees("dashboard on")
}

// customer pays the link's order on the hosted page.
func (r *publicRelay) customer(link string) {
	r.t.Helper()
	response, err := http.PostForm(link, url.Values{"outcome": {"success"}})
	tuitest.Must(r.t, err)
	if _ = response.Body.Close(); response.StatusCode >= http.StatusBadRequest {
		r.t.Fatalf("the page answers %s", response.Status)
	}
}

// runInside makes the shop's programs run in the network of the process keeper.
func runInside(t *testing.T, keeper int) {
	t.Helper()
	inside := filepath.Join(t.TempDir(), "till")
	tuitest.Must(t, os.WriteFile(inside, []byte("#!/bin/sh\nexec nsenter --net --target "+strconv.Itoa(keeper)+" "+binary+" \"$@\"\n"), 0o700))
	binary = inside
}

// A shop that cannot be reached from outside gets its payments through a relay, including payments
// that customers make while its console is off.
func TestAShopBehindARouterGetsItsPayments(t *testing.T) {
	needs(t, "pebble", "ip", "unshare", "nsenter")
	if !isolated(t, "127.0.0.1 localhost\n"+relayAddress+" "+relayHost+"\n"+serviceAddress+" "+serviceHost+"\n") {
		return
	}
	keeper := behindRouter(t)
	issuer := trusted(t)
	s := openPublicRelay(t, issuer)
	if _, err := serialOf(s.roots, "other.example.mg"); err == nil {
		t.Error("the relay got a certificate for another host")
	}
	const target = "127.0.0.1:8789"
	t.Cleanup(issuer.open(front{host: serviceHost, path: "/", target: target}))
	s.account(target)

	runInside(t, keeper)
	owner := []string{"HOME=" + s.home, "SSL_CERT_FILE=" + os.Getenv("SSL_CERT_FILE")}
	terminal := alone(t, "setup", owner...)
	terminal.Sees("Step 1").Press("enter").Sees("┃ The shop's name").Type("Tantely").Press("enter").Sees("┃ This till's name").Press("enter")
	terminal.Sees("┃ Address of the service").Type(s.service.url).Press("enter").Sees("┃ Access token").Type(accessToken).Press("enter")
	terminal.Sees("How do", "› A relay").Press("enter").Sees("┃ Webhook secret").Type(webhookSecret).Press("enter")
	terminal.Sees("┃ Signature header").Press("enter").Sees("┃ What is signed").Press("enter")
	terminal.Sees("┃ Address of the relay").Type(relayHost).Press("enter").Sees("┃ Pairing code").Type(s.code).Press("enter").Sees("┃ Recovery code").Press("enter")
	terminal.Sees("┃ Table of articles").Press("enter").Sees("Ready to write").Press("enter")
	terminal.Shows(s.webhook, "check everything now?").Type("yes\n").Shows("failed: 0 · to look at: 1", "first order").Type("yes\n").Shows("waiting for the payment")
	s.customer(terminal.QR())
	if code := terminal.Shows("is paid", "All is ready").Wait(); code != 0 || strings.Contains(terminal.Screen(), "level=") {
		t.Errorf("the first order: exit code %d, or a warning\n%s", code, terminal.Screen())
	}
	if connection, err := net.DialTimeout("tcp", shopAddress+":8788", time.Second); err == nil {
		_ = connection.Close()
		t.Error("the shop can be reached from outside")
	}

	// Three customers pay while the console is off.
	console := func() *tuitest.Terminal { return alone(t, "", owner...).Sees("Type what the customer takes", "relay") }
	cut := console()
	var links []string
	for range 3 {
		cut.Type("Vary 3500x2").Press("enter").Sees("7 000").Press("enter").Sees("Charge 7 000 Ar?").Press("enter").Sees("To pay")
		links = append(links, cut.QR())
		cut.Press("esc").Sees("Leave it waiting until").Press("enter").Sees("Type what the customer takes")
	}
	cut.Kill()
	for _, link := range links {
		s.customer(link)
	}
	eventually(t, "the relay keeps the three events", func() bool {
		return s.keptAt(s.boxes) == 3
	})
	back := console().Sees("✓ 3 PAID (+1)  21 000 Ar    While the till was off")
	eventually(t, "the relay renews its certificate", func() bool {
		now, err := serialOf(s.roots, relayHost)
		return err == nil && now != s.first
	})
	// While an order waits, Ctrl+C first opens a question. The banner may appear before the console
	// shows the last payment.
	back.Press("f4").Sees("2  7 000 Ar  ✓ PAID", "3  7 000 Ar  ✓ PAID", "4  7 000 Ar  ✓ PAID")
	quit(t, back)
	again := console()
	if strings.Contains(again.Screen(), "While the till was off") {
		t.Error("the payments are told twice")
	}
	quit(t, again)
}
