package sqlite_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"checkout/till/payments"
	"checkout/till/storage/internal/sqlstore"
	"checkout/till/storage/sqlite"
	"checkout/till/storage/storagetest"
)

// expectFound fails the test unless examining a database finds just these
// differences, each given as TABLE ROW PROBLEM in part.
func expectFound(t *testing.T, path string, want ...string) {
	t.Helper()
	found, err := sqlite.Verify(t.Context(), path, false, storagetest.Decode)
	if err != nil {
		t.Fatal(err)
	}
	lines := []string{}
	for _, difference := range found.Differences {
		lines = append(lines, strings.Join([]string{difference.Table, difference.Row, difference.Problem}, " "))
	}
	text := strings.Join(lines, "\n")
	for _, part := range want {
		if !strings.Contains(text, part) {
			t.Errorf("not found: %s\nfound:\n%s", part, text)
		}
	}
	if len(want) == 0 && found.Found != 0 {
		t.Errorf("found:\n%s", text)
	}
}

func TestS7WhateverMayHappenIsFoundToBeAsItWasStored(t *testing.T) {
	for seed := range uint64(storagetest.Size(2, 20)) {
		path := filepath.Join(t.TempDir(), "till.db")
		store := openAt(t, path)
		storagetest.NewHistory(t, store, seed, 150)
		expectFound(t, path)
		must(t, store.Close())
		expectFound(t, path)
	}
}

func TestS9ARowThatDiffersIsNamed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "till.db")
	store := openAt(t, path)
	h := storagetest.NewHistory(t, store, 1, 60)
	paid := h.Sell()
	h.Deliver(paid, payments.PaymentSuccess)
	must(t, store.Close())
	whole := content(t, path)
	for _, c := range []struct {
		name string
		harm string // SQL; $E is an applied event, $U an unmatched one, $O a paid order.
		want []string
	}{
		{"one byte of a body", `UPDATE events SET body = cast(replace(cast(body AS TEXT), 'REF_', 'REG_') AS BLOB)
			WHERE sequence = $E`, []string{"events $E its body is not the one that was received", "events $E its fields are not those of its body"}},
		{
			"a body that is no event any more", `UPDATE events SET body = x'00' WHERE sequence = $E`,
			[]string{"events $E its body is no event"},
		},
		{
			"the hash of a body", `UPDATE events SET body_sha256 = zeroblob(32) WHERE sequence = $E`,
			[]string{"events $E its body is not the one that was received"},
		},
		{
			"a short hash", `UPDATE events SET body_sha256 = x'00' WHERE sequence = $E`,
			[]string{"events $E event $E is not as it was stored"},
		},
		{
			"an amount of an event", `UPDATE events SET amount = x'31' WHERE sequence = $E`,
			[]string{"events $E its fields are not those that were received"},
		},
		{
			"a kind of an event", `UPDATE events SET kind = 'payment.success' WHERE sequence = $U`,
			[]string{"events $U its fields are not those"},
		},
		{
			"an identity", `UPDATE events SET id = randomblob(32) WHERE sequence = $E`,
			[]string{"events $E its fields are not those"},
		},
		{
			"an event of no order", `UPDATE events SET order_id = 999999 WHERE sequence = $E`,
			[]string{"events $E its order is not there"},
		},
		{
			"an event of another order", `UPDATE events SET order_id = (SELECT min(id) FROM orders WHERE order_reference <> '' AND
			id <> (SELECT order_id FROM events WHERE sequence = $E)) WHERE sequence = $E`,
			[]string{"events $E its order has another order_reference"},
		},
		{
			"an event that was not applied", `UPDATE events SET order_id = NULL, outcome = 'unmatched' WHERE sequence = $E`,
			[]string{"events $E its order is there, and it was not applied"},
		},
		{
			"an outcome", `UPDATE events SET outcome = 'applied' WHERE sequence = $U`,
			[]string{"events $U its outcome, its order, its size or its count cannot be"},
		},
		{
			"an event that is gone", `DELETE FROM events WHERE order_id = (SELECT id FROM orders WHERE reference = '$O')`,
			[]string{"orders $O its status is success, and by its events pending", "orders $O its paid_at is 2026-"},
		},
		{
			"a status", `UPDATE orders SET status = 'failed' WHERE reference = '$O'`,
			[]string{"orders $O its status is failed, and by its events success"},
		},
		{
			"the proof", `UPDATE orders SET paid_at = NULL WHERE reference = '$O'`,
			[]string{"orders $O its paid_at is unset, and by its events 2026-"},
		},
		{
			"a fact", `UPDATE orders SET success_seen = 0, expired_seen = 1 WHERE reference = '$O'`,
			[]string{"orders $O its success_seen is false", "orders $O its expired_seen is true"},
		},
		{
			"an amount", `UPDATE orders SET amount = amount + 1 WHERE reference = '$O'`,
			[]string{"orders $O its amount is "},
		},
		{
			"a label", `UPDATE order_items SET label = 'Thé' WHERE order_id = (SELECT id FROM orders WHERE reference = '$O')`,
			[]string{`orders $O its text "Thé" is not what it is found by`},
		},
		{
			"a description", `UPDATE orders SET description = 'Thé' WHERE reference = '$O'`,
			[]string{`orders $O its text "Thé" is not what it is found by`},
		},
		{
			"that it is open", `UPDATE orders SET open = 1 - open WHERE reference = '$O'`,
			[]string{"orders $O is kept as open: "},
		},
		{
			"items of no order", `UPDATE order_items SET order_id = 999999 WHERE order_id = (SELECT id FROM orders WHERE reference = '$O')`,
			[]string{"order_items 999999 the order of these items is not there", "orders $O its amount is "},
		},
		{
			"an index that lacks a row", `PRAGMA writable_schema = ON;
			UPDATE sqlite_schema SET sql = replace(sql, 'WHERE open', 'WHERE NOT open') WHERE name = 'orders_open'`,
			[]string{"file "},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "till.db")
			overwrite(t, path, whole)
			places := strings.NewReplacer(
				"$E", fmt.Sprint(count(t, path, "SELECT min(sequence) FROM events WHERE outcome = 'applied' AND kind <> 'payment.success'")),
				"$U", fmt.Sprint(count(t, path, "SELECT min(sequence) FROM events WHERE outcome = 'unmatched'")),
				"$O", paid.Reference)
			script(t, path, places.Replace(c.harm))
			for i := range c.want {
				c.want[i] = places.Replace(c.want[i])
			}
			expectFound(t, path, c.want...)
		})
	}
}

