package display_test

import (
	"fmt"
	"testing"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/tui/display"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

// screen is the customer's screen under test, with a shop that the test controls.
type screen struct {
	*tuitest.Driver
	*shoptest.Counter
	t *testing.T
}

func open(t *testing.T) *screen { return at(t, shoptest.Open(t), "en", theme.Plain()) }

func at(t *testing.T, shop *shoptest.Counter, language string, styles theme.Theme) *screen {
	t.Helper()
	return show(t, shop, configOf(t, shop, language), styles)
}

func show(t *testing.T, shop *shoptest.Counter, config display.Config, styles theme.Theme) *screen {
	t.Helper()
	s := &screen{t: t, Counter: shop}
	s.Driver = tuitest.Drive(t, display.New(t.Context(), config, styles), 80, 24)
	return s
}

func configOf(t *testing.T, shop *shoptest.Counter, language string) display.Config {
	t.Helper()
	return display.Config{
		Service: shop.Service, Till: shoptest.Till, Shop: "Épicerie Soa",
		Reach: func() payments.Reach { return payments.ReachReceives }, Texts: i18n.Load(language), Zone: shoptest.Zone(),
	}
}

// look sends a tick to the screen, so that the screen reads the store.
func (s *screen) look() *screen {
	s.Send(display.Ticked())
	return s
}

func (s *screen) after(by time.Duration) *screen {
	s.Advance(by)
	s.Send(display.Ticked())
	return s
}

// scans fails the test unless the screen shows the code of an order.
func (s *screen) scans(order payments.Order) *screen {
	s.t.Helper()
	tuitest.Equal(s.t, s.QR(), order.Link.URL, "the code")
	return s
}

func (s *screen) sells(terms payments.Terms) {
	s.t.Helper()
	_, err := s.Service.Take(s.t.Context(), terms, drawer.Paying{Tender: drawer.TenderCash})
	tuitest.Must(s.t, err)
}

func acknowledge(t *testing.T, shop *shoptest.Counter, reference string) {
	t.Helper()
	_, err := shop.Acknowledge(t.Context(), reference, payments.VerdictPaid, payments.Conditions{})
	tuitest.Must(t, err)
}

// enter saves a sale of the till, like the cashier's screen.
func enter(t *testing.T, shop *shoptest.Counter, sale payments.Sale) {
	t.Helper()
	sale.Till = shoptest.Till
	shop.Advance(time.Second)
	tuitest.Must(t, shop.SaveSale(t.Context(), sale))
}

// basket returns a sale that is not charged yet. One of the items has a discount.
func basket() payments.Sale {
	return payments.Sale{ID: "S9", Items: []payments.Item{
		shoptest.Vary(), shoptest.Coca(), {Label: "Koba", UnitPrice: 800, Quantity: 1, ListPrice: 1000},
	}}
}

// longSale returns a sale that has more lines than fit into a window.
func longSale() payments.Sale {
	sale := payments.Sale{ID: "S9"}
	for i := range 60 {
		sale.Items = append(sale.Items, payments.Item{Label: fmt.Sprintf("Article %d", i+1), UnitPrice: 100, Quantity: 1})
	}
	return sale
}
