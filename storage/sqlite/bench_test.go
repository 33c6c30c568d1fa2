package sqlite_test

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/storage/sqlite"
)

// taker is a payment service that takes every order.
type taker struct{}

func (taker) Create(_ context.Context, order payments.Order) (payments.Created, error) {
	return payments.Created{
		OrderReference: "REF_" + order.Reference, CheckoutURL: "https://pay.example/1", ExpiresMinutes: 10,
	}, nil
}

// orderFor is an order that waits for its payment.
func orderFor(n int) payments.Order {
	return payments.Order{
		Reference: fmt.Sprintf("T1-20261121-%06d", n), Sale: fmt.Sprintf("sale-%d", n), Till: "T1",
		Items: []payments.Item{
			{Label: "Vary", UnitPrice: 3500, Quantity: 2}, {Label: "Coca", UnitPrice: 2000, Quantity: 1},
		},
		Amount: 9000, Description: "2 × Vary, Coca",
		CreatedAt:      time.Date(2026, 11, 21, 6, 0, 0, 0, time.UTC).Add(time.Duration(n) * time.Second),
		OrderReference: fmt.Sprintf("REF_%d", 700_000+n),
		Link: payments.Link{
			URL:       fmt.Sprintf("https://pay.example/checkout/%032d", n),
			ExpiresAt: time.Date(2026, 11, 21, 6, 10, 0, 0, time.UTC),
		},
		Status: payments.StatusPending, Facts: payments.Facts{Acknowledged: true},
	}
}

func success(order payments.Order) payments.Event {
	return payments.Event{
		Kind: payments.PaymentSuccess, OrderReference: order.OrderReference,
		Reference: payments.TextValue("CMD_1"), Amount: payments.AmountValue(order.Amount),
		Currency: payments.TextValue(payments.Currency), Description: payments.TextValue(order.Description),
	}
}

// fill stores orders, many in a transaction.
func fill(b *testing.B, store *sqlite.Store, count int) {
	b.Helper()
	const chunk = 5000
	for start := 0; start < count; start += chunk {
		err := store.Update(b.Context(), func(tx payments.Tx) error {
			for n := start; n < min(start+chunk, count); n++ {
				if err := tx.InsertOrder(orderFor(n)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

// concurrently runs b.N rounds on as many goroutines and reports the processor
// time and the bytes of one, which noise on the machine hardly reaches.
func concurrently(b *testing.B, clients int, round func(n int) error) {
	b.Helper()
	used, wrote := cpu(), written()
	defer func() {
		b.ReportMetric(float64((cpu()-used).Nanoseconds())/float64(b.N), "cpu-ns/op")
		b.ReportMetric(float64(written()-wrote)/float64(b.N), "written-B/op")
	}()
	b.SetParallelism((clients + runtime.GOMAXPROCS(0) - 1) / runtime.GOMAXPROCS(0))
	var next atomic.Int64
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if err := round(int(next.Add(1)) - 1); err != nil {
				b.Error(err)
				return
			}
		}
	})
}

// BenchmarkUpdate is the smallest durable change, by so many callers at once.
func BenchmarkUpdate(b *testing.B) {
	for _, clients := range []int{1, 8, 64} {
		b.Run(fmt.Sprint("clients=", clients), func(b *testing.B) {
			store := openAt(b, filepath.Join(b.TempDir(), "till.db"))
			change := func(tx payments.Tx) error {
				_, err := tx.Sales().NextNumber("series")
				return err
			}
			b.ResetTimer()
			if clients == 1 {
				for b.Loop() {
					if err := store.Update(b.Context(), change); err != nil {
						b.Fatal(err)
					}
				}
				return
			}
			concurrently(b, clients, func(int) error { return store.Update(b.Context(), change) })
		})
	}
}

// BenchmarkReceive applies a success to a waiting order of its own.
func BenchmarkReceive(b *testing.B) {
	for _, clients := range []int{1, 8, 64} {
		b.Run(fmt.Sprint("clients=", clients), func(b *testing.B) {
			store := openAt(b, filepath.Join(b.TempDir(), "till.db"))
			service := payments.New(store, taker{}, time.Now)
			fill(b, store, b.N)
			body := make([]byte, 240)
			receive := func(n int) error {
				receipt, err := service.Receive(b.Context(), success(orderFor(n)), body)
				if err == nil && receipt.Outcome != payments.Applied {
					err = fmt.Errorf("outcome %s", receipt.Outcome)
				}
				return err
			}
			b.ResetTimer()
			if clients == 1 {
				for n := range b.N {
					if err := receive(n); err != nil {
						b.Fatal(err)
					}
				}
				return
			}
			concurrently(b, clients, receive)
		})
	}
}

// BenchmarkDuplicate delivers an event again that was stored before: it costs
// no fsync.
func BenchmarkDuplicate(b *testing.B) {
	for _, clients := range []int{1, 64} {
		b.Run(fmt.Sprint("clients=", clients), func(b *testing.B) {
			store := openAt(b, filepath.Join(b.TempDir(), "till.db"))
			service := payments.New(store, taker{}, time.Now)
			fill(b, store, 100)
			deliver := func(n int, want payments.Outcome) error {
				receipt, err := service.Receive(b.Context(), success(orderFor(n%100)), make([]byte, 240))
				if err == nil && receipt.Outcome != want {
					err = fmt.Errorf("outcome %s", receipt.Outcome)
				}
				return err
			}
			for n := range 100 {
				if err := deliver(n, payments.Applied); err != nil {
					b.Fatal(err)
				}
			}
			b.ResetTimer()
			if clients == 1 {
				for n := range b.N {
					if err := deliver(n, payments.Duplicate); err != nil {
						b.Fatal(err)
					}
				}
				return
			}
			concurrently(b, clients, func(n int) error { return deliver(n, payments.Duplicate) })
		})
	}
}

// BenchmarkOpen opens a database that is there, as at the start of a console.
func BenchmarkOpen(b *testing.B) {
	path := filepath.Join(b.TempDir(), "till.db")
	fill(b, openAt(b, path), 1000)
	for b.Loop() {
		store, err := sqlite.Open(b.Context(), path)
		if err != nil {
			b.Fatal(err)
		}
		if err := store.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkOrders reads what screens show of 20,000 orders.
func BenchmarkOrders(b *testing.B) {
	store := openAt(b, filepath.Join(b.TempDir(), "till.db"))
	fill(b, store, 20_000)
	for name, query := range map[string]payments.Query{
		"newest":         {},
		"page":           {Before: orderFor(10_000).Reference},
		"till":           {Till: "T1"},
		"status of till": {Status: payments.StatusCreating, Till: "T1"},
		"open of till":   {Open: true, Till: "T1"},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := store.Orders(b.Context(), query); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
