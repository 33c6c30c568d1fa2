package e2e_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/oracle"
	"checkout/till/storage"
	"checkout/till/storage/storagetest/disk"
	"checkout/till/tui/tuitest"
)

var (
	soakLength = flag.Duration("soak", 0, "how long the soak takes; give -timeout 0 along")
	soakSeed   = flag.Uint64("seed", 0, "what the soak and the kills begin with, as a failure printed it")
)

// market is a shop under load while a test harms it. Processes create orders, and senders repeat
// each event until the shop acknowledges it. The oracle records the acknowledged events for the
// check at the end.
type market struct {
	t       testing.TB
	shop    *shop
	service *paymentService
	way     *balancer
	book    *oracle.Book
	client  *http.Client
	seed    uint64
	random  *rand.Rand // Source of random numbers for the harms only.
	start   time.Time
	tills   []string // Names of the tills; each new order is for the next of them.

	pace      <-chan time.Time // Each request waits for one tick.
	idle      chan *account
	ended     chan struct{} // Closed when the senders must stop.
	processes sync.RWMutex  // Read-locked while another process of the shop runs.
	made      atomic.Int64  // Number of orders.
	sent      atomic.Int64  // Number of requests.
	refused   atomic.Int64  // Number of requests that were not answered with 200.

	listener listening
	disk     *disk.Disk // The shop's own disk; nil if the machine cannot make one.
	console  bool       // Whether the listener is always a console.
}

// account is one order and its events. Only one sender at a time uses it.
type account struct {
	orderReference string
	told           [][]byte
}

// openMarket sets up a shop. An empty address means a database file in the shop's home folder. The
// events go to webhooks or, if webhooks is empty, to the shop's own listener. At most rate requests
// are sent in a second; 0 means no limit.
func openMarket(t testing.TB, address string, rate int, webhooks ...string) *market {
	t.Helper()
	m := &market{
		t: t, seed: *soakSeed, start: time.Now(), tills: []string{"T1"},
		idle: make(chan *account, 100_000), ended: make(chan struct{}), service: serve(t, payWithin(24*60, somePage)),
	}
	if m.seed == 0 {
		m.seed = uint64(m.start.UnixNano())
	}
	m.random = rand.New(rand.NewPCG(m.seed, 0))
	m.shop = openAt(t, m.service)
	if m.shop.address = address; len(webhooks) == 0 {
		webhooks = []string{m.shop.listen}
	}
	m.way = &balancer{listeners: webhooks}
	m.book = oracle.NewBook(m.way)
	m.client = &http.Client{Timeout: time.Minute, Transport: m.book}
	always := make(chan time.Time)
	close(always)
	if m.pace = always; rate > 0 {
		ticker := time.NewTicker(time.Second / time.Duration(rate))
		t.Cleanup(ticker.Stop)
		m.pace = ticker.C
	}
	t.Cleanup(m.way.CloseIdleConnections)
	return m
}

// run first creates the number of orders given by before. Then it sends events and creates more
// orders while harm runs. most is the maximum number of orders in total.
func (m *market) run(senders, before, most int, harm func()) {
	m.t.Helper()
	for range before {
		m.makeOrder()
	}
	var running sync.WaitGroup
	defer running.Wait() // Wait for all goroutines even if the test has failed.
	for n := range senders {
		running.Go(func() { m.send(rand.New(rand.NewPCG(m.seed, uint64(n)+1))) })
	}
	running.Go(func() {
		next := time.NewTicker(500 * time.Millisecond)
		defer next.Stop()
		for !m.over() && m.made.Load() < int64(most) {
			m.makeOrder()
			<-next.C
		}
	})
	defer close(m.ended)
	harm()
}

// over reports whether the senders must stop: the market has ended or the test has failed.
func (m *market) over() bool {
	select {
	case <-m.ended:
		return true
	default:
		return m.t.Failed()
	}
}

