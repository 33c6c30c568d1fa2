package e2e_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// The tills and how many orders each makes: several processes at a time on one
// database, and a new process for each order.
const ordersOfEach = 5

func TestOrdersOnTheWireAreAsTheSpecificationSays(t *testing.T) {
	service := serve(t, payAt(somePage))
	t.Run("tills", func(t *testing.T) {
		for _, name := range []string{"T1", "T2", "T3"} {
			shop := openAt(t, service.url)
			for _, hand := range []string{"left", "right"} {
				t.Run(name+" "+hand, func(t *testing.T) {
					t.Parallel()
					mine := *shop
					mine.t = t
					for range ordersOfEach {
						createOne(&mine, name)
					}
				})
			}
		}
	})
	orders := service.received()
	if want := 3 * 2 * ordersOfEach; len(orders) != want {
		t.Fatalf("O4 the service received %d orders of %d", len(orders), want)
	}
	for _, order := range orders {
		items := fmt.Sprint(order.items)
		if order.amount != 9000 || items != "[{Vary 3500 2} {Coca 2000 1}]" {
			t.Errorf("O1 the order %s is %d for %s", order.reference, order.amount, items)
		}
	}
	differ(t, orders)
	bodyAlone(t, service, len(orders))
}

func TestTheConsolesOrdersAreAsTheSpecificationSays(t *testing.T) {
	t.Parallel()
	service := serve(t, payAt(somePage))
	shop := openAt(t, service.url)
	const sales = 3
	for i := range sales {
		// A restart in between gives no reference a second time either.
		terminal := shop.console()
		if link := sell(terminal); link != somePage(fmt.Sprintf("REF_%06d", 700001+i)) {
			t.Errorf("O2 the code says %q", link)
		}
		terminal.Press("ctrl+c").Sees("Leave?").Press("enter").Wait()
	}
	orders := service.received()
	if len(orders) != sales {
		t.Fatalf("O4 the service received %d orders of %d", len(orders), sales)
	}
	differ(t, orders)
	bodyAlone(t, service, sales)
}

// createOne makes an order by a command, and looks at what the command says.
func createOne(shop *shop, name string) {
	shop.t.Helper()
	stdout, stderr, code := shop.till("order", "create", "--till", name,
		"--item", "Vary:3500:2", "--item", "Coca:2000:1", "--json")
	var said struct {
		order
		Link string `json:"checkout_url"`
	}
	if err := json.Unmarshal([]byte(stdout), &said); err != nil || code != 0 {
		shop.t.Fatalf("exit %d, %v\n%s%s", code, err, stdout, stderr)
	}
	if said.Status != "pending" || said.Link != somePage(said.OrderReference) ||
		!strings.HasPrefix(said.Reference, name+"-") {
		shop.t.Errorf("the order is %+v", said)
	}
}

// differ demands that no reference stands twice.
func differ(t *testing.T, orders []wireOrder) {
	t.Helper()
	seen := map[string]bool{}
	for _, order := range orders {
		if seen[order.reference] {
			t.Errorf("O15 the reference %s stands twice", order.reference)
		}
		seen[order.reference] = true
	}
}

// bodyAlone demands that the access token came in the bodies of calls orders,
// once each, and nowhere else.
func bodyAlone(t *testing.T, service *paymentService, calls int) {
	t.Helper()
	wire := service.wire()
	if found := strings.Count(wire, accessToken); found != calls {
		t.Errorf("O1 the token stands %d times on the wire of %d calls", found, calls)
	}
	if strings.Contains(wire, webhookSecret) || strings.Contains(wire, seal(webhookSecret)) {
		t.Error("W30 the webhook secret was sent to the service")
	}
	for line := range strings.Lines(strings.ToLower(wire)) {
		if strings.HasPrefix(line, "authorization:") || strings.HasPrefix(line, "idempotency-key:") ||
			strings.HasPrefix(line, "x-idempotency-key:") {
			t.Errorf("O1 a request has the header %q", line)
		}
	}
}

