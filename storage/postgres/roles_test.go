package postgres_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
	"checkout/till/payments/secret"
	"checkout/till/payments/staff"
	"checkout/till/storage"
	"checkout/till/storage/postgres"
	"checkout/till/storage/storagetest"
	"checkout/till/storage/storagetest/postgrestest"
)

func as(t *testing.T, address, user string) string {
	t.Helper()
	parsed, err := url.Parse(address)
	must(t, err)
	parsed.User = url.User(user)
	return parsed.String()
}

// staffed makes a database with till's roles and a user for each role. It returns the address of
// the database for each user.
func staffed(t *testing.T) (owner, listener, console string) {
	t.Helper()
	address := postgrestest.Database(t)
	must(t, openAt(t, address).Close())
	for range 2 { // The script can be run twice.
		_, err := postgrestest.Try(t, address, postgres.Roles())
		must(t, err)
	}
	name := postgrestest.Name(address)
	for _, role := range []string{"owner", "listener", "console"} {
		postgrestest.Script(t, address, "CREATE USER "+role+"_"+name+" IN ROLE till_"+role)
	}
	return as(t, address, "owner_"+name), as(t, address, "listener_"+name), as(t, address, "console_"+name)
}

// gateway is a payment service that answers an order call with the order reference in next. If next
// is empty, the call fails with ErrNoAnswer.
type gateway struct{ next string }

func (g *gateway) Create(context.Context, payments.Order) (payments.Created, error) {
	if g.next == "" {
		return payments.Created{}, payments.ErrNoAnswer
	}
	return payments.Created{OrderReference: g.next, CheckoutURL: "https://pay.example/1", ExpiresMinutes: 10}, nil
}

func eventOf(orderReference string, kind payments.EventKind) payments.Event {
	return payments.Event{
		Kind: kind, OrderReference: orderReference, Amount: payments.AmountValue(7000),
		Currency: payments.TextValue(payments.Currency),
	}
}

// hear delivers an event to a listener that connects to an address.
func hear(t *testing.T, address string, event payments.Event) {
	t.Helper()
	_, err := payments.New(openAt(t, address), nil, time.Now).Receive(t.Context(), event, []byte("{}"))
	must(t, err)
}

// checkout creates an order of 7,000 Ar. next is its order reference; if next is empty, the payment
// service does not answer.
func checkout(t *testing.T, store payments.Store, next string) payments.Order {
	t.Helper()
	order, err := payments.New(store, &gateway{next}, time.Now).Checkout(t.Context(), payments.Terms{Till: "T1", Items: items()})
	if (err == nil) != (next != "") {
		t.Fatal(err)
	}
	return order
}

func items() []payments.Item { return []payments.Item{{Label: "Vary", UnitPrice: 3500, Quantity: 2}} }

func TestAProbeSaysWhatToDoAboutAMissingRight(t *testing.T) {
	owner, _, console := staffed(t)
	store := openAt(t, console)
	must(t, store.Probe(t.Context()))
	postgrestest.Script(t, owner, "REVOKE UPDATE ON meta FROM till_console")
	if err := store.Probe(t.Context()); err == nil || !strings.Contains(err.Error(), "the user needs rights on till's tables") {
		t.Errorf("got the error %v", err)
	}
}

