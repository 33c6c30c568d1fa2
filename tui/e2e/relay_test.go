package e2e_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/tui/tuitest"
)

// relayed is a shop that gets its events from a relay.
type relayed struct {
	*shop
	boxes   string // Folder of the relay's mailboxes.
	public  string // Address of the relay.
	webhook string // The shop's webhook at the relay.

	relay, till *exec.Cmd
}

// openRelayed starts a relay, and a listener that fetches events from it.
func openRelayed(t testing.TB) *relayed {
	t.Helper()
	r := &relayed{shop: open(t, file, payWithin(24*60, somePage)), public: tuitest.FreeAddress(t)}
	r.boxes = filepath.Join(r.home, "boxes")
	r.startRelay()
	address, code, webhook := r.shop.addBox(r.boxes)
	r.webhook = webhook
	if told, problem, _ := r.shop.till("relay", "join", address, code); !strings.Contains(told, webhook) {
		t.Fatalf("relay join prints %s%s", told, problem)
	}
	r.startTill()
	return r
}

// addBox adds a mailbox for the shop to a relay's folder. It returns the relay's address, the pairing
// code and the webhook of the mailbox.
func (s *shop) addBox(boxes string) (address, code, webhook string) {
	s.t.Helper()
	told, problem, _ := s.till("relay", "add", "Tantely", "--data", boxes)
	pairing := regexp.MustCompile(`join (\S+) (\S+)\n(?:.*\n)+ +(\S+/w/\S+)\n`).FindStringSubmatch(told)
	if pairing == nil {
		s.t.Fatalf("relay add prints %s%s", told, problem)
	}
	return pairing[1], pairing[2], pairing[3]
}

func (r *relayed) startRelay() {
	r.t.Helper()
	r.relay = r.listens(r.program("relay --listen "+r.public+" --admin 127.0.0.1:0 --data "+r.boxes), "relay on")
}

func (r *relayed) startTill() {
	r.t.Helper()
	r.till = r.listens(r.program("listen"), "listening on")
}

// post sends an event to the relay, and reports whether the relay acknowledged the event.
func (r *relayed) post(body []byte, sender string) bool {
	code, _ := post(http.DefaultClient, r.webhook, body, "x-svc-signature", seal(webhookSecret), "X-Forwarded-For", sender)
	return code == http.StatusOK
}

// connected waits until a listener has fetched events from the running relay.
func (r *relayed) connected() {
	r.t.Helper()
	eventually(r.t, "the till fetches", func() bool {
		_, header, _ := get(r.webhook)
		return header.Get("Till-Listener") != ""
	})
}

// fetched waits until the listener has acknowledged every event at the relay.
func (r *relayed) fetched() {
	r.t.Helper()
	eventually(r.t, "all events are fetched", func() bool {
		return r.shop.keptAt(r.boxes) == 0
	})
}

// keptAt returns the number of events that a relay keeps for its only mailbox.
func (s *shop) keptAt(boxes string) int {
	s.t.Helper()
	told, problem, _ := s.till("relay", "list", "--json", "--data", boxes)
	var list []struct{ Waiting int }
	if err := json.Unmarshal([]byte(told), &list); err != nil || len(list) != 1 {
		s.t.Fatalf("relay list prints %s%s", told, problem)
	}
	return list[0].Waiting
}

// events returns events of an order: a success, and failures with different reasons.
func events(order order) (bodies [][]byte) {
	for n := range 8 {
		event := gateway.Notification{
			Event: payments.PaymentFailed, OrderReference: order.OrderReference, Reference: "PAY_1", Amount: 9000,
			Currency: payments.Currency, Description: "Vary", Error: fmt.Sprint("try ", n),
		}
		if n == 4 {
			event.Event, event.Error = payments.PaymentSuccess, ""
		}
		bodies = append(bodies, gateway.EncodeEvent(event))
	}
	return bodies
}

func TestKillingTheRelayOrTheTillLosesNoEvent(t *testing.T) {
	t.Parallel()
	r := openRelayed(t)
	rounds := sized(6, 8, 200)
	orders := make([]order, rounds)
	for n := range orders {
		made, problem, code := r.shop.till("order", "create", "--item", "Vary:9000", "--json")
		if code != 0 || json.Unmarshal([]byte(made), &orders[n]) != nil {
			t.Fatalf("order create: exit code %d\n%s%s", code, made, problem)
		}
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	sent := 0
	for n, made := range orders {
		r.connected()
		acknowledged := make(chan struct{}, 100)
		var all sync.WaitGroup
		for _, body := range events(made) {
			sent++
			all.Go(func() { // Like the service, send the event again until it is acknowledged.
				eventually(t, "an event is acknowledged", func() bool { return r.post(body, fmt.Sprint("192.0.2.", n)) })
				acknowledged <- struct{}{}
			})
		}
		for range 1 + random.IntN(8) {
			<-acknowledged
		}
		if n%2 == 0 {
			end(r.relay)
			r.startRelay()
		} else {
			end(r.till)
			r.startTill()
		}
		all.Wait()
	}
	r.fetched()
	if stored := r.shop.verify(); stored != sent {
		t.Errorf("%d events were sent, and %d are stored", sent, stored)
	}
	for _, made := range orders {
		if shown := r.shop.show(made.Reference); !shown.Paid || len(shown.Events) != 8 {
			t.Errorf("got order %+v, want a paid one with 8 events", shown)
		}
	}
}