func TestARedirectIsNotFollowed(t *testing.T) {
	t.Parallel()
	for _, code := range []int{http.StatusFound, http.StatusTemporaryRedirect, http.StatusPermanentRedirect} {
		t.Run(fmt.Sprintf("O7 %d", code), func(t *testing.T) {
			t.Parallel()
			other := serve(t, payAt(somePage))
			service := serve(t, func(w http.ResponseWriter, r *http.Request, _ wireOrder) {
				http.Redirect(w, r, other.url+"/api/payement/service", code)
			})
			shop := openAt(t, service.url)
			stdout, stderr, exit := shop.till("order", "create", "--item", "Vary:9000", "--json")
			if exit != 4 || !strings.Contains(stdout, `"unknown"`) {
				t.Errorf("exit %d\n%s%s", exit, stdout, stderr)
			}
			if wire := other.wire(); wire != "" {
				t.Errorf("the other host received %q", wire)
			}
			if orders := service.received(); len(orders) != 1 {
				t.Errorf("the service received %d orders", len(orders))
			}
		})
	}
}

func TestTheFourEventsReachTheScreen(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, at store) {
		service := serve(t, payAt(somePage))
		shop := at.openAt(t, service.url)
		terminal := shop.console()
		for i, c := range []struct{ kind, why, status, word string }{
			{"payment.success", "", "success", "PAID"},
			{"payment.failed", "Insufficient funds", "failed", "Payment refused"},
			{"payment.canceled", "Payment canceled by the customer", "canceled", "NOT PAID: canceled"},
			{"payment.expired", "Payment time exceeded", "expired", "NOT PAID: expired"},
		} {
			sell(terminal)
			made := service.received()[i]
			want := reply{code: http.StatusOK, Received: true, Status: c.status}
			if got := service.tell(shop.webhook(), c.kind, made, c.why); got != want {
				t.Errorf("W1 %s is answered %+v", c.kind, got)
			}
			does := "done"
			if c.status == "success" {
				does = "next sale"
			}
			if terminal.Sees(c.word, c.why, does); c.status != "failed" {
				terminal.Sees(made.reference) // Its code gives way to the outcome.
			}
			terminal.Press("enter")
			if c.status == "failed" || c.status == "canceled" {
				// The customer may try again on the same page.
				terminal.Sees("The link can still be paid").Press("enter")
			}
			terminal.Sees("Type what the customer takes")
			paid := c.status == "success"
			if now := shop.newest(); now.Status != c.status || now.Paid != paid || now.OrderReference != made.orderReference {
				t.Errorf("W2 after %s the order is %+v", c.kind, now)
			}
		}
	})
}

func TestAHostileLinkIsNeverDrawn(t *testing.T) { //nolint:tparallel // They share a console.
	t.Parallel()
	links := []struct{ name, link string }{
		{"a script", "javascript:alert('evil')"},
		{"user information", "https://evil:word@pay.example.test/c"},
		{"an escape sequence", "https://evil.example.test/\x1b]0;evil\x07"},
		{"no link", ""},
	}
	service := serve(t, func(w http.ResponseWriter, r *http.Request, order wireOrder) {
		payAt(func(string) string { return links[order.number].link })(w, r, order)
	})
	shop := openAt(t, service.url)
	terminal := shop.console()
	enter(terminal).Press("enter")
	for i, c := range links {
		t.Run("O9 "+c.name, func(t *testing.T) {
			// The reference tells this order's screen from the one before.
			terminal.Sees("UNKNOWN", fmt.Sprintf("-%04d", i+1), "new code, same lines")
			if _, err := terminal.Snapshot().Code(); err == nil {
				t.Error("a code is shown")
			}
			if raw := terminal.Raw(); strings.Contains(raw, "evil") {
				t.Errorf("the link is on the screen:\n%s", terminal.Screen())
			}
			if now := shop.newest(); now.Status != "unknown" || now.Verdict != "unknown" {
				t.Errorf("the order is %+v", now)
			}
		})
		if i+1 < len(links) {
			terminal.Press("n")
		}
	}
	if orders := service.received(); len(orders) != len(links) {
		t.Errorf("the service received %d orders", len(orders))
	}
}