func TestEachRoleCanDoItsWork(t *testing.T) {
	owner, listenerAt, consoleAt := staffed(t)
	listening, console, ctx := openAt(t, listenerAt), openAt(t, consoleAt), t.Context()
	must(t, listening.Probe(ctx), console.Probe(ctx))
	must(t, listening.SignOfLife(ctx, "a:1"), listening.EndSigns(ctx, "a:1"))
	if version, owns, err := console.Server(ctx); err != nil || owns || version == "" {
		t.Errorf("the console's user owns the tables: %v, server version %q, error %v", owns, version, err)
	}
	till := storagetest.NewHistory(t, console, 1, 0)
	till.Resume(console, listening)
	till.Steps(200)

	boss := payments.New(openAt(t, owner), nil, time.Now, payments.WithPINIterations(2))
	who := staff.Identity{Name: "Soa", PIN: secret.New("4711")}
	_, added := boss.AddCashier(ctx, who.Name, "", who.PIN, staff.Identity{})
	// The owner's database user changes a cashier's PIN.
	must(t, added, boss.ChangePIN(ctx, who.Name, secret.New("0815"), who))
	who.PIN = secret.New("0815")
	expectTriesCounted(t, till.Service, who)
	sold := till.Sell()
	till.Deliver(sold, payments.PaymentFailed)
	counter := drawer.New(console, till.Service)
	_, found := counter.Resolve(ctx, sold.Reference, payments.Finding{Kind: payments.FoundPaid, Seen: payments.VerdictNotPaid}, who)
	cash, taken := counter.Take(ctx, payments.Terms{Till: "T1", Items: items()}, drawer.Paying{Tender: drawer.TenderCash})
	given := drawer.Given{Ref: cash.Number, InCash: true, Amount: 1000, Net: cash.Amount, Note: "broken"}
	must(t, taken, counter.Refund(ctx, "T1", given, who))
	_, voided := counter.VoidSale(ctx, "T1", cash.Number, "mistake", who)
	expectDebtPaid(t, console, listening, who)
	_, counted := counter.Move(ctx, "T1", drawer.Count, 0, "", who)
	_, issued := counter.IssueReceipt(ctx, sold.Reference)
	_, closed := counter.Close(ctx, "T1", "", 0, who)
	must(t, voided, counted, issued)
	_, recovered := till.Recover(ctx, "T1")
	_, reported := counter.Day(ctx, money.Period{From: sold.CreatedAt, To: sold.CreatedAt.Add(time.Hour), Sold: true})
	strays, read := console.Unmatched(ctx, 1)
	must(t, found, closed, recovered, reported, read, till.Review(ctx, strays[0], who))
	must(t, listening.Update(ctx, func(tx payments.Tx) error { _, err := tx.TrimUnmatchedEvents(2, 1<<20); return err }))
	must(t, listening.Update(ctx, func(tx payments.Tx) error { return postThereAndBack(tx, sold) }))
	if left, err := console.Unmatched(ctx, 10); err != nil || len(left) != 2 {
		t.Errorf("got %d unmatched events, want 0 (%v)", len(left), err)
	}
	expectFound(t, owner, 0)
}

// expectDebtPaid uses the rights of each role for a debt. The console's user sells on account and
// renames the debt. The listener's user stores a payment by link, and the console's user forgets
// the customer.
func expectDebtPaid(t *testing.T, console, listening storagetest.Store, who staff.Identity) {
	t.Helper()
	ctx := t.Context()
	counter := drawer.New(console, payments.New(console, &gateway{next: "REF_debt"}, time.Now))
	sold, err := counter.Take(ctx, payments.Terms{Till: "T1", Items: items()}, drawer.Paying{Tender: drawer.TenderAccount, Customer: "Rasoa", New: true})
	must(t, err)
	order, err := counter.Checkout(ctx, payments.Terms{Till: "T1", Sale: "debt", Debt: sold.Account, Items: items()})
	must(t, err, counter.Rename(ctx, "T1", "Rasoa", "Rasoa Jean", who))
	_, err = payments.New(listening, nil, time.Now).Receive(ctx, eventOf(order.OrderReference, payments.PaymentSuccess), nil)
	must(t, err, counter.Forget(ctx, "Rasoa Jean", who))
}

// postThereAndBack adds the transfer that an event posts for an order's money at the payment
// service, and then the transfer back.
func postThereAndBack(tx payments.Tx, order payments.Order) error {
	there := ledger.Transfer{
		Kind: ledger.Sale, From: ledger.Sales, To: ledger.Service, Amount: order.Amount, Till: order.Till,
		Payment: ledger.Payment{Kind: ledger.ByOrder, Ref: order.Reference},
	}
	back := there
	back.From = there.To
	back.To = there.From
	if err := tx.Post(there); err != nil {
		return err
	}
	return tx.Post(back)
}

// expectTriesCounted fails the test unless a till counts the wrong PINs of the
// only cashier and resets the count after the right PIN.
func expectTriesCounted(t *testing.T, till *payments.Service, who staff.Identity) {
	t.Helper()
	wrong := staff.Identity{Name: who.Name, PIN: secret.New("2589")}
	for _, try := range []struct {
		who    staff.Identity
		want   error
		failed int
	}{{wrong, staff.ErrWrongPIN, 1}, {wrong, staff.ErrWrongPIN, 2}, {who, nil, 0}} {
		err := till.Review(t.Context(), payments.Record{}, try.who)
		cashiers, read := till.Cashiers(t.Context())
		must(t, read)
		if counted := cashiers[0].Tries[""].Failed; !errors.Is(err, try.want) || counted != try.failed {
			t.Errorf("error %v, got %d counted wrong PINs", err, counted)
		}
	}
}

