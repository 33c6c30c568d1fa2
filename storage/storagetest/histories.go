package storagetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/oracle"
)

// RunHistories plays random histories of sales, several in parallel. After each step it compares the
// orders with package oracle, a separate implementation of the payment rules. With -short it plays
// few sales. A failure names the seed of its sale.
func RunHistories(t *testing.T, store Store) {
	t.Helper()
	count := Size(200, 2000)
	if testing.Short() {
		count /= 10
	}
	seeds := make(chan uint64)
	var group sync.WaitGroup
	for range 16 {
		group.Go(func() {
			for seed := range seeds {
				if err := newHistory(store, seed).play(t); err != nil {
					t.Errorf("sale %d: %v", seed, err)
				}
			}
		})
	}
	for seed := range count {
		seeds <- uint64(seed)
	}
	close(seeds)
	group.Wait()
}

type saleHistory struct {
	*payments.Service
	store  Store
	random *rand.Rand
	sale   string
	now    time.Time
	orders []payments.Order // The orders as read after the last step.
	facts  []oracle.Fact
	known  map[oracle.Fact]bool // Delivered events.
}

func newHistory(store Store, seed uint64) *saleHistory {
	h := &saleHistory{
		store: store, random: rand.New(rand.NewPCG(seed, 7)), sale: fmt.Sprintf("history %d", seed), now: opening(),
		known: map[oracle.Fact]bool{},
	}
	h.Service = payments.New(store, nil, func() time.Time { return h.now })
	return h
}

func (h *saleHistory) play(t *testing.T) error {
	if err := h.charge(t); err != nil {
		return err
	}
	for range 1 + h.random.IntN(12) {
		if err := errors.Join(h.step(t), h.compare(t)); err != nil {
			return fmt.Errorf("%w, after %+v", err, h.facts)
		}
	}
	return nil
}

func (h *saleHistory) charge(t *testing.T) error {
	order, err := payments.NewOrder(payments.Terms{
		Reference: fmt.Sprintf("%s-%d", h.sale[len("history "):], len(h.orders)), Sale: h.sale, Till: "T1", Items: numbered(0).Items,
	}, h.now)
	order.Status = payments.StatusPending
	order.OrderReference = "REF_" + order.Reference
	order.Link = payments.Link{URL: "https://pay.example/1", ExpiresAt: h.now.Add(10 * time.Minute)}
	h.facts = append(h.facts, oracle.Fact{Order: len(h.orders), What: "made", At: h.now})
	h.orders = append(h.orders, order)
	insert := func(tx payments.Tx) error { return tx.InsertOrder(order) }
	return errors.Join(err, h.store.Update(t.Context(), insert))
}

func (h *saleHistory) step(t *testing.T) error {
	fact := oracle.Fact{
		Order: h.random.IntN(len(h.orders)), Text: byte(h.random.IntN(3)), Sound: h.random.IntN(4) > 0, At: h.now,
		What: []string{
			"success", "success", "failed", "canceled", "expired", "refunded",
			"ack", "found-paid", "found-unpaid", "found-refunded", "wait", "charge",
		}[h.random.IntN(12)],
	}
	order := h.orders[fact.Order]
	switch h.random.IntN(8) {
	case 0:
		fact.Other = len(h.orders) > 1
	case 1:
		fact.At = h.now.Add(-time.Duration(h.random.IntN(12)) * time.Minute)
	}
	switch fact.What {
	case "wait":
		h.now = h.now.Add(time.Duration(h.random.IntN(10)) * 40 * time.Second)
		return nil
	case "charge":
		if len(h.orders) == 3 {
			return nil
		}
		return h.charge(t)
	case "ack":
		fact.At = h.now
		h.facts = append(h.facts, fact)
		_, err := h.Acknowledge(t.Context(), order.Reference, oracle.Read(order, h.now).Verdict, payments.Conditions{})
		return err
	case "found-paid", "found-unpaid", "found-refunded":
		h.facts = append(h.facts, fact)
		_, err := h.Resolve(t.Context(), order.Reference, payments.Finding{
			Kind: payments.FindingKind(fact.What[len("found-"):]), By: "Soa", Note: "looked", Seen: oracle.Read(order, h.now).Verdict, SeenRefund: order.Refunded(), SeenInCash: order.RefundedInCash(),
		}, payments.Identity{})
		return err
	}
	return h.deliver(t, order, fact)
}

func (h *saleHistory) deliver(t *testing.T, order payments.Order, fact oracle.Fact) error {
	e := event(payments.EventKind("payment."+fact.What), order, fmt.Sprint(fact.Text))
	if !fact.Sound {
		e.Amount = payments.AmountValue(order.Amount + 1)
	}
	if fact.Other { // Always the same one, so that two deliveries of a fact are the same event.
		other := h.orders[0]
		if fact.Order == 0 {
			other = h.orders[1]
		}
		e.Reference = payments.TextValue(other.Reference)
	}
	receipt, err := h.ReceiveLate(t.Context(), e, []byte("{}"), fact.At)
	same := fact
	same.At = time.Time{}
	if again := receipt.Effect == payments.Duplicate; err == nil && again != h.known[same] {
		return fmt.Errorf("%+v is a duplicate: %v", fact, again)
	}
	if !h.known[same] {
		h.facts = append(h.facts, fact)
	}
	h.known[same] = true
	return err
}

// compare compares the program with the oracle: the state of the orders, and
// whether the sale may be charged again.
func (h *saleHistory) compare(t *testing.T) error {
	stored, err := h.Orders(t.Context(), payments.Query{Sale: h.sale})
	if err != nil {
		return err
	}
	slices.Reverse(stored)
	h.orders = stored
	gravest := payments.ObjectionKind("")
	gravity := []payments.ObjectionKind{"", payments.SalePayable, payments.SaleDoubtful, payments.SalePaid}
	for n, order := range stored {
		want := oracle.Judge(h.facts, n, order.Link.ExpiresAt, h.now)
		if got := oracle.Read(order, h.now); got != want {
			return fmt.Errorf("order %d: got %+v, want %+v from the oracle", n, got, want)
		}
		gravest = gravity[max(slices.Index(gravity, gravest), slices.Index(gravity, want.Objection))]
	}
	objection := payments.ObjectionKind("")
	if found, is := errors.AsType[*payments.Objection](payments.MayCharge(stored, "", nil, h.now)); is {
		objection = found.Kind
	}
	if objection != gravest {
		return fmt.Errorf("got objection %q, want %q from the oracle", objection, gravest)
	}
	return nil
}
