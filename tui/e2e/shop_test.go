package e2e_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/sandbox"
	sandboxserver "checkout/till/payments/sandbox/server"
	"checkout/till/storage/storagetest/postgrestest"
	"checkout/till/tui/tuitest"
)

// The secrets of the shop under test.
const (
	accessToken   = tuitest.AccessToken
	webhookSecret = tuitest.WebhookSecret
)

// binary is the program, built once by TestMain.
var binary string

func TestMain(m *testing.M) { os.Exit(buildAndRun(m)) }

func buildAndRun(m *testing.M) int {
	if binary = os.Getenv("TILL_E2E_NAMESPACE"); binary != "" {
		return m.Run()
	}
	folder, err := os.MkdirTemp("", "till-e2e")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(folder) }()
	binary = filepath.Join(folder, "till")
	if runtime.GOOS == "windows" {
		binary += ".exe"
	}
	build := exec.Command("go", "build", "-o", binary, "checkout/till")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build the program: %v\n%s", err, out)
		return 1
	}
	// They wait more than they work.
	if err := flag.Set("test.parallel", "6"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return postgrestest.Run(m)
}

// sized returns how much of something a test does: little with -short, and much
// where TILL_TEST_LONG is set, as each night.
func sized[T any](short, usual, long T) T {
	switch {
	case os.Getenv("TILL_TEST_LONG") != "":
		return long
	case testing.Short():
		return short
	}
	return usual
}

// shop is a shop's folder, a payment service, and the address at which the
// shop hears from it.
type shop struct {
	t       testing.TB
	home    string
	listen  string
	service *sandbox.Sandbox
	baseURL string
	// address is where the shop keeps its data; empty for a file in its home.
	address string
}

// open sets a shop up, with a payment service that has the given lifetime of
// links.
func open(t *testing.T, lifetime time.Duration) *shop {
	t.Helper()
	s := openAt(t, "")
	s.serve(lifetime, s.webhook())
	return s
}

// serve gives the shop a payment service that tells its events to a webhook.
func (s *shop) serve(lifetime time.Duration, webhook string) {
	s.t.Helper()
	service, err := sandbox.New(sandbox.Config{
		Token: payments.NewSecret(accessToken), WebhookSecret: payments.NewSecret(webhookSecret),
		WebhookURL: webhook, Lifetime: lifetime, Shop: "Tantely",
	})
	if err != nil {
		s.t.Fatal(err)
	}
	server := httptest.NewServer(sandboxserver.New(service))
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = service.Run(s.t.Context())
	}()
	s.t.Cleanup(func() {
		<-done
		server.Close()
	})
	s.service, s.baseURL = service, server.URL
}

// openAt sets a shop up whose payment service is at baseURL.
func openAt(t testing.TB, baseURL string) *shop {
	t.Helper()
	home := t.TempDir()
	t.Cleanup(func() { tuitest.SearchFolder(t, home) })
	return &shop{t: t, home: home, listen: freeAddress(t), baseURL: baseURL}
}

// freeAddress is a loopback address that nobody listened on a moment ago, below
// the ports that the system gives to outgoing connections of its own accord.
func freeAddress(t testing.TB) string {
	t.Helper()
	for range 1000 {
		listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 10_000+rand.IntN(20_000)))
		if err == nil {
			defer func() { _ = listener.Close() }()
			return listener.Addr().String()
		}
	}
	t.Fatal("no port is free")
	return ""
}

func (s *shop) webhook() string { return "http://" + s.listen + "/webhook" }

// env is the environment of a person who set the shop up.
func (s *shop) env(extra ...string) []string {
	env := tuitest.Environ(
		"HOME="+s.home, "TILL_BASE_URL="+s.baseURL, "TILL_ACCESS_TOKEN="+accessToken,
		"TILL_WEBHOOK_SECRET="+webhookSecret, "TILL_LISTEN="+s.listen,
		"TILL_SHOP=Tantely", "TILL_TILL=T1", "TILL_LANGUAGE=en", "TILL_DATABASE="+s.address,
	)
	return append(env, extra...)
}