// expectFound fails the test unless Verify finds this number of differences. It returns them as a
// text. The wrong clock of this machine does not count.
func expectFound(t *testing.T, address string, want int64) string {
	t.Helper()
	found, err := storage.Verify(t.Context(), address, storage.Checks{Now: time.Now().AddDate(-1, 0, 0)})
	if err != nil || found.Found != want || strings.Contains(fmt.Sprint(found.Remarks), "in the future") {
		t.Errorf("%+v %v", found, err)
	}
	return fmt.Sprint(found.Differences)
}

// attacked makes a shop with three orders of 7,000 Ar: the first one is pending, the second one is
// paid, and the third one belongs to another till. It also stores an unmatched success of 7,000 Ar.
func attacked(t *testing.T) (owner, listener, console string) {
	t.Helper()
	owner, listener, console = staffed(t)
	for _, next := range []string{"REF_1", "REF_2", "REF_3"} {
		checkout(t, openAt(t, console), next)
	}
	hear(t, listener, eventOf("REF_1", payments.PaymentFailed))
	hear(t, listener, eventOf("REF_2", payments.PaymentSuccess))
	hear(t, listener, eventOf("REF_stray", payments.PaymentSuccess))
	return owner, listener, console
}

// another returns an INSERT statement for a copy of the order whose ID is like. The parameter but
// contains the columns to replace, as SQL: pairs of a name and a value.
func another(like int, but string) string {
	const columns = `reference, sale, till, amount, total, rest_of, debt, description, created_at, order_reference, search,
		link_url, expires_at, link_assumed, status, error, paid_at, success_seen, expired_seen, given_up, not_sent,
		acknowledged, superseded, paid_otherwise, sent_at, attention, reported_amount, reported_unit, open`
	return fmt.Sprintf("INSERT INTO orders (%s) SELECT %[1]s FROM (SELECT "+
		"(jsonb_populate_record(o, jsonb_build_object('reference', 'copied', %s))).* FROM orders o WHERE id = %d) AS copied", columns, but, like)
}

func finding(position int) string {
	return fmt.Sprintf("INSERT INTO findings VALUES (1, %d, 'unpaid', 'Soa', '', 1, 'waiting')", position)
}

// callPaid is SQL that marks the first order as paid without a payment.
const callPaid = "UPDATE orders SET paid_at = (SELECT max(received_at) FROM events), success_seen = true, status = 'success' WHERE id = 1"

