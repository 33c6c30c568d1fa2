package main

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	_ "modernc.org/sqlite" // The driver, under the name "sqlite".

	"checkout/till/payments"
)

// The variables by which the program is told to be a yardstick.
const (
	serveKey = "BENCH_SERVE"
	fileKey  = "BENCH_FILE"
)

// The yardsticks.
const (
	bare  = "bare"  // Verifies and decodes, and stores nothing.
	plain = "plain" // Each request makes its own transaction, on one connection.
	queue = "queue" // One writer makes a transaction for each event.
	group = "group" // One writer makes a transaction for the events that wait.
)

const header = "x-svc-signature"

// serveYardstick serves a yardstick until ctx ends, and prints its address.
func serveYardstick(ctx context.Context, kind, file string) error {
	keep := func(payments.Event, []byte) error { return nil }
	if kind != bare {
		db, err := openPlain(ctx, file)
		if err != nil {
			return err
		}
		defer func() { _ = db.Close() }()
		if keep, err = keeping(ctx, db, kind); err != nil {
			return err
		}
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
				err = verify(r.Header.Get(header))
			}
			var event payments.Event
			if err == nil {
				event, err = decode(body)
			}
			if err == nil {
				err = keep(event, body)
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

// verify and decode do what a handler usually does: not with the program's own
// code, for a yardstick must not change with what it measures. A signature is
// verified as the specification says.
func verify(signature string) error {
	digest := hmac.New(sha256.New, []byte(secret))
	digest.Write([]byte(secret))
	if !hmac.Equal([]byte(hex.EncodeToString(digest.Sum(nil))), []byte(signature)) {
		return errors.New("invalid signature")
	}
	return nil
}

func decode(body []byte) (payments.Event, error) {
	var sent struct {
		Event string `json:"event"`
		Data  struct {
			OrderReference string      `json:"order_reference"`
			Reference      string      `json:"reference"`
			Amount         json.Number `json:"amount"`
			Currency       string      `json:"currency"`
			Description    string      `json:"description"`
			Error          string      `json:"error"`
		} `json:"data"`
	}
	if err := json.Unmarshal(body, &sent); err != nil {
		return payments.Event{}, err
	}
	return payments.Event{
		Kind: payments.EventKind(sent.Event), OrderReference: sent.Data.OrderReference,
		Reference: payments.TextValue(sent.Data.Reference), Currency: payments.TextValue(sent.Data.Currency),
		Amount:      payments.Value{Kind: payments.Number, Text: sent.Data.Amount.String()},
		Description: payments.TextValue(sent.Data.Description), Error: payments.TextValue(sent.Data.Error),
	}, nil
}

// keeping returns how a yardstick stores an event.
func keeping(ctx context.Context, db *sql.DB, kind string) (func(payments.Event, []byte) error, error) {
	if kind == plain {
		return func(event payments.Event, body []byte) error { return storeAlone(ctx, db, event, body) }, nil
	}
	most := 1
	if kind == group {
		most = 128
	}
	stored, err := newKeeper(ctx, db, most)
	if err != nil {
		return nil, err
	}
	return stored.take, nil
}

// openPlain opens a database of the program for a yardstick, as durable as
// the program does.
func openPlain(ctx context.Context, file string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", "file://"+file+"?_journal_mode=WAL&_synchronous=FULL&_txlock=immediate")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	err = db.PingContext(ctx)
	return db, err
}

// What the yardsticks that store do with an event.
const (
	findOrder = `SELECT id FROM orders WHERE order_reference = ? AND order_reference <> ''`
	keepEvent = `INSERT INTO events (id, kind, order_reference, kinds, reference, amount, currency, description, error,
		received_at, outcome, count, body, body_sha256, order_id)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?) ON CONFLICT DO NOTHING`
	saveOrder = `UPDATE orders SET status = ?, error = ? WHERE id = ?`
)

// storeAlone stores an event in a transaction of its own, by no rule at all, as
// a request's handler usually does it.
func storeAlone(ctx context.Context, db *sql.DB, event payments.Event, body []byte) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	var order int64
	if err := tx.QueryRowContext(ctx, findOrder, event.OrderReference).Scan(&order); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, keepEvent, columns(event, body, order)...); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, saveOrder, string(payments.StatusFailed), event.Error.Text, order); err != nil {
		return err
	}
	return tx.Commit()
}

// columns are an event's values, in the order of keepEvent.
func columns(event payments.Event, body []byte, order int64) []any {
	id, digest := event.ID(), sha256.Sum256(body)
	return []any{
		id[:], string(event.Kind), event.OrderReference, []byte("12111"),
		[]byte(event.Reference.Text), []byte(event.Amount.Text), []byte(event.Currency.Text),
		[]byte(event.Description.Text), []byte(event.Error.Text), time.Now().UnixMilli(),
		string(payments.Applied), body, digest[:], order,
	}
}

// arrival is an event that waits to be stored.
type arrival struct {
	event  payments.Event
	body   []byte
	answer chan error
}

// keeper stores events by no rule at all: for each it finds the order, inserts
// the event and updates the order, in the program's own tables.
type keeper struct {
	conn             *sql.Conn
	find, keep, save *sql.Stmt
	arrivals         chan arrival
	most             int // So many of the events that wait share a transaction.
}

func newKeeper(ctx context.Context, db *sql.DB, most int) (*keeper, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	k := &keeper{conn: conn, arrivals: make(chan arrival, 512), most: most}
	for _, each := range []struct {
		into **sql.Stmt
		text string
	}{{&k.find, findOrder}, {&k.keep, keepEvent}, {&k.save, saveOrder}} {
		if *each.into, err = conn.PrepareContext(ctx, each.text); err != nil { //nolint:sqlclosecheck // Kept to the end.
			return nil, err
		}
	}
	go k.run(ctx)
	return k, nil
}

// run stores what comes, one transaction after the other.
func (k *keeper) run(ctx context.Context) {
	for first := range k.arrivals {
		batch := []arrival{first}
		for len(batch) < k.most && len(k.arrivals) > 0 {
			batch = append(batch, <-k.arrivals)
		}
		err := k.storeAll(ctx, batch)
		for _, each := range batch {
			each.answer <- err
		}
	}
}

// take hands an event over and waits until it is durable.
func (k *keeper) take(event payments.Event, body []byte) error {
	answer := make(chan error, 1)
	k.arrivals <- arrival{event, body, answer}
	return <-answer
}

func (k *keeper) storeAll(ctx context.Context, batch []arrival) error {
	if _, err := k.conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	for _, each := range batch {
		if err := k.store(ctx, each.event, each.body); err != nil {
			_, _ = k.conn.ExecContext(ctx, "ROLLBACK")
			return err
		}
	}
	_, err := k.conn.ExecContext(ctx, "COMMIT")
	return err
}

func (k *keeper) store(ctx context.Context, event payments.Event, body []byte) error {
	var order int64
	if err := k.find.QueryRowContext(ctx, event.OrderReference).Scan(&order); err != nil {
		return err
	}
	if _, err := k.keep.ExecContext(ctx, columns(event, body, order)...); err != nil {
		return err
	}
	_, err := k.save.ExecContext(ctx, string(payments.StatusFailed), event.Error.Text, order)
	return err
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
