package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/staff"
	"checkout/till/storage"
	"checkout/till/storage/internal/sqlstore"
	"checkout/till/storage/sqlite"
	"checkout/till/storage/storagetest"
	"checkout/till/storage/storagetest/disk"
)

// expectFound fails the test unless Verify finds exactly these differences, each
// given as a part of "TABLE ROW PROBLEM".
func expectFound(t *testing.T, path string, want ...string) {
	t.Helper()
	found, err := storage.Verify(t.Context(), path, storage.Checks{Decode: storagetest.Decode, Now: time.Now()})
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

func TestVerifyFindsNoDifferenceAfterARandomHistory(t *testing.T) {
	t.Parallel()
	for seed := range uint64(storagetest.Size(2, 20)) {
		path := filepath.Join(disk.Memory(t), "till.db")
		store := openAt(t, path)
		if seed == 0 { // Every call takes the same steps.
			storagetest.RunDrawer(t, store)
		}
		storagetest.NewHistory(t, store, seed, 150)
		expectFound(t, path)
		must(t, store.Close())
		expectFound(t, path)
	}
}

func TestVerifyNamesTheRowThatDiffers(t *testing.T) {
	path := filepath.Join(disk.Memory(t), "till.db")
	store := openAt(t, path)
	h := storagetest.NewHistory(t, store, 1, 60)
	paid := h.Sell()
	h.Deliver(paid, payments.PaymentSuccess)
	till := drawer.New(store, h.Service)
	cash, err := till.Take(t.Context(), payments.Terms{Till: "T1", By: "Soa", Items: paid.Items}, drawer.Paying{Tender: drawer.TenderCash})
	must(t, err)
	voided, err := till.Take(t.Context(), payments.Terms{Till: "T1", By: "Soa", Items: paid.Items}, drawer.Paying{Tender: drawer.TenderCash})
	must(t, err)
	_, err = till.VoidSale(t.Context(), "T1", voided.Number, "mistake", staff.Identity{})
	must(t, err)
	must(t, till.Refund(t.Context(), "T1", drawer.Given{
		Ref: paid.Reference, InCash: true, Amount: paid.Amount, Net: paid.Amount, Note: "broken",
	}, staff.Identity{}))
	closed, err := till.Close(t.Context(), "T1", "Soa", 0, staff.Identity{})
	must(t, err)
	open, err := till.Take(t.Context(), payments.Terms{Till: "T1", By: "Soa", Items: paid.Items}, drawer.Paying{Tender: drawer.TenderCash})
	must(t, err)
	issued, err := till.IssueReceipt(t.Context(), open.Number)
	must(t, err)
	last := h.Sell()
	h.Deliver(last, payments.PaymentFailed)
	must(t, store.Close())
	whole := content(t, path)
	const (
		event, other = "UPDATE events SET %s WHERE sequence = $E", "UPDATE events SET %s WHERE sequence = $U"
		order        = "UPDATE orders SET %s WHERE reference = '$O'"
		items        = "UPDATE order_items SET %s WHERE order_id = (SELECT id FROM orders WHERE reference = '$O')"
	)
	const (
		eventsOf = "DELETE FROM events WHERE order_id = (SELECT id FROM orders WHERE reference = '%[1]s'); "
		deleted  = eventsOf + "DELETE FROM order_items WHERE order_id = (SELECT id FROM orders WHERE reference = '%[1]s'); " +
			"DELETE FROM orders WHERE reference = '%[1]s'"
		asIfNew  = eventsOf + "UPDATE orders SET status = 'pending', paid_at = NULL, success_seen = 0, open = 1 WHERE reference = '%[1]s'"
		transfer = "UPDATE transfers SET %s WHERE kind = 'closing'" // $C is the ID of the closing.
		changed  = "transfers $C it, or the transfer before it, is not as it was stored"
	)
	// The placeholders are IDs: $E is an applied event, $U an unmatched event, $O a paid order, $L the
	// last order, $N the order after $O, $C a closing in the ledger, and $D the transfer after it.
	for _, c := range []struct {
		name, statement, set string
		want                 []string
	}{
		{"one byte of a body", event, "body = cast(replace(cast(body AS TEXT), 'REF_', 'REG_') AS BLOB)", []string{"events $E its body is not the one that was received", "events $E its fields are not those of its body"}},
		{"a body that is not an event", event, "body = x'00'", []string{"events $E its body is no event"}},
		{"the hash of a body", event, "body_sha256 = zeroblob(32)", []string{"events $E its body is not the one that was received"}},
		{"a short hash", event, "body_sha256 = x'00'", []string{"events $E it is not as it was stored"}},
		{"an amount of an event", event, "amount = x'31'", []string{"events $E its fields are not those that were received"}},
		{"an event of no order", event, "order_id = 999999", []string{"events $E its order is not there"}},
		{"an event of another order", event, "order_id = (SELECT min(id) FROM orders WHERE order_reference <> '' AND id <> events.order_id)", []string{"events $E its order has another order_reference"}},
		{"an event that was not applied", event, "order_id = NULL, outcome = 'unmatched'", []string{"events $E its order is there, and it was not applied"}},
		{"an outcome", other, "outcome = 'applied'", []string{"events $U its outcome, its order, its size or its count cannot be"}},
		{"a deleted event", "DELETE FROM events WHERE %s = (SELECT id FROM orders WHERE reference = '$O')", "order_id", []string{"orders $O its status is success, and by its events pending", "orders $O its paid_at is 2026-"}},
		{"a status", order, "status = 'failed'", []string{"orders $O its status is failed, and by its events success"}},
		{"the time of payment", order, "paid_at = NULL", []string{"orders $O its paid_at is unset, and by its events 2026-"}},
		{"a fact", order, "success_seen = 0, expired_seen = 1", []string{"orders $O its success_seen is false", "orders $O its expired_seen is true"}},
		{"an amount", order, "amount = amount + 1", []string{"orders $O its amount is "}},
		{"a label", items, "label = 'Thé'", []string{`orders $O its text "Thé" is not what it is found by`}},
		{"a description", order, "description = 'Thé'", []string{`orders $O its text "Thé" is not what it is found by`}},
		{"the open flag", order, "open = 1 - open", []string{"orders $O is kept as open: "}},
		{"items of no order", items, "order_id = 999999", []string{"order_items 999999 the order of these items is not there", "orders $O its amount is "}},
		{"an order with its items and its events", "%s", fmt.Sprintf(deleted, "$O"), []string{"orders $N the order that was stored before it is not there", "events  1 of them are not there"}},
		{"the last order", "%s", fmt.Sprintf(deleted, "$L"), []string{"orders $L 1 of the numbers up to this one are not there"}},
		{"an event, with its order reset", "%s", fmt.Sprintf(asIfNew, "$O"), []string{"events  1 of them are not there, and were not dropped as unmatched"}},
		{"the sum of a closing", transfer, "amount = amount - 1", []string{changed, "transfers $C after this closing 1 Ar are in the drawer"}},
		{"the grand total of a closing", transfer, "note = replace(note, 'total ', 'total 1')", []string{changed, "transfers $C its grand total is not the sum of the till's takings"}},
		{"a digest", transfer, "digest = x'00'", []string{changed, "transfers $D it, or the transfer before it, is not as it was stored"}},
		{"a deleted transfer", "DELETE FROM transfers WHERE %s", "kind = 'closing'", []string{"transfers $D 1 transfers before it are not there", "transfers " + closed.Number + " 1 of the numbers up to this one are not there"}},
		{"an inserted transfer", "INSERT INTO transfers SELECT %s, moved_at, booked_at, kind, from_account, to_account, 1, 'T9', '', '', '', 0, '', digest FROM transfers WHERE kind = 'closing'", "(SELECT max(id) + 1 FROM transfers)", []string{"is not as it was stored", "transfers  the last transfer is "}},
		{"transfers that changed places", "UPDATE transfers SET id = -1 WHERE id = $C; UPDATE transfers SET id = $C WHERE id = $D; UPDATE transfers SET id = $D WHERE %s", "id = -1", []string{changed, "transfers $D it, or the transfer before it"}},
		{"a cut tail", "DELETE FROM transfers WHERE %s", "id > $C", []string{"transfers  the last transfer is $C, and should be "}},
		{"the received money", "UPDATE transfers SET %s WHERE ref = '$O'", "amount = amount - 1", []string{"orders $O its money in the ledger is ", "is not as it was stored"}},
		{"a cash sale", "UPDATE cash_sales SET %s", "amount = amount - 1", []string{"cash_sales " + cash.Number + " its money is not in the ledger"}},
		{"the items of a cash sale", "UPDATE cash_sales SET %s WHERE number = '" + cash.Number + "'", "items = '[]'", []string{"cash_sales " + cash.Number + " its amount is ", ", and its items make 0"}},
		{"broken items of a cash sale", "UPDATE cash_sales SET %s WHERE number = '" + cash.Number + "'", "items = 'x'", []string{"cash_sales " + cash.Number + " its items cannot be read"}},
		{"a void", "UPDATE transfers SET %s WHERE kind = 'void' AND ref = '" + voided.Number + "'", "amount = amount - 1", []string{"cash_sales " + voided.Number + " it was voided, and money of it is left", "is not as it was stored"}},
		{"a void of too much", "UPDATE transfers SET %s WHERE kind = 'void' AND ref = '" + voided.Number + "'", "amount = amount + 1", []string{"cash_sales " + voided.Number + " more money was given back than was taken"}},
		{"a refund", "UPDATE transfers SET %s WHERE kind = 'refund' AND ref = '$O'", "amount = amount + 1", []string{"orders $O its refunds are 0 in the merchant area and ", "is not as it was stored"}},
		{"a deleted cash sale", "DELETE FROM cash_sales WHERE %s", "1", []string{"its cash sale is not there"}},
		{"the last cash sale with its money", "DELETE FROM cash_sales WHERE number = '" + open.Number + "'; DELETE FROM transfers WHERE %s", "ref = '" + open.Number + "'", []string{"cash_sales " + open.Number + " 1 of the numbers up to this one are not there"}},
		{"the last receipt", "DELETE FROM receipts WHERE %s", "1", []string{"receipts " + issued.Receipt.Number + " 1 of the numbers up to this one are not there"}},
		{"wrong PINs", "INSERT INTO cashiers %s", "VALUES ('Soa', 'owner', x'00', x'00', 1, 'x')", []string{"cashiers Soa the counts of wrong PINs cannot be read"}},
		{"a trigger", "CREATE TRIGGER %s AFTER UPDATE ON meta BEGIN DELETE FROM cash_sales WHERE amount > 1000; END", "skim", []string{"schema trigger skim this version of till does not create it"}},
		{"a changed trigger", "DROP TRIGGER %[1]s; CREATE TRIGGER %[1]s AFTER INSERT ON orders BEGIN DELETE FROM events; END", "orders_search_insert", []string{"schema trigger orders_search_insert it is not as this version of till creates it"}},
		{"a deleted trigger", "DROP TRIGGER %s", "orders_search_update", []string{"schema trigger orders_search_update it is not there"}},
		{"an index that lacks a row", "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET %s WHERE name = 'orders_open'", "sql = replace(sql, 'WHERE open', 'WHERE NOT open')", []string{"file "}},
	} {
		t.Run(c.name, func(t *testing.T) {
			overwrite(t, path, whole)
			closing := count(t, path, "SELECT id FROM transfers WHERE kind = 'closing'")
			places := strings.NewReplacer(
				"$E", fmt.Sprint(count(t, path, "SELECT min(sequence) FROM events WHERE outcome = 'applied' AND kind <> 'payment.success'")),
				"$U", fmt.Sprint(count(t, path, "SELECT min(sequence) FROM events WHERE outcome = 'unmatched'")),
				"$O", paid.Reference, "$L", last.Reference, "$N", last.Reference, "$C", fmt.Sprint(closing), "$D", fmt.Sprint(closing+1))
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
		if found, err := storage.Verify(t.Context(), path, storage.Checks{Now: time.Now()}); err == nil && found.Found == 0 {
			t.Error("Verify found no difference")
		}
	})
}

// The digests in the ledger prove the order of the transfers, but not that the machine's clock was
// right.
func TestVerifyRemarksOnAChangedClock(t *testing.T) {
	path := filepath.Join(disk.Memory(t), "till.db")
	store := openAt(t, path)
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	till := drawer.New(store, payments.New(store, nil, func() time.Time { return now }))
	for _, day := range []int{21, 22, 20, 19, 28} {
		now = time.Date(2026, 11, day, 9, 0, 0, 0, time.UTC)
		_, err := till.Move(t.Context(), "T1", drawer.Float, 500, "", staff.Identity{})
		must(t, err)
	}
	must(t, store.Close())
	remarks := func(want ...string) {
		t.Helper()
		found, err := storage.Verify(t.Context(), path, storage.Checks{Now: time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)})
		must(t, err)
		var got []string
		for _, remark := range found.Remarks {
			got = append(got, remark.Table+" "+remark.Row+" "+remark.Problem)
		}
		if found.Found != 0 || !slices.Equal(got, want) {
			t.Errorf("got the remarks\n%s", strings.Join(got, "\n"))
		}
	}
	const back = "transfers 3 its time is 2026-11-20T09:00:00Z, and 2 before it has 2026-11-22T09:00:00Z: a clock was changed"
	remarks(back, "transfers 5 its time is 2026-11-28T09:00:00Z, in the future: a clock was changed")
	script(t, path, "INSERT INTO meta (key, value) VALUES ('clock_ahead', 864000000)")
	remarks("meta clock_ahead the till's clock is ahead of the machine's by 240h0m0s, as only the demo's is", back)
}

// The VAT on a closing is the setting of the program that closed.
func TestVerifyRemarksOnAClosingWithAnotherVAT(t *testing.T) {
	path := filepath.Join(disk.Memory(t), "till.db")
	store := openAt(t, path)
	till := drawer.New(store, payments.New(store, nil, time.Now))
	for _, closing := range []struct {
		till string
		vat  int64
	}{{"T1", 20}, {"T2", 0}, {"T1", 20}, {"T1", 0}, {"T1", 0}} {
		_, err := till.Close(t.Context(), closing.till, "Soa", closing.vat, staff.Identity{})
		must(t, err)
	}
	must(t, store.Close())
	found, err := storage.Verify(t.Context(), path, storage.Checks{Now: time.Now()})
	const want = "[{transfers 4 this closing has a VAT of 0 %, and the one before it 20 %}]"
	if err != nil || found.Found != 0 || fmt.Sprint(found.Remarks) != want {
		t.Errorf("got %v, %v", found, err)
	}
}

// The counts of dropped events and of skipped numbers explain missing rows, so they can hide a
// deleted row.
func TestVerifyRemarksOnCountsThatExcuseMissingRows(t *testing.T) {
	path := filepath.Join(disk.Memory(t), "till.db")
	store := openAt(t, path)
	till := drawer.New(store, payments.New(store, nil, time.Now))
	taken, err := till.Take(t.Context(), payments.Terms{Till: "T1", By: "Soa", Items: []payments.Item{{Label: "Vary", UnitPrice: 3500, Quantity: 2}}}, drawer.Paying{Tender: drawer.TenderCash})
	must(t, err)
	must(t, store.Close())
	script(t, path, "DELETE FROM cash_sales; DELETE FROM transfers; UPDATE meta SET transfers = 0, digest = x'' WHERE key = 'change_seq'; "+
		"UPDATE counters SET skipped = 1 WHERE series LIKE 'cash/%'; UPDATE meta SET value = 1 WHERE key = 'dropped'")
	found, err := storage.Verify(t.Context(), path, storage.Checks{Now: time.Now()})
	text := fmt.Sprint(found.Remarks)
	if err != nil || !strings.Contains(text, "{events  1 of them were dropped as unmatched") || !strings.Contains(text, "1 numbers are skipped, and no restored backup is recorded") {
		t.Errorf("%s: %v %v", taken.Number, found, err)
	}
	script(t, path, "INSERT INTO transfers VALUES (1, 0, 0, 'restore', 'drawer/T1', 'drawer/T1', 0, 'T1', 'T1', '', '', 0, '', x'')")
	found, err = storage.Verify(t.Context(), path, storage.Checks{Now: time.Now()})
	if text := fmt.Sprint(found.Remarks); err != nil || strings.Contains(text, "skipped") {
		t.Errorf("after a restore: %s %v", text, err)
	}
}

func TestDroppedUnmatchedEventsAreNoDifference(t *testing.T) {
	path, copied := filepath.Join(disk.Memory(t), "till.db"), filepath.Join(disk.Memory(t), "copy.db")
	store := openAt(t, path)
	var second payments.Record
	for n := range 5 {
		must(t, insert(t, store, n))
		event := storagetest.Success(storagetest.Order(n))
		event.OrderReference += "?" // Matches no order.
		_, err := payments.New(store, nil, time.Now).Receive(t.Context(), event, storagetest.Encode(event))
		must(t, err)
		if n == 1 {
			second = payments.Record{Event: event, ID: event.ID()}
		}
	}
	must(t, store.Update(t.Context(), func(tx payments.Tx) error {
		_, err := tx.TrimUnmatchedEvents(4, 1<<20) // Drops the newest event, which leaves no gap in the sequence.
		return err
	}))
	must(t, store.Remove(t.Context(), second), store.Remove(t.Context(), second))
	must(t, store.Close())
	expectFound(t, path)
	_, err := storage.Copy(t.Context(), path, copied)
	must(t, err)
	expectFound(t, copied)
	script(t, path, "DELETE FROM events WHERE sequence < 4")
	expectFound(t, path, "events  1 of them are not there")
}

// Verify reads the named order as it is now, and the order may be younger than the event.
func TestAReferenceThatAnotherOrderGetsLaterIsNoDifference(t *testing.T) {
	for name, test := range map[string]struct {
		made    time.Duration // Time from the event to the order that it names.
		earlier bool          // Whether this order is stored before the event is.
	}{
		"an order made after the event":                 {time.Minute, false},
		"an order of a till whose clock is behind":      {-time.Minute, false},
		"an order made before the event":                {-time.Minute, true},
		"an order of a till whose clock is ahead":       {time.Minute, true},
		"an order made long before":                     {-time.Hour, true},
		"an order made long after":                      {time.Hour, false},
		"an order of a till whose clock is a day ahead": {24 * time.Hour, true},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(disk.Memory(t), "till.db")
			store := openAt(t, path)
			paid, named := storagetest.Order(1), storagetest.Order(2)
			came := paid.CreatedAt.Add(time.Minute)
			named.CreatedAt = came.Add(test.made)
			must(t, insert(t, store, 1))
			add := func() {
				must(t, store.Update(t.Context(), func(tx payments.Tx) error { return tx.InsertOrder(named) }))
			}
			if test.earlier {
				add()
			}
			event := storagetest.Success(paid)
			event.Reference = payments.TextValue(named.Reference)
			_, err := payments.New(store, nil, func() time.Time { return came }).Receive(t.Context(), event, storagetest.Encode(event))
			must(t, err)
			if !test.earlier {
				add()
			}
			expectFound(t, path)
		})
	}
}

