package archive_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/sandbox"
	"checkout/till/payments/sandbox/archive"
)

// What a process that a test started is to do, until it is killed.
const (
	childFile    = "TILL_TEST_SANDBOX_FILE"
	childWebhook = "TILL_TEST_SANDBOX_WEBHOOK"
	childAhead   = "TILL_TEST_SANDBOX_AHEAD" // How far its clock is ahead.
)

const (
	token  = "TGP_test_not_a_real_token"
	secret = "whsec_demo_0123456789abcdef"
)

func TestMain(m *testing.M) {
	if os.Getenv(childFile) != "" {
		fmt.Println(serveUntilKilled(context.Background()))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func serveUntilKilled(ctx context.Context) error {
	ahead, err := time.ParseDuration(os.Getenv(childAhead))
	if err != nil {
		return err
	}
	file, err := archive.Open(ctx, os.Getenv(childFile))
	if err != nil {
		return err
	}
	service, err := sandbox.Reopen(ctx, file, sandbox.Config{
		Token: payments.NewSecret(token), WebhookSecret: payments.NewSecret(secret),
		WebhookURL: os.Getenv(childWebhook), Now: func() time.Time { return time.Now().Add(ahead) },
	})
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println("http://" + listener.Addr().String())
	go func() { _ = service.Run(ctx) }()
	return http.Serve(listener, service)
}

// child is a process that serves a sandbox.
type child struct {
	address string
	command *exec.Cmd
}

// start starts a process that serves the sandbox of a data file.
func start(t *testing.T, path, webhook string, ahead time.Duration) *child {
	t.Helper()
	command := exec.CommandContext(t.Context(), os.Args[0])
	command.Env = append(os.Environ(), childFile+"="+path, childWebhook+"="+webhook, childAhead+"="+ahead.String())
	command.Stderr = os.Stderr
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = command.Process.Kill() })
	address, err := bufio.NewReader(output).ReadString('\n')
	if err != nil || !strings.HasPrefix(address, "http://") {
		t.Fatalf("the process says %q (%v)", address, err)
	}
	return &child{strings.TrimSpace(address), command}
}

// kill ends the process as kill -9 does.
func (c *child) kill() {
	_ = c.command.Process.Kill()
	_ = c.command.Wait()
}

// call sends a request and reads the answer into a value; the status is 0 when
// none came.
func (c *child) call(method, path, body string, into any) int {
	return c.send(http.DefaultClient, method, path, body, into)
}

func (c *child) send(client *http.Client, method, path, body string, into any) int {
	request, err := http.NewRequest(method, c.address+path, strings.NewReader(body))
	if err != nil {
		return 0
	}
	response, err := client.Do(request)
	if err != nil {
		return 0
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return 0
	}
	if into != nil && json.Unmarshal(text, into) != nil {
		return 0
	}
	return response.StatusCode
}

// made is what the order call answered.
type made struct {
	Data struct {
		CheckoutURL    string `json:"checkout_url"`
		OrderReference string `json:"order_reference"`
	}
}

// take makes an order, and returns false unless it was acknowledged.
func (c *child) take(reference string) (made, int) {
	var answer made
	body := gateway.EncodeOrder(gateway.OrderRequest{
		Description: "Vary", Access: payments.NewSecret(token), Reference: reference,
		Amount: 3500, Currency: payments.Currency,
		Metadata: []gateway.OrderItem{{Label: "Vary", UnitPrice: 3500, Quantity: 1}},
	})
	return answer, c.call(http.MethodPost, gateway.DefaultOrderPath, string(body), &answer)
}

// path is the link without its host, which is another after each restart.
func (m made) path() string {
	link, err := url.Parse(m.Data.CheckoutURL)
	if err != nil {
		return ""
	}
	return link.Path
}

// promised is what a process acknowledged before it was killed.
type promised struct {
	mu     sync.Mutex
	orders map[string]made // By the merchant's reference.
	paid   map[string]bool
}

// work makes orders, and pays every other one, until the process is killed.
func (p *promised) work(c *child, name string, enough func()) {
	for i := 0; ; i++ {
		reference := fmt.Sprintf("%s-%d", name, i)
		order, status := c.take(reference)
		if status != http.StatusOK {
			return
		}
		p.mu.Lock()
		p.orders[reference] = order
		p.mu.Unlock()
		if i%2 == 0 {
			continue
		}
		var acted struct{ State string }
		if c.call(http.MethodPost, "/lab/orders/"+order.Data.OrderReference+"/act", `{"outcome":"success"}`, &acted) == http.StatusOK {
			p.mu.Lock()
			p.paid[reference] = true
			p.mu.Unlock()
		}
		if i == 5 {
			enough()
		}
	}
}

