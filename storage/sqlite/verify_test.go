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
	must(t, err)
	text := fmt.Sprint(found.Differences)
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
	const (
		event, other = "UPDATE events SET %s WHERE sequence = $E", "UPDATE events SET %s WHERE sequence = $U"
		order        = "UPDATE orders SET %s WHERE reference = '$O'"
		items        = "UPDATE order_items SET %s WHERE order_id = (SELECT id FROM orders WHERE reference = '$O')"
	)
	// $E is an applied event, $U an unmatched one, $O a paid order.
	for _, c := range []struct {
		name, statement, set string
		want                 []string
	}{
		{"one byte of a body", event, "body = cast(replace(cast(body AS TEXT), 'REF_', 'REG_') AS BLOB)", []string{"events $E its body is not the one that was received", "events $E its fields are not those of its body"}},
		{"a body that is no event any more", event, "body = x'00'", []string{"events $E its body is no event"}},
		{"the hash of a body", event, "body_sha256 = zeroblob(32)", []string{"events $E its body is not the one that was received"}},
		{"a short hash", event, "body_sha256 = x'00'", []string{"events $E it is not as it was stored"}},
		{"an amount of an event", event, "amount = x'31'", []string{"events $E its fields are not those that were received"}},
		{"a kind of an event", other, "kind = 'payment.success'", []string{"events $U its fields are not those"}},
		{"an identity", event, "id = randomblob(32)", []string{"events $E its fields are not those"}},
		{"an event of no order", event, "order_id = 999999", []string{"events $E its order is not there"}},
		{"an event of another order", event, "order_id = (SELECT min(id) FROM orders WHERE order_reference <> '' AND id <> events.order_id)", []string{"events $E its order has another order_reference"}},
		{"an event that was not applied", event, "order_id = NULL, outcome = 'unmatched'", []string{"events $E its order is there, and it was not applied"}},
		{"an outcome", other, "outcome = 'applied'", []string{"events $U its outcome, its order, its size or its count cannot be"}},
		{"an event that is gone", "DELETE FROM events WHERE %s = (SELECT id FROM orders WHERE reference = '$O')", "order_id", []string{"orders $O its status is success, and by its events pending", "orders $O its paid_at is 2026-"}},
		{"a status", order, "status = 'failed'", []string{"orders $O its status is failed, and by its events success"}},
		{"the proof", order, "paid_at = NULL", []string{"orders $O its paid_at is unset, and by its events 2026-"}},
		{"a fact", order, "success_seen = 0, expired_seen = 1", []string{"orders $O its success_seen is false", "orders $O its expired_seen is true"}},
		{"an amount", order, "amount = amount + 1", []string{"orders $O its amount is "}},
		{"a label", items, "label = 'Thé'", []string{`orders $O its text "Thé" is not what it is found by`}},
		{"a description", order, "description = 'Thé'", []string{`orders $O its text "Thé" is not what it is found by`}},
		{"that it is open", order, "open = 1 - open", []string{"orders $O is kept as open: "}},
		{"items of no order", items, "order_id = 999999", []string{"order_items 999999 the order of these items is not there", "orders $O its amount is "}},
		{"an index that lacks a row", "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET %s WHERE name = 'orders_open'", "sql = replace(sql, 'WHERE open', 'WHERE NOT open')", []string{"file "}},
	} {
		t.Run(c.name, func(t *testing.T) {
			overwrite(t, path, whole)
			places := strings.NewReplacer(
				"$E", fmt.Sprint(count(t, path, "SELECT min(sequence) FROM events WHERE outcome = 'applied' AND kind <> 'payment.success'")),
				"$U", fmt.Sprint(count(t, path, "SELECT min(sequence) FROM events WHERE outcome = 'unmatched'")),
				"$O", paid.Reference)
			script(t, path, places.Replace(fmt.Sprintf(c.statement, c.set)))
			for i := range c.want {
				c.want[i] = places.Replace(c.want[i])
			}
			expectFound(t, path, c.want...)
		})
	}
	t.Run("a zeroed page", func(t *testing.T) {
		page := 4096 * (len(whole) / 4096 / 2)
		clear(whole[page : page+4096])
		overwrite(t, path, whole)
		if found, err := sqlite.Verify(t.Context(), path, true, nil); err == nil && found.Found == 0 {
			t.Error("nothing was found")
		}
	})
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
