package storagetest

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"checkout/till/payments"
)

func edgeTests() []test {
	return []test{
		{"W32 keeps unmatched events bounded, and the success among them", boundedUnmatched},
		{"O8 gives an order whose order reference is another's an unknown outcome", referenceOfAnother},
		{"O15 makes references that never repeat, across tills, processes and restarts", references},
	}
}

func boundedUnmatched(t *testing.T, open Opener) {
	if testing.Short() {
		t.Skip("it stores many events")
	}
	s := newShop(open(t))
	update(t, s.store, func(tx payments.Tx) error {
		for i := range payments.MaxUnmatched {
			kind := payments.PaymentExpired
			if i == 0 {
				kind = payments.PaymentSuccess
			}
			if _, _, err := tx.Events().Insert(record(stray(kind, fmt.Sprint(i)))); err != nil {
				return err
			}
		}
		return nil
	})
	for i := range 3 {
		s.receive(t, stray(payments.PaymentFailed, fmt.Sprint("later ", i)))
	}
	kept := unmatched(t, s.store, 2*payments.MaxUnmatched)
	expect(t, "kept", len(kept), payments.MaxUnmatched)
	expect(t, "the newest", kept[1].Event.Description.Text, "later 2")
	oldest := kept[0].Event // A success that nobody looked at comes first.
	expect(t, "the oldest", oldest, stray(payments.PaymentSuccess, "0"))
	expect(t, "the next", kept[len(kept)-1].Event.Description.Text, "4")
}

// stray is an event of an order reference of its own, which no order has.
func stray(kind payments.EventKind, text string) payments.Event {
	e := early(kind, text)
	e.OrderReference = "REF_" + text
	return e
}

func referenceOfAnother(t *testing.T, open Opener) {
	s := newShop(open(t))
	first := s.charge(t, "first")
	s.answer = func(payments.Order) (payments.Created, error) { return created(first.OrderReference), nil }
	second, err := s.Checkout(t.Context(), terms("T1", "second"))
	if _, ambiguous := errors.AsType[*payments.AmbiguousError](err); !ambiguous {
		t.Fatalf("checkout: %v, want an unknown outcome", err)
	}
	stored, _ := read(t, s.store, second.Reference)
	expect(t, "status", stored.Status, payments.StatusUnknown)
	expect(t, "order reference", stored.OrderReference, "")
	expect(t, "link", stored.Link, payments.Link{})
	untouched, _ := read(t, s.store, first.OrderReference)
	expect(t, "the first", untouched, first)
}

func references(t *testing.T, open Opener) {
	const tills, each = 5, 20
	var (
		mu   sync.Mutex
		seen = map[string]bool{}
	)
	for range 2 { // The second round is after a restart.
		stores := []Store{open(t), open(t)}
		var group sync.WaitGroup
		for till := range tills {
			s := newShop(stores[till%2])
			group.Go(func() {
				for i := range each {
					order, err := s.Checkout(t.Context(), terms(fmt.Sprint("T", till), fmt.Sprint("sale ", till, i)))
					mu.Lock()
					if err != nil || seen[order.Reference] {
						t.Errorf("reference %s, seen before: %v, error %v", order.Reference, seen[order.Reference], err)
					}
					seen[order.Reference] = true
					mu.Unlock()
				}
			})
		}
		group.Wait()
		for _, store := range stores {
			check(t, "close", store.Close())
		}
	}
	expect(t, "references", len(seen), 2*tills*each)
}
