package display_test

import (
	"path/filepath"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/storage"
	"checkout/till/tui/display"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/counter"
)

// screen is the customer's screen, and the counter that it stands on.
type screen struct {
	*tuitest.Driver
	*counter.Counter
	t *testing.T
}

// open puts the screen up in English.
func open(t *testing.T) *screen { return speaking(t, "en") }

func speaking(t *testing.T, language string) *screen { return at(t, counterOf(t), language) }

// at puts the screen up at a counter that is open already.
func at(t *testing.T, shop *counter.Counter, language string) *screen {
	return dressed(t, shop, language, theme.Plain())
}

func dressed(t *testing.T, shop *counter.Counter, language string, styles theme.Theme) *screen {
	t.Helper()
	s := &screen{t: t, Counter: shop}
	s.Driver = tuitest.Drive(t, display.New(t.Context(), configOf(t, s.Counter, language), styles), 80, 24)
	return s
}

// demonstrate puts the demo's screen up.
func demonstrate(t *testing.T) *screen {
	t.Helper()
	s := &screen{t: t, Counter: counterOf(t)}
	config := configOf(t, s.Counter, "en")
	config.Demo = true
	s.Driver = tuitest.Drive(t, display.New(t.Context(), config, theme.Plain()), 80, 24)
	return s
}

func counterOf(t *testing.T) *counter.Counter {
	t.Helper()
	store, err := storage.Open(t.Context(), filepath.Join(t.TempDir(), "till.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return counter.New(t, store)
}

func configOf(t *testing.T, shop *counter.Counter, language string) display.Config {
	t.Helper()
	return display.Config{
		Source: shop, Till: counter.Till, Shop: "Épicerie Soa",
		Texts: counter.Texts(t, language), Language: language,
	}
}

// Advance lets time go by at the counter; the driver has no clock.
func (s *screen) Advance(by time.Duration) { s.Counter.Advance(by) }

// look shows what happened, as the store's watch and the clock do.
func (s *screen) look() *screen {
	s.Send(display.Changed(), display.Ticked())
	return s
}

// after lets time go by, and the clock tick.
func (s *screen) after(by time.Duration) *screen {
	s.Advance(by)
	s.Send(display.Ticked())
	return s
}

// enter writes a sale to disk, as the cashier's screen does.
func enter(t *testing.T, shop *counter.Counter, sale payments.Sale) {
	t.Helper()
	sale.Till = counter.Till
	shop.Advance(time.Second)
	if err := shop.SaveSale(t.Context(), sale); err != nil {
		t.Fatal(err)
	}
}

// basket is a sale that is being entered, with a discount.
func basket() payments.Sale {
	return payments.Sale{ID: "S9", Items: []payments.Item{
		counter.Vary(), counter.Coca(), {Label: "Koba", UnitPrice: 800, Quantity: 1, ListPrice: 1000},
	}}
}