func TestNoRoleCanDoMoreThanItMust(t *testing.T) {
	owner, listener, console := attacked(t)
	checkout(t, openAt(t, console), "")
	type attack struct{ what, text string }
	everybody := []attack{
		{"delete an order", "DELETE FROM orders"},
		{"delete items", "DELETE FROM order_items"},
		{"change items", "UPDATE order_items SET quantity = 1"},
		{"empty a table", "TRUNCATE events"},
		{"alter a table", "ALTER TABLE orders ADD COLUMN x integer"},
		{"drop a table", "DROP TABLE order_items"},
		{"make a table", "CREATE TABLE x (y integer)"},
		{"make a temporary table", "CREATE TEMPORARY TABLE events (order_id bigint, kind text)"},
		{"drop a trigger", "DROP TRIGGER guard_order ON orders"},
		{"disable the triggers of a table", "ALTER TABLE events DISABLE TRIGGER ALL"},
		{"disable all triggers", "SET session_replication_role = replica"},
		{"change the tag of the database", "UPDATE meta SET value = value + 1 WHERE key = 'tag'"},
		{"give a till another's code", "UPDATE tills SET name = 'T2'"},
		{"free the code of a till", "DELETE FROM tills"},
		{"hide a gap in the numbers", "UPDATE counters SET skipped = 1"},
		{"set the schema's version", "UPDATE meta SET value = value + 1 WHERE key = 'schema'"},
		{"become the owner", "SET ROLE till_owner"},
		{"change an amount", "UPDATE orders SET amount = 1"},
		{"change a description", "UPDATE orders SET description = 'x'"},
		{"rename an order", "UPDATE orders SET reference = 'x' WHERE id = 1"},
		{"move an order into another sale", "UPDATE orders SET sale = 'x'"},
		{"take a payment back", "UPDATE orders SET paid_at = NULL WHERE id = 2"},
		{"take all of a payment back", "UPDATE orders SET status = 'failed', paid_at = NULL, success_seen = false WHERE id = 2"},
		{"forget that a success came", "UPDATE orders SET status = 'failed', success_seen = false WHERE id = 2"},
		{"move a payment into another day", "UPDATE orders SET paid_at = 1 WHERE id = 2"},
		{"give an order another order reference", "UPDATE orders SET order_reference = 'REF_stray' WHERE id = 1"},
		{"take an order's order reference", "UPDATE orders SET order_reference = '' WHERE id = 2"},
		{"give an order another link", "UPDATE orders SET link_url = 'https://pay.example/x' WHERE id = 1"},
		{"make a link last longer", "UPDATE orders SET expires_at = expires_at + 1 WHERE id = 1"},
		{"call an order paid", callPaid},
		{"call an order a success", "UPDATE orders SET status = 'success' WHERE id = 1"},
		{"change what an event says", "UPDATE events SET body = '\\x00'"},
		{"make a failure a success", "UPDATE events SET kind = 'payment.success'"},
		{"unlink an event", "UPDATE events SET order_id = NULL WHERE order_id = 2"},
		{"unlink an event that comes again", `INSERT INTO events SELECT e.* FROM events e WHERE order_id = 2
			ON CONFLICT (order_reference, id) DO UPDATE SET order_id = NULL`},
		{"link an event to another order", "UPDATE events SET order_id = 1 WHERE order_id = 2"},
		{"delete an event that an order has", "DELETE FROM events WHERE order_id = 2"},
		{"change the outcome of an event that an order has", "UPDATE events SET outcome = 'noticed' WHERE order_id = 2"},
		{"add a cashier", "INSERT INTO cashiers VALUES ('Me', 'owner', '\\x00', '\\x00', 1, '{}')"},
		{"add a cashier where one may be", "INSERT INTO cashiers VALUES ('Soa', 'owner', '\\x00', '\\x00', 1, '{}') ON CONFLICT (name) DO UPDATE SET tries = '{}'"},
		{"rename a cashier", "UPDATE cashiers SET name = 'Me'"},
		{"make a cashier an owner", "UPDATE cashiers SET role = 'owner'"},
		{"change a PIN", "UPDATE cashiers SET sum = '\\x00'"},
		{"change a PIN and its tries", "UPDATE cashiers SET tries = '{}', sum = '\\x00'"},
		{"change the salt of a PIN", "UPDATE cashiers SET salt = '\\x00'"},
		{"change the iterations of a PIN", "UPDATE cashiers SET iterations = 1"},
		{"remove all cashiers", "TRUNCATE cashiers"},
		{"remove a cashier", "DELETE FROM cashiers"},
		{"remove the change sequence", "UPDATE meta SET key = 'x' WHERE key = 'change_seq'"},
		{"decrease the change sequence", "UPDATE meta SET value = value - 1 WHERE key = 'change_seq'"},
		{"use up the numbers of the probe", "UPDATE meta SET value = 9223372036854775807 WHERE key = 'probe'"},
		{"change a finding", "UPDATE findings SET kind = 'unpaid'"},
		{"remove a finding", "DELETE FROM findings"},
		{"change a transfer of money", "UPDATE transfers SET amount = 0"},
		{"put a transfer into another closing", "UPDATE transfers SET till = 'T2'"},
		{"delete the last transfer of money", "DELETE FROM transfers WHERE id = (SELECT max(id) FROM transfers)"},
		{"overwrite a transfer", posted + " ON CONFLICT (id) DO UPDATE SET amount = 0"},
		{"leave a gap in the transfers", transfer("id + 2", "'order'", "'sale'", "'sales', 'service'") + "; " + headed(2, `'\x'`)},
		{"make a transfer before the first", transfer("0", "'order'", "'sale'", "'sales', 'service'")},
		{"add a transfer that no sum can hold", strings.Replace(posted, "'service', 1,", "'service', 9223372036854775807,", 1)},
		{"add a transfer for less than nothing", strings.Replace(posted, "'service', 1,", "'service', -1,", 1)},
		{"add a transfer without the head of the ledger", posted},
		{"add a transfer after its head", headed(1, `'\x'`) + "; " + posted},
		{"make a head that is no transfer", headed(1, `'\x'`)},
		{"make a head that is an earlier transfer", headed(-1, `'\x'`)},
		{"make a head with another digest", headed(0, `'\x'`)},
		{"add a transfer and a head with another digest", posted + "; " + headed(1, `'\x00'`)},
		{"jump in the change sequence", "UPDATE meta SET value = value + 2 WHERE key = 'change_seq'"},
		{"change the name of a customer", "UPDATE customers SET name = 'x'"},
		{"change whose debt an order pays", "UPDATE orders SET debt = 'customer/A'"},
		{"change a cash sale", "UPDATE cash_sales SET amount = 0"},
		{"change who made a cash sale", "UPDATE cash_sales SET sold_by = ''"},
		{"delete a cash sale", "DELETE FROM cash_sales"},
		{"change a receipt", "UPDATE receipts SET ref = 'x'"},
		{"delete a receipt", "DELETE FROM receipts"},
		{"change the record of a change", "UPDATE requests SET ref = 'x'"},
		{"forget that a change was made", "DELETE FROM requests"},
	}
	for who, own := range map[string][]attack{
		listener: {
			{"make an order", "INSERT INTO orders SELECT * FROM orders"},
			{"add an item", "INSERT INTO order_items VALUES (1, 9, 'x', 1, 1, 0)"},
			{"enter a sale", "INSERT INTO sales (id, till, name, items, description, updated_at) VALUES ('S', 'T1', '', '[]', '', 0)"},
			{"take a number", "INSERT INTO counters VALUES ('x', 1)"},
			{"change a price", "UPDATE articles SET unit_price = 1"},
			{"read a cashier", "SELECT name FROM cashiers"},
			{"read the hash of a PIN", "SELECT sum FROM cashiers"},
			{"count a wrong PIN, or end a pause", "UPDATE cashiers SET tries = '{}'"},
			{"make a finding", finding(1)},
			{"take cash", "INSERT INTO cash_sales VALUES ('x', '', 'T1', '[]', '', 1, 1, '', 1)"},
			{"issue a receipt", "INSERT INTO receipts VALUES ('x', 'T1', 'x', 'paid', 1)"},
			{"close a till", transfer("id + 1", "'closing'", "'closing'", "'drawer/T1', 'owner'")},
			{"move money of a cash sale", transfer("id + 1", "'settlement'", "'sale'", "'sales', 'service'")},
			{"take money out of a drawer", transfer("id + 1", "'order'", "'sale'", "'drawer/T1', 'service'")},
			{"give money back", transfer("id + 1", "'order'", "'refund'", "'service', 'sales'")},
			{"pay a debt of no order", transfer("id + 1", "'order'", "'paid'", "'customer/A', 'service'")},
			{"give an order a link", "UPDATE orders SET link_url = 'https://pay.example/x' WHERE id = 4"},
			{"give an order an order reference", "UPDATE orders SET order_reference = 'REF_stray' WHERE id = 4"},
		},
		console: {
			{"store an event", `INSERT INTO events SELECT (jsonb_populate_record(e, jsonb_build_object('sequence', 99, 'id', '\x00', 'kind', 'payment.success'))).* FROM events e LIMIT 1`},
			{"change an event's outcome", "UPDATE events SET outcome = 'duplicate' WHERE order_id IS NOT NULL"},
			{"pretend that a listener works", "INSERT INTO listeners VALUES ('a:1', 1)"},
			{"count an event again", "UPDATE events SET count = count + 1"},
			{"delete an event", "DELETE FROM events WHERE order_id IS NULL"},
			{"add an item for nothing", "INSERT INTO order_items VALUES (1, 9, 'Vary', 0, 1, 0)"},
			{"add an item that takes something off", "INSERT INTO order_items VALUES (1, 9, 'Vary', 1, -1, 0)"},
			{"use up the keys of orders", "INSERT INTO orders (id) VALUES (9223372036854775807)"},
			{"make an order that breaks every sum", another(1, "'amount', 9223372036854775807, 'order_reference', ''")},
			{"make an order of less than nothing", another(1, "'amount', -1, 'order_reference', ''")},
			{"use up the numbers of a till", "INSERT INTO counters VALUES ('T2', 9223372036854775807)"},
			{"skip a number", "UPDATE counters SET value = value + 2"},
			{"use up the numbers of a series", "UPDATE counters SET value = 9223372036854775807"},
			{"take numbers back", "UPDATE counters SET value = 0"},
			{"rename a series", "UPDATE counters SET series = 'x'"},
			{"make a finding that no later one replaces", finding(9)},
			{"make a finding before the first", finding(0)},
			{"overwrite a finding", finding(1) + " ON CONFLICT (order_id, position) DO UPDATE SET kind = 'paid'"},
			{"make an order that is paid", another(2, "'order_reference', 'REF_stray'")},
		},
	} {
		name, _, _ := strings.Cut(strings.TrimPrefix(who, "postgres://"), "_")
		for _, a := range append(everybody, own...) {
			t.Run(a.what+" is refused to the "+name, func(t *testing.T) { refused(t, who, a.text) })
		}
	}
	expectFound(t, owner, 0)
}