// The test of Open has the other files that are refused.
func TestVerifyRefusesInvalidFilesWithoutAChange(t *testing.T) {
	folder, tableless := t.TempDir(), whole(t)
	script(t, tableless, "DROP TABLE meta")
	for path, want := range map[string]error{
		filepath.Join(folder, "nothing.db"): os.ErrNotExist, folder: sqlite.ErrForeign, tableless: sqlstore.ErrNoSchema,
	} {
		if _, err := storage.Verify(t.Context(), path, storage.Checks{Now: time.Now()}); !errors.Is(err, want) {
			t.Errorf("%s: error %v, want %v", path, err, want)
		}
	}
	if left := files(t, folder); len(left) != 0 {
		t.Errorf("got files %q, want none", left)
	}
}

func TestABackupDuringWritesIsASnapshot(t *testing.T) {
	t.Parallel()
	const orders = 400
	path := filepath.Join(disk.Memory(t), "till.db")
	store := openAt(t, path)
	for n := range orders {
		must(t, insert(t, store, n))
	}
	service := payments.New(store, nil, func() time.Time { return storagetest.Order(0).CreatedAt })
	var received atomic.Int64
	var group sync.WaitGroup
	group.Go(func() {
		for n := range orders {
			event := storagetest.Success(storagetest.Order(n))
			if _, err := service.Receive(t.Context(), event, storagetest.Encode(event)); err != nil {
				t.Error(err)
			}
			received.Add(1)
		}
	})
	for n := 0; received.Load() < orders; n++ {
		before := received.Load()
		copied, err := sqlite.Backup(t.Context(), path, filepath.Join(t.TempDir(), "copy.db"))
		after := received.Load()
		must(t, err)
		if copied.Orders != orders || copied.Events < before || copied.Events > after+1 {
			t.Errorf("received %d events before the backup and %d when it ended; it has %d", before, after, copied.Events)
		}
		expectPrefix(t, copied)
		expectFound(t, path) // Verify also works while the database is written.
	}
	group.Wait()
}

