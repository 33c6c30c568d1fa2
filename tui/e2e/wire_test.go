package e2e_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// Several processes create orders in one database at the same time, and the console is started
// again for each order.
func TestOrderCallsFollowTheSpecification(t *testing.T) { //nolint:tparallel // The first subtest waits for the others, which are parallel.
	t.Parallel()
	const each = 2
	service := serve(t, nil)
	t.Run("tills", func(t *testing.T) {
		for _, name := range []string{"T1", "T2", "T3"} {
			shop := openAt(t, service)
			for _, hand := range []string{"left", "right"} {
				t.Run(name+" "+hand, func(t *testing.T) {
					t.Parallel()
					for range each {
						createOne(t, shop, name)
					}
				})
			}
		}
		t.Run("a console", func(t *testing.T) {
			t.Parallel()
			shop := openAt(t, service)
			for range each {
				terminal := shop.console("TILL_TILL=T4")
				if link, own := sell(terminal), somePage(shop.newest().OrderReference); link != own {
					t.Errorf("got code %q, want %q", link, own)
				}
				terminal.Press("ctrl+c").Sees("Leave till?").Press("enter").Wait()
			}
		})
	})
	seen, orders := map[string]bool{}, service.received()
	if want := (3*2 + 1) * each; len(orders) != want {
		t.Fatalf("the service received %d orders, want %d", len(orders), want)
	}
	for _, order := range orders {
		if items := fmt.Sprint(order.Items); order.Amount != 9000 || items != "[{Vary 3500 2} {Coca 2000 1}]" {
			t.Errorf("got order %s of %d Ar for %s", order.Reference, order.Amount, items)
		}
		if seen[order.Reference] {
			t.Errorf("the reference %s was sent twice", order.Reference)
		}
		seen[order.Reference] = true
	}
	wire := service.wire()
	if found := strings.Count(wire, accessToken); found != len(orders) {
		t.Errorf("the token was sent %d times in %d calls", found, len(orders))
	}
	if strings.Contains(wire, webhookSecret) || strings.Contains(wire, seal(webhookSecret)) {
		t.Error("the webhook secret was sent to the service")
	}
	for line := range strings.Lines(strings.ToLower(wire)) {
		if strings.HasPrefix(line, "authorization:") || strings.Contains(line, "idempotency-key:") {
			t.Errorf("a request has the header %q", line)
		}
	}
}

// createOne creates an order with a command and checks the command's output.
func createOne(t *testing.T, shop *shop, name string) {
	t.Helper()
	stdout, stderr, code := shop.till("order", "create", "--till", name, "--item", "Vary:3500:2", "--item", "Coca:2000:1", "--json")
	var said struct {
		order
		Link string `json:"checkout_url"`
	}
	if err := json.Unmarshal([]byte(stdout), &said); err != nil || code != 0 {
		t.Fatalf("exit %d, %v\n%s%s", code, err, stdout, stderr)
	}
	if said.Status != "pending" || said.Link != somePage(said.OrderReference) || !strings.HasPrefix(said.Reference, name+"-") {
		t.Errorf("got order %+v", said)
	}
}
