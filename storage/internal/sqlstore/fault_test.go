package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/storage/internal/sqlstore"
)

// accepts is a payment service that takes every order under one name.
type accepts string

func (a accepts) Create(context.Context, payments.Order) (payments.Created, error) {
	return payments.Created{OrderReference: string(a), CheckoutURL: "https://pay.example/1", ExpiresMinutes: 10}, nil
}

// at fails the n-th statement that runs from now on.
func (f *faulty) at(n int) {
	f.fail(func(string, func(string)) error {
		if n--; n == 0 {
			return errDisk
		}
		return nil
	})
}

// shown is all that a store shows.
func shown(t *testing.T, store *sqlstore.Store) []any {
	t.Helper()
	orders, err := store.Orders(t.Context(), payments.Query{})
	all := []any{orders, err}
	for _, order := range orders {
		_, events, err := store.Order(t.Context(), order.Reference)
		all = append(all, events, err)
	}
	unmatched, err := store.Unmatched(t.Context(), 100)
	all = append(all, unmatched, err)
	sales, err := store.Sales(t.Context(), "T1")
	return append(all, sales, err)
}

// shopAt returns a service on a store, which has an order whose sale was paid
// by another order, and an event that came before its order.
func shopAt(t *testing.T, store *sqlstore.Store) (*payments.Service, payments.Order) {
	t.Helper()
	now := func() time.Time { return time.Date(2026, 11, 21, 6, 0, 0, 0, time.UTC) }
	terms := payments.Terms{Sale: "sale", Till: "T1", DespitePaid: true, Items: []payments.Item{{Label: "Vary", UnitPrice: 3500, Quantity: 1}}}
	var order payments.Order
	for _, name := range []accepts{"REF_1", "REF_2"} {
		var err error
		if order, err = payments.New(store, name, now).Checkout(t.Context(), terms); err != nil {
			t.Fatal(err)
		}
		if name == "REF_1" {
			receive(t, payments.New(store, name, now), "REF_1")
		}
	}
	service := payments.New(store, accepts("REF_3"), now)
	receive(t, service, "REF_3")
	return service, order
}

func successOf(orderReference string) payments.Event {
	return payments.Event{
		Kind: payments.PaymentSuccess, OrderReference: orderReference,
		Amount: payments.AmountValue(3500), Currency: payments.TextValue(payments.Currency),
	}
}

func receive(t *testing.T, service *payments.Service, orderReference string) {
	t.Helper()
	if _, err := service.Receive(t.Context(), successOf(orderReference), []byte("{}")); err != nil {
		t.Fatal(err)
	}
}

func TestS3AFaultAtAnyStatementTakesTheWholeChangeBack(t *testing.T) {
	for name, work := range map[string]func(ctx context.Context, s *payments.Service, order payments.Order) error{
		"an event that pays a sale twice": func(ctx context.Context, s *payments.Service, _ payments.Order) error {
			_, err := s.Receive(ctx, successOf("REF_2"), []byte("{}"))
			return err
		},
		"an event of no order": func(ctx context.Context, s *payments.Service, _ payments.Order) error {
			_, err := s.Receive(ctx, successOf("REF_4"), []byte("{}"))
			return err
		},
		"a duplicate": func(ctx context.Context, s *payments.Service, _ payments.Order) error {
			_, err := s.Receive(ctx, successOf("REF_1"), []byte("{}"))
			return err
		},
		"a sale that is entered": func(ctx context.Context, s *payments.Service, order payments.Order) error {
			return s.SaveSale(ctx, payments.Sale{ID: "s", Till: "T1", Items: order.Items})
		},
		"a finding": func(ctx context.Context, s *payments.Service, order payments.Order) error {
			seen := order.Verdict(payments.Conditions{}, s.Now())
			_, err := s.Resolve(ctx, order.Reference, payments.Finding{Paid: true, Seen: seen})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			store, writer, _ := open(t, empty(t))
			service, order := shopAt(t, store)
			before := shown(t, store)
			for n := 1; ; n++ {
				writer.at(n)
				err := work(t.Context(), service, order)
				writer.fail(nil)
				if err == nil {
					if n < 4 {
						t.Errorf("only %d statements were failed", n-1)
					}
					break
				}
				if !errors.Is(err, errDisk) {
					t.Errorf("statement %d: error %v", n, err)
				}
				if after := shown(t, store); !reflect.DeepEqual(after, before) {
					t.Fatalf("statement %d failed, and this was written:\n%+v\nbefore:\n%+v", n, after, before)
				}
			}
			if after := shown(t, store); reflect.DeepEqual(after, before) {
				t.Error("when nothing failed nothing was written")
			}
		})
	}
}

func TestS3AFaultWhileAnOrderIsMadeLosesNoOrderThatWasSent(t *testing.T) {
	store, writer, _ := open(t, empty(t))
	service, order := shopAt(t, store)
	count := func() int {
		orders, err := store.Orders(t.Context(), payments.Query{Limit: 1000})
		if err != nil {
			t.Fatal(err)
		}
		return len(orders)
	}
	for n := 1; ; n++ {
		before := count()
		writer.at(n)
		made, err := service.Checkout(t.Context(), payments.Terms{Sale: fmt.Sprint("other ", n), Till: "T1", Items: order.Items})
		writer.fail(nil)
		switch {
		case err == nil || errors.As(err, new(*payments.AmbiguousError)):
			if n < 10 {
				t.Errorf("only %d statements were failed", n-1)
			}
			return
		case !errors.Is(err, errDisk):
			t.Fatalf("statement %d: error %v", n, err)
		case made.Reference == "" && count() != before:
			t.Errorf("statement %d: an order that was not sent is there", n)
		case made.Reference != "":
			if _, _, err := store.Order(t.Context(), made.Reference); err != nil {
				t.Errorf("statement %d: order %s was sent: %v", n, made.Reference, err)
			}
		}
	}
}

func TestS3AFaultAtAnyStatementOfAReadIsItsError(t *testing.T) {
	store, _, reader := open(t, empty(t))
	_, order := shopAt(t, store)
	for name, read := range map[string]func(ctx context.Context) error{
		"order": func(ctx context.Context) error {
			_, _, err := store.Order(ctx, order.OrderReference)
			return err
		},
		"orders": func(ctx context.Context) error {
			_, err := store.Orders(ctx, payments.Query{})
			return err
		},
		"unmatched": func(ctx context.Context) error {
			_, err := store.Unmatched(ctx, 10)
			return err
		},
		"sales": func(ctx context.Context) error {
			_, err := store.Sales(ctx, "T1")
			return err
		},
	} {
		// The last statement ends the transaction: what was read is good then.
		reader.fail(nil)
		reader.reset()
		if err := read(t.Context()); err != nil {
			t.Fatal(err)
		}
		statements := reader.count("")
		for n := 1; n < statements; n++ {
			reader.at(n)
			if err := read(t.Context()); !errors.Is(err, errDisk) || errors.Is(err, payments.ErrNotFound) {
				t.Errorf("%s: statement %d of %d failed: error %v", name, n, statements, err)
			}
		}
	}
}
