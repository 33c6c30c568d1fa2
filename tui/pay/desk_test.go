package pay_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/tui/cart"
	"checkout/till/tui/counter"
	"checkout/till/tui/live"
	"checkout/till/tui/pay"
	"checkout/till/tui/receipt"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

// till is the payment screen under test, with a counter and a shop that the test controls.
type till struct {
	shoptest.Rig[pay.Model, *till]
	t        *testing.T
	copied   []string
	acted    []string
	sales    int // Number of sales that the test has charged.
	desk     *counter.Counter
	database *database
	day      string // The text about the day's takings; see [pay.Model.Day].
}

// database is the shop's store, which a test can replace.
type database struct{ drawer.Store }

// open starts the screen in English, in a window of 80×24.
func open(t *testing.T) *till { return dressed(t, "en", false, theme.Plain()) }

func dressed(t *testing.T, language string, demo bool, styles theme.Theme) *till {
	t.Helper()
	s := &till{t: t, database: &database{shoptest.Database(t)}}
	s.Counter = shoptest.New(t, s.database)
	health := func() payments.Health { return shoptest.Health(s.Reach, s.Now()) }
	s.desk = shoptest.NewCounter(s.Service, counter.Grace, health, drawer.TenderCash)
	config := pay.Config{
		Counter: s.desk,
		Console: live.Console{
			Tenders: []drawer.Tender{drawer.TenderCash},
			Service: s.Service, Run: s.Run, Zone: shoptest.Zone(), Theme: styles, Texts: i18n.Load(language),
			Receipts: receipt.Config{Columns: 32, Shop: receipt.Shop{Name: "Épicerie Soa"}},
		},
		Copy: s.copyLink, Shop: "Épicerie Soa",
	}
	if demo {
		config.Customer = s.act
	}
	screen := pay.New(config)
	screen.Day = func(string, money.Ariary) (string, []string) { return s.day, nil }
	return s.PutAt(s, screen, s.desk, 80, 24).Look()
}

func (s *till) copyLink(link string) error {
	s.copied = append(s.copied, link)
	if len(s.copied) > 1 {
		return errors.New("no clipboard")
	}
	return nil
}

func (s *till) act(_ context.Context, orderReference string, kind payments.EventKind) error {
	s.acted = append(s.acted, orderReference+" "+string(kind))
	if kind == payments.PaymentExpired {
		return errors.New("the link\x1b[2J is over")
	}
	return nil
}

// grace waits until a new outcome accepts keys.
func (s *till) grace() *till { return s.After(counter.Grace) }

// charge creates an order on the screen, and returns the stored order.
func (s *till) charge(items ...payments.Item) payments.Order {
	s.t.Helper()
	s.begin(items...).Look()
	return s.newest()
}

// begin creates an order of a new sale on the screen, but does not call Look.
func (s *till) begin(items ...payments.Item) *till {
	s.sales++
	return s.charges(shoptest.Terms(fmt.Sprintf("S%d", s.sales), items...))
}

// charges creates an order with the terms, and shows it on the screen.
func (s *till) charges(terms payments.Terms) *till {
	s.t.Helper()
	for !s.desk.Cart().Untouched() { // After a failed order call, the lines are in the sale again: remove them.
		s.desk.Take(counter.Recover{Sales: []payments.Sale{s.desk.Cart().Sale}})
	}
	s.desk.Take(counter.ReadSales{Sales: []payments.Sale{cart.SaleOf(terms)}})
	s.desk.Charge()
	s.desk.Yes()
	s.Settle()
	return s
}

func (s *till) newest() payments.Order {
	s.t.Helper()
	return s.All()[0]
}

func (s *till) reopen(order payments.Order) *till {
	s.desk.Show(order)
	s.Settle()
	return s
}

func (s *till) left(times int) *till {
	s.t.Helper()
	tuitest.Equal(s.t, len(shoptest.Received[counter.OrderLeft](s.Harness())), times, "times that the cashier left")
	return s
}

func (s *till) called(times int) *till {
	s.t.Helper()
	tuitest.Equal(s.t, len(s.Calls()), times, "order calls")
	return s
}

func (s *till) made(orders int) *till {
	s.t.Helper()
	tuitest.Equal(s.t, len(s.All()), orders, "orders")
	return s
}

// acknowledged fails the test unless want is whether the cashier has acknowledged the order's outcome.
func (s *till) acknowledged(order payments.Order, want bool) {
	s.t.Helper()
	tuitest.Equal(s.t, s.Find(order.Reference).Facts.Acknowledged, want, "the outcome is acknowledged")
}

// accepted returns the IDs of the sales with an order that the payment service has accepted.
func (s *till) accepted() []string {
	var sales []string
	for _, fact := range shoptest.Received[counter.Offered](s.Harness()) {
		sales = append(sales, fact.Order.Sale)
	}
	return sales
}

func (s *till) noCode() *till {
	s.t.Helper()
	if _, err := s.Screen().Code(); !errors.Is(err, tuitest.ErrNoCode) {
		s.t.Fatalf("got %v, want ErrNoCode\n%s", err, s.Screen())
	}
	s.Lacks("https://")
	return s
}

func (s *till) shows(order payments.Order) *till {
	s.t.Helper()
	if got := s.QR(); got != order.Link.URL {
		s.t.Fatalf("the code contains %q, want %q", got, order.Link.URL)
	}
	return s
}