// shop is a merchant that fails now and then, and keeps what it accepted.
type shop struct {
	*httptest.Server
	mu       sync.Mutex
	accepted map[string][]payments.EventKind // By order reference.
	failed   map[string]bool                 // Once each.
	requests int
	changed  chan struct{}
}

func newShop(t *testing.T) *shop {
	s := &shop{
		accepted: make(map[string][]payments.EventKind), failed: make(map[string]bool),
		changed: make(chan struct{}, 1),
	}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // Its sender was killed.
		}
		event, err := gateway.DecodeEvent(body)
		if err != nil {
			t.Errorf("event %s: %v", body, err)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.requests++; s.requests%5 == 0 && !s.failed[event.OrderReference] {
			s.failed[event.OrderReference] = true
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		s.accepted[event.OrderReference] = append(s.accepted[event.OrderReference], event.Kind)
		select {
		case s.changed <- struct{}{}:
		default:
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// got returns what was accepted of an order, each kind once.
func (s *shop) got(order string) []payments.EventKind {
	s.mu.Lock()
	defer s.mu.Unlock()
	kinds := slices.Clone(s.accepted[order])
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

func TestWhatWasAcknowledgedSurvivesKills(t *testing.T) {
	rounds := 8
	if testing.Short() {
		rounds = 2
	}
	path := filepath.Join(t.TempDir(), "sandbox.db")
	merchant := newShop(t)
	all := &promised{orders: make(map[string]made), paid: make(map[string]bool)}
	for round := range rounds {
		process := start(t, path, merchant.URL, 0)
		for reference, order := range all.orders {
			if status := process.call(http.MethodGet, order.path(), "", nil); status != http.StatusOK {
				t.Fatalf("after %d kills the page of %s answers %d", round, reference, status)
			}
		}
		var workers sync.WaitGroup
		var kill sync.Once
		for worker := range 4 {
			workers.Go(func() {
				all.work(process, fmt.Sprintf("T%d-%d", worker, round), func() { kill.Do(process.kill) })
			})
		}
		workers.Wait()
		process.kill()
	}
	process := start(t, path, merchant.URL, time.Hour)
	checkPromises(t, process, all)
	awaitEvents(t, merchant, all)
	process.kill()
	file, err := archive.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	records, err := file.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var everything bytes.Buffer
	for _, record := range records {
		everything.Write(record.Body)
	}
	if text := everything.String(); strings.Contains(text, token) || strings.Contains(text, secret) {
		t.Error("W30 a secret is kept")
	}
	t.Logf("%d kills, %d orders acknowledged, %d of them paid, %d records", rounds, len(all.orders), len(all.paid), len(records))
}

// checkPromises fails the test unless all that was acknowledged is there, an
// hour later.
func checkPromises(t *testing.T, process *child, all *promised) {
	t.Helper()
	var orders []struct{ Reference, State string }
	if status := process.call(http.MethodGet, "/lab/orders?limit=1000", "", &orders); status != http.StatusOK {
		t.Fatalf("the list answers %d", status)
	}
	states := make(map[string]string)
	for _, order := range orders {
		states[order.Reference] = order.State
	}
	for reference := range all.orders {
		if state := states[reference]; state == "" || all.paid[reference] && state != "success" {
			t.Errorf("%s is %q; acknowledged as paid: %t", reference, state, all.paid[reference])
		}
		if _, status := process.take(reference); status != http.StatusConflict {
			t.Errorf("the reference %s can be taken again: %d", reference, status)
		}
	}
}

// awaitEvents waits until every order's end was told to the merchant, and fails
// the test unless it was the right one.
func awaitEvents(t *testing.T, merchant *shop, all *promised) {
	t.Helper()
	deadline := time.After(time.Minute)
	for _, reference := range slices.Sorted(maps.Keys(all.orders)) {
		order := all.orders[reference].Data.OrderReference
		for len(merchant.got(order)) == 0 {
			select {
			case <-merchant.changed:
			case <-deadline:
				t.Fatalf("nothing was told of %s; paid: %t", reference, all.paid[reference])
			}
		}
		got := merchant.got(order)
		if len(got) != 1 || all.paid[reference] && got[0] != payments.PaymentSuccess {
			t.Errorf("of %s was told %v; paid: %t", reference, got, all.paid[reference])
		}
	}
}

func TestAnotherProcessIsToldThatTheFileIsInUse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sandbox.db")
	start(t, path, "", 0)
	_, err := archive.Open(t.Context(), path)
	if err == nil || !strings.Contains(err.Error(), archive.ErrInUse.Error()) {
		t.Errorf("got %v", err)
	}
}
