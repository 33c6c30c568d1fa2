package storage_test

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/staff"
	"checkout/till/storage"
	"checkout/till/storage/storagetest"
)

// restoredAt is the time of every restore, and formerName the file of the replaced database.
var restoredAt = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

const formerName = "till-before-2026-11-21-090000.db"

func TestRestoreKeepsTheFormerDatabaseWithItsLog(t *testing.T) {
	_, backup := newShop(t, 1, 30)
	path := filepath.Join(t.TempDir(), "till.db")
	must(t, os.WriteFile(path, []byte("damaged"), 0o600), os.WriteFile(path+"-wal", []byte("log"), 0o600))
	must(t, os.WriteFile(path+".restoring", []byte("rest of an interrupted restore"), 0o600))
	restored, err := storage.Restore(t.Context(), path, backup, "T1", restoredAt)
	must(t, err)
	former := filepath.Join(filepath.Dir(path), formerName)
	if restored.Kept != former || read(t, former) != "damaged" || read(t, former+"-wal") != "log" || restored.Orders == 0 {
		t.Errorf("got %+v", restored)
	}
	if _, err := os.Stat(path + "-wal"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the log of the former database is still there: %v", err)
	}
	must(t, openStore(t, path).Close())
	again, err := storage.Restore(t.Context(), path, backup, "T1", restoredAt) // In the same second.
	must(t, err)
	if again.Kept == former || read(t, former) != "damaged" {
		t.Errorf("the second restore keeps %s", again.Kept)
	}
}

func TestRestoreChangesNothingIfItCannotFinish(t *testing.T) {
	_, backup := newShop(t, 1, 5)
	path := filepath.Join(t.TempDir(), "till.db")
	must(t, os.WriteFile(path, []byte("mine"), 0o600))
	broken := filepath.Join(t.TempDir(), "broken.db")
	must(t, os.WriteFile(broken, []byte("this is no database of till"), 0o600))
	if _, err := storage.Restore(t.Context(), path, broken, "T1", restoredAt); err == nil {
		t.Error("a broken backup was restored")
	}
	demo := filepath.Join(t.TempDir(), "demo.db")
	store, err := storage.Open(t.Context(), demo, storage.Options{Ahead: -3 * time.Hour})
	must(t, err)
	must(t, store.Close())
	if _, err := storage.Restore(t.Context(), path, demo, "T1", restoredAt); !errors.Is(err, storage.ErrDemo) {
		t.Errorf("the demo: %v", err)
	}
	if _, err := os.Stat(path + ".restoring"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the copy of the demo is still there: %v", err)
	}
	release, err := storage.Lock(path)
	must(t, err)
	if _, err := storage.Restore(t.Context(), path, backup, "T1", restoredAt); !errors.As(err, new(*storage.LockedError)) {
		t.Errorf("a database in use: %v", err)
	}
	release()
	if _, err := storage.Restore(t.Context(), "postgres://till@server/shop", backup, "T1", restoredAt); !errors.Is(err, storage.ErrPostgres) {
		t.Errorf("a server: %v", err)
	}
	if read(t, path) != "mine" {
		t.Error("the database was changed")
	}
}

func TestTheFormerDatabaseStaysInPlaceIfTheRestoreFails(t *testing.T) {
	_, backup := newShop(t, 1, 5)
	full := func(table string) string {
		_, locked := newShop(t, 1, 5)
		pool, err := sql.Open("sqlite", "file:"+locked)
		must(t, err)
		_, err = pool.ExecContext(t.Context(), `CREATE TRIGGER full BEFORE INSERT ON `+table+` BEGIN SELECT RAISE(ABORT, 'the disk is full'); END`)
		must(t, err, pool.Close())
		return locked
	}
	for name, c := range map[string]struct {
		backup string
		blocks bool // Whether the log cannot be moved.
	}{
		"the numbers cannot be written": {full("counters"), false}, "the restore cannot be recorded": {full("transfers"), false},
		"the log cannot be moved": {backup, true},
	} {
		path := filepath.Join(t.TempDir(), "till.db")
		must(t, os.WriteFile(path, []byte("mine"), 0o600), os.WriteFile(path+"-wal", []byte("log"), 0o600))
		former := filepath.Join(filepath.Dir(path), formerName)
		if c.blocks {
			must(t, os.MkdirAll(filepath.Join(former+"-wal", "folder"), 0o700))
		}
		if _, err := storage.Restore(t.Context(), path, c.backup, "T1", restoredAt); err == nil {
			t.Errorf("%s: no error", name)
		}
		if _, err := os.Stat(former); !errors.Is(err, os.ErrNotExist) || read(t, path) != "mine" || read(t, path+"-wal") != "log" {
			t.Errorf("%s: the former database is not in its place: %v", name, err)
		}
	}
}

// The restored database must say that it was restored, even if the power fails just after it was put
// in place.
func TestTheRestoredDatabaseHasARecordOfTheRestore(t *testing.T) {
	_, backup := newShop(t, 1, 5)
	path := filepath.Join(t.TempDir(), "till.db")
	_, err := storage.Restore(t.Context(), path, backup, "T1", restoredAt)
	must(t, err)
	store := openStore(t, path)
	account, err := drawer.New(store, payments.New(store, nil, time.Now)).Account(t.Context(), "T1")
	must(t, err, store.Close())
	if got := account.Moves[drawer.Restore].Count; got != 1 {
		t.Errorf("the account has %d restores", got)
	}
	_, err = storage.Restore(t.Context(), path, backup, "t1", restoredAt) // The shop has the till T1.
	must(t, err)
}