func TestS9AZeroedPageIsFound(t *testing.T) {
	path := filepath.Join(t.TempDir(), "till.db")
	store := openAt(t, path)
	storagetest.NewHistory(t, store, 1, 150)
	must(t, store.Close())
	text := content(t, path)
	page := 4096 * (len(text) / 4096 / 2)
	clear(text[page : page+4096])
	overwrite(t, path, text)
	found, err := sqlite.Verify(t.Context(), path, true, nil)
	if err == nil && found.Found == 0 {
		t.Error("nothing was found")
	}
}

func TestADatabaseIsExaminedWhileItIsInUse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "till.db")
	h := storagetest.NewHistory(t, openAt(t, path), 2, 50)
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				h.Step()
			}
		}
	}()
	for range 10 {
		expectFound(t, path)
	}
	close(stop)
	<-stopped
}

func TestWhatCannotBeExaminedIsLeftAsItIs(t *testing.T) {
	folder := t.TempDir()
	empty, tableless := filepath.Join(folder, "empty.db"), whole(t)
	overwrite(t, empty, nil)
	script(t, tableless, "PRAGMA user_version = 0")
	newer := whole(t)
	script(t, newer, "PRAGMA user_version = 99")
	for path, want := range map[string]error{
		filepath.Join(folder, "nothing.db"): os.ErrNotExist, empty: sqlite.ErrEmpty, folder: sqlite.ErrForeign,
		tableless: sqlstore.ErrNoSchema, newer: sqlstore.ErrNewerSchema,
	} {
		if _, err := sqlite.Verify(t.Context(), path, true, nil); !errors.Is(err, want) {
			t.Errorf("%s: error %v, want %v", path, err, want)
		}
	}
	if left := files(t, folder); len(left) != 1 {
		t.Errorf("files %q are left", left)
	}
}