// refused runs statements as the user of an address, and fails the test unless
// the server denies permission.
func refused(t *testing.T, address, text string) {
	t.Helper()
	_, err := postgrestest.Try(t, address, text)
	expectRefused(t, text, err)
}

func expectRefused(t *testing.T, what string, err error) {
	t.Helper()
	if failure, is := errors.AsType[*pgconn.PgError](err); !is || failure.Code != "42501" {
		t.Errorf("%s: error %v, want permission denied", what, err)
	}
}

// The statements run one after the other. The comment in the SQL of the roles says that they are
// possible.
func TestWhatTheRolesCanDoAndWhatVerifyFindsOfIt(t *testing.T) {
	owner, listener, console := attacked(t)
	hear(t, listener, eventOf("REF_other", payments.PaymentSuccess))
	postgrestest.Script(t, owner, "INSERT INTO cashiers VALUES ('Soa', 'owner', '\\x00', '\\x00', 1, '{}')")
	before := storedDifferences(t, owner)
	type deed struct {
		what, text string
		found      bool
	}
	tills := []deed{
		{"read the hash of a PIN", "SELECT sum FROM cashiers", false},
		{"begin a cashier's pause", `UPDATE cashiers SET tries = '{"T1": {"failed": 9, "until": 9}}'`, false},
		{"take the code of a till", "INSERT INTO tills VALUES ('T9', 'T9')", false},
		{"add an article", "INSERT INTO articles VALUES ('v', 'Vary', 3500, '', 0, 0)", false},
		{"change a price", "UPDATE articles SET unit_price = 1", false},
		{"enter a sale of another till", "INSERT INTO sales VALUES ('S1', 'T2', 'a', '[]', '', '', 0)", false},
		{"delete a sale of another till", "DELETE FROM sales", false},
		{"write a finding in any name", finding(1), false},
		{"acknowledge an order", "UPDATE orders SET acknowledged = true, open = false WHERE id = 1", false},
		{"hide an order that is open", "UPDATE orders SET open = false WHERE id = 3", true},
		{"review an unmatched event", "UPDATE events SET outcome = 'noticed' WHERE order_reference = 'REF_other'", false},
		{"give an unmatched event another outcome", "UPDATE events SET outcome = 'applied' WHERE order_reference = 'REF_other'", true},
		{"link an unmatched event to another order", "UPDATE events SET order_id = 1 WHERE order_reference = 'REF_other'", true},
		{"create an order of another till", another(1, "'till', 'T2', 'order_reference', '', 'link_url', ''"), true},
		{"give it the order reference of an unmatched event", "UPDATE orders SET order_reference = 'REF_stray', link_url = 'x' WHERE id = 4", true},
		{"link this event without applying it", "UPDATE events SET order_id = 4, outcome = 'applied' WHERE order_reference = 'REF_stray'", true},
		{"add an item to an order", "INSERT INTO order_items VALUES (1, 9, 'Vary', 1, 1, 0)", true},
		{"add an item that no sum can hold", "INSERT INTO order_items VALUES (2, 9, 'Vary', 9223372036854775807, 9223372036854775807, 0)", true},
		{"add a transfer in any name at any time", transfer("id + 1", "'order'", "'refund'", "'service', 'sales'") + "; " + headed(1, `'\x'`), true},
	}
	listeners := []deed{
		{"post what the service has for an order", posted + "; " + headed(1, `'\x'`), true},
		{"post that the service has less for an order", transfer("id + 1", "'order'", "'sale'", "'service', 'sales'") + "; " + headed(1, `'\x'`), true},
		{"store a success", stored("'sequence', 5, 'order_reference', 'REF_3', 'order_id', 3"), true},
		{"mark the order as paid", "UPDATE orders SET paid_at = received_at, success_seen = true, status = 'success' FROM events WHERE order_id = 3 AND orders.id = 3", true},
		{"store an unmatched event", stored("'sequence', 6, 'order_reference', 'REF_7', 'order_id', null"), true},
		{"delete an unmatched event", "DELETE FROM events WHERE order_reference = 'REF_7'", true},
		{"use up the numbers of events", stored("'sequence', 9223372036854775807, 'order_reference', 'REF_8', 'order_id', null"), true},
	}
	for i, deeds := range [][]deed{tills, listeners} {
		user := []string{console, listener}[i]
		for _, deed := range deeds {
			t.Run(deed.what, func(t *testing.T) {
				postgrestest.Script(t, user, deed.text)
				after := storedDifferences(t, owner)
				if deed.found != (after != before) {
					t.Errorf("verify has found %s, and now %s", before, after)
				}
				before = after
			})
		}
	}
}

