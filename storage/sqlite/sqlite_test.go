package sqlite_test

import (
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/storage"
	"checkout/till/storage/sqlite"
	"checkout/till/storage/storagetest"
	"checkout/till/storage/storagetest/bulk"
	"checkout/till/storage/storagetest/disk"
)

func TestContract(t *testing.T) {
	storagetest.Run(t, synctest.Test, func(t *testing.T) storagetest.Database {
		path := filepath.Join(disk.Memory(t), "till.db")
		return storagetest.Database{
			Open:   func(t *testing.T) storagetest.Store { return openAt(t, path) },
			Break:  func(t *testing.T) { must(t, os.Rename(path, path+".away")) },
			Mend:   func(t *testing.T) { must(t, os.Rename(path+".away", path)) },
			Script: func(t *testing.T, statement string) { script(t, path, statement) },
			Char:   "char",
		}
	})
}

func must(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func openAt(t testing.TB, path string, changes ...func(*sqlite.Options)) *sqlite.Store {
	t.Helper()
	store, err := sqlite.OpenWith(t.Context(), path, changes...)
	must(t, err)
	t.Cleanup(func() { _ = store.Close() })
	return store
}

func insert(t *testing.T, store *sqlite.Store, n int) error {
	t.Helper()
	return store.Update(t.Context(), func(tx payments.Tx) error { return tx.InsertOrder(storagetest.Order(n)) })
}

// whole makes a database with one order, closes it and returns the path of its file.
func whole(t *testing.T) string {
	t.Helper()
	path := filepath.Join(disk.Memory(t), "till.db")
	store := openAt(t, path)
	must(t, insert(t, store, 1), store.Close())
	return path
}

// script runs SQL on a file like another program.
func script(t *testing.T, path, text string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	must(t, err)
	defer db.Close()
	_, err = db.ExecContext(t.Context(), text)
	must(t, err)
}

func ask[T any](t testing.TB, path, query string, args ...any) (value T) {
	t.Helper()
	db, err := sql.Open("sqlite", sqlite.DataSource(path, sqlite.ModeTool))
	must(t, err)
	defer db.Close()
	must(t, db.QueryRowContext(t.Context(), query, args...).Scan(&value))
	return value
}

func count(t testing.TB, path, query string, args ...any) int {
	t.Helper()
	return ask[int](t, path, query, args...)
}

func content(t *testing.T, path string) []byte {
	t.Helper()
	bytes, err := os.ReadFile(path)
	must(t, err)
	return bytes
}

func overwrite(t *testing.T, path string, content []byte) {
	t.Helper()
	must(t, os.WriteFile(path, content, 0o600))
}

func files(t *testing.T, folder string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	must(t, err)
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

func noticed(notices <-chan struct{}) bool {
	select {
	case _, open := <-notices:
		return open
	default:
		return false
	}
}

// million adds a database with 1,000,000 orders to the benchmarks. It needs a gigabyte and a few
// minutes.
var million = flag.Bool("million", false, "measure 1,000,000 orders, too")

// BenchmarkScale measures the same operations on databases of different sizes, to compare the times
// of the large databases with those of the smallest. The databases have 1,000 orders, without
// -short also 100,000, and with -million also 1,000,000.
func BenchmarkScale(b *testing.B) {
	sizes := []int{1000}
	if !testing.Short() {
		sizes = append(sizes, 100_000)
	}
	if *million {
		sizes = append(sizes, 1_000_000)
	}
	for _, size := range sizes {
		path := bulk.Make(b, size)
		store := openAt(b, path)
		for _, works := range []map[string]func(b *testing.B) error{reads(b, store, path, size), writes(store, size)} {
			for _, name := range slices.Sorted(maps.Keys(works)) {
				b.Run(fmt.Sprintf("%s/%d", name, size), func(b *testing.B) {
					for b.Loop() {
						if err := works[name](b); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}

// reads returns the operations that change no row, by name.
func reads(b *testing.B, store *sqlite.Store, path string, size int) map[string]func(b *testing.B) error {
	b.Helper()
	middle := ask[string](b, path, "SELECT reference FROM orders WHERE id = $1", size/2)
	works := map[string]func(b *testing.B) error{
		"one order": func(b *testing.B) error {
			_, _, err := store.Order(b.Context(), middle)
			return err
		},
		"open": func(b *testing.B) error {
			store, err := sqlite.Open(b.Context(), path)
			if err == nil {
				err = store.Close()
			}
			return err
		},
	}
	works["verify"] = func(b *testing.B) error {
		found, err := storage.Verify(b.Context(), path, storage.Checks{Now: bulk.End()})
		if err == nil && found.Orders != int64(size) {
			err = fmt.Errorf("%d orders are verified", found.Orders)
		}
		return err
	}
	for name, query := range map[string]payments.Query{
		"newest": {}, "page in the middle": {Before: middle}, "of a status": {Status: payments.StatusExpired},
		"of a till": {Till: bulk.Till}, "to check": {Check: bulk.End()},
		"waiting board": {Till: bulk.Till, Open: true, Limit: 200}, "of a sale": {Sale: fmt.Sprintf("SALE%022d", size/2)},
		"search common": {Search: "vary"}, "search rare": {Search: "ravitoto"}, "search none": {Search: "zzzz"},
		"search two words": {Search: "ravitoto sy"}, "search number": {Search: "700042"}, "search day": {Search: "20261121"},
		"search letter": {Search: "q"}, "search three letters": {Search: "xqz"},
	} {
		works[name] = func(b *testing.B) error {
			found, err := store.Orders(b.Context(), query)
			if err == nil && len(found) == 0 && !strings.HasPrefix(name, "search") {
				err = fmt.Errorf("no order is found")
			}
			return err
		}
	}
	service := drawer.New(store, payments.New(store, nil, bulk.End))
	works["account"] = func(b *testing.B) error {
		_, err := service.Account(b.Context(), bulk.Till)
		return err
	}
	works["journal"] = func(b *testing.B) error {
		_, err := service.Journal(b.Context(), money.Day(bulk.End(), 0))
		return err
	}
	for name, sold := range map[string]bool{"day's sums": false, "day with articles": true} {
		works[name] = func(b *testing.B) error {
			day := money.Day(bulk.End(), 0)
			day.Sold = sold
			_, err := service.Day(b.Context(), day)
			return err
		}
	}
	return works
}

// writes returns the operations that add orders, by name. They run after reads.
func writes(store *sqlite.Store, size int) map[string]func(b *testing.B) error {
	made := 0
	insert := func(b *testing.B) (payments.Order, error) {
		made++
		order := storagetest.Order(size + made)
		order.OrderReference, order.CreatedAt = fmt.Sprint("REF_B", made), bulk.End().Add(time.Duration(made)*time.Second)
		return order, store.Update(b.Context(), func(tx payments.Tx) error { return tx.InsertOrder(order) })
	}
	service := payments.New(store, nil, bulk.End)
	return map[string]func(b *testing.B) error{
		"insert": func(b *testing.B) error {
			_, err := insert(b)
			return err
		},
		"event": func(b *testing.B) error {
			b.StopTimer()
			order, err := insert(b)
			b.StartTimer()
			if err == nil {
				_, err = service.Receive(b.Context(), storagetest.Success(order), []byte("{}"))
			}
			return err
		},
	}
}
