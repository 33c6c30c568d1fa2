package postgres_test

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/storage/sqlite"
	"checkout/till/storage/storagetest"
	"checkout/till/storage/storagetest/postgrestest"
)

// backends are what is measured side by side.
func backends(b *testing.B) map[string]func(b *testing.B) storagetest.Store {
	b.Helper()
	return map[string]func(b *testing.B) storagetest.Store{
		"postgres": func(b *testing.B) storagetest.Store { return openAt(b, postgrestest.Database(b)) },
		"sqlite": func(b *testing.B) storagetest.Store {
			store, err := sqlite.Open(b.Context(), b.TempDir()+"/till.db")
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { _ = store.Close() })
			return store
		},
	}
}

// BenchmarkReceive applies a success to a waiting order of its own, by so many
// callers at once, on both databases. Somebody watches, as in a shop.
func BenchmarkReceive(b *testing.B) {
	for name, open := range backends(b) {
		for _, clients := range []int{1, 8, 64} {
			b.Run(fmt.Sprintf("%s/clients=%d", name, clients), func(b *testing.B) {
				store := open(b)
				fill(b, store, b.N)
				store.Watch(b.Context())
				service := payments.New(store, taker{}, time.Now)
				var next atomic.Int64
				b.SetParallelism((clients + runtime.GOMAXPROCS(0) - 1) / runtime.GOMAXPROCS(0))
				if clients == 1 {
					defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
					b.SetParallelism(1)
				}
				b.ResetTimer()
				b.RunParallel(func(pb *testing.PB) {
					for pb.Next() {
						n := int(next.Add(1)) - 1
						receipt, err := service.Receive(b.Context(), success(orderFor(n)), make([]byte, 240))
						if err != nil || receipt.Outcome != payments.Applied {
							b.Errorf("event %d: %s, %v", n, receipt.Outcome, err)
							return
						}
					}
				})
			})
		}
	}
}

// BenchmarkSearch looks among many orders for what few, many and none of them
// hold.
func BenchmarkSearch(b *testing.B) {
	store := openAt(b, postgrestest.Database(b))
	fill(b, store, 100_000)
	for name, text := range map[string]string{
		"one of all": "T1-20261121-012345", "all": "vary", "none": "nothing like it", "short": "q", "of a sale": "700012",
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := store.Orders(b.Context(), payments.Query{Search: text}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
