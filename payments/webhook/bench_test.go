package webhook_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	driver "modernc.org/sqlite" //nolint:depguard // The yardstick is on the same driver, and slows its commits.

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/webhook"
	"checkout/till/storage/sqlite"
)

// BenchmarkListener measures the listener on a database beside two yardsticks,
// in turns on the same machine: a handler that makes a transaction in each
// request, as one is usually written, and one that verifies and decodes and
// stores nothing. Neither keeps a rule. Each iteration measures all three for a
// second; the figures are medians:
//
//	go test ./payments/webhook -run '^$' -bench Listener -benchtime 5x
func BenchmarkListener(b *testing.B) {
	for _, test := range []struct {
		connections int
		slow        bool
	}{{64, false}, {64, true}, {1, false}} {
		name := fmt.Sprintf("connections=%d", test.connections)
		if test.slow {
			name += "/with=5ms-a-commit"
		}
		b.Run(name, func(b *testing.B) {
			folder := b.TempDir()
			if test.slow {
				folder = filepath.Join(folder, slowFolder)
			}
			if err := os.MkdirAll(folder, 0o700); err != nil {
				b.Fatal(err)
			}
			till, plain, bare := startServer(b, kindTill, folder), startServer(b, kindPlain, folder), startServer(b, kindBare, folder)
			var ratePlain, rateBare, latency, rates []float64
			for b.Loop() {
				perTransaction := measure(b, plain, test.connections)
				ours := measure(b, till, test.connections)
				nothing := measure(b, bare, test.connections)
				rates = append(rates, ours.events)
				ratePlain = append(ratePlain, ours.events/perTransaction.events)
				rateBare = append(rateBare, ours.events/nothing.events)
				latency = append(latency, float64(ours.median)/float64(perTransaction.median))
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(median(rates), "events/s")
			b.ReportMetric(median(ratePlain), "x-plain")
			b.ReportMetric(median(rateBare), "x-bare")
			b.ReportMetric(median(latency), "latency-x-plain")
		})
	}
}

// The environment of a process that serves what is measured: a kind, and the
// folder of its database. Sender and server are two processes, as they are in
// life.
const (
	kindKey, folderKey = "TILL_BENCH_KIND", "TILL_BENCH_FOLDER"
	kindTill           = "till"  // The listener.
	kindPlain          = "plain" // A transaction in each request.
	kindBare           = "bare"  // Nothing is stored.
)

// slowFolder is in the path of a database whose commits take 5 ms more.
const slowFolder = "slow-commits"

// TestBenchServer is no test: it serves for [BenchmarkListener], in a process of
// its own, until its standard input ends.
func TestBenchServer(t *testing.T) {
	kind, folder := os.Getenv(kindKey), os.Getenv(folderKey)
	if kind == "" {
		t.Skip("it serves for the benchmark alone")
	}
	// In WAL a commit is one fsync.
	driver.RegisterConnectionHook(func(conn driver.ExecQuerierContext, source string) error {
		if hooks, ok := conn.(driver.HookRegisterer); ok && strings.Contains(source, slowFolder) {
			hooks.RegisterCommitHook(func() int32 {
				time.Sleep(5 * time.Millisecond)
				return 0
			})
		}
		return nil
	})
	var handler http.Handler
	switch kind {
	case kindTill:
		handler = webhook.NewHandler(openTill(t, folder), webhook.Config{
			Path: "/webhook", SignatureHeader: header, Verifier: verifier(t), Now: time.Now,
		})
	case kindPlain:
		handler = yardstick(openPlain(t, folder))
	default:
		handler = yardstick(nil)
	}
	server := serve(t, handler, webhook.DefaultLimits())
	fmt.Printf("serving %s\n", server.Addr())
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// startServer starts a process that serves, and returns the webhook's address.
func startServer(b *testing.B, kind, folder string) (address string) {
	b.Helper()
	command := exec.CommandContext(b.Context(), os.Args[0], "-test.run=^TestBenchServer$")
	command.Env = append(os.Environ(), kindKey+"="+kind, folderKey+"="+folder)
	input, inputErr := command.StdinPipe()
	output, outputErr := command.StdoutPipe()
	if err := errors.Join(inputErr, outputErr, command.Start()); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = input.Close()
		_ = command.Wait()
	})
	lines := bufio.NewScanner(output)
	for lines.Scan() {
		if address, found := strings.CutPrefix(lines.Text(), "serving "); found {
			go func() { _, _ = io.Copy(io.Discard, output) }()
			return "http://" + address + "/webhook"
		}
	}
	b.Fatalf("the server of %s has no address", kind)
	return ""
}

// references is how many orders have events: one takes 200 different ones.
const references = 2000

func orderName(n int) string { return fmt.Sprintf("REF_%d", 700_000+n) }