// note logs an action, so that a person can find the cause of a failure.
func (m *market) note(format string, args ...any) {
	m.t.Logf("%7.2fs "+format, append([]any{time.Since(m.start).Seconds()}, args...)...)
}

// progress waits until the shop has acknowledged the given number of additional events. It fails
// the test if no event is acknowledged for 90 seconds.
func (m *market) progress(events int) {
	for goal := m.book.Taken() + events; m.book.Taken() < goal && !m.t.Failed(); {
		before := m.book.Taken()
		eventually(m.t, "an event is acknowledged", func() bool { return m.book.Taken() > before })
	}
}

// makeOrder creates an order and reports whether the command succeeded. During a fault, an order
// may exist although its command failed; the market sends no events for such an order.
func (m *market) makeOrder() bool {
	till := m.tills[int(m.made.Load())%len(m.tills)]
	text, code := m.command("order", "create", "--till", till, "--item", "Vary:9000", "--json")
	var made order
	decoded := json.NewDecoder(strings.NewReader(text)).Decode(&made) // The output may have a warning after the JSON.
	if code != 0 || decoded != nil || m.way.dark.Load() {
		return false
	}
	m.made.Add(1)
	m.idle <- &account{orderReference: made.OrderReference}
	return true
}

// send sends one event after another until the market ends. It repeats each event until the shop
// acknowledges it.
func (m *market) send(random *rand.Rand) {
	for !m.over() {
		select {
		case <-m.ended:
			return
		case <-time.After(100 * time.Millisecond): // Check again whether the test has failed.
		case a := <-m.idle:
			a.told = append(a.told, a.invent(random))
			if !m.tell(a.told[len(a.told)-1], 1+random.IntN(5)/4) { // Sometimes the same event is sent by two requests at the same time.
				return
			}
			if again := random.IntN(len(a.told) * 4); again < len(a.told) {
				m.tell(a.told[again], 1)
			}
			if len(a.told) < payments.MaxEventsPerReference {
				m.idle <- a
				continue
			}
			for !m.makeOrder() && !m.over() { // The order has reached its maximum number of events, so create another order for the sender.
				<-m.pace
			}
		}
	}
}

// invent returns a new event of the order, which differs from all its earlier events.
func (a *account) invent(random *rand.Rand) []byte {
	kinds := []payments.EventKind{payments.PaymentFailed, "payment.refunded"}
	event := gateway.Notification{
		Event: append(kinds, payments.EventKinds()...)[random.IntN(6)], OrderReference: a.orderReference, Reference: "PAY_1",
		Amount: 9000, Currency: payments.Currency, Description: fmt.Sprintf("%s number %d", a.orderReference, len(a.told)+1),
	}
	if random.IntN(10) == 0 {
		event.Amount++
	}
	if event.Event != payments.PaymentSuccess {
		event.Error = "Solde insuffisant"
	}
	return gateway.EncodeEvent(event)
}

// tell sends an event until the shop acknowledges it. In each attempt, it sends the event in the
// given number of simultaneous requests. It returns false if the test has failed.
func (m *market) tell(body []byte, copies int) bool {
	for !m.t.Failed() {
		var group sync.WaitGroup
		var acknowledged atomic.Bool
		for range copies {
			<-m.pace
			group.Go(func() {
				code, _ := m.shop.post(m.client, body, seal(webhookSecret))
				m.sent.Add(1)
				switch code {
				case http.StatusOK:
					acknowledged.Store(true)
				case 0, http.StatusInternalServerError:
					m.refused.Add(1)
				default:
					m.t.Errorf("got status %d for %s", code, body)
				}
			})
		}
		if group.Wait(); acknowledged.Load() {
			return true
		}
	}
	return false
}

// accountForAll compares the stored events with the oracle's book, and runs "till verify".
func (m *market) accountForAll() {
	m.t.Helper()
	m.countAll()
	if m.t.Failed() {
		m.t.Logf("repeat with -seed %d", m.seed)
		return
	}
	store := m.store()
	for _, fault := range m.book.Check(m.t.Context(), store) {
		m.t.Error(fault)
	}
	tuitest.Must(m.t, store.Close())
}

