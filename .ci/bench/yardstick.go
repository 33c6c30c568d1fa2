package main

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	_ "modernc.org/sqlite" // The driver, under the name "sqlite".

	"checkout/till/payments"
	"checkout/till/payments/gateway"
)

// The variables by which the program is told to be a yardstick.
const (
	serveKey = "BENCH_SERVE"
	fileKey  = "BENCH_FILE"
)

// The yardsticks.
const (
	bare  = "bare"  // Verifies and decodes, and stores nothing.
	plain = "plain" // A transaction for each event, on one connection.
)

const header = "x-svc-signature"

// serveYardstick serves a yardstick until ctx ends, and prints its address.
func serveYardstick(ctx context.Context, kind, file string) error {
	verifier, err := gateway.NewVerifier(gateway.Static, payments.NewSecret(secret))
	if err != nil {
		return err
	}
	keep := func(context.Context, payments.Event) error { return nil }
	if kind == plain {
		db, err := openPlain(ctx, file)
		if err != nil {
			return err
		}
		defer func() { _ = db.Close() }()
		keep = plainStore(db)
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("listening on http://%s/webhook\n", listener.Addr())
	server := &http.Server{ReadHeaderTimeout: 5 * time.Second, Handler: http.HandlerFunc(
		func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(io.LimitReader(r.Body, 64<<10))
			if err == nil {
				err = verifier.Verify(r.Header[http.CanonicalHeaderKey(header)], body)
			}
			var event payments.Event
			if err == nil {
				event, err = gateway.DecodeEvent(body)
			}
			if err == nil {
				err = keep(r.Context(), event)
			}
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"received":true,"status":"failed"}`)
		})}
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	if err := server.Serve(listener); err != nil && ctx.Err() == nil {
		return err
	}
	return nil
}

const plainSchema = `
CREATE TABLE orders (id INTEGER PRIMARY KEY, order_reference TEXT NOT NULL UNIQUE, status TEXT NOT NULL);
CREATE TABLE events (id BLOB PRIMARY KEY, order_id INTEGER NOT NULL, kind TEXT NOT NULL, error TEXT NOT NULL);
`

// openPlain opens the database of the plain yardstick, as durable as the
// program's own.
func openPlain(ctx context.Context, file string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", "file://"+file+"?_journal_mode=WAL&_synchronous=FULL&_txlock=immediate")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	err = db.PingContext(ctx)
	return db, err
}

// fillPlain makes the database of the plain yardstick, with the same orders.
func fillPlain(ctx context.Context, file string, names []string) error {
	db, err := openPlain(ctx, file)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	if _, err := db.ExecContext(ctx, plainSchema); err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	for _, name := range names {
		if _, err := tx.ExecContext(ctx, `INSERT INTO orders (order_reference, status) VALUES (?, 'pending')`, name); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// plainStore returns how the plain yardstick stores an event: find, insert,
// update, commit. One runs at a time, as SQLite has it.
func plainStore(db *sql.DB) func(context.Context, payments.Event) error {
	var turn sync.Mutex
	return func(ctx context.Context, event payments.Event) error {
		turn.Lock()
		defer turn.Unlock()
		tx, err := db.BeginTx(context.WithoutCancel(ctx), nil)
		if err != nil {
			return err
		}
		defer func() { _ = tx.Rollback() }()
		var order int64
		find := tx.QueryRowContext(ctx, `SELECT id FROM orders WHERE order_reference = ?`, event.OrderReference)
		if err := find.Scan(&order); err != nil {
			return err
		}
		id := event.ID()
		if _, err := tx.ExecContext(ctx, `INSERT INTO events (id, order_id, kind, error) VALUES (?, ?, ?, ?)
			ON CONFLICT DO NOTHING`, id[:], order, string(event.Kind), event.Error.Shown()); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE orders SET status = 'failed' WHERE id = ?`, order); err != nil {
			return err
		}
		return tx.Commit()
	}
}

// syncsPerSecond is how often a second the disk under folder makes 4 KB
// durable, as a write-ahead log does: written over in place, one after the
// other.
func syncsPerSecond(folder string) (float64, error) {
	file, err := os.Create(filepath.Join(folder, "sync"))
	if err != nil {
		return 0, err
	}
	defer func() { _ = file.Close() }()
	const length = 2 * time.Second
	page, count := make([]byte, 4096), 0
	for started := time.Now(); time.Since(started) < length; count++ {
		if _, err := file.WriteAt(page, int64(count%1000)*4096); err != nil {
			return 0, err
		}
		if err := file.Sync(); err != nil {
			return 0, err
		}
	}
	return float64(count) / length.Seconds(), nil
}
