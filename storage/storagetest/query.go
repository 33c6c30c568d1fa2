package storagetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"checkout/till/payments"
)

func queryTests() []test {
	return []test{
		{"finds what fits all of its conditions, newest first", filters},
		{"for what is open finds what the domain calls open, as it changes", openOrders},
		{"for what to check finds what has a reason at that moment, as it changes", ordersToCheck},
		{"for a sale finds its orders alone", ordersOfSale},
		{"turns its pages without gap and repetition, also within one moment", pages},
		{"goes on from where its page ended when orders come meanwhile", pagesMove},
		{"returns 50 when it does not say how many, and 1,000 at most", limits},
		{"behind an order that does not exist finds nothing", behindNobody},
	}
}

// mixed are eight orders of two tills and two statuses, a second apart.
func mixed() []payments.Order {
	var orders []payments.Order
	for i := range 8 {
		order := numbered(i)
		order.Till = []string{"T1", "T2"}[i%2]
		order.Status = []payments.Status{payments.StatusPending, payments.StatusSuccess}[i/2%2]
		orders = append(orders, order)
	}
	return orders
}

func filters(t *testing.T, open Opener) {
	store := open(t)
	orders := mixed()
	insert(t, store, orders...)
	at := func(i int) time.Time { return orders[i].CreatedAt }
	for _, c := range []struct {
		name  string
		query payments.Query
		want  []int // Newest first.
	}{
		{"all", payments.Query{}, []int{7, 6, 5, 4, 3, 2, 1, 0}},
		{"a till", payments.Query{Till: "T2"}, []int{7, 5, 3, 1}},
		{"no such till", payments.Query{Till: "T3"}, nil},
		{"a status", payments.Query{Status: payments.StatusSuccess}, []int{7, 6, 3, 2}},
		{"a status of a till", payments.Query{Status: payments.StatusSuccess, Till: "T1"}, []int{6, 2}},
		{"since, which is included", payments.Query{Since: at(5)}, []int{7, 6, 5}},
		{"until, which is not included", payments.Query{Until: at(2)}, []int{1, 0}},
		{"since and until in another zone", payments.Query{
			Since: at(2).In(time.FixedZone("EAT", 3*60*60)), Until: at(4),
		}, []int{3, 2}},
		{"a limit", payments.Query{Limit: 3}, []int{7, 6, 5}},
		{"before an order", payments.Query{Before: orders[2].Reference}, []int{1, 0}},
		{"before an order that itself does not fit", payments.Query{
			Before: orders[6].Reference, Till: "T2",
		}, []int{5, 3, 1}},
		{"everything at once", payments.Query{
			Till: "T1", Status: payments.StatusPending, Since: at(0), Until: at(7), Search: "vary",
			Open: true, Before: orders[6].Reference, Limit: 1,
		}, []int{4}},
	} {
		want := []string{}
		for _, i := range c.want {
			want = append(want, orders[i].Reference)
		}
		expect(t, c.name, find(t, store, c.query), want)
	}
}

func openOrders(t *testing.T, open Opener) {
	store := open(t)
	order := numbered(1)
	insert(t, store, order)
	for _, status := range payments.Statuses() {
		for _, facts := range []payments.Facts{
			{}, {Acknowledged: true}, {Acknowledged: true, Attention: []payments.Attention{payments.PaidLate}},
		} {
			for _, finding := range []*payments.Finding{nil, {At: opening()}, {At: opening(), Stale: true}} {
				order.Status, order.Facts, order.Finding = status, facts, finding
				update(t, store, func(tx payments.Tx) error { return tx.SaveOrder(order) })
				want := 0
				if order.Open() {
					want = 1
				}
				what := fmt.Sprintf("open with %s, %+v, %+v", status, facts, finding)
				expect(t, what, len(find(t, store, payments.Query{Open: true})), want)
				expect(t, what+" of its till", len(find(t, store, payments.Query{Open: true, Till: "T1"})), want)
				expect(t, what+" of another till", find(t, store, payments.Query{Open: true, Till: "T2"}), []string{})
			}
		}
	}
}

