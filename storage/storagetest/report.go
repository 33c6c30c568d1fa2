package storagetest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"checkout/till/payments"
)

func reportTests() []test {
	return []test{
		{"counts every order once, whatever happens to it and in whatever order", reportModel},
		{"is right for orders in any state", takingsOfAnyState},
		{"adds up what was sold with paid orders alone", soldAddsUp},
		{"takes a period's first moment and not its last", takingsEdges},
		{"takes back what a change adds that is taken back", takingsRolledBack},
	}
}

// counter is a service at a time of its own, whose payment service answers as
// a test wants.
type counter struct {
	*payments.Service
	store  Store
	now    time.Time
	named  int
	answer func(reference string) (payments.Created, error)
}

func newCounter(store Store) *counter {
	c := &counter{store: store, now: opening()}
	c.Service = payments.New(store, c, func() time.Time { return c.now }, payments.WithZone(time.UTC))
	return c
}

func (c *counter) Create(context.Context, payments.Order) (payments.Created, error) {
	c.named++
	return c.answer(fmt.Sprint("REF_", c.named))
}

// answers are what can come back of an order call.
func answers() []func(reference string) (payments.Created, error) {
	taken := func(reference string) (payments.Created, error) { return created(reference), nil }
	return []func(reference string) (payments.Created, error){
		taken, taken, taken, taken,
		func(string) (payments.Created, error) { return payments.Created{}, &payments.Refusal{Message: "no"} },
		func(string) (payments.Created, error) { return payments.Created{}, errRefused },
		func(string) (payments.Created, error) { return payments.Created{}, payments.ErrNotSent },
	}
}

// everyOrder reads all orders.
func everyOrder(t *testing.T, store Store) []payments.Order {
	t.Helper()
	orders, err := store.Orders(t.Context(), payments.Query{Limit: 1000})
	check(t, "read orders", err)
	return orders
}

func reportModel(t *testing.T, open Opener) {
	c := newCounter(open(t))
	random := rand.New(rand.NewPCG(5, 2))
	for step := range 400 {
		c.now = c.now.Add(time.Duration(random.IntN(300)) * time.Second)
		c.step(t, random)
		if step%8 == 0 {
			c.compare(t, payments.Period{From: opening(), To: c.now.Add(time.Millisecond)})
			from := opening().Add(time.Duration(random.IntN(step+1)) * time.Minute)
			c.compare(t, payments.Period{From: from, To: from.Add(time.Hour)})
		}
	}
}

// step lets one thing happen to one order.
func (c *counter) step(t *testing.T, random *rand.Rand) {
	t.Helper()
	orders := everyOrder(t, c.store)
	if len(orders) < 5 || (len(orders) < 60 && random.IntN(4) == 0) {
		c.answer = answers()[random.IntN(len(answers()))]
		_, _ = c.Checkout(t.Context(), terms("T1", fmt.Sprint("sale ", random.IntN(20))))
		return
	}
	order := orders[random.IntN(len(orders))]
	var err error
	switch random.IntN(8) {
	case 0:
		_, err = c.Resolve(t.Context(), order.Reference, payments.Finding{
			Paid: random.IntN(2) == 0, Note: "looked", Seen: order.Verdict(payments.Conditions{}, c.Now()),
		}, payments.Identity{})
	case 1:
		_, err = c.Acknowledge(t.Context(), order.Reference, order.Verdict(payments.Conditions{}, c.Now()), payments.Conditions{})
	case 2:
		if order.Status == payments.StatusUnknown {
			_, err = c.Match(t.Context(), order.Reference, fmt.Sprint("REF_", random.IntN(c.named+1)), payments.Identity{})
		}
	default:
		kind := payments.EventKinds()[random.IntN(4)]
		if order.OrderReference == "" || random.IntN(10) == 0 {
			order.OrderReference = fmt.Sprint("REF_", random.IntN(c.named+3))
		}
		e := event(kind, order, fmt.Sprint(random.IntN(3)))
		if random.IntN(6) == 0 {
			e.Amount = payments.AmountValue(1)
		}
		_, err = c.Receive(t.Context(), e, body(e))
	}
	if err != nil && !errors.Is(err, payments.ErrOrderReferenceTaken) {
		t.Fatal(err)
	}
}

// compare compares a report with a count of all orders.
func (c *counter) compare(t *testing.T, period payments.Period) {
	t.Helper()
	want := payments.Report{Period: period, Verdicts: map[payments.Verdict]payments.Sum{}}
	for _, verdict := range payments.Verdicts() {
		want.Verdicts[verdict] = payments.Sum{}
	}
	hours := map[time.Time]payments.Sum{}
	for _, order := range everyOrder(t, c.store) {
		at := order.CreatedAt
		if order.Paid() {
			at = order.Facts.PaidAt
		}
		if at.Before(period.From) || !at.Before(period.To) {
			continue
		}
		verdict := order.Verdict(payments.Conditions{}, c.now)
		sum := want.Verdicts[verdict]
		want.Verdicts[verdict] = payments.Sum{Count: sum.Count + 1, Amount: sum.Amount + order.Amount}
		want.Orders++
		if verdict == payments.VerdictPaid {
			hour := at.Truncate(time.Hour)
			hours[hour] = payments.Sum{Count: hours[hour].Count + 1, Amount: hours[hour].Amount + order.Amount}
		}
	}
	for _, at := range slices.SortedFunc(maps.Keys(hours), time.Time.Compare) {
		want.Hours = append(want.Hours, payments.Hour{At: at, Sum: hours[at]})
	}
	got, err := c.Report(t.Context(), period)
	check(t, "report", err)
	expect(t, "report", got, want)
}

