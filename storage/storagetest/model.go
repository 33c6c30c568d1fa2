package storagetest

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/ledger"
	"checkout/till/payments/staff"
)

// model is a store in plain Go. The real store must have the same content after every change,
// committed or rolled back, and after every restart.
type model struct {
	*rand.Rand
	tables
}

type tables struct {
	orders    []payments.Order  // In order of insertion.
	events    []payments.Record // In order of arrival, with their bodies.
	sales     map[string]payments.Sale
	articles  map[string]payments.Article
	numbers   map[string]int64
	tills     map[string]string // Names of the tills, by their codes.
	cashiers  map[string]staff.Cashier
	transfers []ledger.Transfer // In order of commits.
}

func (t tables) clone() tables {
	return tables{
		slices.Clone(t.orders), slices.Clone(t.events), maps.Clone(t.sales), maps.Clone(t.articles),
		maps.Clone(t.numbers), maps.Clone(t.tills), maps.Clone(t.cashiers), slices.Clone(t.transfers),
	}
}

// otherTill is the name of a till that would drop a table if it became part of a statement.
const otherTill = `'; DROP TABLE orders; --`

// step takes a random action both in a transaction and in the model. It returns an error if the
// results differ.
type step func(m *model, tx payments.Tx) error

// likeModel returns a test that takes random steps, one to four of them in each transaction. After
// each transaction it calls compare.
func likeModel(compare func(m *model, t *testing.T, store Store), steps ...step) func(t *testing.T, db Database) {
	return func(t *testing.T, db Database) {
		m := &model{rand.New(rand.NewPCG(5, 3)), tables{
			sales: map[string]payments.Sale{}, articles: map[string]payments.Article{}, numbers: map[string]int64{},
			tills:    map[string]string{},
			cashiers: map[string]staff.Cashier{},
		}}
		store := db.Open(t)
		for round := range Size(60, 1500) {
			before := m.tables
			err := store.Update(t.Context(), func(tx payments.Tx) error {
				m.tables = before.clone()
				for range 1 + m.IntN(4) {
					if err := pick(m, steps...)(m, tx); err != nil {
						return err
					}
				}
				if m.IntN(5) == 0 {
					return errRefused
				}
				return nil
			})
			if errors.Is(err, errRefused) {
				m.tables = before
			} else {
				check(t, fmt.Sprint("change ", round), err)
			}
			if round%10 == 9 {
				check(t, "close", store.Close())
				store = db.Open(t)
			}
			compare(m, t, store)
		}
	}
}

func pick[T any](m *model, choices ...T) T { return choices[m.IntN(len(choices))] }

func (m *model) coin() bool { return m.IntN(2) == 0 }

// at returns one of only a few times, so that equal times occur.
func (m *model) at() time.Time {
	return opening().Add(time.Duration(m.IntN(8))*15*time.Minute + time.Duration(m.IntN(2))*time.Millisecond)
}

func differs(what string, got, want any) error {
	g, w := reflect.ValueOf(got), reflect.ValueOf(want)
	empty := g.Kind() == reflect.Slice && g.Len()+w.Len() == 0
	if empty || reflect.DeepEqual(got, want) {
		return nil
	}
	return fmt.Errorf("%s:\n got %+v\nwant %+v", what, got, want)
}

func fails(what string, err, want error) error {
	if errors.Is(err, want) {
		return nil
	}
	return fmt.Errorf("%s: error %w, want %w", what, err, want)
}

func same(t *testing.T, what string, got, want any, err error) {
	t.Helper()
	check(t, what, errors.Join(err, differs(what, got, want)))
}

func (m *model) compareOrders(t *testing.T, store Store) {
	t.Helper()
	ctx := t.Context()
	for _, ref := range []string{m.reference(), pick(m, "REF_1", "REF_Été2"), "", " "} {
		found := append(m.byReference(ref), m.orderOf(ref)...)
		order, events, err := store.Order(ctx, ref)
		if len(found) == 0 {
			expectError(t, "the order "+ref, err, payments.ErrNotFound)
			continue
		}
		found[0].PaidWith = m.paidWith(found[0])
		found[0].Transfers = m.posted(ledger.Query{Payment: paymentOf(found[0])})
		same(t, "the order "+ref, order, found[0], err)
		same(t, "its events", events, bare(m.eventsOf(found[0])), nil)
	}
	waiting := m.unmatched()
	slices.Reverse(waiting)
	slices.SortStableFunc(waiting, func(a, b payments.Record) int {
		return map[bool]int{true: -1}[unnoticed(a)] - map[bool]int{true: -1}[unnoticed(b)]
	})
	limit := m.IntN(9)
	events, err := store.Unmatched(ctx, limit)
	same(t, "the unmatched events", events, bare(waiting[:min(limit, len(waiting))]), err)
	now := m.at()
	view, err := store.Overview(ctx, "T1", now, limit+1)
	same(t, "the overview's open orders", view.Open, m.queried(payments.Query{Till: "T1", Open: true, Limit: limit + 1}), err)
	same(t, "the overview's orders that need a person", view.Attention, m.queried(payments.Query{Check: now, Limit: limit + 1}), err)
	same(t, "the overview's events", view.Unmatched, bare(waiting[:min(limit+1, len(waiting))]), err)
	for range Size(8, 20) {
		query := m.query()
		orders, err := store.Orders(ctx, query)
		same(t, fmt.Sprintf("the orders of %+v", query), orders, m.queried(query), err)
	}
	m.compareLedger(t, store)
}

func (m *model) compareDesk(t *testing.T, store Store) {
	t.Helper()
	ctx := t.Context()
	for _, till := range []string{"T1", otherTill, ""} {
		want := slices.DeleteFunc(slices.Collect(maps.Values(m.sales)), func(s payments.Sale) bool { return s.Till != till })
		slices.SortFunc(want, func(a, b payments.Sale) int { return cmp.Or(b.UpdatedAt.Compare(a.UpdatedAt), cmp.Compare(a.ID, b.ID)) })
		sales, err := store.Sales(ctx, till)
		same(t, "the sales of "+till, sales, want, err)
	}
	articles, err := store.Articles(ctx)
	same(t, "the articles", articles, slices.SortedFunc(maps.Values(m.articles), func(a, b payments.Article) int {
		return cmp.Or(cmp.Compare(b.Uses, a.Uses), cmp.Compare(a.Label, b.Label))
	}), err)
	cashiers, err := store.Cashiers(ctx)
	same(t, "the cashiers", cashiers, m.sortedCashiers(), err)
	view, err := store.Overview(ctx, "T1", m.at(), 1)
	same(t, "whether the shop has cashiers", view.Staffed, len(cashiers) > 0, err)
}
