package e2e_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/oracle"
)

// account is what is known of one order: what was sent of it until it was
// acknowledged, in that order. One sender at a time has it.
type account struct {
	reference, orderReference string
	amount                    payments.Ariary
	history                   []oracle.Fact
	deliveries                []delivery // One for each fact.
}

// delivery is an event as it was sent.
type delivery struct {
	body              []byte
	description       string // Of its own, so that no two events are equal.
	kind              payments.EventKind
	acknowledgedFirst time.Time
}

// invent makes up the next event of an order.
func (a *account) invent(random *rand.Rand) delivery {
	whats := []string{"success", "failed", "failed", "canceled", "expired", "refunded"}
	fact := oracle.Fact{What: whats[random.IntN(len(whats))], Sound: random.IntN(10) > 0}
	d := delivery{
		kind:        payments.EventKind("payment." + fact.What),
		description: fmt.Sprintf("%s number %d", a.reference, len(a.history)+1),
	}
	notification := gateway.Notification{
		Event: d.kind, OrderReference: a.orderReference, Reference: "PAY_1",
		Amount: a.amount, Currency: payments.Currency, Description: d.description,
	}
	if !fact.Sound {
		notification.Amount++
	}
	if fact.What != "success" {
		notification.Error = "Solde insuffisant"
	}
	d.body = gateway.EncodeEvent(notification)
	a.history = append(a.history, fact)
	return d
}

// status is what the rules make of the order now.
func (a *account) status() payments.Status {
	status, _, _ := oracle.Judge(a.history, 0, time.Now().Add(time.Hour), time.Now())
	return status
}

// load sends events: so many senders, each with an order at a time.
type load struct {
	*soak
	client *http.Client
	pace   <-chan time.Time // Each request takes one.

	mu      sync.Mutex
	idle    []*account
	all     []*account
	sent    int64 // Requests.
	acked   int64 // New events that were acknowledged.
	refused int64 // Requests that failed or were answered 500.
}

// add takes in an order that was made.
func (l *load) add(a *account) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.idle, l.all = append(l.idle, a), append(l.all, a)
}

// take gives an order to a sender, or none while there is none.
func (l *load) take(random *rand.Rand) *account {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.idle) == 0 {
		return nil
	}
	n, last := random.IntN(len(l.idle)), len(l.idle)-1
	a := l.idle[n]
	l.idle[n], l.idle = l.idle[last], l.idle[:last]
	return a
}

func (l *load) giveBack(a *account) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.idle = append(l.idle, a)
}

// counts are the numbers so far.
func (l *load) counts() (sent, acked, refused int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.sent, l.acked, l.refused
}

// send is one sender, until the soak ends. Every event that it begins it sends
// until it is acknowledged.
func (l *load) send(seed uint64) {
	random := rand.New(rand.NewPCG(l.seed, seed))
	for !l.over() {
		a := l.take(random)
		if a == nil {
			<-l.pace
			continue
		}
		d := a.invent(random)
		copies := 1 + random.IntN(5)/4 // Now and then two of one event at once.
		if !l.deliver(a, &d, copies) {
			return
		}
		a.history[len(a.history)-1].At = d.acknowledgedFirst
		a.deliveries = append(a.deliveries, d)
		if again := random.IntN(len(a.deliveries) * 4); again < len(a.deliveries) {
			l.deliver(a, &a.deliveries[again], 1)
		}
		l.giveBack(a)
	}
}

// deliver sends an event until it is acknowledged, and looks at the reply. It
// gives up when the soak has failed.
func (l *load) deliver(a *account, d *delivery, copies int) bool {
	for !l.failed() {
		var group sync.WaitGroup
		var acknowledged atomic.Bool
		for range copies {
			<-l.pace
			group.Go(func() {
				if l.post(a, d) {
					acknowledged.Store(true)
				}
			})
		}
		if group.Wait(); acknowledged.Load() {
			if d.acknowledgedFirst.IsZero() {
				d.acknowledgedFirst = time.Now()
				l.mu.Lock()
				l.acked++
				l.mu.Unlock()
			}
			return true
		}
	}
	return false
}

// post sends an event once and tells whether it was acknowledged.
func (l *load) post(a *account, d *delivery) bool {
	code, text := l.exchange(d.body)
	l.mu.Lock()
	l.sent++
	if code != http.StatusOK {
		l.refused++
	}
	l.mu.Unlock()
	want := fmt.Sprintf(`{"received":true,"status":%q}`, a.status())
	switch {
	case code == 0 || code == http.StatusInternalServerError:
		return false
	case code != http.StatusOK || text != want:
		l.violated("event %q of %s is answered %d %s, want %s", d.description, a.reference, code, text, want)
	}
	// When the power is cut the machine that said so is off: see disk.Cut.
	return !l.dark.Load()
}

// exchange posts a body and returns the reply, or 0 without one.
func (l *load) exchange(body []byte) (code int, text string) {
	request, err := http.NewRequestWithContext(l.ctx, http.MethodPost, l.shop.webhook(), bytes.NewReader(body))
	if err != nil {
		l.violated("%v", err)
		return 0, ""
	}
	request.Header.Set("x-svc-signature", signature())
	response, err := l.client.Do(request)
	if err != nil {
		return 0, ""
	}
	defer func() { _ = response.Body.Close() }()
	read, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, ""
	}
	return response.StatusCode, string(read)
}
