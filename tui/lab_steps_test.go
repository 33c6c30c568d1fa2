package tui_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"checkout/till/payments"
	"checkout/till/payments/sandbox"
	"checkout/till/tui"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/qr"
	"checkout/till/tui/pay"
	"checkout/till/tui/sale"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/counter"
)

// look tells the console that something changed whenever the store said so, and
// not otherwise.
func (l *lab) look() *lab {
	l.t.Helper()
	for {
		select {
		case <-l.changed:
			l.Send(tui.Changed())
		default:
			return l
		}
	}
}

// pass lets time go by, and the console's clock tick.
func (l *lab) pass(by time.Duration) *lab {
	l.t.Helper()
	l.clock.advance(by)
	l.Send(tui.Ticked())
	return l.look()
}

// charge sells for 9 000 Ar, asks for the payment, and returns the order.
func (l *lab) charge() payments.Order {
	l.t.Helper()
	l.Type("Vary 3500 x2").Press("enter").Type("Coca 2000").Press("enter", "enter", "enter")
	l.pass(sale.Settle)
	return l.newest()
}

// newest is the order that the shop made last.
func (l *lab) newest() payments.Order {
	l.t.Helper()
	orders, err := l.shop.Orders(l.t.Context(), payments.Query{Limit: 1})
	l.must(err)
	if len(orders) == 0 {
		l.t.Fatalf("there is no order\n%s", l.short())
	}
	return orders[0]
}

// theirs is an order, and sent an event, as the service's own list has it.
type (
	theirs struct {
		OrderReference string    `json:"order_reference"`
		State          string    `json:"state"`
		ExpiresAt      time.Time `json:"expires_at"`
	}
	sent struct {
		ID    int        `json:"id"`
		Body  string     `json:"body"`
		Stage string     `json:"stage"`
		Next  *time.Time `json:"next_try_at"`
	}
)

// list asks the service for one of its lists, the newest first.
func (l *lab) list(name string, into any) {
	l.t.Helper()
	response, err := http.Get(l.site + "/lab/" + name + "?limit=1000")
	l.must(err)
	defer func() { _ = response.Body.Close() }()
	l.must(json.NewDecoder(response.Body).Decode(into))
}

// post asks the service's laboratory for something by a JSON body.
func (l *lab) post(path, body string) {
	l.t.Helper()
	response, err := http.Post(l.site+"/lab/"+path, "application/json", strings.NewReader(body))
	l.must(err)
	l.must(response.Body.Close())
	if response.StatusCode != http.StatusOK {
		l.t.Fatalf("%s %s: %s", path, body, response.Status)
	}
}

// rest waits until the service has sent all that is due, and lets the console
// see what came of it.
func (l *lab) rest() *lab {
	l.t.Helper()
	l.until("rest at the service", func() bool {
		var all []sent
		l.list("deliveries", &all)
		return !slices.ContainsFunc(all, func(s sent) bool {
			return s.Stage == "sending" || s.Next != nil && !s.Next.After(l.clock.Now())
		})
	})
	return l.look()
}

// until waits for something to hold, and looks whenever the service has changed.
func (l *lab) until(what string, holds func() bool) {
	l.t.Helper()
	ctx, cancel := context.WithTimeout(l.t.Context(), time.Minute)
	defer cancel()
	if !l.Await(ctx, holds) {
		l.t.Fatalf("there is no %s", what)
	}
}

// act is the customer of the service's newest order, which the shop may not
// know, and which the service may be about to make.
func (l *lab) act(kind payments.EventKind) *lab {
	l.t.Helper()
	var orders []theirs
	l.until("an order at the service", func() bool {
		l.list("orders", &orders)
		return len(orders) > 0
	})
	l.must(l.Act(l.t.Context(), orders[0].OrderReference, kind))
	return l.rest()
}

// again sends an event again by hand, by its number.
func (l *lab) again(event int) *lab {
	l.t.Helper()
	l.post(fmt.Sprintf("deliveries/%d/resend", event), "")
	return l.rest()
}

// mend ends all faults.
func (l *lab) mend() *lab {
	l.SetFaults(sandbox.Faults{})
	return l
}

// seen is how an order stands, and what the console says of it.
type seen struct {
	says      []string // On the order's own screen, beside the verdict.
	status    payments.Status
	verdict   payments.Verdict
	attention []payments.Attention
	paid      bool     // There is proof, whatever else came.
	events    []string // That are stored for the order, with their outcomes.
	orphans   []string // That are stored for no order.
	replies   []int    // What the service got for its events so far.
	code      bool     // The code is shown.
}

// word is the verdict as the console writes it, with its sign.
func (l *lab) word(order payments.Order) string {
	return badge.New(theme.Plain(), counter.Texts(l.t, "en")).Brief(order, l.verdict(order))
}

func (l *lab) verdict(order payments.Order) payments.Verdict {
	return order.Verdict(payments.Conditions{}, l.clock.Now())
}

// is checks how the newest order stands in the store and on its screen, which
// is open.
func (l *lab) is(want seen) *lab {
	l.t.Helper()
	order, records, err := l.shop.Order(l.t.Context(), l.newest().Reference)
	l.must(err)
	orphans, err := l.shop.Unmatched(l.t.Context(), 100)
	l.must(err)
	got := seen{
		says: want.says, status: order.Status, verdict: l.verdict(order),
		attention: order.Attention(l.clock.Now()), paid: order.Paid(),
		events: describe(records), orphans: describe(orphans), replies: l.wire.replies(), code: l.coded(),
	}
	if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
		l.t.Errorf("\n got %+v\nwant %+v", got, want)
	}
	word := l.word(order)
	if got.verdict == payments.VerdictNotPaid && order.Retryable(l.clock.Now()) {
		word = "✗ Payment refused"
	}
	l.Sees(word)
	l.says(want.says...)
	if got.verdict != payments.VerdictPaid {
		l.Lacks("✓")
	}
	l.harmless()
	return l
}

