package cli_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/webhook"
	"checkout/till/storage/storagetest/bulk"
	"checkout/till/storage/storagetest/disk"
	"checkout/till/tui/cli"
	"checkout/till/tui/cli/admin"
	"checkout/till/tui/cli/order"
	"checkout/till/tui/cli/serve"
	"checkout/till/tui/tuitest"
)

// Secrets in the environment of every command under test. No command may print them.
const (
	token         = tuitest.AccessToken
	webhookSecret = tuitest.WebhookSecret
)

// patience is the time limit of every wait in the tests.
const patience = 60 * time.Second

// desk runs commands in this process, with a temporary home folder and with a clock that the test
// controls.
type desk struct {
	t      *testing.T
	env    map[string]string
	start  time.Time
	passed atomic.Int64 // Nanoseconds since start.
	in     io.Reader
	out    *buffer
	err    *buffer
}

// buffer is an output that two goroutines can use at the same time.
type buffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *buffer) Write(text []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(text)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	home := disk.Memory(t)
	return &desk{
		t: t, start: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC), in: strings.NewReader(""),
		out: &buffer{}, err: &buffer{},
		env: map[string]string{
			"HOME": home, "XDG_DATA_HOME": home, "XDG_STATE_HOME": home, "XDG_CONFIG_HOME": home,
			"TERM": "xterm-256color", "TILL_LISTEN": "127.0.0.1:0",
			"TILL_ACCESS_TOKEN": token, "TILL_WEBHOOK_SECRET": webhookSecret,
		},
	}
}

func (d *desk) now() time.Time { return d.start.Add(time.Duration(d.passed.Load())) }

func (d *desk) pass(time time.Duration) { d.passed.Add(int64(time)) }

func (d *desk) run(ctx context.Context, args ...string) int {
	return cli.Execute(ctx, &cli.App{
		Args: args, Env: func(name string) string { return d.env[name] },
		In: d.in, Out: d.out, Err: d.err, Now: d.now, PINRounds: 2, RecordEvery: 20 * time.Millisecond,
	}, serve.Console, serve.Commands, order.Commands, admin.Commands)
}

// service starts a payment service that gives the same answer to every order call. It calls the
// function before at the beginning of each request.
func (d *desk) service(status int, body string, before func()) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		before()
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
	d.t.Cleanup(server.Close)
	d.env["TILL_BASE_URL"] = server.URL
}

const sound = `{"message": "Success", "data": {"checkout_url": "https://pay.example.mg/c/1?a=1&b=2",
	"expires_in_minutes": 10, "order_reference": "REF_700001"}}`

func TestTheOrderJSONKeepsItsForm(t *testing.T) {
	desk := newDesk(t)
	desk.service(http.StatusOK, sound, func() {})
	desk.tag()
	desk.says("", 0, "", "order", "create", "--json", "--item", "Vary:3500:2", "--item", "Coca:2000")
	const before, after = `"sale":"`, `","created_at"`
	head, rest, _ := strings.Cut(desk.out.String(), before)
	sale, tail, _ := strings.Cut(rest, after)
	if len(sale) < 16 {
		t.Errorf("the sale is %q", sale)
	}
	got := head + before + "SALE" + after + tail
	want := `{"reference":"T1-` + desk.start.Local().Format("20060102") + `-GT-0001","order_reference":"REF_700001",` +
		`"status":"pending","verdict":"waiting","paid":false,"amount":9000,"currency":"Ar","description":"2 × Vary, Coca",` +
		`"items":[{"label":"Vary","unit_price":3500,"quantity":2},{"label":"Coca","unit_price":2000,"quantity":1}],` +
		`"checkout_url":"https://pay.example.mg/c/1?a=1&b=2","sale":"SALE","created_at":"2026-11-21T09:00:00Z",` +
		`"expires_at":"2026-11-21T09:10:00Z","paid_at":null,"error":"","attention":[],"till":"T1","sold_by":"","refunded":0}` + "\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestAnOrderWithAnUnstoredAnswerIsPrintedAsUnknown(t *testing.T) {
	desk := newDesk(t)
	database := filepath.Join(desk.env["HOME"], "till", "till.db")
	desk.service(http.StatusOK, sound, func() {
		if err := os.Rename(database, database+".gone"); err != nil {
			t.Error(err)
		}
	})
	desk.says("", 4, "a new order is safe", "order", "create", "--json", "--item", "Vary:3500")
	for _, want := range []string{
		`"order_reference":"REF_700001"`, `"status":"unknown","verdict":"unknown","paid":false`,
		`"checkout_url":""`, `"expires_at":null`, `"attention":["unknown_outcome"]`,
	} {
		if !strings.Contains(desk.out.String(), want) {
			t.Errorf("got no %s in\n%s", want, desk.out)
		}
	}
}

