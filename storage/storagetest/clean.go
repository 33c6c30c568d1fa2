package storagetest

import (
	"fmt"
	"strings"
	"testing"

	"checkout/till/payments"
)

// hostileRunes are what no text may bring to a terminal or into a file.
func hostileRunes() []rune {
	return []rune{0x1b, 0x07, '\r', 0x7f, 0x85, 0x9b, 0x202e, 0x200b, 0x2028, 0x2066, 0xfeff}
}

// RunClean runs the part of the contract that concerns texts which another
// program wrote. create makes an empty database for each test, and returns how
// to run SQL on it; char is the name of the SQL function that makes a character.
func RunClean(t *testing.T, char string, create func(t *testing.T) (Opener, func(t *testing.T, statement string))) {
	t.Helper()
	t.Run("T13 texts that were written by SQL are clean when they are read", func(t *testing.T) {
		open, execute := create(t)
		store := open(t)
		ref := everyText(t, store)
		literal := "'a'"
		for _, r := range hostileRunes() {
			literal += fmt.Sprintf(" || %s(%d) || 'b'", char, r)
		}
		inJSON := ""
		for _, r := range hostileRunes() {
			inJSON += fmt.Sprintf("\\u%04x", r)
		}
		for table, columns := range map[string]string{
			"orders": "description till sale link_url error status attention reported_amount reported_unit finding_by finding_note " +
				"order_reference reference",
			"order_items": "label", "events": "outcome order_reference", "sales": "name description id", "articles": "label code id",
			"cashiers": "role name", "closings": "till closed_by",
		} {
			for column := range strings.FieldsSeq(columns) {
				execute(t, "UPDATE "+table+" SET "+column+" = "+literal)
			}
		}
		execute(t, `UPDATE sales SET items = '[{"label":"a`+inJSON+`","unit_price":1,"quantity":1}]'`)
		execute(t, `UPDATE closings SET sums = '{"paid`+inJSON+`":{"count":1,"amount":1}}'`)
		for what, text := range everythingRead(t, open(t), ref) {
			if text == "" || text == "[]" {
				t.Errorf("%s: nothing was read", what)
			}
			for _, r := range hostileRunes() {
				if strings.ContainsRune(text, r) {
					t.Errorf("%s holds %U", what, r)
				}
			}
		}
	})
}

// everyText stores something with a text in every column, and returns the
// reference that the order has once it was written over.
func everyText(t *testing.T, store Store) (ref string) {
	t.Helper()
	order := full()
	insert(t, store, order)
	applied := record(event(payments.PaymentFailed, order, "x"))
	applied.Order, applied.Outcome = order.Reference, payments.Applied
	put(t, store, applied)
	update(t, store, func(tx payments.Tx) error {
		if err := tx.Sales().SaveSale(sold("s", "T1", 0, "Vary")); err != nil {
			return err
		}
		if err := tx.Sales().SaveArticle(payments.Article{ID: "a", Label: "Vary", UnitPrice: 1, Code: "1"}); err != nil {
			return err
		}
		if err := tx.Staff().SaveCashier(payments.Cashier{
			Name: "Soa", Role: payments.RoleOwner, PIN: payments.PINHash{Salt: []byte{1}, Sum: []byte{2}, Iterations: 1},
		}); err != nil {
			return err
		}
		_, _, err := tx.Staff().InsertClosing(payments.Closing{
			Day: "2026-11-21", Till: "T1", By: "Soa", At: opening(),
			Period: payments.Period{From: opening(), To: opening()},
		})
		return err
	})
	ref = "a"
	for _, r := range hostileRunes() {
		ref += string(r) + "b"
	}
	return ref
}

// everythingRead reads by every method of the port. The fields of an event stay
// as they were sent, and are left out.
func everythingRead(t *testing.T, store Store, ref string) map[string]string {
	t.Helper()
	read := map[string]string{}
	add := func(what string, value any, err error) {
		check(t, what, err)
		read[what] = fmt.Sprintf("%+v", value)
	}
	ctx := t.Context()
	order, events, err := store.Order(ctx, ref)
	for i := range events {
		events[i].Event = payments.Event{}
	}
	add("order", fmt.Sprintf("%+v %+v", order, order.Finding), err)
	add("events", events, err)
	orders, err := store.Orders(ctx, payments.Query{})
	add("orders", orders, err)
	sales, err := store.Sales(ctx, "T1")
	add("sales", sales, err)
	articles, err := store.Articles(ctx)
	add("articles", articles, err)
	period := payments.Period{From: opening().AddDate(-1, 0, 0), To: opening().AddDate(1, 0, 0), Sold: true}
	var counted []payments.Order
	articlesSold, err := store.Takings(ctx, period, func(order payments.Order) bool {
		counted = append(counted, order)
		return true
	})
	add("counted", counted, err)
	add("sold", articlesSold, err)
	update(t, store, func(tx payments.Tx) error {
		order, err := tx.Order(ref)
		add("order in a transaction", order, err)
		order, err = tx.OrderOf(ref)
		add("order of", order, err)
		siblings, err := tx.Siblings(ref)
		add("siblings", siblings, err)
		cashiers, err := tx.Staff().Cashiers()
		add("cashiers", cashiers, err)
		closings, err := tx.Staff().Closings("2026-11-21", "2026-11-21")
		add("closings", closings, err)
		return nil
	})
	return read
}