// countAll fails the test unless the shop has stored as many events as were acknowledged.
func (m *market) countAll() {
	m.t.Helper()
	m.t.Logf("seed %d: %d orders, %d requests, %d events acknowledged, %d requests failed; %s",
		m.seed, m.made.Load(), m.sent.Load(), m.book.Taken(), m.refused.Load(), m.listener.most)
	if stored := m.shop.verify(); stored != m.book.Taken() {
		m.t.Errorf("%d events are stored, and %d were acknowledged", stored, m.book.Taken())
	}
}

// store opens the shop's database in the process of the test.
func (m *market) store() storage.Store {
	m.t.Helper()
	address := m.shop.address
	if address == "" {
		address = m.shop.database()
	}
	store, err := storage.Open(m.t.Context(), address, storage.Options{})
	tuitest.Must(m.t, err)
	return store
}

// balancer forwards requests like the guide's example for Caddy: the first listener receives every
// request; if it does not answer, the next listener receives the request. All queued events of an
// order are therefore in one outbox and stay in order.
type balancer struct {
	http.Transport
	listeners []string
	dark      atomic.Bool // The power is off or about to be cut. Answers received then do not count; see disk.Cut.
}

// RoundTrip sends a request to the listeners in turn until one answers.
func (b *balancer) RoundTrip(request *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	var faults error
	for _, listener := range b.listeners {
		again := request.Clone(request.Context())
		again.URL.Host, again.Body = listener, io.NopCloser(bytes.NewReader(body))
		response, err := b.Transport.RoundTrip(again)
		if err == nil && b.dark.Load() {
			_ = response.Body.Close()
			err = errors.New("the power is off")
		}
		if err == nil {
			return response, nil
		}
		faults = errors.Join(faults, err)
	}
	return nil, faults
}

func TestKillsLoseAndRepeatNoEvent(t *testing.T) {
	t.Parallel()
	m := openMarket(t, "", 1000)
	m.begin()
	m.run(8, 12, 1_000_000, func() {
		for range sized(5, 7, 200) {
			m.progress(m.random.IntN(40))
			m.kill()
		}
		m.awaitHealth(http.StatusOK)
	})
	m.end()
	m.accountForAll()
}

func TestSoak(t *testing.T) {
	t.Parallel()
	length := *soakLength
	if length == 0 {
		length = sized(3*time.Second, 5*time.Second, 10*time.Minute)
	}
	rate := 300
	if length > time.Minute {
		rate = 60
	}
	m := openMarket(t, "", rate)
	// A stored event needs less than 2 KiB in total.
	m.onDisk(192<<20 + int64(length.Seconds())*int64(rate)*2048)
	end := time.Now().Add(length)
	m.begin()
	m.run(8, 12, 1_000_000, func() {
		for harms := []harm(nil); !t.Failed() && time.Now().Before(end); harms = harms[1:] {
			if len(harms) == 0 {
				harms = m.harms()
				m.random.Shuffle(len(harms), func(i, j int) { harms[i], harms[j] = harms[j], harms[i] })
			}
			m.note("%s", harms[0].name)
			harms[0].does()
			m.awaitHealth(http.StatusOK)
			m.progress(1 + m.random.IntN(1+int(length.Seconds())))
			m.measure()
		}
	})
	m.end()
	m.accountForAll()
}

func TestAConsoleUnderLoadLosesNoEvent(t *testing.T) {
	t.Parallel()
	length := sized(time.Second, time.Second, 30*time.Second)
	m := openMarket(t, "", 0)
	m.console = true
	m.begin()
	m.run(64, 70, 1_000_000, func() {
		m.progress(200)
		for start := time.Now(); time.Since(start) < length && !t.Failed(); {
			m.listener.Type("7").Sees("› 7").Press("backspace").Gone("› 7")
		}
	})
	m.end()
	m.accountForAll()
}
