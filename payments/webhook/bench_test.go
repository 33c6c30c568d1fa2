package webhook_test

import (
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
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/webhook"
	"checkout/till/storage/postgres"
	"checkout/till/storage/sqlite"
	"checkout/till/storage/storagetest/postgrestest"
)

// BenchmarkListener compares the listener with two plain handlers: one uses a transaction for each
// request, the other stores nothing. See [yardstick].
//
// With a folder in memory, a sync of the disk costs nothing:
//
//	TMPDIR=/dev/shm go test ./payments/webhook -run '^$' -bench 'Listener$' -count 5
func BenchmarkListener(b *testing.B) {
	folder := b.TempDir()
	store, err := sqlite.Open(b.Context(), filepath.Join(folder, "till.db"))
	must(b, err)
	b.Cleanup(func() { _ = store.Close() })
	plain := openPlain(b, folder)
	compare(b, []int{64, 1}, openTill(b, store), func(ctx context.Context, e plainEvent) error { return storeEvent(ctx, plain, e) })
}

// BenchmarkListenerPostgres compares a listener that stores on a PostgreSQL server with a plain
// handler that uses pgx directly.
//
//	go test ./payments/webhook -run '^$' -bench ListenerPostgres -count 5
func BenchmarkListenerPostgres(b *testing.B) {
	address := postgrestest.New(b).Address("postgres")
	store, err := postgres.Open(b.Context(), address, postgres.Options{})
	must(b, err)
	b.Cleanup(func() { _ = store.Close() })
	plain := openPlainPostgres(b, address)
	compare(b, []int{64, 8}, openTill(b, store), func(ctx context.Context, e plainEvent) error { return storeEventPostgres(ctx, plain, e) })
}

// compare runs the listener and the two plain handlers with several numbers of connections.
func compare(b *testing.B, connections []int, till *payments.Service, store func(context.Context, plainEvent) error) {
	config := config(b)
	config.Now = time.Now
	handlers := map[string]http.Handler{"till": webhook.NewHandler(till, config), "plain": yardstick(store), "nothing": yardstick(nil)}
	for _, connections := range connections {
		for _, name := range []string{"nothing", "plain", "till"} {
			server := serve(b, handlers[name], webhook.DefaultLimits())
			b.Run(fmt.Sprintf("connections=%d/%s", connections, name), func(b *testing.B) {
				client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: connections}}
				defer client.CloseIdleConnections()
				var left atomic.Int64
				left.Store(int64(b.N))
				var sending sync.WaitGroup
				b.ResetTimer()
				for range connections {
					sending.Go(func() {
						for left.Add(-1) >= 0 {
							if err := deliverNumbered(b.Context(), client, "http://"+server.Addr()+"/webhook", sent.Add(1)); err != nil {
								b.Error(err)
								return
							}
						}
					})
				}
				sending.Wait()
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
			})
		}
	}
}

// sent is the number of the last event; each event must be different.
var sent atomic.Int64

// references is the number of orders that get the events, because an order stores at most 200
// events.
const references = 2000

func orderName(n int) string { return fmt.Sprintf("REF_%d", 700_000+n) }

// openTill stores the orders, and returns the service for the measured listener.
func openTill(t testing.TB, store payments.Store) *payments.Service {
	err := store.Update(t.Context(), func(tx payments.Tx) (err error) {
		for n := 0; n < references && err == nil; n++ {
			order := payments.Order{Reference: orderName(n), Amount: 9000, CreatedAt: time.Now(), Status: payments.StatusCreating}
			if err = tx.InsertOrder(order); err == nil {
				order.OrderReference, order.Status = orderName(n), payments.StatusPending
				err = tx.SaveOrder(order)
			}
		}
		return err
	})
	must(t, err)
	return payments.New(store, nil, time.Now)
}

