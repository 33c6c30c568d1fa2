package storagetest

import (
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/staff"
)

// hostile returns texts with characters that are special in SQL, in patterns or in terminals.
func hostile() []string {
	return []string{
		`'; DROP TABLE orders; --`, `" OR "1"="1`, `%`, `_`, `\`, `\%`, `$1`, `?1`, `:a`, `{{.}}`,
		"\x1b]52;c;aGk=\x07", "line\nfeed", "a\u202eb", "Crème brûlée", "Ampanefena ’ñ", "👩‍🍳", "  ",
	}
}

func searchAnything(t *testing.T, db Database) {
	store := db.Open(t)
	orders := make([]payments.Order, 1010)
	for i := range orders {
		orders[i] = numbered(i)
	}
	insert(t, store, orders...)
	for _, text := range append(hostile(),
		"\x00", "\xff\xfe", strings.Repeat("a", 100_000), strings.Repeat("%", 60_000), strings.Repeat("é_", 5000),
	) {
		if _, err := store.Orders(t.Context(), payments.Query{Search: text}); err != nil {
			t.Errorf("search for %s: %v", fmt.Sprintf("%.40q", text), err)
		}
	}
	for limit, want := range map[int]int{0: 50, 1000: 1000, 1001: 1000} {
		expect(t, fmt.Sprint("limit ", limit), len(find(t, store, payments.Query{Search: "vary", Limit: limit})), want)
	}
}

// longTexts stores events with event names and order references of 256 bytes, the gateway's limit.
// The other texts have at least 60,000 bytes. The letters are random, because an index would
// compress repeated ones.
func longTexts(t *testing.T, db Database) {
	var text strings.Builder
	for text.Len() < 60_000 {
		text.WriteString(rand.Text())
	}
	store, long := db.Open(t), text.String()
	made := numbered(1)
	made.OrderReference = long[:256]
	insert(t, store, made)
	for _, orderReference := range []string{made.OrderReference, long[256:512]} {
		order := made
		order.OrderReference, order.Reference, order.Description = orderReference, long, long
		for _, kind := range []payments.EventKind{payments.PaymentFailed, payments.EventKind(long[:256])} {
			event := event(kind, order, long)
			newShop(store).receive(t, event)
			newShop(store).receive(t, event)
		}
	}
	_, stored := read(t, store, made.OrderReference)
	waiting, err := store.Unmatched(t.Context(), 10)
	check(t, "unmatched", err)
	for _, records := range [][]payments.Record{stored, waiting} {
		if len(records) != 2 || records[0].Event.Error.Text != long || records[0].Count+records[1].Count != 4 {
			t.Errorf("got %d stored events", len(records))
		}
	}
}

func linkEndsNoLater(t *testing.T, db Database) {
	order, end := numbered(1), opening().Add(5*time.Minute+999_999*time.Nanosecond).In(time.FixedZone("EAT", 3*60*60))
	order.Link = payments.Link{URL: "https://pay.example/1", ExpiresAt: end}
	store := db.Open(t)
	insert(t, store, order)
	check(t, "close", store.Close())
	stored, _ := read(t, db.Open(t), order.Reference)
	if lost := end.Sub(stored.Link.ExpiresAt); lost < 0 || lost >= time.Millisecond {
		t.Errorf("the link ends at %v, but at %v after a restart", end, stored.Link.ExpiresAt)
	}
}

func full() payments.Order {
	order := numbered(7)
	order.OrderReference, order.Status, order.Reason = "REF_700007", payments.StatusExpired, payments.Reason{Detail: "Lien expiré"}
	order.Link = payments.Link{URL: "https://pay.example/7", ExpiresAt: opening().Add(10 * time.Minute), Assumed: true}
	order.Facts = payments.Facts{
		PaidAt: opening().Add(3 * time.Minute), SuccessSeen: true, ExpiredSeen: true,
		Attention:      []payments.Attention{payments.AmountMismatch},
		ReportedAmount: "1500.0", ReportedUnit: "MGA",
	}
	order = found(order, payments.Finding{
		Kind: payments.FoundUnpaid, By: "Rado", At: opening().Add(time.Minute), Seen: payments.VerdictUnknown,
	})
	return found(order, payments.Finding{
		Kind: payments.FoundPaid, By: "Hasina", Note: "vu dans l'espace marchand",
		At: opening().Add(time.Hour), Seen: payments.VerdictCheck,
	})
}

// hostileRunes returns characters that must not reach a terminal or a file.
func hostileRunes() []rune {
	return []rune{0x1b, 0x07, '\r', 0x7f, 0x85, 0x9b, 0x202e, 0x200b, 0x2028, 0x2066, 0xfeff}
}

func writtenBySQL(t *testing.T, db Database) {
	store := db.Open(t)
	ref := everyText(t, store)
	literal, inJSON := "'a'", ""
	for _, r := range hostileRunes() {
		literal += fmt.Sprintf(" || %s(%d) || 'b'", db.Char, r)
		inJSON += fmt.Sprintf("\\u%04x", r)
	}
	for table, columns := range map[string]string{
		"orders":      "description debt till sold_by sale link_url error status attention reported_amount reported_unit order_reference rest_of reference",
		"findings":    "kind found_by note seen",
		"order_items": "label", "events": "outcome order_reference", "sales": "name description debt id", "articles": "label code id",
		"cashiers": "role name", "transfers": "kind from_account to_account till moved_by payment ref note",
		"cash_sales": "number sale till description sold_by rest_of", "receipts": "number till ref", "tills": "name", "customers": "code name",
	} {
		for column := range strings.FieldsSeq(columns) {
			db.Script(t, "UPDATE "+table+" SET "+column+" = "+literal)
		}
	}
	db.Script(t, `UPDATE sales SET items = '[{"label":"a`+inJSON+`","unit_price":1,"quantity":1}]'`)
	db.Script(t, `UPDATE cashiers SET tries = '{"T`+inJSON+`":{"failed":1}}'`)
	for what, answer := range everythingRead(t, db.Open(t), ref) {
		check(t, what, answer.err)
		text := fmt.Sprintf("%+v", answer.value)
		if text == "[]" {
			t.Errorf("%s: got no text", what)
		}
		for _, r := range hostileRunes() {
			if strings.ContainsRune(text, r) {
				t.Errorf("%s contains %U", what, r)
			}
		}
	}
}

// everyText stores rows with texts in the tables that writtenBySQL changes. It returns the
// reference that writtenBySQL gives the order.
func everyText(t *testing.T, store Store) (ref string) {
	t.Helper()
	order := full()
	applied := record(event(payments.PaymentFailed, order, "x"))
	applied.Order, applied.Effect = order.Reference, payments.Applied
	insert(t, store, order)
	put(t, store, applied)
	update(t, store, func(tx payments.Tx) error {
		pin := staff.PINHash{Salt: []byte{1}, Sum: []byte{2}, Iterations: 1}
		_, err := tx.ClaimTill("T1", "T1")
		return errors.Join(err, everyDrawerText(tx.(drawer.Tx)), tx.SaveSale(sold("s")),
			tx.SaveArticle(payments.Article{ID: "a", Label: "Vary", UnitPrice: 1, Code: "1"}),
			tx.SaveCashier(staff.Cashier{Name: "Soa", Role: staff.RoleOwner, PIN: pin}))
	})
	ref = "a"
	for _, r := range hostileRunes() {
		ref += string(r) + "b"
	}
	return ref
}

// everythingRead reads all rows with texts, from the store and in a transaction. It returns the
// results by name. It clears the texts of the events, because a store returns these texts
// unchanged.
func everythingRead(t *testing.T, store Store, ref string) map[string]answer {
	t.Helper()
	read := reads(t, store, ref)
	events, _ := read["events"].value.([]payments.Record)
	for i := range events {
		events[i].Event = payments.Event{}
	}
	delete(read, "order that is not there")
	delete(read, "unmatched")
	update(t, store, func(tx payments.Tx) error {
		order, err := tx.Order(ref)
		read["order in a transaction"] = answer{order, err}
		order, err = tx.OrderOf(ref)
		read["order of"] = answer{order, err}
		siblings, err := tx.Siblings(ref)
		read["siblings"] = answer{siblings, err}
		cashiers, err := tx.Cashiers()
		read["cashiers in a transaction"] = answer{cashiers, err}
		name, err := tx.ClaimTill("T1", "another")
		read["name of a till"] = answer{name, err}
		everyDrawerTextRead(tx.(drawer.Tx), ref, read)
		return nil
	})
	return read
}

// HostileText is a text that can harm a terminal, a log or a reader, and the same text cleaned by
// [clean.Text].
type HostileText struct{ Name, Raw, Clean string }

// HostileTexts returns the texts that tests pass to every place where text comes from outside.
func HostileTexts() []HostileText {
	return []HostileText{
		{"NUL", "a\x00b", "ab"},
		{"bell", "a\ab", "ab"},
		{"backspaces that rub out a word", "NOT PAID\b\b\b\b\b\b\b\bPAID", "NOT PAIDPAID"},
		{"a carriage return that draws over a line", "1 500 Ar\rPAID", "1 500 Ar PAID"},
		{"line breaks", "a\n\nPAID\n", "a PAID"},
		{"tabs", "a\t\tb", "a b"},
		{"vertical tab and form feed", "a\vb\fc", "a b c"},
		{"shift out and shift in", "a\x0eb\x0fc", "abc"},
		{"delete", "a\x7fb", "ab"},
		{"colours", "\x1b[32mPAID\x1b[0m", "[32mPAID[0m"},
		{"clearing the screen", "\x1b[2J\x1b[HPAID", "[2J[HPAID"},
		{"moving the cursor", "a\x1b[1A\x1b[9Db", "a[1A[9Db"},
		{"OSC 0, the window's title", "\x1b]0;owned\a", "]0;owned"},
		{"OSC 52, the clipboard", "\x1b]52;c;cm0gLXJm\x1b\\", `]52;c;cm0gLXJm\`},
		{"OSC 8, a link", "\x1b]8;;https://evil.example\x1b\\pay\x1b]8;;\x1b\\", `]8;;https://evil.example\pay]8;;\`},
		{"DCS, a query of the terminal", "\x1bP+q544e\x1b\\", `P+q544e\`},
		{"APC and PM", "\x1b_x\x1b\\\x1b^y\x1b\\", `_x\^y\`},
		{"C1 as UTF-8", "a\u009b31mb\u009d0;x\u009c\u0090", "a31mb0;x"},
		{"C1 as a raw byte", "a\x9b31mb", "a\ufffd31mb"},
		{"next line", "a\u0085b", "a b"},
		{"bidirectional overrides", "amount \u202e0051\u202c", "amount 0051"},
		{"bidirectional isolates and marks", "\u2066a\u2067b\u2068c\u2069\u200e\u200f\u061c", "abc"},
		{"zero-width characters", "P\u200bA\u200cI\u200dD\u2060", "PAID"},
		{"byte order mark and soft hyphen", "\ufeffPA\u00adID", "PAID"},
		{"tag characters", "PAID\U000e0041\U000e007f", "PAID"},
		{"line and paragraph separators", "a\u2028b\u2029c", "a b c"},
		{"private use", "\ue000a\uf8ff\U000f0000\U0010fffd", "a"},
		{"a flood of combining marks", "e" + strings.Repeat("\u0301", 500) + "x", "e" + strings.Repeat("\u0301", 4) + "x"},
		{"broken UTF-8", "caf\xe9 \xc0\xaf\xed\xa0\x80\xf8", "caf\ufffd \ufffd"},
		{"invisible letters and characters that are none", "a\u3164\u115f\u034f\u2065\u0378\uffffb", "ab"},
	}
}

// Harm describes the first part of a text that must not be shown, or returns "" for a clean text.
func Harm(text string) string {
	if !utf8.ValidString(text) {
		return "broken UTF-8"
	}
	marks := 0
	for _, r := range text {
		switch {
		case r < 0x20, r >= 0x7f && r <= 0x9f:
			return fmt.Sprintf("the control character %U", r)
		case unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co, unicode.Cs):
			return fmt.Sprintf("%U", r)
		case unicode.IsMark(r):
			if marks++; marks > 4 {
				return "a flood of marks"
			}
		default:
			marks = 0
		}
	}
	return ""
}