// says fails the test unless the view says all of texts, wherever its lines end.
func (l *lab) says(texts ...string) *lab {
	l.t.Helper()
	frames := func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("█▀▄░│", r) }
	view := strings.Join(strings.FieldsFunc(ansi.Strip(l.View()), frames), " ")
	for _, want := range texts {
		if !strings.Contains(view, want) {
			l.t.Errorf("the view does not say %q\n%s", want, l.short())
		}
	}
	return l
}

// coded tells whether there is a code on the screen, which must then be the
// newest order's.
func (l *lab) coded() bool {
	l.t.Helper()
	code, err := l.Screen().Code()
	if err != nil {
		return false
	}
	if !codes(code, l.newest().Link.URL) {
		l.t.Errorf("the code is not that of %s", l.newest().Link.URL)
	}
	return true
}

// codes tells whether a code is a link's. That cameras read codes is tested
// elsewhere.
func codes(code tuitest.Code, link string) bool {
	model, err := qr.New(link)
	if err != nil {
		return false
	}
	drawn, err := tuitest.Render(model.SetSize(120, 40).View(), 120, 40).Code()
	return err == nil && slices.EqualFunc(code.Modules(), drawn.Modules(), slices.Equal)
}

// describe says of each event what it is and what it did, and how often it came
// when that is more than once.
func describe(records []payments.Record) []string {
	var all []string
	for _, record := range records {
		text := strings.TrimPrefix(string(record.Event.Kind), "payment.") + " " + string(record.Outcome)
		if record.Count > 1 {
			text += fmt.Sprintf(" %d times", record.Count)
		}
		all = append(all, text)
	}
	return all
}

// happened is how the time line of an order calls an event.
func happened(kind payments.EventKind) string {
	words := map[payments.EventKind]string{
		payments.PaymentSuccess: "Paid, the service says", payments.PaymentFailed: "Refused",
		payments.PaymentCanceled: "Canceled by the customer", payments.PaymentExpired: "The time is over",
	}
	return cmp.Or(words[kind], payments.Clean(string(kind), 40))
}

// harmless fails the test when the view holds what a terminal must not get, or
// does not fit.
func (l *lab) harmless() {
	l.t.Helper()
	if found := harm(l.Fits().View()); found != "" {
		l.t.Errorf("the view holds %s: %q", found, l.View())
	}
}

// leave leaves the order's screen without having acknowledged anything.
func (l *lab) leave() *lab {
	l.t.Helper()
	l.pass(pay.Grace).Press("esc")
	if !strings.Contains(l.View(), "Total") {
		l.Press("enter") // The link lives, and the console asks.
	}
	l.Sees("Total")
	l.harmless()
	return l
}

// everywhere checks that what the console says of the newest order on its other
// screens is what it says on the order's own.
func (l *lab) everywhere() *lab {
	l.t.Helper()
	l.leave()
	order, records, err := l.shop.Order(l.t.Context(), l.newest().Reference)
	l.must(err)
	if word := l.word(order); !order.Facts.Acknowledged {
		l.Sees(word, order.Reference)
	}
	l.whole().Sees(l.word(order), "Status            "+string(order.Status))
	for _, record := range records {
		reason, _, _ := strings.Cut(record.Event.Error.Shown(), " ") // A long one is wrapped.
		l.Sees(happened(record.Event.Kind), reason[:min(5, len(reason))])
	}
	l.harmless()
	l.Press("esc", "esc")
	l.Sees("Total")
	return l
}

// whole opens all that is known of the newest order, from the sale's screen, and
// looks at each list on the way.
func (l *lab) whole() *lab {
	l.t.Helper()
	reference := l.newest().Reference
	l.Press("f3")
	for tabs := range 4 {
		l.shows(l.orders())
		if strings.Contains(l.View(), "─ "+reference) {
			if l.Press("enter"); strings.Contains(l.View(), "Link until") {
				return l
			}
			// It is waited for, and its own screen was opened.
			l.leave().Press("f3")
			for range tabs {
				l.Press("tab")
			}
		}
		l.Press("tab")
	}
	l.t.Fatalf("the console does not list order %s\n%s", reference, l.short())
	return l
}

// open opens the newest order's own screen, from the sale's.
func (l *lab) open() *lab {
	l.t.Helper()
	for range 20 {
		if strings.Contains(l.View(), l.newest().Reference) && !strings.Contains(l.View(), "Total") {
			return l
		}
		l.Press("f2")
		if strings.Contains(l.View(), l.newest().Reference) {
			return l
		}
		l.pass(pay.Grace).Press("enter")
		l.look()
	}
	l.t.Fatalf("the console does not show order %s\n%s", l.newest().Reference, l.short())
	return l
}

// short is the screen without its empty lines.
func (l *lab) short() string {
	lines := slices.DeleteFunc(strings.Split(l.Screen().String(), "\n"), func(line string) bool { return line == "" })
	return strings.Join(lines, "\n")
}
