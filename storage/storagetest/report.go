package storagetest

import (
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"checkout/till/payments"
)

func reportTests() []test {
	return []test{
		{"is right for orders in any state", takingsOfAnyState},
		{"adds up what was sold with paid orders alone", soldAddsUp},
		{"takes a period's first moment and not its last", takingsEdges},
	}
}

// everyOrder reads all orders.
func everyOrder(t *testing.T, store payments.Store) []payments.Order {
	t.Helper()
	orders, err := store.Orders(t.Context(), payments.Query{Limit: 1000})
	check(t, "read orders", err)
	return orders
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