// anyOrder returns an order in any state, be it one that cannot come about.
func anyOrder(random *rand.Rand, n int) payments.Order {
	coin := func() bool { return random.IntN(2) == 0 }
	at := func() time.Time { return opening().Add(time.Duration(random.IntN(7200)) * time.Second) }
	order := numbered(n)
	order.CreatedAt = at()
	order.Status = payments.Statuses()[random.IntN(len(payments.Statuses()))]
	order.Facts = payments.Facts{SuccessSeen: coin(), ExpiredSeen: coin(), GivenUp: coin(), NotSent: coin(), Acknowledged: coin()}
	if coin() {
		order.Link = payments.Link{URL: "https://pay.example/1", ExpiresAt: at()}
	}
	if coin() {
		order.Facts.PaidAt = at()
	}
	if random.IntN(4) == 0 {
		order.Facts.Attention = []payments.Attention{payments.PaidLate}
	}
	if random.IntN(4) == 0 {
		order.Finding = &payments.Finding{Paid: coin(), Stale: coin(), By: "Soa", At: at()}
	}
	return order
}

func takingsOfAnyState(t *testing.T, open Opener) {
	store := open(t)
	random := rand.New(rand.NewPCG(5, 3))
	for round := range 40 {
		update(t, store, func(tx payments.Tx) error {
			for n := range 20 {
				order := anyOrder(random, n)
				err := tx.SaveOrder(order)
				if errors.Is(err, payments.ErrNotFound) {
					err = tx.InsertOrder(order)
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
		from := opening().Add(time.Duration(round%8) * 15 * time.Minute)
		expectTakings(t, store, payments.Period{From: from, To: from.Add(time.Hour)})
	}
}

// taken is what a report needs of an order.
type taken struct {
	at      time.Time
	paid    bool
	amount  payments.Ariary
	verdict payments.Verdict
}

// expectTakings compares the orders that count in a period with all orders, by
// the domain's words for them.
func expectTakings(t *testing.T, store Store, period payments.Period) {
	t.Helper()
	at := period.To
	of := func(order payments.Order) taken {
		return taken{order.CountedAt(), order.Paid(), order.Amount, order.Verdict(payments.Conditions{}, at)}
	}
	want := map[taken]int{}
	for _, order := range everyOrder(t, store) {
		if counted := order.CountedAt(); !counted.Before(period.From) && counted.Before(period.To) {
			want[of(order)]++
		}
	}
	got, last := map[taken]int{}, taken{at: period.From, paid: true}
	_, err := store.Takings(t.Context(), period, func(order payments.Order) bool {
		next := of(order)
		if next.paid && !last.paid || next.paid == last.paid && next.at.Before(last.at) {
			t.Errorf("%+v follows %+v", next, last)
		}
		got[next]++
		last = next
		return false
	})
	check(t, "takings", err)
	expect(t, "the orders that count", got, want)
}

func soldAddsUp(t *testing.T, open Opener) {
	store := open(t)
	paid := func(n int) payments.Order {
		order := numbered(n)
		order.Status = payments.StatusSuccess
		order.Facts.SuccessSeen, order.Facts.PaidAt = true, order.CreatedAt.Add(time.Minute)
		return order
	}
	first, second, checked, later := paid(1), paid(2), paid(3), paid(4)
	second.Items = []payments.Item{{Label: "Koba", UnitPrice: 7000, Quantity: 1}, {Label: "Coca", UnitPrice: 1500, Quantity: 2, ListPrice: 2000}}
	checked.Facts.Attention = []payments.Attention{payments.Contradicted}
	later.Facts.PaidAt = opening().Add(2 * time.Hour)
	insert(t, store, first, second, checked, later, numbered(5))
	period := payments.Period{From: opening(), To: opening().Add(time.Hour)}
	paidOnly := func(order payments.Order) bool {
		return order.Verdict(payments.Conditions{}, opening()) == payments.VerdictPaid
	}
	got, err := store.Takings(t.Context(), period, paidOnly)
	check(t, "takings", err)
	expect(t, "sold, when nobody asks", len(got), 0)
	period.Sold = true
	got, err = store.Takings(t.Context(), period, paidOnly)
	check(t, "takings", err)
	expect(t, "sold", got, []payments.Sold{
		{Label: "Koba", Quantity: 1, Amount: 7000},
		{Label: "Vary", Quantity: 2, Amount: 7000},
		{Label: "Coca", Quantity: 3, Amount: 5000},
	})
}

func takingsEdges(t *testing.T, open Opener) {
	store := open(t)
	refused := func(n int, at time.Time) payments.Order {
		order := numbered(n)
		order.Status, order.CreatedAt = payments.StatusRejected, at
		return order
	}
	end := opening().Add(15 * time.Minute)
	insert(t, store, refused(1, opening().Add(-time.Millisecond)), refused(2, opening()),
		refused(3, end.Add(-time.Millisecond)), refused(4, end))
	var got []time.Time
	_, err := store.Takings(t.Context(), payments.Period{From: opening(), To: end}, func(order payments.Order) bool {
		got = append(got, order.CreatedAt)
		return false
	})
	check(t, "takings", err)
	expect(t, "takings", got, []time.Time{opening(), end.Add(-time.Millisecond)})
}

func takingsRolledBack(t *testing.T, open Opener) {
	store := open(t)
	order := numbered(1)
	insert(t, store, order)
	order.Status = payments.StatusRejected
	err := store.Update(t.Context(), func(tx payments.Tx) error {
		check(t, "save", tx.SaveOrder(order))
		return errRefused
	})
	expectError(t, "update", err, errRefused)
	expectTakings(t, store, payments.Period{From: opening(), To: opening().Add(time.Hour)})
}
