package e2e_test

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"checkout/till/tui/tuitest"
)

// relayed is a market whose events reach the shop through a relay.
type relayed struct {
	*market
	boxes  string // Folder of the relay's mailboxes.
	public string // Address of the relay.

	relay, till *exec.Cmd
}

// openRelayed starts a relay, and a listener that fetches events from it.
func openRelayed(t testing.TB) *relayed {
	t.Helper()
	public := tuitest.FreeAddress(t)
	r := &relayed{market: openMarket(t, "", 15, public), public: public} // The relay accepts 20 events a second from one sender.
	r.boxes = filepath.Join(r.shop.home, "boxes")
	r.startRelay()
	address, code, webhook := r.shop.addBox(r.boxes)
	r.shop.webhook = webhook
	if told, problem, _ := r.shop.till("relay", "join", address, code); !strings.Contains(told, webhook) {
		t.Fatalf("relay join prints %s%s", told, problem)
	}
	r.startTill()
	return r
}

func (r *relayed) startRelay() {
	r.relay = r.shop.listens(r.shop.program("relay --listen "+r.public+" --admin 127.0.0.1:0 --data "+r.boxes), "relay on")
}

// startTill starts a listener, and waits until it has fetched events from the running relay.
func (r *relayed) startTill() {
	r.till = r.shop.listens(r.shop.program("listen"), "listening on")
	r.connected()
}

func (r *relayed) connected() {
	r.t.Helper()
	eventually(r.t, "the till fetches", func() bool {
		_, header, _ := get(r.shop.webhook)
		return header.Get("Till-Listener") != ""
	})
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

func TestKillingTheRelayOrTheTillLosesNoEvent(t *testing.T) {
	t.Parallel()
	r := openRelayed(t)
	r.run(8, 12, 1_000_000, func() {
		for n := range sized(6, 8, 200) {
			r.progress(1 + r.random.IntN(20))
			if n%2 == 0 {
				end(r.relay)
				r.startRelay()
				r.connected()
			} else {
				end(r.till)
				r.startTill()
			}
		}
	})
	eventually(t, "all events are fetched", func() bool { return r.shop.keptAt(r.boxes) == 0 })
	r.countAll() // The book expects the answers of a listener.
}
