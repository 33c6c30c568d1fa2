package e2e_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"checkout/till/payments"
)

// account compares what was acknowledged with what is stored, what is stored
// with what the payment service knows, and lets the shop examine its database.
func (b *box) account(acts int) {
	b.t.Helper()
	orders, found := b.all(), map[payments.EventID]int{}
	known := map[string]payments.Order{}
	for _, order := range orders {
		known[order.Reference] = order
		_, records, err := b.trade.service.Order(b.t.Context(), order.Reference)
		if err != nil {
			b.t.Fatal(err)
		}
		fate, made := b.trade.fates[order.Reference]
		if order.Amount > firstTyped {
			fate, made = []payments.EventKind{payments.PaymentSuccess}, true
		}
		if made && len(records) != len(fate) {
			b.t.Errorf("%s has %d events, and %v happened", order.Reference, len(records), fate)
		}
		for _, record := range records {
			found[record.ID]++
			if record.Outcome != payments.Applied {
				b.t.Errorf("S1 an event of %s is %s", order.Reference, record.Outcome)
			}
		}
	}
	for id, one := range b.balancer.acked {
		if found[id] != 1 {
			b.t.Errorf("S1 the %s of %s was acknowledged and is stored %d times", one.event.Kind, one.event.OrderReference, found[id])
		}
	}
	b.verify(len(orders), acts)
	b.compare(known)
}

// all returns all orders.
func (b *box) all() []payments.Order {
	b.t.Helper()
	var all []payments.Order
	for query := (payments.Query{Limit: 1000}); ; query.Before = all[len(all)-1].Reference {
		page, err := b.trade.service.Orders(b.t.Context(), query)
		if err != nil {
			b.t.Fatal(err)
		}
		all = append(all, page...)
		if len(page) < query.Limit {
			return all
		}
	}
}

// verify lets the program examine the database.
func (b *box) verify(orders, events int) {
	b.t.Helper()
	var verdict struct {
		OK             bool
		Orders, Events int
	}
	said, errs, _ := b.shop.till("verify", "--json")
	if err := json.Unmarshal([]byte(said), &verdict); err != nil || !verdict.OK || verdict.Orders != orders || verdict.Events != events {
		b.t.Errorf("till verify finds %s%s, and %d orders and %d events are wanted (%v)", said, errs, orders, events, err)
	}
}

// compare compares the program's list of each till's orders with that of the
// payment service, which has the newest thousand.
func (b *box) compare(known map[string]payments.Order) {
	b.t.Helper()
	listed := map[string]order{}
	for _, c := range b.counters {
		var orders []order
		said, errs, _ := b.shop.till("order", "list", "--json", "--till", c.name, "--limit", "1000")
		if err := json.Unmarshal([]byte(said), &orders); err != nil {
			b.t.Fatalf("order list: %v\n%s", err, errs)
		}
		for _, one := range orders {
			listed[one.Reference] = one
		}
	}
	if len(listed) != len(known) {
		b.t.Errorf("%d orders are listed, and there are %d", len(listed), len(known))
	}
	var truth []struct {
		Reference      string
		OrderReference string `json:"order_reference"`
		State          string
		FailedTries    int `json:"failed_tries"`
	}
	b.ask("/lab/orders?limit=1000", &truth)
	for _, made := range truth {
		want := made.State
		switch {
		case want == "open" && made.FailedTries > 0:
			want = "failed"
		case want == "open":
			want = "pending"
		}
		// The answer of a call may have been lost with the server.
		one := listed[made.Reference]
		lost := want == "pending" && one.OrderReference == "" && (one.Status == "unknown" || one.Status == "creating")
		if !lost && (one.Status != want || one.OrderReference != made.OrderReference || one.Paid != (want == "success") || len(one.Attention) > 0) {
			b.t.Errorf("%s is %s at the service, and the shop has %+v", made.Reference, want, one)
		}
	}
}

// ask asks the payment service's lab.
func (b *box) ask(path string, into any) {
	b.t.Helper()
	request, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, b.shop.baseURL+path, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		b.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if err := json.NewDecoder(response.Body).Decode(into); err != nil {
		b.t.Fatal(err)
	}
}

// look looks at a console: it counts its own orders that wait and its own
// outcomes that nobody has seen, and no others; it lists its own orders first,
// and all of them when asked.
func (b *box) look(c *counter) {
	b.t.Helper()
	waiting, news, check := 0, 0, false
	var own, other payments.Order // The newest of its own, and of another till's that is paid.
	for _, order := range b.all() {
		check = check || len(order.Attention(time.Now())) > 0
		switch {
		case order.Till != c.name:
			if other.Reference == "" && order.Paid() {
				other = order
			}
		case !order.Facts.Acknowledged:
			news++
		case order.Status == payments.StatusPending:
			waiting++
		}
		if order.Till == c.name && own.Reference == "" {
			own = order
		}
	}
	c.Sees("F2  Show", fmt.Sprintf("(+%d)", news-1))
	count := regexp.MustCompile(`F4 Waiting  (\d+) `)
	b.until(fmt.Sprintf("%s counts %d that wait", c.name, waiting), func() bool {
		counted := count.FindStringSubmatch(c.Screen())
		return counted == nil && waiting == 0 || counted != nil && counted[1] == strconv.Itoa(waiting)
	})
	c.Press("f3").Sees("─ Orders ─")
	if check {
		c.Press("tab")
	}
	listed := func(order payments.Order) []string {
		return []string{order.Till + " " + order.Reference[len(order.Reference)-4:], strings.TrimSuffix(spaced(order.Amount), " Ar")}
	}
	c.Sees(listed(own)...)
	rows := strings.Split(c.Screen(), "\n")[2:] // Below what is new.
	for _, reference := range regexp.MustCompile(`T\d \d{4}`).FindAllString(strings.Join(rows, "\n"), -1) {
		if !strings.HasPrefix(reference, c.name+" ") {
			b.t.Errorf("%s has %s among its own\n%s", c.name, reference, c.Screen())
		}
	}
	c.Press("tab").Sees(listed(other)...).Press("esc")
}