// expectPrefix fails the test unless a backup contains exactly the events up to some sequence
// number, and can be opened as a database.
func expectPrefix(t *testing.T, copied sqlite.BackupResult) {
	t.Helper()
	expectMode(t, copied.Path, 0o600)
	expectFound(t, copied.Path)
	if left := files(t, filepath.Dir(copied.Path)); !slices.Equal(left, []string{filepath.Base(copied.Path)}) {
		t.Errorf("got files %q, want only the backup", left)
	}
	if about, err := os.Stat(copied.Path); err != nil || about.Size() != copied.Bytes {
		t.Errorf("the backup has %d bytes, its result says %d (%v)", about.Size(), copied.Bytes, err)
	}
	if last := count(t, copied.Path, "SELECT coalesce(max(sequence), 0) FROM events"); int64(last) != copied.Events {
		t.Errorf("the backup has %d events, and its last sequence number is %d", copied.Events, last)
	}
	store := openAt(t, copied.Path)
	must(t, insert(t, store, 10_000), store.Close())
}

func TestAFailedBackupChangesNoFile(t *testing.T) {
	path, folder := whole(t), t.TempDir()
	there, link, target := filepath.Join(folder, "there.db"), filepath.Join(folder, "link.db"), filepath.Join(folder, "copy.db")
	overwrite(t, there, []byte("mine"))
	must(t, os.Symlink(filepath.Join(folder, "nowhere"), link))
	empty, damaged := filepath.Join(t.TempDir(), "empty.db"), whole(t)
	overwrite(t, empty, nil)
	text := content(t, damaged)
	for i := 4096; i < len(text); i++ { // Overwrite every page after the first one: the file can be opened, but not be copied.
		text[i] = 0xff
	}
	overwrite(t, damaged, text)
	ended, end := context.WithCancel(t.Context())
	end()
	for _, c := range []struct {
		ctx          context.Context
		from, target string
		want         error
	}{
		{t.Context(), path, there, sqlite.ErrExists},
		{t.Context(), path, link, sqlite.ErrExists},
		{t.Context(), path, path, sqlite.ErrExists},
		{t.Context(), path, folder, sqlite.ErrExists},
		{t.Context(), path, filepath.Join(folder, "no", "such.db"), os.ErrNotExist},
		{t.Context(), empty, target, sqlite.ErrEmpty},
		{t.Context(), damaged, target, sqlite.ErrDamaged},
		{ended, path, target, context.Canceled},
	} {
		if _, err := sqlite.Backup(c.ctx, c.from, c.target); !errors.Is(err, c.want) {
			t.Errorf("%s to %s: error %v, want %v", c.from, c.target, err, c.want)
		}
	}
	if string(content(t, there)) != "mine" || len(files(t, folder)) != 2 {
		t.Errorf("the files changed: %q", files(t, folder))
	}
}
