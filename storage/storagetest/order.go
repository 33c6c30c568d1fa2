package storagetest

import (
	"errors"
	"testing"
	"time"

	"checkout/till/payments"
)

func orderTests() []test {
	return []test{
		{"comes back as it was stored", orderComesBack},
		{"keeps every fact through a save", factsComeBack},
		{"keeps its terms whatever is saved", termsStay},
		{"keeps texts that mean something to SQL", hostileTexts},
		{"is found by its reference and by its order reference", foundByBoth},
		{"that is not there is not found", notThere},
		{"cannot take another order's reference", referenceTaken},
		{"cannot take another order's order reference", orderReferenceTaken},
		{"may learn, keep and change its order reference", orderReferenceChanges},
		{"keeps the order reference that it has events under", orderReferenceKept},
		{"knows the orders of its sale", siblings},
		{"S12 has no more time for its link after a restart", linkEndsNoLater},
	}
}

func linkEndsNoLater(t *testing.T, open Opener) {
	for _, end := range []time.Time{
		opening().Add(5*time.Minute + 999_999*time.Nanosecond),
		opening().Add(5 * time.Minute).In(time.FixedZone("EAT", 3*60*60)),
	} {
		order := numbered(1)
		order.Link = payments.Link{URL: "https://pay.example/1", ExpiresAt: end}
		store := open(t)
		update(t, store, func(tx payments.Tx) error {
			if err := tx.InsertOrder(order); !errors.Is(err, payments.ErrReferenceTaken) {
				return err
			}
			return tx.SaveOrder(order)
		})
		check(t, "close", store.Close())
		stored, _ := read(t, open(t), order.Reference)
		if lost := end.Sub(stored.Link.ExpiresAt); lost < 0 || lost >= time.Millisecond {
			t.Errorf("the link ends at %v, and %v after a restart", end, stored.Link.ExpiresAt)
		}
	}
}

// full is an order with every field set.
func full() payments.Order {
	order := numbered(7)
	order.OrderReference = "REF_700007"
	order.Link = payments.Link{
		URL: "https://pay.example/7", ExpiresAt: opening().Add(10*time.Minute + 250*time.Millisecond), Assumed: true,
	}
	order.Status, order.Error = payments.StatusExpired, "Lien expiré"
	order.Facts = payments.Facts{
		PaidAt: opening().Add(3 * time.Minute), SuccessSeen: true, ExpiredSeen: true, GivenUp: true,
		NotSent: true, Acknowledged: true, Superseded: true,
		Attention:      []payments.Attention{payments.AmountMismatch, payments.Contradicted},
		ReportedAmount: "1500.0", ReportedUnit: "MGA",
	}
	order.Finding = &payments.Finding{
		Paid: true, By: "Hasina", Note: "vu dans l'espace marchand", At: opening().Add(time.Hour), Stale: true,
	}
	return order
}

func orderComesBack(t *testing.T, open Opener) {
	for name, order := range map[string]payments.Order{"bare": numbered(1), "full": full()} {
		store := open(t)
		insert(t, store, order)
		stored, events := read(t, store, order.Reference)
		expect(t, name, stored, order)
		expect(t, name+": events", len(events), 0)
		listed, err := store.Orders(t.Context(), payments.Query{Limit: 1, Search: order.Reference})
		check(t, "read orders", err)
		expect(t, name+": listed", listed, []payments.Order{order})
		order.Items = nil
		update(t, store, func(tx payments.Tx) error {
			inside, err := tx.Order(order.Reference)
			expect(t, name+": in a transaction", inside, order)
			return err
		})
		check(t, "close", store.Close())
	}
}

func factsComeBack(t *testing.T, open Opener) {
	store := open(t)
	before, after := numbered(7), full()
	insert(t, store, before)
	update(t, store, func(tx payments.Tx) error { return tx.SaveOrder(after) })
	stored, _ := read(t, store, after.Reference)
	expect(t, "after a save", stored, after)
	update(t, store, func(tx payments.Tx) error { return tx.SaveOrder(before) })
	stored, _ = read(t, store, before.Reference)
	expect(t, "saved back", stored, before)
}

func termsStay(t *testing.T, open Opener) {
	store := open(t)
	order := numbered(1)
	insert(t, store, order)
	changed := order
	changed.Sale, changed.Till, changed.Amount, changed.Description = "other", "T9", 1, "other"
	changed.CreatedAt, changed.Items = opening().Add(time.Hour), nil
	update(t, store, func(tx payments.Tx) error { return tx.SaveOrder(changed) })
	stored, _ := read(t, store, order.Reference)
	expect(t, "terms", stored, order)
}

