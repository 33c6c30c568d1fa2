package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"checkout/till/payments"
	"checkout/till/storage/postgres"
	"checkout/till/storage/storagetest/postgrestest"
)

// as returns an address with another user.
func as(t *testing.T, address, user string) string {
	t.Helper()
	parsed, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	parsed.User = url.User(user)
	return parsed.String()
}

// staff makes a database with till's roles, and a user for each.
func staff(t *testing.T) (owner, listener, console string) {
	t.Helper()
	address := postgrestest.Database(t)
	if err := openAt(t, address).Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 { // It can be run again.
		script(t, address)
	}
	name := postgrestest.Name(address)
	for _, role := range []string{"owner", "listener", "console"} {
		postgrestest.Script(t, address, "CREATE USER "+role+"_"+name+" IN ROLE till_"+role)
	}
	return as(t, address, "owner_"+name), as(t, address, "listener_"+name), as(t, address, "console_"+name)
}

// script runs the statements of the roles, as psql does.
func script(t *testing.T, address string) {
	t.Helper()
	plain := connect(t, address)
	if _, err := plain.PgConn().Exec(t.Context(), postgres.Roles()).ReadAll(); err != nil {
		t.Fatal(err)
	}
}

func connect(t *testing.T, address string) *pgx.Conn {
	t.Helper()
	plain, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = plain.Close(context.WithoutCancel(t.Context())) })
	return plain
}

// gateway answers with the order references that it is told.
type gateway struct{ next string }

func (g *gateway) Create(context.Context, payments.Order) (payments.Created, error) {
	return payments.Created{OrderReference: g.next, CheckoutURL: "https://pay.example/1", ExpiresMinutes: 10}, nil
}

// eventOf is an event of an order.
func eventOf(orderReference string, kind payments.EventKind) payments.Event {
	return payments.Event{
		Kind: kind, OrderReference: orderReference, Amount: payments.AmountValue(7000),
		Currency: payments.TextValue(payments.Currency),
	}
}

func TestEachRoleCanDoItsWork(t *testing.T) {
	owner, listenerAt, consoleAt := staff(t)
	listening, console := openAt(t, listenerAt), openAt(t, consoleAt)
	clock := func() time.Time { return time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC) }
	service := &gateway{}
	till, listener := payments.New(console, service, clock), payments.New(listening, nil, clock)
	must := func(what string, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
	receive := func(event payments.Event) {
		t.Helper()
		_, err := listener.Receive(t.Context(), event, []byte("{}"))
		must("receive "+string(event.Kind), err)
	}
	terms := payments.Terms{Till: "T1", Sale: "S", Items: []payments.Item{{Label: "Vary", UnitPrice: 3500, Quantity: 2}}}

	must("probe", errors.Join(listening.Probe(t.Context()), console.Probe(t.Context())))
	sale := till.NewSale("T1")
	sale.Items = terms.Items
	must("enter a sale", till.SaveSale(t.Context(), sale))
	_, err := till.SaveArticle(t.Context(), payments.Article{Label: "Vary", UnitPrice: 3500})
	must("save an article", err)
	// More orders than an index's block has.
	for i := range 200 {
		service.next = fmt.Sprint("REF_", i)
		_, err := till.Checkout(t.Context(), terms)
		must("charge", err)
	}
	for i, kind := range payments.EventKinds() {
		receive(eventOf(fmt.Sprint("REF_", i), kind))
		receive(eventOf(fmt.Sprint("REF_", i), kind))
	}
	receive(eventOf("REF_7", payments.PaymentSuccess))
	order, _, err := console.Order(t.Context(), "REF_7")
	if err != nil || !order.Paid() {
		t.Fatalf("%+v %v", order, err)
	}
	_, err = till.Acknowledge(t.Context(), order.Reference, payments.Conditions{})
	must("acknowledge", err)
	_, err = till.Resolve(t.Context(), "REF_1", payments.Finding{Paid: true, By: "Soa"})
	must("resolve", err)
	who := payments.Identity{Name: "Soa", PIN: payments.NewSecret("4711")}
	_, err = payments.New(openAt(t, owner), nil, clock).AddCashier(t.Context(), who.Name, "", who.PIN, payments.Identity{})
	must("add a cashier", err)
	// A cashier's own PIN, too, is changed where the owner's user is used.
	must("change a PIN", payments.New(openAt(t, owner), nil, clock).ChangePIN(t.Context(), who.Name, payments.NewSecret("0815"), who))
	who.PIN = payments.NewSecret("0815")
	_, err = till.ResolveAs(t.Context(), "REF_1", payments.Finding{Paid: true}, who)
	must("resolve under a name", err)
	_, err = till.CloseAs(t.Context(), clock(), "T1", who)
	must("close the day", err)
	// The event comes before the answer to the order call.
	receive(eventOf("REF_early", payments.PaymentSuccess))
	service.next = "REF_early"
	if order, err = till.Checkout(t.Context(), terms); err != nil || !order.Paid() {
		t.Errorf("an event that came early: %+v %v", order, err)
	}
	for i := range 5 {
		receive(eventOf(fmt.Sprint("REF_nobody", i), payments.PaymentFailed))
	}
	strays, err := console.Unmatched(t.Context(), 1)
	must("read what no order has", err)
	must("look at what no order has", till.Notice(t.Context(), strays[0]))
	must("drop what nobody has", listening.Update(t.Context(), func(tx payments.Tx) error { _, err := tx.Events().TrimUnmatched(2, 1<<20); return err }))
	if left, err := console.Unmatched(t.Context(), 10); err != nil || len(left) != 2 {
		t.Errorf("%d events are left (%v)", len(left), err)
	}
	_, err = till.Recover(t.Context(), "T1")
	must("recover", err)
	_, err = console.Takings(t.Context(), payments.Period{From: clock().Truncate(payments.Slot), To: clock().Add(time.Hour), Sold: true})
	must("report", err)
	found, _, err := postgres.Verify(t.Context(), owner, nil)
	if err != nil || found.Found != 0 || found.Orders != 201 {
		t.Errorf("%+v %v", found, err)
	}
}

