package oracle

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/ledger"
)

// Shop is the part of a shop that [Book.Check] reads.
type Shop interface {
	// Orders returns the orders that match a query, newest first.
	Orders(ctx context.Context, query payments.Query) ([]payments.Order, error)
	// Order returns an order with its events, oldest first.
	Order(ctx context.Context, reference string) (payments.Order, []payments.Record, error)
	// Unmatched returns at most limit events without an order.
	Unmatched(ctx context.Context, limit int) ([]payments.Record, error)
}

// Book passes events to a shop's webhook and records the answers. [Book.Check] then checks the
// shop: each event that the shop accepted must be stored once, no other event may be stored, and
// each order must be in the state that the rules give for its events. Book is safe for concurrent
// use, but the events of one order must be sent one after the other.
type Book struct {
	http.RoundTripper // Sends the requests to the webhook.
	Now               payments.Clock
	Sign              func([]byte) string // Returns the valid signature of a body; if nil, signatures are not checked.
	Exact             bool                // Whether Check compares delivery counts; false if a crash may lose a count.

	mu      sync.Mutex
	told    []*telling
	known   map[event]*telling
	last    map[string]payments.Status // Status that the newest event set, by order reference.
	history map[string][]Fact          // The facts of each sale, by its ID; for an order without a sale, by the order's reference.
	numbers map[string]int             // Value of Fact.Order for each order, by its reference.
	seen    map[string]payments.Order  // The orders as they were at the last Check, by reference.
	faults  []error
}

// NewBook returns a book that uses the machine's clock and checks no signatures, until Now and Sign
// are set.
func NewBook(transport http.RoundTripper) *Book {
	return &Book{
		RoundTripper: transport, Now: time.Now, known: map[event]*telling{}, last: map[string]payments.Status{},
		history: map[string][]Fact{}, numbers: map[string]int{}, seen: map[string]payments.Order{},
	}
}

type telling struct {
	event  event
	body   [sha256.Size]byte // Hash of the first delivery's body.
	at     time.Time
	count  int64
	placed bool // Whether the order is known and the history contains the event.
}

// event has the fields that distinguish two events, as the service sends them.
type event struct {
	kind, order, reference, amount, currency, description, reason string
}

// RoundTrip sends a request to the webhook and records the answer.
func (b *Book) RoundTrip(r *http.Request) (*http.Response, error) {
	sent := new(buffer)
	copied := r.Clone(r.Context())
	copied.Body, copied.GetBody = io.NopCloser(io.TeeReader(r.Body, sent)), nil
	response, err := b.RoundTripper.RoundTrip(copied)
	if err != nil {
		return nil, err
	}
	reply, err := io.ReadAll(response.Body)
	_ = response.Body.Close()
	if err != nil {
		return nil, err
	}
	response.Body = io.NopCloser(bytes.NewReader(reply))
	b.note(r.Header, sent.all(), response.StatusCode, string(reply))
	return response, nil
}

// buffer collects the bytes of a body while they are sent. It has a mutex, because the answer may
// arrive before the body was sent completely.
type buffer struct {
	mu  sync.Mutex
	got bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.got.Write(p)
}

func (b *buffer) all() []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	return bytes.Clone(b.got.Bytes())
}

func (b *Book) fault(format string, args ...any) {
	b.faults = append(b.faults, fmt.Errorf(format, args...))
}

func (b *Book) note(header http.Header, body []byte, status int, reply string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	taken := status == http.StatusOK || status == http.StatusNotFound
	if b.Sign != nil {
		signed := slices.Equal(header.Values("x-svc-signature"), []string{b.Sign(body)})
		if taken && !signed || status == http.StatusUnauthorized && signed {
			b.fault("%d is answered, signed rightly: %v, to %.200s", status, signed, body)
		}
	}
	if !taken {
		return
	}
	told, err := decode(body)
	if err != nil {
		b.fault("%d is answered to %.200s: %w", status, body, err)
		return
	}
	if before := b.known[told]; before != nil {
		before.count++
	} else {
		b.known[told] = &telling{event: told, body: sha256.Sum256(body), at: b.Now(), count: 1}
		b.told = append(b.told, b.known[told])
		if what := told.what(); what != "refunded" {
			b.last[told.order] = payments.Status(what)
		}
	}
	stands := cmp.Or(b.last[told.order], payments.StatusPending)
	if status == http.StatusOK && strings.TrimSpace(reply) != fmt.Sprintf(`{"received":true,"status":%q}`, stands) {
		b.fault("%s is answered to %s of %s, want the status %s", reply, told.kind, told.order, stands)
	}
}