// stored returns an INSERT statement for a copy of the success event. The parameter but contains
// the columns to replace, as SQL: pairs of a name and a value.
func stored(but string) string {
	return "INSERT INTO events SELECT (jsonb_populate_record(e, jsonb_build_object(" + but + "))).* FROM events e WHERE order_id = 2"
}

// storedDifferences returns the differences that Verify finds.
func storedDifferences(t *testing.T, address string) string {
	t.Helper()
	found, err := storage.Verify(t.Context(), address, storage.Checks{Now: time.Now()})
	must(t, err)
	return fmt.Sprint(found.Differences)
}

func TestATemporaryTableCannotForgeAPayment(t *testing.T) {
	owner, _, console := attacked(t)
	// An administrator may have granted the right to create temporary tables again.
	name := postgrestest.Name(owner)
	postgrestest.Script(t, as(t, owner, "till"), "GRANT TEMPORARY ON DATABASE "+name+" TO PUBLIC")
	refused(t, console, `CREATE TEMPORARY TABLE events AS SELECT 1::bigint AS order_id, 'REF_1' AS order_reference,
		'payment.success' AS kind, received_at, kinds, amount, currency FROM events WHERE order_reference = 'REF_stray'; `+callPaid)
}

// An error from a trigger must not count as a fault of the server.
func TestASecondOrderReferenceIsRefusedWithoutAFault(t *testing.T) {
	_, _, console := attacked(t)
	store := openAt(t, console)
	till, order := payments.New(store, nil, time.Now), checkout(t, store, "")
	must(t, till.Match(t.Context(), order.Reference, "REF_8", staff.Identity{}))
	matched := till.Match(t.Context(), order.Reference, "REF_9", staff.Identity{})
	order.OrderReference = "REF_9"
	saved := store.Update(t.Context(), func(tx payments.Tx) error { return tx.SaveOrder(order) })
	if !errors.Is(matched, payments.ErrNotMatchable) || !errors.Is(saved, payments.ErrOrderReferenceTaken) || store.Outage() != nil {
		t.Errorf("Match returned %v, SaveOrder %v, Fault %v", matched, saved, store.Outage())
	}
}