func TestNoRoleCanDoMoreThanItMust(t *testing.T) {
	owner, listener, console := staff(t)
	store := openAt(t, console)
	service := payments.New(store, &gateway{next: "REF_1"}, time.Now)
	items := []payments.Item{{Label: "Vary", UnitPrice: 3500, Quantity: 2}}
	if _, err := service.Checkout(t.Context(), payments.Terms{Till: "T1", Items: items}); err != nil {
		t.Fatal(err)
	}
	reception := payments.New(openAt(t, listener), nil, time.Now)
	for _, reference := range []string{"REF_1", "REF_2"} {
		if _, err := reception.Receive(t.Context(), eventOf(reference, payments.PaymentFailed), []byte("{}")); err != nil {
			t.Fatal(err)
		}
	}
	const event = `INSERT INTO events SELECT sequence + 9, '\x00', order_id, order_reference, 'payment.success', kinds, reference,
		amount, currency, description, error, received_at, outcome, count, body, body_sha256 FROM events`
	type attempt struct{ what, text string }
	everybody := []attempt{
		{"delete an order", "DELETE FROM orders"},
		{"delete items", "DELETE FROM order_items"},
		{"change items", "UPDATE order_items SET quantity = 1"},
		{"empty a table", "TRUNCATE events"},
		{"alter a table", "ALTER TABLE orders ADD COLUMN x integer"},
		{"drop a table", "DROP TABLE takings"},
		{"make a table", "CREATE TABLE x (y integer)"},
		{"drop a rule", "DROP TRIGGER order_proof ON orders"},
		{"put a rule aside", "ALTER TABLE events DISABLE ROW LEVEL SECURITY"},
		{"set the schema's version", "UPDATE till_schema SET version = 99"},
		{"delete takings", "DELETE FROM takings"},
		{"become the owner", "SET ROLE till_owner"},
	}
	for who, own := range map[string][]attempt{
		listener: {
			{"make an order", "INSERT INTO orders SELECT * FROM orders"},
			{"enter a sale", "INSERT INTO sales VALUES ('S', 'T1', '[]', '', 0, '')"},
			{"take a number", "INSERT INTO counters VALUES ('x', 1)"},
			{"change a price", "UPDATE articles SET unit_price = 1"},
			{"see what is kept of a PIN", "SELECT * FROM cashiers"},
		},
		console: {
			{"P5 store an event", event},
			{"change what an event says", "UPDATE events SET body = '\\x00'"},
			{"delete an event", "DELETE FROM events"},
			{"add a cashier", "INSERT INTO cashiers VALUES ('Me', 'owner', '\\x00', '\\x00', 1, 0, 0)"},
			{"change a PIN", "UPDATE cashiers SET sum = '\\x00'"},
			{"remove a cashier", "DELETE FROM cashiers"},
			{"change a closing", "UPDATE closings SET sums = '{}'"},
			{"open a day again", "DELETE FROM closings"},
			{"P5 call an order paid", "UPDATE orders SET paid_at = 1, success_seen = 1, status = 'success', verdict = 'paid'"},
		},
	} {
		name, _, _ := strings.Cut(strings.TrimPrefix(who, "postgres://"), "_")
		for _, a := range append(everybody, own...) {
			t.Run(a.what+" is not for the "+name, func(t *testing.T) {
				_, err := connect(t, who).Exec(t.Context(), a.text)
				failure, is := errors.AsType[*pgconn.PgError](err)
				if !is || failure.Code != "42501" {
					t.Errorf("error %v", err)
				}
			})
		}
	}
	for _, c := range []struct{ what, who, text string }{
		{"the listener deletes no event that an order has", listener, "DELETE FROM events WHERE order_id IS NOT NULL"},
		{"P5 a till changes no event that an order has", console, "UPDATE events SET outcome = 'duplicate' WHERE order_id IS NOT NULL"},
	} {
		t.Run(c.what, func(t *testing.T) {
			if tag, err := connect(t, c.who).Exec(t.Context(), c.text); err != nil || tag.RowsAffected() != 0 {
				t.Errorf("%s %v", tag, err)
			}
		})
	}
	if found, _, err := postgres.Verify(t.Context(), owner, nil); err != nil || found.Found != 0 || found.Events != 2 {
		t.Errorf("%+v %v", found, err)
	}
}

func TestP9WhoMayNotBringTheSchemaForwardIsToldWhoDoes(t *testing.T) {
	owner, listener, console := staff(t)
	postgrestest.Script(t, owner, "UPDATE till_schema SET version = version - 1",
		"DROP INDEX events_identity, events_unmatched", "ALTER TABLE events ADD UNIQUE (id)",
		"CREATE INDEX events_order ON events (order_id)", "CREATE INDEX events_unmatched ON events (order_reference)")
	for _, address := range []string{listener, console} {
		_, err := postgres.Open(t.Context(), address)
		if !errors.Is(err, postgres.ErrOwner) || !strings.Contains(err.Error(), "till database update") {
			t.Errorf("error %v", err)
		}
	}
	if err := openAt(t, owner).Close(); err != nil {
		t.Fatal(err)
	}
	script(t, owner)
	openAt(t, listener)
	openAt(t, console)
}