// decode decodes an event. It keeps the fields of data as raw JSON, because they may have wrong
// types; only the order reference loses its quotes.
func decode(body []byte) (event, error) {
	var wire struct {
		Event string
		Data  map[string]json.RawMessage
	}
	if err := json.Unmarshal(body, &wire); err != nil {
		return event{}, err
	}
	field := func(name string) string { return string(wire.Data[name]) }
	return event{
		wire.Event, strings.Trim(field("order_reference"), `"`), field("reference"), field("amount"), field("currency"),
		field("description"), field("error"),
	}, nil
}

// what returns the value of Fact.What for the event. For a kind of event that is not in the
// specification it returns "refunded", which [Judge] ignores.
func (e event) what() string {
	switch what := strings.TrimPrefix(e.kind, "payment."); what {
	case "success", "failed", "canceled", "expired":
		return what
	}
	return "refunded"
}

// Taken returns the number of different events that the shop accepted or stored as unmatched.
func (b *Book) Taken() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.told)
}

// Check compares the shop with the book. It returns all faults so far: those that RoundTrip found
// in answers, and the differences that the calls of Check found. First it adds the new findings,
// refunds and acknowledgements of the shop to the book, as if all new events had come before them.
func (b *Book) Check(ctx context.Context, shop Shop) []error {
	b.mu.Lock()
	defer b.mu.Unlock()
	orders, err := all(ctx, shop)
	if err != nil {
		return append(b.faults, err)
	}
	records := map[string][]payments.Record{}
	for n, listed := range orders {
		order, events, err := shop.Order(ctx, listed.Reference)
		if err != nil {
			return append(b.faults, err)
		}
		orders[n] = order
		records[order.Reference] = events
	}
	before := b.place(orders)
	for _, order := range orders {
		b.compare(order, records[order.Reference])
		if before[order.Reference].Paid() && !order.Paid() {
			b.fault("order %s was paid", order.Reference)
		}
	}
	orphans, err := shop.Unmatched(ctx, payments.MaxUnmatched)
	if err != nil {
		b.fault("%w", err)
	}
	kept := slices.DeleteFunc(slices.Clone(b.told), func(t *telling) bool { return t.placed })
	slices.SortFunc(orphans, func(a, b payments.Record) int { return bytes.Compare(a.BodySHA256[:], b.BodySHA256[:]) })
	slices.SortFunc(kept, func(a, b *telling) int { return bytes.Compare(a.body[:], b.body[:]) })
	b.stored("no order", orphans, kept)
	return b.faults
}

func all(ctx context.Context, shop Shop) (orders []payments.Order, err error) {
	for query := (payments.Query{Limit: 1000}); ; query.Before = orders[len(orders)-1].Reference {
		page, err := shop.Orders(ctx, query)
		if orders = append(orders, page...); err != nil || len(page) < query.Limit {
			return orders, err
		}
	}
}

type news struct {
	order payments.Order
	fact  Fact
}

// place adds new facts to the histories of the sales: first new orders and the events of orders
// that are now known, by their times, then the decisions of people. It returns the orders at the
// last Check.
func (b *Book) place(orders []payments.Order) (before map[string]payments.Order) {
	before, b.seen = b.seen, map[string]payments.Order{}
	byName := map[string]int{}
	byOwn := map[string]bool{}
	var facts []news
	for n, order := range orders {
		byName[order.OrderReference] = n
		byOwn[strconv.Quote(order.Reference)] = true
		if _, known := before[order.Reference]; !known {
			facts = append(facts, news{order, Fact{What: "made", Amount: order.Amount, Total: order.Total, At: order.CreatedAt}})
		}
	}
	for _, told := range b.told {
		n, known := byName[told.event.order]
		if told.placed || !known {
			continue
		}
		told.placed = true
		sound := told.event.amount == strconv.FormatInt(int64(orders[n].Amount), 10) && told.event.currency == `"`+payments.Currency+`"`
		other := byOwn[told.event.reference] && told.event.reference != strconv.Quote(orders[n].Reference)
		facts = append(facts, news{orders[n], Fact{What: told.event.what(), Sound: sound, Other: other, At: told.at}})
	}
	slices.SortStableFunc(facts, func(a, b news) int { return a.fact.At.Compare(b.fact.At) })
	for _, each := range facts {
		b.add(each.order, each.fact)
	}
	for _, order := range orders {
		was := before[order.Reference]
		for _, fact := range decisions(order.Findings[len(was.Findings):], order.Transfers[len(was.Transfers):]) {
			b.add(order, fact)
		}
		if order.Facts.Acknowledged && !was.Facts.Acknowledged {
			b.add(order, Fact{What: "ack", At: b.Now()})
		}
		b.seen[order.Reference] = order
	}
	return before
}

