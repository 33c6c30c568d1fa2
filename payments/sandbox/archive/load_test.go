package archive_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/sandbox"
)

// BenchmarkTwentyThousandOrders has orders made over HTTP, each with three
// failed tries and a success, which a receiver on loopback takes. What is held
// must be the same after the first ten thousand as after the second. It goes
// round once, whatever the time it takes:
//
//	go test -run '^$' -bench Orders -benchtime 1x -v ./payments/sandbox/archive
func BenchmarkTwentyThousandOrders(b *testing.B) {
	b.Run("in memory", func(b *testing.B) {
		for b.Loop() {
			measure(b, func(config sandbox.Config) (*sandbox.Sandbox, error) { return sandbox.New(config) })
		}
	})
	b.Run("in a file", func(b *testing.B) {
		for b.Loop() {
			path := filepath.Join(b.TempDir(), "sandbox.db")
			file := openAt(b, path)
			measure(b, func(config sandbox.Config) (*sandbox.Sandbox, error) {
				return sandbox.Reopen(b.Context(), file, config)
			})
			for _, name := range []string{path, path + "-wal"} {
				info, err := os.Stat(name)
				if err != nil {
					b.Fatal(err)
				}
				b.Logf("%-11s %6.1f MB", filepath.Ext(name), float64(info.Size())/1e6)
			}
		}
	})
}

// loaded is a sandbox under load.
type loaded struct {
	service  *sandbox.Sandbox
	address  string
	client   *http.Client
	underWay chan struct{} // A slot for each order that is not over.
	events   sync.WaitGroup
}

func measure(b *testing.B, open func(sandbox.Config) (*sandbox.Sandbox, error)) {
	const orders, perOrder = 10_000, 4
	l := &loaded{client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}, underWay: make(chan struct{}, 64)}
	receiver := httptest.NewServer(http.HandlerFunc(l.receive))
	defer receiver.Close()
	var err error
	l.service, err = open(sandbox.Config{
		Token: payments.NewSecret(token), WebhookSecret: payments.NewSecret(secret), WebhookURL: receiver.URL,
	})
	if err != nil {
		b.Fatal(err)
	}
	server := httptest.NewServer(l.service)
	defer server.Close()
	l.address = server.URL
	ctx, cancel := context.WithCancel(b.Context())
	var running sync.WaitGroup
	running.Go(func() { _ = l.service.Run(ctx) })
	defer running.Wait()
	defer cancel()
	b.Logf("%7s %9s %13s %9s %11s %6s", "orders", "orders/s", "deliveries/s", "heap MB", "goroutines", "files")
	done, began := 0, time.Now()
	for _, upTo := range []int{1000, 5000, orders, 15_000, 2 * orders} {
		started := time.Now()
		l.order(b, done, upTo)
		speed := float64(upTo-done) / time.Since(started).Seconds()
		done = upTo
		l.settle(b)
		heap, goroutines, files := held()
		b.Logf("%7d %9.0f %13.0f %9.2f %11d %6d", upTo, speed, perOrder*speed, heap/1e6, goroutines, files)
		if upTo%orders == 0 {
			b.ReportMetric(heap/1e6, fmt.Sprintf("MB-after-%d", upTo))
		}
	}
	speed := float64(done) / time.Since(began).Seconds()
	b.ReportMetric(speed, "orders/s")
	b.ReportMetric(perOrder*speed, "deliveries/s")
}

// order makes orders from one number to another, and waits until every event
// arrived.
func (l *loaded) order(b *testing.B, from, to int) {
	var workers sync.WaitGroup
	numbers := make(chan int)
	for range 16 {
		workers.Go(func() {
			for number := range numbers {
				l.underWay <- struct{}{}
				l.events.Add(1)
				if err := l.play(b.Context(), number); err != nil {
					b.Error(err)
				}
			}
		})
	}
	for number := from; number < to; number++ {
		numbers <- number
	}
	close(numbers)
	workers.Wait()
	l.events.Wait()
}

// play makes one order and has its four events happen.
func (l *loaded) play(ctx context.Context, number int) error {
	body := gateway.EncodeOrder(gateway.OrderRequest{
		Description: "2 × Vary, Coca", Access: payments.NewSecret(token), Reference: fmt.Sprintf("T1-20261121-%d", number),
		Amount: 9000, Currency: payments.Currency, Metadata: []gateway.OrderItem{
			{Label: "Vary", UnitPrice: 3500, Quantity: 2}, {Label: "Coca", UnitPrice: 2000, Quantity: 1},
		},
	})
	child := child{address: l.address}
	var answer made
	if status := child.send(l.client, http.MethodPost, gateway.DefaultOrderPath, string(body), &answer); status != http.StatusOK {
		return fmt.Errorf("order %d: status %d", number, status)
	}
	for _, kind := range []payments.EventKind{
		payments.PaymentFailed, payments.PaymentFailed, payments.PaymentFailed, payments.PaymentSuccess,
	} {
		if err := l.service.Act(ctx, answer.Data.OrderReference, kind); err != nil {
			return fmt.Errorf("order %d: %w", number, err)
		}
	}
	return nil
}

// receive is the merchant. The success is an order's last event.
func (l *loaded) receive(_ http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	if event, err := gateway.DecodeEvent(body); err == nil && event.Kind == payments.PaymentSuccess {
		<-l.underWay
		l.events.Done()
	}
}

// settle waits until the sandbox has noted what came of every delivery.
func (l *loaded) settle(b *testing.B) {
	changed := l.service.Watch(b.Context())
	for l.waiting(b) {
		<-changed
	}
}

// waiting tells whether a delivery that is shown is not delivered yet.
func (l *loaded) waiting(b *testing.B) bool {
	request := httptest.NewRequest(http.MethodGet, "http://127.0.0.1/lab/deliveries?limit=500", nil)
	request.RemoteAddr = "127.0.0.1:5000"
	recorder := httptest.NewRecorder()
	l.service.ServeHTTP(recorder, request)
	var deliveries []struct{ Stage string }
	if err := json.Unmarshal(recorder.Body.Bytes(), &deliveries); err != nil || len(deliveries) != 500 {
		b.Fatalf("%d deliveries are listed: %v", len(deliveries), err)
	}
	for _, delivery := range deliveries {
		if delivery.Stage != "delivered" {
			return true
		}
	}
	return false
}

// held is what the process holds after the rubbish is collected.
func held() (heap float64, goroutines, files int) {
	runtime.GC()
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	open, _ := os.ReadDir("/proc/self/fd") // None elsewhere than on Linux.
	return float64(memory.HeapAlloc), runtime.NumGoroutine(), len(open)
}