// openTill makes the shop whose listener is measured.
func openTill(t *testing.T, folder string) *payments.Service {
	store, err := sqlite.Open(t.Context(), filepath.Join(folder, "till.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	service := payments.New(store, &namer{}, time.Now)
	var making sync.WaitGroup
	for range 50 {
		making.Go(func() {
			for range references / 50 {
				_, err := service.Checkout(t.Context(), payments.Terms{
					Till: "T1", Items: []payments.Item{{Label: "Vary", UnitPrice: 9000, Quantity: 1}},
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	making.Wait()
	return service
}

// namer stands in for the payment service, and takes every order.
type namer struct{ last atomic.Int64 }

func (n *namer) Create(context.Context, payments.Order) (payments.Created, error) {
	return payments.Created{
		OrderReference: orderName(int(n.last.Add(1) - 1)), CheckoutURL: "https://pay.example.mg/c/1", ExpiresMinutes: 60,
	}, nil
}

// openPlain makes a yardstick's database, as durable as the listener's and with
// the indexes that any shop's has.
func openPlain(t *testing.T, folder string) *sql.DB {
	db, err := sql.Open("sqlite", "file://"+filepath.Join(folder, "plain.db")+"?_journal_mode=WAL&_synchronous=FULL&_txlock=immediate")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	db.SetMaxOpenConns(1)
	tx, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	_, err = tx.ExecContext(t.Context(), `
		CREATE TABLE orders (id INTEGER PRIMARY KEY, order_reference TEXT UNIQUE, status TEXT, error TEXT, amount INTEGER, created_at INTEGER);
		CREATE INDEX orders_status ON orders (status, created_at);
		CREATE TABLE events (sequence INTEGER PRIMARY KEY, id BLOB UNIQUE, order_id INTEGER REFERENCES orders, kind TEXT, error TEXT,
			received_at INTEGER, body BLOB);
		CREATE INDEX events_order ON events (order_id)`)
	for n := 0; n < references && err == nil; n++ {
		_, err = tx.ExecContext(t.Context(),
			`INSERT INTO orders (order_reference, status, amount, created_at) VALUES (?, 'pending', 9000, ?)`, orderName(n), n)
	}
	if err = errors.Join(err, tx.Commit()); err != nil {
		t.Fatal(err)
	}
	return db
}

// yardstick is a handler as it is usually written. It verifies and decodes with
// code of its own, for a yardstick must not change with what it measures.
// Without a database it stores nothing.
func yardstick(db *sql.DB) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(io.LimitReader(r.Body, 64<<10))
		digest := hmac.New(sha256.New, []byte(secretText))
		digest.Write([]byte(secretText))
		if !hmac.Equal([]byte(hex.EncodeToString(digest.Sum(nil))), []byte(r.Header.Get(header))) {
			err = errors.New("invalid signature")
		}
		var event struct {
			Event string `json:"event"`
			Data  struct {
				OrderReference string `json:"order_reference"`
				Error          string `json:"error"`
			} `json:"data"`
		}
		if err == nil {
			err = json.Unmarshal(body, &event)
		}
		if err == nil && db != nil {
			err = storeAlone(r.Context(), db, event.Event, event.Data.OrderReference, event.Data.Error, body)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"received":true,"status":"failed"}`)
	})
}

// storeAlone stores an event in a transaction of its own.
func storeAlone(ctx context.Context, db *sql.DB, kind, reference, reason string, body []byte) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	var order int64
	if err := tx.QueryRowContext(ctx, `SELECT id FROM orders WHERE order_reference = ?`, reference).Scan(&order); err != nil {
		return err
	}
	id := sha256.Sum256(body)
	if _, err := tx.ExecContext(ctx, `INSERT INTO events (id, order_id, kind, error, received_at, body)
		VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		id[:], order, kind, reason, time.Now().UnixMilli(), body); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE orders SET status = 'failed', error = ? WHERE id = ?`, reason, order); err != nil {
		return err
	}
	return tx.Commit()
}

// sample is one measurement.
type sample struct {
	events float64 // A second.
	median time.Duration
}

// sent numbers the events: each differs from all others.
var sent atomic.Int64

// measure delivers events over so many connections for a second.
func measure(b *testing.B, address string, connections int) sample {
	b.Helper()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: connections}}
	defer client.CloseIdleConnections()
	latencies := make([][]time.Duration, connections)
	var sending sync.WaitGroup
	start := time.Now()
	for worker := range connections {
		sending.Go(func() {
			for began := start; began.Sub(start) < time.Second; {
				if err := deliverNumbered(b.Context(), client, address, sent.Add(1)); err != nil {
					b.Error(err)
					return
				}
				now := time.Now()
				latencies[worker] = append(latencies[worker], now.Sub(began))
				began = now
			}
		})
	}
	sending.Wait()
	all := slices.Concat(latencies...)
	if len(all) == 0 {
		b.Fatal("no event was answered")
	}
	took := time.Since(start)
	slices.Sort(all)
	return sample{events: float64(len(all)) / took.Seconds(), median: all[len(all)/2]}
}

// deliverNumbered delivers the nth event, and wants it acknowledged.
func deliverNumbered(ctx context.Context, client *http.Client, address string, n int64) error {
	body := gateway.EncodeEvent(gateway.Notification{
		Event: payments.PaymentFailed, OrderReference: orderName(int(n % references)),
		Amount: 9000, Currency: payments.Currency, Error: fmt.Sprintf("Solde insuffisant %d", n),
	})
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set(header, secretValue)
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(response.Body)
	if err == nil && (response.StatusCode != http.StatusOK || !bytes.Contains(answer, []byte(`"received":true`))) {
		err = fmt.Errorf("answered %s %s", response.Status, answer)
	}
	return err
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