func TestALinkedSuccessOfAnotherAmountDoesNotPay(t *testing.T) {
	_, listener, console := staffed(t)
	small, foreign := eventOf("REF_small", payments.PaymentSuccess), eventOf("REF_foreign", payments.PaymentSuccess)
	small.Amount = payments.AmountValue(700)
	foreign.Currency = payments.TextValue("USD")
	for i, event := range []payments.Event{small, foreign} {
		hear(t, listener, event)
		if order := checkout(t, openAt(t, console), event.OrderReference); order.Paid() || !order.Facts.SuccessSeen {
			t.Fatalf("got %+v", order)
		}
		claim := fmt.Sprintf("UPDATE orders SET paid_at = (SELECT received_at FROM events WHERE order_id = %d) WHERE id = %[1]d", 1+i)
		refused(t, console, claim)
		refused(t, listener, claim)
	}
}

// transfer returns a statement that adds a transfer of 1 Ar with an empty digest. id is an SQL
// expression that contains the ID of the last transfer.
func transfer(id, payment, kind, accounts string) string {
	return "INSERT INTO transfers SELECT " + id + ", 1, 1, " + kind + ", " + accounts + ", 1, 'T1', '', " + payment +
		", 'x', 0, '', '\\x' FROM (SELECT coalesce(max(id), 0) AS id FROM transfers) AS last"
}

// posted adds a transfer that each role may add, but does not change the head of the ledger.
var posted = transfer("id + 1", "'order'", "'sale'", "'sales', 'service'")