func TestRestoreTakesARelativePath(t *testing.T) {
	_, backup := newShop(t, 1, 5)
	folder := t.TempDir()
	t.Chdir(folder)
	for range 2 { // The second restore also reads the numbers of the replaced database.
		restored, err := storage.Restore(t.Context(), filepath.Join("shop", "till.db"), backup, "T1", restoredAt)
		must(t, err)
		if restored.Path != filepath.Join(folder, "shop", "till.db") {
			t.Errorf("the database is %s", restored.Path)
		}
	}
	must(t, openStore(t, filepath.Join("shop", "till.db")).Close())
}

// Customers and the owner have numbers on paper that were issued after the backup. The restored
// database must not issue them again.
func TestNoNumberIsGivenAgainAfterARestore(t *testing.T) {
	folder := t.TempDir()
	path, backup := filepath.Join(folder, "till.db"), filepath.Join(folder, "backup.db")
	at := func() time.Time { return restoredAt }
	give := func(path, till string, times int) (last []string) {
		store := openStore(t, path)
		service := drawer.New(store, payments.New(store, storagetest.Taker{}, at))
		for range times {
			last = numbers(t, service, till)
		}
		must(t, store.Close())
		return last
	}
	give(path, "T1", 3)
	give(path, "T3", 1)
	_, err := storage.Backup(t.Context(), path, backup, time.Now())
	must(t, err)
	tag := give(path, "T1", 2)[0][len("T1-20261121-"):][:2]
	give(path, "T2", 1)
	for name, c := range map[string]struct {
		former   func(path string)
		thousand bool
		given    map[string]int // How many numbers of each till were issued or skipped.
	}{
		"the former database is there": {func(former string) { must(t, os.WriteFile(former, []byte(read(t, path)), 0o600)) }, false, map[string]int{"T1": 5, "T2": 1, "T3": 1}},
		"it is damaged":                {func(former string) { must(t, os.WriteFile(former, []byte("damaged"), 0o600)) }, true, map[string]int{"T1": 1000, "T3": 1000}},
		"it is gone":                   {func(string) {}, true, map[string]int{"T1": 1000, "T3": 1000}},
		"it is another database's": {func(former string) {
			for give(former, "T1", 7)[0][len("T1-20261121-"):][:2] == tag { // One database in 676 has the same tag by chance.
				must(t, os.Remove(former))
			}
		}, true, map[string]int{"T1": 1000, "T3": 1000}},
	} {
		t.Run(name, func(t *testing.T) {
			place := filepath.Join(t.TempDir(), "till.db")
			c.former(place)
			restored, err := storage.Restore(t.Context(), place, backup, "T1", restoredAt)
			if err != nil || restored.Thousand != c.thousand {
				t.Fatalf("got %+v, %v", restored, err)
			}
			for till, count := range c.given {
				want := []string{
					fmt.Sprintf("%s-20261121-%s-%04d", till, tag, count+1), fmt.Sprintf("%s-%s-C-%06d", till, tag, count+1),
					fmt.Sprintf("%s-%s-%06d", till, tag, count+1), fmt.Sprintf("%s-%s-%04d", till, tag, count+1),
				}
				if got := give(place, till, 1); !slices.Equal(got, want) {
					t.Errorf("the numbers are %v, want %v", got, want)
				}
			}
			if found, err := storage.Verify(t.Context(), place, storage.Checks{Now: time.Now()}); err != nil || found.Found != 0 {
				t.Errorf("verify: %+v, %v", found.Differences, err)
			}
			give(place, "T1", 4)
			if again, err := storage.Restore(t.Context(), place, backup, "T1", restoredAt.Add(time.Hour)); err != nil || again.Thousand {
				t.Errorf("restored again: %+v, %v", again, err)
			}
			if got, want := give(place, "T1", 1)[1], fmt.Sprintf("T1-%s-C-%06d", tag, c.given["T1"]+6); got != want {
				t.Errorf("restored again: the number is %s, want %s", got, want)
			}
		})
	}
}

// numbers issues numbers of a till and returns them: one each for an order, a cash sale, a receipt
// and a closing.
func numbers(t *testing.T, service *drawer.Service, till string) []string {
	t.Helper()
	terms := payments.Terms{Till: till, Items: []payments.Item{{Label: "Vary", UnitPrice: 1000, Quantity: 1}}}
	order, err := service.Checkout(t.Context(), terms)
	must(t, err)
	cash, err := service.Take(t.Context(), terms, drawer.Paying{Tender: drawer.TenderCash})
	must(t, err)
	issued, err := service.IssueReceipt(t.Context(), cash.Number)
	must(t, err)
	closing, err := service.Close(t.Context(), till, "Soa", 0, staff.Identity{})
	must(t, err)
	return []string{order.Reference, cash.Number, issued.Receipt.Number, closing.Number}
}