// decisions returns the facts for the findings and the transfers of an order, by time. If an order
// was not plainly paid, its refund also records a finding; decisions leaves out that finding.
func decisions(findings []payments.Finding, transfers []ledger.Transfer) (facts []Fact) {
	recorded := func(found payments.Finding) bool {
		return slices.ContainsFunc(transfers, func(t ledger.Transfer) bool {
			return t.Kind == ledger.Refund && !t.Back() && found.At.Equal(t.At) && found.By == t.By && found.Note == t.Note
		})
	}
	for _, found := range findings {
		if !recorded(found) {
			facts = append(facts, Fact{What: "found-" + string(found.Kind), At: found.At})
		}
	}
	for _, t := range transfers {
		if t.Kind != ledger.Refund {
			continue
		}
		fact := Fact{What: "refund", Amount: t.Amount, InCash: t.From.IsDrawer() || t.To.IsDrawer(), At: t.At}
		if t.Back() {
			fact.What = "back"
		}
		facts = append(facts, fact)
	}
	slices.SortStableFunc(facts, func(a, b Fact) int { return a.At.Compare(b.At) })
	return facts
}

func (b *Book) add(order payments.Order, fact Fact) {
	fact.Order = b.number(order)
	sale := cmp.Or(order.Sale, order.Reference)
	b.history[sale] = append(b.history[sale], fact)
}

func (b *Book) number(order payments.Order) int {
	if _, known := b.numbers[order.Reference]; !known {
		b.numbers[order.Reference] = len(b.numbers)
	}
	return b.numbers[order.Reference]
}

// Read returns the judgement that the program made of an order, to compare it with [Judge].
func Read(order payments.Order, now time.Time) Judgement {
	read := Judgement{Status: order.Status, Paid: order.Paid(), Net: order.Net(), Verdict: order.Verdict(payments.Conditions{}, now), Live: order.MayBePaid(now)}
	if objection, is := errors.AsType[*payments.Objection](payments.MayCharge([]payments.Order{order}, payments.Taken{}, payments.Terms{}, now)); is {
		read.Objection = objection.Kind
	}
	return read
}

func (b *Book) compare(order payments.Order, records []payments.Record) {
	told := slices.DeleteFunc(slices.Clone(b.told), func(t *telling) bool {
		return !t.placed || t.event.order != order.OrderReference
	})
	b.stored(order.Reference, records, told)
	end, now := order.Link.ExpiresAt, b.Now()
	if end.IsZero() {
		end = now.Add(time.Hour) // Assume an end in the future: without a link, no payment is late.
	}
	history := b.history[cmp.Or(order.Sale, order.Reference)]
	want := Judge(history, b.number(order), end, now)
	got := Read(order, now)
	if len(told) == 0 && !order.Status.Reported() && want.Status != order.Status {
		want.Status = order.Status // No event came, so the oracle cannot know the result of the order call.
		want.Objection = got.Objection
		want.Live = got.Live
		if order.Finding == nil {
			want.Verdict = got.Verdict
		}
	}
	if end != order.Link.ExpiresAt {
		want.Objection = got.Objection // The end of the link is assumed, so the oracle cannot know whether the customer can still pay.
		want.Live = got.Live
	}
	if got != want {
		b.fault("order %s is %+v; the oracle says %+v of %+v", order.Reference, got, want, history)
	}
}

func (b *Book) stored(where string, records []payments.Record, told []*telling) {
	if len(records) != len(told) {
		b.fault("%s has %d events, and %d were answered", where, len(records), len(told))
		return
	}
	for n, record := range records {
		if record.BodySHA256 != told[n].body || record.Count < 1 || b.Exact && record.Count != told[n].count {
			b.fault("event %d of %s is %s, %d times, not %+v, %d times", n+1, where, record.Event.Kind, record.Count, told[n].event, told[n].count)
		}
	}
}