// hostile are texts that mean something to SQL, to patterns or to terminals.
func hostile() []string {
	return []string{
		`'; DROP TABLE orders; --`, `" OR "1"="1`, `%`, `_`, `\`, `\%`, `$1`, `?1`, `:a`, `{{.}}`,
		"\x1b]52;c;aGk=\x07", "line\nfeed", "a\u202eb", "Crème brûlée", "Ampanefena ’ñ", "👩‍🍳", "  ",
	}
}

func hostileTexts(t *testing.T, open Opener) {
	store := open(t)
	for i, text := range hostile() {
		order := numbered(i)
		order.Description, order.Error, order.Till, order.Sale = text, text, text, text
		order.Items = []payments.Item{{Label: text, UnitPrice: 1, Quantity: 1}}
		order.Finding = &payments.Finding{By: text, Note: text, At: opening()}
		insert(t, store, order)
		expect(t, "found by its till", find(t, store, payments.Query{Till: text}), []string{order.Reference})
		for _, place := range []*string{
			&order.Description, &order.Error, &order.Till, &order.Sale, &order.Items[0].Label, &order.Finding.By, &order.Finding.Note,
		} {
			*place = payments.Clean(*place, 100)
		}
		stored, _ := read(t, store, order.Reference)
		expect(t, "stored", stored, order)
	}
}

func foundByBoth(t *testing.T, open Opener) {
	bare, hostile := numbered(8), full()
	bare.OrderReference = "REF_700008"
	hostile.Reference, hostile.OrderReference = numbered(9).Reference, "REF_700009"
	hostile.Description, hostile.Error = "a,b|", ",'"
	for name, order := range map[string]payments.Order{"bare": bare, "full": full(), "hostile": hostile} {
		store := open(t)
		insert(t, store, order)
		for _, ref := range []string{order.Reference, order.OrderReference} {
			stored, _ := read(t, store, ref)
			expect(t, name+" by "+ref, stored, order)
		}
		order.Items = nil
		update(t, store, func(tx payments.Tx) error {
			inside, err := tx.OrderOf(order.OrderReference)
			expect(t, name+": in a transaction", inside, order)
			return err
		})
		check(t, "close", store.Close())
	}
}

func notThere(t *testing.T, open Opener) {
	store := open(t)
	insert(t, store, numbered(1)) // Its order reference is blank; nobody may find it by that.
	for _, ref := range []string{"nobody", "", " ", "REF_1"} {
		_, _, err := store.Order(t.Context(), ref)
		expectError(t, "order", err, payments.ErrNotFound)
		update(t, store, func(tx payments.Tx) error {
			_, err := tx.Order(ref)
			expectError(t, "order in a transaction", err, payments.ErrNotFound)
			_, err = tx.OrderOf(ref)
			expectError(t, "order of", err, payments.ErrNotFound)
			return nil
		})
	}
	err := store.Update(t.Context(), func(tx payments.Tx) error { return tx.SaveOrder(numbered(2)) })
	expectError(t, "save", err, payments.ErrNotFound)
}

func referenceTaken(t *testing.T, open Opener) {
	store := open(t)
	first, second := numbered(1), numbered(2)
	second.Reference = first.Reference
	insert(t, store, first)
	err := store.Update(t.Context(), func(tx payments.Tx) error { return tx.InsertOrder(second) })
	expectError(t, "insert", err, payments.ErrReferenceTaken)
	stored, _ := read(t, store, first.Reference)
	expect(t, "the first", stored, first)
}

func orderReferenceTaken(t *testing.T, open Opener) {
	store := open(t)
	first, second, third := numbered(1), numbered(2), numbered(3)
	first.OrderReference, third.OrderReference = "REF_1", "REF_1"
	insert(t, store, first, second)
	second.OrderReference = "REF_1"
	err := store.Update(t.Context(), func(tx payments.Tx) error { return tx.SaveOrder(second) })
	expectError(t, "save", err, payments.ErrOrderReferenceTaken)
	err = store.Update(t.Context(), func(tx payments.Tx) error { return tx.InsertOrder(third) })
	expectError(t, "insert", err, payments.ErrOrderReferenceTaken)
	expect(t, "orders", find(t, store, payments.Query{}), []string{second.Reference, first.Reference})
}

func orderReferenceChanges(t *testing.T, open Opener) {
	store := open(t)
	order := numbered(1)
	insert(t, store, order)
	for _, name := range []string{"REF_1", "REF_1", "REF_2"} {
		order.OrderReference = name
		update(t, store, func(tx payments.Tx) error { return tx.SaveOrder(order) })
		stored, _ := read(t, store, name)
		expect(t, name, stored, order)
	}
	_, _, err := store.Order(t.Context(), "REF_1")
	expectError(t, "the old name", err, payments.ErrNotFound)
}

func orderReferenceKept(t *testing.T, open Opener) {
	store := open(t)
	order := full()
	insert(t, store, order)
	r := record(event(payments.PaymentSuccess, order, "x"))
	r.Order, r.Outcome = order.Reference, payments.Applied
	put(t, store, r)
	changed := order
	changed.OrderReference = "REF_other"
	err := store.Update(t.Context(), func(tx payments.Tx) error { return tx.SaveOrder(changed) })
	expectError(t, "save", err, payments.ErrOrderReferenceTaken)
	stored, events := read(t, store, order.Reference)
	expect(t, "the order", stored, order)
	expect(t, "events", len(events), 1)
}

func siblings(t *testing.T, open Opener) {
	store := open(t)
	var want []payments.Order
	for i := range 4 {
		order := numbered(i)
		order.Sale = []string{"this", "this", "that", ""}[i]
		insert(t, store, order)
		order.Items = nil
		want = append(want, order)
	}
	for sale, orders := range map[string][]payments.Order{
		"this": want[:2], "that": want[2:3], "": {}, "none": {},
	} {
		update(t, store, func(tx payments.Tx) error {
			found, err := tx.Siblings(sale)
			if len(found)+len(orders) > 0 {
				expect(t, "sale "+sale, found, orders)
			}
			return err
		})
	}
}
