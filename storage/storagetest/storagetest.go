// Package storagetest contains the tests that every backend of [payments.Store] must pass. Backends
// that pass the tests can replace each other without a change in the console, the listener or the
// commands.
package storagetest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"sync"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
)

// Store is a backend's open database.
type Store interface {
	drawer.Store
	// Close closes this store; other stores of the same database stay open.
	Close() error
}

// Opener opens the database of a test like a separate process. If that fails, the test fails. The
// store is closed at the end of the test, unless the caller has closed it before.
type Opener func(t *testing.T) Store

// Database is the database of one test. At first, it is empty.
type Database struct {
	Open Opener
	// Break makes the database unusable. Mend makes it usable again, with all stored data.
	Break, Mend func(t *testing.T)
	// Script runs SQL on the database, like another program.
	Script func(t *testing.T, statement string)
	Char   string // Name of the SQL function that returns a character.
}

// Runner runs a test. It is [testing/synctest.Test], so that waits take no real time, or [Plain] if
// the database server has its own clock.
type Runner func(t *testing.T, test func(t *testing.T))

// Plain runs a test with the machine's clock.
func Plain(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	test(t)
}

// Size returns how often a test repeats something: few times, or many times if TILL_TEST_LONG is
// set, as in the nightly run. With -short it returns a quarter of few, but at least 1.
func Size(few, many int) int {
	switch {
	case os.Getenv("TILL_TEST_LONG") != "":
		return many
	case testing.Short():
		return max(1, few/4)
	}
	return few
}

// Run runs all tests, including those of RunFaults. create makes an empty database for a test; a
// test may open its database several times.
func Run(t *testing.T, run Runner, create func(t *testing.T) Database) {
	t.Helper()
	runGroup(t, "what a store in plain Go holds", run, create,
		test{"of orders, events, the events that are dropped, and lists of orders", likeModel((*model).compareOrders,
			(*model).insertOrder, (*model).saveOrder, (*model).insertOrder, (*model).saveOrder, (*model).insertEvent, (*model).insertEvent, (*model).insertEvent,
			(*model).saveEvent, (*model).insertFinding, (*model).post, (*model).post, (*model).trim, (*model).readDebts, (*model).readOrders, (*model).readEvents,
		)},
		test{"of sales, numbers and articles", likeModel((*model).compareDesk,
			(*model).saveSale, (*model).dropSale, (*model).takeNumber, (*model).tillOf, (*model).saveArticle, (*model).saveArticle, (*model).dropArticle, (*model).countUse,
		)},
		test{"of cashiers", likeModel((*model).compareDesk,
			(*model).saveCashier, (*model).saveTries, (*model).dropCashier, (*model).readStaff,
		)},
	)
	runGroup(t, "a change", run, create,
		test{"is visible to every store of the database when Update has returned", seenAtOnce},
		test{"that fails or panics returns its error, writes nothing and affects no other change", neighbours},
		test{"blocks no reader, is invisible until the commit, and does not run after its caller has left", leftWaiting},
		test{"is finished even if its caller leaves meanwhile", leftRunning},
		test{"cannot use its transaction after it ended, and is refused after Close", over},
	)
	runGroup(t, "a commit that several changes share", run, create,
		test{"that fails is acknowledged to none of them", failsForAll},
		test{"fails for one change alone, if only its last statement fails", failsForOne},
	)
	runGroup(t, "a text", run, create,
		test{"can be searched for; 50 orders are found by default, and 1,000 at most", searchAnything},
		test{"is stored up to the length limit of events", longTexts},
		test{"that was written by SQL is read clean", writtenBySQL},
		test{"of a link has the same or an earlier end after a restart", linkEndsNoLater},
	)
	runGroup(t, "a person", run, create,
		test{"has every wrong PIN counted, also from several tills at the same time", triesOfTwo},
	)
	runGroup(t, "a watcher", run, create,
		test{"gets one notice for several changes, and none for a change that failed or wrote nothing", woken},
		test{"is woken by changes of another process, also by those before the first Watch", wokenByOther},
		test{"ends with its context and at Close", leaves},
	)
	runGroup(t, "a drawer", run, create,
		test{"keeps cash sales, moves, receipts and closings as they were stored", drawerKept},
		test{"has the sums of a naive calculation in each closing, in random days", drawerAddsUp},
	)
	runGroup(t, "the service", run, create,
		test{"applies 50 equal concurrent events once, in one process or two", equalAtOnce},
		test{"applies each of several concurrent events of one order once", differentAtOnce},
		test{"makes unique references across tills, processes and restarts", references},
		test{"reads what a refund has left of a sale in the change that posts it", leftAfterRefund},
		test{"tells the first and the newest payment of a sale by the order of storing", partsInOrder},
	)
	runGroup(t, "two consoles", run, create,
		test{"charge a held sale once, even if both restore it", heldByTwo},
		test{"send an unsent order once, even if both retry it", sentByTwo},
		test{"lose no concurrent change of an order", metByTwo},
		test{"take no more than a customer owes, even if both are paid at once", owedToTwo},
	)
	RunFaults(t, run, create)
}

// RunFaults runs the tests in which the database breaks.
func RunFaults(t *testing.T, run Runner, create func(t *testing.T) Database) {
	t.Helper()
	runGroup(t, "a database that cannot be used", run, create,
		test{"fails every call, acknowledges no event, and applies it once when it comes again", failsAll},
		test{"loses nothing that was acknowledged while many write", losesNothing},
		test{"can be closed", closedWhileBroken},
	)
}

func runGroup(t *testing.T, name string, run Runner, create func(t *testing.T) Database, tests ...test) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				t.Parallel()
				run(t, func(t *testing.T) { test.run(t, create(t)) })
			})
		}
	})
}