// headed returns a statement that moves the head of the ledger by a number of transfers.
func headed(by int, digest string) string {
	return fmt.Sprintf("UPDATE meta SET value = value + 1, transfers = transfers + %d, digest = %s WHERE key = 'change_seq'", by, digest)
}

func TestPaidAtIsTheMomentOfALinkedSuccess(t *testing.T) {
	_, listener, console := attacked(t)
	postgrestest.Script(t, console, another(1, "'order_reference', 'REF_stray'"))
	const atItsMoment = "UPDATE orders SET paid_at = received_at FROM events WHERE orders.id = 4 AND events.order_reference = 'REF_stray'"
	for _, who := range []string{listener, console} {
		refused(t, who, atItsMoment)
	}
	postgrestest.Script(t, console, "UPDATE events SET order_id = 4, outcome = 'applied' WHERE order_reference = 'REF_stray'")
	for _, who := range []string{listener, console} {
		refused(t, who, "UPDATE orders SET paid_at = 1 WHERE id = 4")
	}
	postgrestest.Script(t, console, atItsMoment)
}

func TestVerifyNamesTriggersAndRulesOfOthers(t *testing.T) {
	owner, _, _ := staffed(t)
	expectFound(t, owner, 0)
	for _, c := range []struct{ name, statement, want string }{
		{"a trigger", `CREATE FUNCTION skim() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN DELETE FROM cash_sales; RETURN NULL; END';
			CREATE TRIGGER skim AFTER UPDATE ON meta FOR EACH ROW EXECUTE FUNCTION skim()`, "schema trigger skim"},
		{"another function of a trigger", `CREATE OR REPLACE FUNCTION tell_change() RETURNS trigger LANGUAGE plpgsql
			AS 'BEGIN DELETE FROM cash_sales; RETURN NULL; END'`, "schema trigger meta_change"},
		{"a trigger that is switched off", "ALTER TABLE meta DISABLE TRIGGER guard_meta", "schema trigger guard_meta"},
		{"a deleted trigger", "DROP TRIGGER meta_change ON meta", "schema trigger meta_change it is not there"},
		{"a rule", "CREATE RULE skim AS ON INSERT TO cash_sales DO INSTEAD NOTHING", "schema rule skim"},
		{"another function of a key", "CREATE OR REPLACE FUNCTION next_order() RETURNS bigint LANGUAGE sql AS 'SELECT 7::bigint'", "schema function next_order"},
	} {
		t.Run(c.name, func(t *testing.T) {
			owner, _, _ := staffed(t)
			postgrestest.Script(t, owner, c.statement)
			if text := expectFound(t, owner, 1); !strings.Contains(text, c.want) {
				t.Errorf("not found: %s\nfound:\n%s", c.want, text)
			}
		})
	}
}

func TestVerifyFindsWrongRowsThatATillCanWrite(t *testing.T) {
	owner, listener, console := attacked(t)
	event := eventOf("REF_1", payments.PaymentSuccess)
	event.Amount = payments.AmountValue(500)
	store := openAt(t, console)
	hear(t, listener, event)
	postgrestest.Script(t, console,
		"INSERT INTO sales VALUES ('S1', 'T1', 'a', 'x', '', '', 0), ('S2', 'T1', 'b', '[]', '', '', 0)",
		transfer("id + 1", "'closing'", "'closing'", "'drawer/T1', 'owner'")+"; "+headed(1, `'\x'`),
		"UPDATE orders SET attention = '' WHERE id = 1",
		"INSERT INTO articles VALUES ('v', 'Vary', 3500, '', 0, 9223372036854775807)",
		another(3, "'order_reference', '', 'created_at', 9223372036854775807"))
	checkout(t, store, "REF_5")
	orders, err := store.Orders(t.Context(), payments.Query{})
	if _, unprinted := json.Marshal(orders); err != nil || unprinted != nil || len(orders) != 5 {
		t.Errorf("orders: %+v %v %v", orders, err, unprinted)
	}
	if sales, err := store.Sales(t.Context(), "T1"); err != nil || len(sales) != 2 {
		t.Errorf("sales: %+v %v", sales, err)
	}
	text := expectFound(t, owner, 7)
	for _, row := range []string{"{sales S1 ", "{transfers ", "{orders copied ", "amount_mismatch"} {
		if !strings.Contains(text, row) {
			t.Errorf("%s is not found: %s", row, text)
		}
	}
}
