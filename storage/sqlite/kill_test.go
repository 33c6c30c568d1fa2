package sqlite_test

import (
	"bufio"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"checkout/till/payments"
	"checkout/till/storage/sqlite"
	"checkout/till/storage/storagetest"
)

// childFile names the database that this process, started by a test, writes
// until it is killed.
const childFile = "TILL_TEST_WRITE_UNTIL_KILLED"

// childWay is how that process opens its database: like a till, or in the way
// lax, which does not wait for the disk.
const (
	childWay = "TILL_TEST_WRITE_WAY"
	lax      = "lax"
)

func TestMain(m *testing.M) {
	if path := os.Getenv(childFile); path != "" {
		fmt.Println(writeUntilKilled(context.Background(), path))
		os.Exit(1)
	}
	if path := os.Getenv(servedFile); path != "" {
		if err := serve(context.Background(), path, os.Stdin); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// writeUntilKilled lets several goroutines store paid orders, each with its
// event in one change, and says so of each once it is acknowledged.
func writeUntilKilled(ctx context.Context, path string) error {
	var opts []sqlite.Option
	if os.Getenv(childWay) == lax {
		opts = append(opts, sqlite.Lax())
	}
	store, err := sqlite.OpenWith(ctx, path, opts...)
	if err != nil {
		return err
	}
	var (
		next  atomic.Int64
		group sync.WaitGroup
	)
	for range 4 {
		group.Go(func() {
			for {
				number := next.Add(1)
				order := storagetest.Order(int(number))
				order.Reference = fmt.Sprintf("P%d-%d", os.Getpid(), number)
				order.OrderReference = "REF_" + order.Reference
				if err := store.Update(ctx, func(tx payments.Tx) error { return pay(tx, order) }); err != nil {
					fmt.Println(err)
					return
				}
				fmt.Println("stored", order.Reference)
			}
		})
	}
	group.Wait()
	return errors.New("no more is written")
}

// pay stores an order and applies its success.
func pay(tx payments.Tx, order payments.Order) error {
	if err := tx.InsertOrder(order); err != nil {
		return err
	}
	event := storagetest.Success(order)
	record, _, err := tx.Events().Insert(payments.Record{
		Event: event, ID: event.ID(), ReceivedAt: order.CreatedAt, Outcome: payments.NoSuchOrder, Count: 1,
		Body: []byte(order.Reference), BodySHA256: sha256.Sum256([]byte(order.Reference)),
	})
	if err != nil {
		return err
	}
	order, record.Outcome = order.Apply(event, nil, order.CreatedAt)
	record.Order = order.Reference
	return errors.Join(tx.Events().Save(record), tx.SaveOrder(order))
}

// child starts a process that writes until it is killed.
func child(t *testing.T, path string, env ...string) (*exec.Cmd, io.Reader) {
	t.Helper()
	command := exec.CommandContext(t.Context(), os.Args[0])
	command.Env = append(os.Environ(), childFile+"="+path)
	command.Env = append(command.Env, env...)
	command.Stderr = os.Stderr
	output, err := command.StdoutPipe()
	must(t, err)
	must(t, command.Start())
	t.Cleanup(func() { _ = command.Process.Kill() })
	return command, output
}

// expectWhole fails the test unless SQLite finds nothing wrong with a file.
func expectWhole(t *testing.T, path string) {
	t.Helper()
	if found := column(t, raw(t, path), "PRAGMA quick_check"); len(found) != 1 || found[0] != "ok" {
		t.Errorf("quick_check: %q", found)
	}
}

func TestS1WhatWasAcknowledgedSurvivesKills(t *testing.T) {
	kills := storagetest.Size(5, 200)
	path := filepath.Join(t.TempDir(), "till.db")
	var acknowledged []string
	for round := range kills {
		command, output := child(t, path)
		lines := bufio.NewScanner(output)
		// What the process had said before it was killed is still read.
		for count := 0; lines.Scan(); count++ {
			reference, stored := strings.CutPrefix(lines.Text(), "stored ")
			if !stored {
				t.Fatalf("the process said %q", lines.Text())
			}
			acknowledged = append(acknowledged, reference)
			if count == 7*round%40 {
				_ = command.Process.Kill()
			}
		}
		_ = command.Wait()
		expectWhole(t, path)
	}
	store := openAt(t, path)
	for _, reference := range acknowledged {
		order, events, err := store.Order(t.Context(), reference)
		if err != nil {
			t.Fatalf("order %s was acknowledged: %v", reference, err)
		}
		if !order.Paid() || len(order.Items) != 2 || len(events) != 1 || events[0].BodySHA256 != sha256.Sum256([]byte(reference)) {
			t.Errorf("order %s is there in part: %+v, %d events", reference, order, len(events))
		}
	}
	stored, halves := count(t, path, "SELECT count(*) FROM orders"), count(t, path, `
		SELECT count(*) FROM orders o WHERE paid_at IS NULL
			OR (SELECT count(*) FROM events e WHERE e.order_id = o.id AND e.outcome = 'applied') <> 1`)
	if halves != 0 || count(t, path, "SELECT count(*) FROM events") != stored {
		t.Errorf("%d orders are there in part", halves)
	}
	t.Logf("%d kills, %d acknowledged, %d stored", kills, len(acknowledged), stored)
}

func count(t *testing.T, path, query string) (number int) {
	t.Helper()
	must(t, raw(t, path).QueryRowContext(t.Context(), query).Scan(&number))
	return number
}

func TestS10AKillWhileADatabaseIsMadeLeavesNoneOrAWholeOne(t *testing.T) {
	// The process is killed as soon as such a file is seen.
	for _, sign := range []string{".new-", "-journal", "-wal", "-shm", "till.db"} {
		t.Run(sign, func(t *testing.T) {
			for range storagetest.Size(1, 10) {
				path := filepath.Join(t.TempDir(), "till.db")
				command, output := child(t, path)
				for !seen(t, filepath.Dir(path), sign) && !seen(t, filepath.Dir(path), "till.db") {
				}
				_ = command.Process.Kill()
				_, _ = io.Copy(io.Discard, output)
				_ = command.Wait()
				if info, err := os.Stat(path); err == nil && info.Size() == 0 || err != nil && !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("half a database is left: %v", err)
				}
				if err := openAt(t, path).Probe(t.Context()); err != nil {
					t.Error(err)
				}
				expectWhole(t, path)
			}
		})
	}
}

// seen tells whether a folder has a file whose name holds a sign; a whole name
// is a sign for itself alone.
func seen(t *testing.T, folder, sign string) bool {
	t.Helper()
	for _, name := range files(t, folder) {
		if name == sign || sign != "till.db" && strings.Contains(name, sign) {
			return true
		}
	}
	return false
}

// column returns the texts of a query's only column.
func column(t *testing.T, db *sql.DB, query string) (texts []string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query)
	must(t, err)
	defer rows.Close()
	for rows.Next() {
		var text string
		must(t, rows.Scan(&text))
		texts = append(texts, text)
	}
	must(t, rows.Err())
	return texts
}