func TestTextFromTheServiceIsPrintedClean(t *testing.T) {
	desk := newDesk(t)
	desk.service(http.StatusBadRequest, `{"message": "no\u001b]52;c;aGk=\u0007 money\u202e\u009b31m`+token+`"}`, func() {})
	desk.says("", 3, "", "order", "create", "--item", "Vary:3500")
	printed := desk.out.String() + desk.err.String()
	if strings.ContainsAny(printed, "\x1b\x07\u202e\u009b") {
		t.Errorf("raw bytes of the service are printed: %q", printed)
	}
}

func TestAWaitLastsUntilTheEndOfTheGracePeriod(t *testing.T) {
	t.Parallel()
	t.Run("an event after the countdown still ends the wait", func(t *testing.T) {
		t.Parallel()
		desk := newDesk(t)
		desk.service(http.StatusOK, sound, func() { desk.pass(11 * time.Minute) })
		over := make(chan int, 1)
		go func() { over <- desk.run(t.Context(), "order", "create", "--wait", "--json", "--item", "Vary:3500") }()
		desk.await(desk.err, "waiting for the payment until")
		listener, _, _ := strings.Cut(strings.TrimPrefix(desk.err.String(), "listening on "), "\n")
		desk.says("", 0, "", "trigger", "payment.success", "--order", "REF_700001", "--url", listener)
		if code := <-over; code != 0 {
			t.Errorf("exit code %d, want 0\n%s", code, desk.err)
		}
	})
	t.Run("without an event the order is overdue, not unpaid", func(t *testing.T) {
		t.Parallel()
		desk := newDesk(t)
		desk.service(http.StatusOK, sound, func() { desk.pass(12*time.Minute + time.Second) })
		desk.says("", 1, "", "order", "create", "--wait", "--json", "--item", "Vary:3500")
		if !strings.Contains(desk.err.String(), "no event came") || !strings.Contains(desk.out.String(), `"attention":["overdue"]`) {
			t.Errorf("printed\n%s%s", desk.out, desk.err)
		}
	})
}

func TestAWaitSaysThatTheOrderWasRefunded(t *testing.T) {
	t.Parallel()
	desk := newDesk(t)
	desk.service(http.StatusOK, sound, func() {})
	over := make(chan int, 1)
	go func() { over <- desk.run(t.Context(), "order", "create", "--wait", "--json", "--item", "Vary:3500") }()
	desk.await(desk.err, "waiting for the payment until")
	desk.says("", 0, "", "refund", "REF_700001", "--all", "--from", "merchant-area", "--reason", "paid there, and wrong")
	if code := <-over; code != 5 || strings.Contains(desk.err.String(), "no event came") {
		t.Errorf("exit code %d, want 5\n%s", code, desk.err)
	}
}

// await waits until an output contains a text. It fails the test if the text does not appear.
func (d *desk) await(output *buffer, text string) {
	d.t.Helper()
	d.waits(fmt.Sprintf("%q is printed", text), func() bool { return strings.Contains(output.String(), text) })
}

// waits waits until so returns true. It fails the test if that does not happen.
func (d *desk) waits(what string, so func() bool) {
	d.t.Helper()
	if !eventually(so, d.t.Context().Done()) {
		d.t.Fatalf("not in time: %s\n%s%s", what, d.out, d.err)
	}
}

// eventually calls so until it returns true. After the duration patience it returns false. When
// ended is closed, it returns the result of one last call.
func eventually(so func() bool, ended <-chan struct{}) bool {
	late := time.After(patience)
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for !so() {
		select {
		case <-look.C:
		case <-ended:
			return so()
		case <-late:
			return false
		}
	}
	return true
}

// reaches waits until the listener at an address reports the reachability want.
func (d *desk) reaches(address string, want payments.Reach) {
	d.t.Helper()
	d.waits("the reach "+string(want), func() bool {
		_, got, _ := webhook.ReadHealth(d.t.Context(), address)
		return got == want
	})
}

func TestTheListReadsMoreThanOnePage(t *testing.T) {
	t.Parallel()
	desk := newDesk(t)
	desk.env["TILL_DATABASE"] = bulk.Make(t, 1003)
	all, listed := desk.output("order", "list", "--json", "--limit", "1003"), desk.output("order", "list", "--json", "--limit", "1002")
	if strings.Count(all, `"sale":`) != 1003 || strings.Count(listed, `"sale":`) != 1002 || !strings.HasPrefix(all, strings.TrimSuffix(listed, "]\n")) {
		t.Errorf("the lists do not hold the newest 1003 and 1002 orders:\n%s\n%s", all, listed)
	}
}

func ExampleExecute() {
	code := cli.Execute(context.Background(), &cli.App{
		Args: []string{"trigger", "payment.refunded", "--order", "T1-20261121-GT-0007"},
		Env:  func(string) string { return "" },
		In:   strings.NewReader(""), Out: os.Stdout, Err: os.Stdout, Now: time.Now,
	}, serve.Console, order.Commands)
	fmt.Println("exit code", code)
	// Output:
	// till: EVENT: "payment.refunded" is not one of payment.success, payment.failed, payment.canceled, payment.expired
	// till trigger --help says how
	// exit code 2
}