// console opens the console at 80×24, in a terminal that answers no question.
func (s *shop) console(args ...string) *tuitest.Terminal {
	s.t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Env = s.env()
	return tuitest.Start(s.t, 80, 24, cmd).Sees("Total", "receives payments")
}

// withSettings opens the console of a shop whose secrets stand in a settings
// file instead of the environment.
func (s *shop) withSettings(path string) *tuitest.Terminal {
	s.t.Helper()
	cmd := exec.Command(binary)
	cmd.Env = append(s.env(), "TILL_ACCESS_TOKEN=", "TILL_WEBHOOK_SECRET=", "TILL_CONFIG="+path)
	return tuitest.Start(s.t, 80, 24, cmd).Sees("Total", "receives payments")
}

// till runs a command and returns its standard output, its standard error and
// its exit code.
func (s *shop) till(args ...string) (stdout, stderr string, code int) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Env = s.env()
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		s.t.Fatal(err)
	}
	tuitest.SearchText(s.t, strings.Join(args, " "), []byte(out.String()+errs.String()))
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// order is what `till order show --json` says of an order.
type order struct {
	Reference      string   `json:"reference"`
	OrderReference string   `json:"order_reference"`
	Status         string   `json:"status"`
	Verdict        string   `json:"verdict"`
	Paid           bool     `json:"paid"`
	Attention      []string `json:"attention"`
	Events         []struct {
		Event   string `json:"event"`
		Outcome string `json:"outcome"`
		Count   int    `json:"count"`
	} `json:"events"`
}

// newest returns the newest order with its events.
func (s *shop) newest() order {
	s.t.Helper()
	listed, stderr, code := s.till("order", "list", "--json")
	var orders []order
	if err := json.Unmarshal([]byte(listed), &orders); err != nil || len(orders) == 0 {
		s.t.Fatalf("order list: %v, exit %d\n%s%s", err, code, listed, stderr)
	}
	shown, stderr, code := s.till("order", "show", orders[0].Reference, "--json")
	var whole order
	if err := json.Unmarshal([]byte(shown), &whole); err != nil {
		s.t.Fatalf("order show: %v, exit %d\n%s%s", err, code, shown, stderr)
	}
	return whole
}

// sell types a sale of 9 000 Ar and charges it, and returns the link that the
// code on the screen says.
func sell(terminal *tuitest.Terminal) string {
	return enter(terminal).Press("enter").Sees("To pay", "9 000 Ar").QR()
}

// enter types a sale of 9 000 Ar, up to the question whether to charge it.
func enter(terminal *tuitest.Terminal) *tuitest.Terminal {
	terminal.Type("Vary 3500 x2").Press("enter").Sees("7 000")
	terminal.Type("Coca 2000").Press("enter").Sees("9 000")
	return terminal.Press("enter").Sees("Charge 9 000 Ar?")
}

// customer presses a button of the hosted page.
func (s *shop) customer(link, outcome string) {
	s.t.Helper()
	request, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, link,
		strings.NewReader(url.Values{"outcome": {outcome}}.Encode()))
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode >= 400 {
		s.t.Fatalf("the page answered %s to %s", response.Status, outcome)
	}
}

// notify posts an event to the shop, signed as header says, and returns the
// reply's code.
func (s *shop) notify(body []byte, signature string) int {
	s.t.Helper()
	request, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.webhook(), bytes.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("x-svc-signature", signature)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0
	}
	defer func() { _ = response.Body.Close() }()
	return response.StatusCode
}

// signature is the header value that the service sends.
func signature() string {
	return gateway.Sign(gateway.Static, payments.NewSecret(webhookSecret), nil)
}

// success is the event of a paid order.
func success(orderReference string, amount payments.Ariary) []byte {
	return gateway.EncodeEvent(gateway.Notification{
		Event: payments.PaymentSuccess, OrderReference: orderReference, Reference: "PAY_1",
		Amount: amount, Currency: "Ar", Description: "2 × Vary, Coca",
	})
}