// openPlain returns an SQLite database for a plain handler. It is as durable as the listener's and
// has the usual indexes.
func openPlain(t testing.TB, folder string) *sql.DB {
	db, err := sql.Open("sqlite", "file://"+filepath.Join(folder, "plain.db")+"?_journal_mode=WAL&_synchronous=FULL&_txlock=immediate")
	must(t, err)
	t.Cleanup(func() { _ = db.Close() })
	db.SetMaxOpenConns(1)
	tx, err := db.BeginTx(t.Context(), nil)
	must(t, err)
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

func openPlainPostgres(t testing.TB, address string) *pgxpool.Pool {
	postgrestest.Script(t, address, `CREATE SCHEMA plain; SET search_path = plain;
		CREATE TABLE orders (id bigserial PRIMARY KEY, order_reference text UNIQUE, status text, error text, amount bigint, created_at bigint);
		CREATE INDEX orders_status ON orders (status, created_at);
		CREATE TABLE events (sequence bigserial PRIMARY KEY, id bytea UNIQUE, order_id bigint REFERENCES orders, kind text, error text,
			received_at bigint, body bytea);
		CREATE INDEX events_order ON events (order_id)`)
	config, err := pgxpool.ParseConfig(address)
	must(t, err)
	config.MaxConns = 64
	config.ConnConfig.RuntimeParams["search_path"] = "plain"
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	must(t, err)
	t.Cleanup(pool.Close)
	for n := range references {
		_, err := pool.Exec(t.Context(),
			`INSERT INTO orders (order_reference, status, amount, created_at) VALUES ($1, 'pending', 9000, $2)`, orderName(n), n)
		must(t, err)
	}
	return pool
}

type plainEvent struct {
	kind, reference, reason string
	body                    []byte
}

// yardstick returns a plain handler. If store is nil, it stores nothing. It shares no code with the
// listener, so that the baseline stays fixed.
func yardstick(store func(context.Context, plainEvent) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(io.LimitReader(r.Body, 64<<10))
		digest := hmac.New(sha256.New, []byte(secretText))
		digest.Write([]byte(secretText))
		signed := hmac.Equal([]byte(hex.EncodeToString(digest.Sum(nil))), []byte(r.Header.Get(header)))
		var event struct {
			Event string
			Data  struct {
				OrderReference string `json:"order_reference"`
				Error          string
			}
		}
		err = errors.Join(err, json.Unmarshal(body, &event))
		if signed && err == nil && store != nil {
			err = store(r.Context(), plainEvent{event.Event, event.Data.OrderReference, event.Data.Error, body})
		}
		if !signed || err != nil {
			http.Error(w, fmt.Sprint(signed, err), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"received":true,"status":"failed"}`)
	})
}

const (
	findPlain   = `SELECT id FROM orders WHERE order_reference = $1`
	insertPlain = `INSERT INTO events (id, order_id, kind, error, received_at, body) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`
	updatePlain = `UPDATE orders SET status = 'failed', error = $1 WHERE id = $2`
)

// storeEvent stores an event for a plain handler, in one SQLite transaction.
func storeEvent(ctx context.Context, db *sql.DB, e plainEvent) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	var order int64
	if err := tx.QueryRowContext(ctx, findPlain, e.reference).Scan(&order); err != nil {
		return err
	}
	id := sha256.Sum256(e.body)
	if _, err := tx.ExecContext(ctx, insertPlain, id[:], order, e.kind, e.reason, time.Now().UnixMilli(), e.body); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, updatePlain, e.reason, order); err != nil {
		return err
	}
	return tx.Commit()
}

// storeEventPostgres stores an event for a plain handler, in one PostgreSQL transaction.
func storeEventPostgres(ctx context.Context, pool *pgxpool.Pool, e plainEvent) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		var order int64
		if err := tx.QueryRow(ctx, findPlain, e.reference).Scan(&order); err != nil {
			return err
		}
		id := sha256.Sum256(e.body)
		if _, err := tx.Exec(ctx, insertPlain, id[:], order, e.kind, e.reason, time.Now().UnixMilli(), e.body); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, updatePlain, e.reason, order)
		return err
	})
}

// deliverNumbered delivers the nth event. It returns an error unless the event is acknowledged.
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