func ordersToCheck(t *testing.T, open Opener) {
	store := open(t)
	random := rand.New(rand.NewPCG(5, 4))
	for range 40 {
		update(t, store, func(tx payments.Tx) error {
			for n := range 10 {
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
		all := everyOrder(t, store)
		edge := all[0].Link.ExpiresAt.Add(payments.Grace)
		for _, now := range []time.Time{
			opening(), opening().Add(time.Hour), edge.Add(-1), edge, edge.Add(1), edge.Add(time.Millisecond),
		} {
			want := []string{}
			for _, order := range all {
				if len(order.Attention(now)) > 0 {
					want = append(want, order.Reference)
				}
			}
			expect(t, fmt.Sprint("to check at ", now), find(t, store, payments.Query{Check: now}), want)
		}
	}
}

func ordersOfSale(t *testing.T, open Opener) {
	store := open(t)
	var orders []payments.Order
	for i := range 6 {
		order := numbered(i)
		order.Sale = []string{"one", "two", ""}[i%3]
		orders = append(orders, order)
	}
	insert(t, store, orders...)
	expect(t, "one", find(t, store, payments.Query{Sale: "one"}), []string{orders[3].Reference, orders[0].Reference})
	expect(t, "a page of it", find(t, store, payments.Query{Sale: "one", Before: orders[3].Reference}), []string{orders[0].Reference})
	expect(t, "no such sale", find(t, store, payments.Query{Sale: "three"}), []string{})
	expect(t, "of another till", find(t, store, payments.Query{Sale: "one", Till: "T2"}), []string{})
}

// turn reads all pages of a query.
func turn(t *testing.T, store Store, query payments.Query) []string {
	t.Helper()
	var all []string
	for {
		page := find(t, store, query)
		if len(page) == 0 {
			return all
		}
		all = append(all, page...)
		query.Before = page[len(page)-1]
	}
}

func pages(t *testing.T, open Opener) {
	store := open(t)
	var orders []payments.Order
	var want []string
	for i := range 120 {
		order := numbered(i)
		order.CreatedAt = opening().Add(time.Duration(i/10) * time.Millisecond)
		orders = append(orders, order)
		want = append(want, order.Reference)
	}
	insert(t, store, orders...)
	slices.Reverse(want)
	for _, size := range []int{1, 7, 10, 50, 120, 1000} {
		expect(t, fmt.Sprint("pages of ", size), turn(t, store, payments.Query{Limit: size}), want)
		expect(t, fmt.Sprint("pages of a till of ", size), turn(t, store, payments.Query{Limit: size, Till: "T1"}), want)
	}
}

func pagesMove(t *testing.T, open Opener) {
	store := open(t)
	insert(t, store, numbered(1), numbered(2), numbered(3))
	first := find(t, store, payments.Query{Limit: 2})
	insert(t, store, numbered(4))
	second := find(t, store, payments.Query{Limit: 2, Before: first[1]})
	expect(t, "the second page", second, []string{numbered(1).Reference})
}

func limits(t *testing.T, open Opener) {
	store := open(t)
	var orders []payments.Order
	for i := range 1010 {
		orders = append(orders, numbered(i))
	}
	insert(t, store, orders...)
	for limit, want := range map[int]int{0: 50, 1: 1, 51: 51, 1000: 1000, 1001: 1000, 1 << 40: 1000} {
		found, err := store.Orders(t.Context(), payments.Query{Limit: limit})
		check(t, "read orders", err)
		expect(t, fmt.Sprint("limit ", limit), len(found), want)
		for i, order := range found {
			expect(t, "order", order, orders[len(orders)-1-i])
		}
	}
}

func behindNobody(t *testing.T, open Opener) {
	store := open(t)
	insert(t, store, numbered(1))
	expect(t, "found", find(t, store, payments.Query{Before: "nobody"}), []string{})
}
