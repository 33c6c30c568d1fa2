package payments_test

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
	"checkout/till/storage/sqlite"
	"checkout/till/storage/storagetest"
	"checkout/till/storage/storagetest/disk"
)

var errDisk = errors.New("the disk is full")

// store is a SQLite database. A test can make any call fail.
type store struct {
	payments.Store
	path  string
	fault func(call string) error // Called with the name of each call; if it returns an error, the call fails with that error.
}

func openStore(t testing.TB) *store {
	t.Helper()
	path := filepath.Join(disk.Memory(t), "till.db")
	opened, err := sqlite.Open(t.Context(), path)
	must(t, err)
	t.Cleanup(func() { _ = opened.Close() })
	return &store{opened, path, well}
}

// well fails no call, and away fails every call.
func well(string) error { return nil }
func away(string) error { return errDisk }

// only returns a function that makes only calls with this name fail.
func only(call string) func(string) error {
	return func(asked string) error {
		if asked == call {
			return errDisk
		}
		return nil
	}
}

// dump returns every row of the database.
func (s *store) dump(t testing.TB) string {
	t.Helper()
	db, err := sql.Open("sqlite", s.path)
	must(t, err)
	defer func() { _ = db.Close() }()
	var all strings.Builder
	for _, table := range []string{
		"orders", "order_items", "events", "sales", "counters", "articles", "cashiers", "cash_sales", "transfers", "tills", "customers",
	} {
		must(t, dumpTable(t.Context(), db, table, &all))
	}
	return all.String()
}

func dumpTable(ctx context.Context, db *sql.DB, table string, all io.Writer) error {
	rows, err := db.QueryContext(ctx, "SELECT * FROM "+table)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	for err == nil && rows.Next() {
		row, places := make([]any, len(columns)), make([]any, len(columns))
		for i := range row {
			places[i] = &row[i]
		}
		err = rows.Scan(places...)
		_, _ = fmt.Fprintln(all, table, row)
	}
	return errors.Join(err, rows.Err())
}

// Update runs the change twice and rolls the first run back, because a store may call it
// more than once.
func (s *store) Update(ctx context.Context, change func(payments.Tx) error) error {
	if err := s.fault("begin"); err != nil {
		return err
	}
	storagetest.Rehearse(ctx, s.Store, change)
	err := s.Store.Update(ctx, func(tx payments.Tx) error {
		if err := change(faultyTx{tx, s.fault}); err != nil {
			return err
		}
		return s.fault("commit")
	})
	if err == nil {
		err = s.fault("answer to the commit")
	}
	return err
}

func (s *store) Order(ctx context.Context, ref string) (payments.Order, []payments.Record, error) {
	order, records, err := s.Store.Order(ctx, ref)
	return order, records, cmp.Or(s.fault("read order"), err)
}

func (s *store) Orders(ctx context.Context, query payments.Query) ([]payments.Order, error) {
	return unless[[]payments.Order](s.fault("read orders"))(s.Store.Orders(ctx, query))
}

func (s *store) Cashiers(ctx context.Context) ([]staff.Cashier, error) {
	return unless[[]staff.Cashier](s.fault("read cashiers"))(s.Store.Cashiers(ctx))
}

func (s *store) Sales(ctx context.Context, till string) ([]payments.Sale, error) {
	return unless[[]payments.Sale](s.fault("read sales"))(s.Store.Sales(ctx, till))
}

// unless returns a function that replaces a call's error with fault, unless fault is nil.
func unless[T any](fault error) func(T, error) (T, error) {
	return func(result T, err error) (T, error) { return result, cmp.Or(fault, err) }
}

// faultyTx is a transaction that a test can make fail.
type faultyTx struct {
	payments.Tx
	fault func(string) error
}

func (t faultyTx) Order(reference string) (payments.Order, error) {
	return unless[payments.Order](t.fault("order"))(t.Tx.Order(reference))
}

func (t faultyTx) OrderOf(orderReference string) (payments.Order, error) {
	return unless[payments.Order](t.fault("order"))(t.Tx.OrderOf(orderReference))
}

func (t faultyTx) Event(orderReference string, id payments.EventID) (payments.Record, int, error) {
	stored, count, err := t.Tx.Event(orderReference, id)
	return stored, count, cmp.Or(t.fault("event"), err)
}

func (t faultyTx) UnmatchedEvents(orderReference string) ([]payments.Record, error) {
	return unless[[]payments.Record](t.fault("unmatched"))(t.Tx.UnmatchedEvents(orderReference))
}

func (t faultyTx) Siblings(sale string) ([]payments.Order, error) {
	return unless[[]payments.Order](t.fault("siblings"))(t.Tx.Siblings(sale))
}

func (t faultyTx) InsertOrder(order payments.Order) error {
	return cmp.Or(t.fault("insert order"), t.Tx.InsertOrder(order))
}

func (t faultyTx) SaveOrder(order payments.Order) error {
	return cmp.Or(t.fault("save order"), t.Tx.SaveOrder(order))
}

func (t faultyTx) Post(transfer ledger.Transfer) error {
	return cmp.Or(t.fault("post"), t.Tx.Post(transfer))
}

func (t faultyTx) InsertEvent(record payments.Record) error {
	return cmp.Or(t.fault("insert event"), t.Tx.InsertEvent(record))
}

func (t faultyTx) SaveEvent(record payments.Record) error {
	return cmp.Or(t.fault("save event"), t.Tx.SaveEvent(record))
}

func (t faultyTx) TrimUnmatchedEvents(limit int, bytes int64) (int, error) {
	return unless[int](t.fault("trim"))(t.Tx.TrimUnmatchedEvents(limit, bytes))
}

func (t faultyTx) NextNumber(series string) (int64, error) {
	return unless[int64](t.fault("next number"))(t.Tx.NextNumber(series))
}

func (t faultyTx) Tag() (string, error) { return unless[string](t.fault("tag"))(t.Tx.Tag()) }

func (t faultyTx) TillOf(code, name string) (string, error) {
	return unless[string](t.fault("till of"))(t.Tx.TillOf(code, name))
}

func (t faultyTx) SaveArticle(article payments.Article) error {
	return cmp.Or(t.fault("save article"), t.Tx.SaveArticle(article))
}

func (t faultyTx) DropSale(id string) error {
	return cmp.Or(t.fault("drop sale"), t.Tx.DropSale(id))
}

func (t faultyTx) CountUse(label string) error {
	return cmp.Or(t.fault("count use"), t.Tx.CountUse(label))
}

func (t faultyTx) Cashiers() ([]staff.Cashier, error) {
	return unless[[]staff.Cashier](t.fault("read cashiers"))(t.Tx.Cashiers())
}

func (t faultyTx) InsertFinding(reference string, finding payments.Finding) error {
	return cmp.Or(t.fault("insert finding"), t.Tx.InsertFinding(reference, finding))
}

func (t faultyTx) Owed(account ledger.Account) (money.Ariary, error) {
	return unless[money.Ariary](t.fault("owed"))(t.Tx.Owed(account))
}

func (t faultyTx) DebtOrders(account ledger.Account, after time.Time) ([]payments.Order, error) {
	return unless[[]payments.Order](t.fault("debt orders"))(t.Tx.DebtOrders(account, after))
}

func (t faultyTx) Taken(sale string) (payments.Taken, error) {
	return unless[payments.Taken](t.fault("taken"))(t.Tx.Taken(sale))
}