type test struct {
	name string
	run  func(t *testing.T, db Database)
}

const patience = 20 * time.Second

func opening() time.Time { return time.Date(2026, 11, 21, 6, 0, 0, 0, time.UTC) }

var errRefused = errors.New("the rules refuse this")

func check(t testing.TB, what string, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

func expectError(t *testing.T, what string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("%s: error %v, want %v", what, err, want)
	}
}

func expect(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%s:\n got %+v\nwant %+v", what, got, want)
	}
}

func update(t *testing.T, store Store, change func(tx payments.Tx) error) {
	t.Helper()
	check(t, "update", store.Update(t.Context(), change))
}

func insert(t testing.TB, store payments.Store, orders ...payments.Order) {
	t.Helper()
	check(t, "insert", store.Update(t.Context(), func(tx payments.Tx) (err error) {
		for _, order := range orders {
			err = errors.Join(err, tx.InsertOrder(order))
			for _, finding := range order.Findings {
				err = errors.Join(err, tx.InsertFinding(order.Reference, finding))
			}
		}
		return err
	}))
}

func read(t *testing.T, store Store, ref string) (payments.Order, []payments.Record) {
	t.Helper()
	order, events, err := store.Order(t.Context(), ref)
	check(t, "read order "+ref, err)
	return order, events
}

func find(t *testing.T, store Store, query payments.Query) []string {
	t.Helper()
	orders, err := store.Orders(t.Context(), query)
	check(t, "read orders", err)
	references := []string{}
	for _, order := range orders {
		references = append(references, order.Reference)
	}
	return references
}

func found(order payments.Order, finding payments.Finding) payments.Order {
	order.Findings = append(order.Findings, finding)
	order.Finding = &order.Findings[len(order.Findings)-1]
	return order
}

func put(t *testing.T, store Store, r payments.Record) {
	t.Helper()
	update(t, store, func(tx payments.Tx) error { return tx.InsertEvent(r) })
}

func saveSale(t *testing.T, store Store, sale payments.Sale) {
	t.Helper()
	update(t, store, func(tx payments.Tx) error { return tx.SaveSale(sale) })
}

func sold(id string) payments.Sale {
	return payments.Sale{ID: id, Till: "T1", Items: numbered(0).Items[:1], UpdatedAt: opening()}
}

// numbered returns an order of till T1 with the status creating. It was created n seconds after
// opening().
func numbered(n int) payments.Order {
	return payments.Order{
		Reference: fmt.Sprintf("T1-20261121-GT-%04d", n), Sale: fmt.Sprintf("sale %d", n), Till: "T1",
		Items:  []payments.Item{{Label: "Vary", UnitPrice: 3500, Quantity: 2}, {Label: "Coca", UnitPrice: 2000, Quantity: 1}},
		Amount: 9000, Description: "2 × Vary, Coca", CreatedAt: opening().Add(time.Duration(n) * time.Second),
		Status: payments.StatusCreating, Facts: payments.Facts{Acknowledged: true},
	}
}

// shop is a service on a store. It also acts as the payment service.
type shop struct {
	*payments.Service
	store Store

	mu    sync.Mutex
	asked int
	// answer returns the payment service's answer; if nil, the service accepts every order.
	answer func(order payments.Order) (payments.Created, error)
}

func newShop(store Store) *shop {
	s := &shop{store: store}
	s.Service = payments.New(store, s, opening, payments.WithTag("GT"))
	return s
}

// Create acts as the payment service. The order reference is "REF_" followed by the shop's
// reference, so that it is different for each order.
func (s *shop) Create(_ context.Context, order payments.Order) (payments.Created, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked++
	if s.answer != nil {
		return s.answer(order)
	}
	return created("REF_" + order.Reference), nil
}

func created(orderReference string) payments.Created {
	return payments.Created{
		OrderReference: orderReference,
		CheckoutURL:    "https://pay.example/" + orderReference,
		ExpiresMinutes: 10,
	}
}

// terms returns terms for 9000 Ar, with all objections overridden.
func terms(till, sale string) payments.Terms {
	return payments.Terms{
		Sale: sale, Till: till, Items: numbered(0).Items,
		Despite: []payments.ObjectionKind{payments.SalePaid, payments.SaleDoubtful, payments.SalePayable},
	}
}

func (s *shop) charge(t *testing.T, sale string) payments.Order {
	t.Helper()
	order, err := s.Checkout(t.Context(), terms("T1", sale))
	check(t, "checkout", err)
	return order
}

func (s *shop) receive(t *testing.T, event payments.Event) payments.Receipt {
	t.Helper()
	receipt, err := s.Receive(t.Context(), event, Encode(event))
	check(t, "receive", err)
	return receipt
}

// event returns an event of an order. Events of the same kind with different texts are
// different events.
func event(kind payments.EventKind, order payments.Order, text string) payments.Event {
	e := payments.Event{
		Kind: kind, OrderReference: order.OrderReference,
		Reference: payments.TextValue(order.Reference), Amount: payments.AmountValue(order.Amount),
		Currency: payments.TextValue(payments.Currency), Description: payments.TextValue(text),
	}
	if kind != payments.PaymentSuccess {
		e.Error = payments.TextValue(text)
	}
	return e
}

// record returns an unmatched event as the service passes it to a store, but with an invented hash
// of the body.
func record(e payments.Event) payments.Record {
	return payments.Record{
		Event: e, ID: e.ID(), ReceivedAt: opening(), Effect: payments.Unmatched, Count: 1,
		Body: Encode(e), BodySHA256: [32]byte{1, 2, 3},
	}
}
