package orders_test

import (
	"testing"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/live"
	"checkout/till/tui/orders"
	"checkout/till/tui/receipt"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest/shoptest"
)

// till is the orders screen under test, with a shop that the test controls.
type till struct {
	shoptest.Rig[orders.Model, *till]
	t *testing.T
}

// open starts the screen in English. It has the size that it has in a terminal of 80×24.
func open(t *testing.T) *till { return dressed(t, "en", theme.Plain()) }

func dressed(t *testing.T, language string, styles theme.Theme) *till {
	t.Helper()
	return standing(t, language, styles, false)
}

// standing starts the screen. shared says whether other tills use the same database.
func standing(t *testing.T, language string, styles theme.Theme, shared bool) *till {
	t.Helper()
	return printing(t, live.Console{
		Shared: shared, Theme: styles, Texts: i18n.Load(language), Receipts: receipt.Config{Columns: 32},
	})
}

// printing starts the screen with the receipts, the texts and the theme of a console.
func printing(t *testing.T, console live.Console) *till {
	t.Helper()
	s := &till{t: t}
	s.Counter = shoptest.Open(t)
	console.Cashier, console.Service, console.Run = new(string), s.Service, s.Run
	console.Till, console.Zone = shoptest.Till, shoptest.Zone()
	return s.Put(s, orders.New(console), 80, 21).Look()
}

// lose creates an order, but the payment service's answer to the order call is lost.
func (s *till) lose() payments.Order {
	s.Reply(shoptest.Silence())
	defer s.Reply(s.Accept)
	return s.Charge("S1")
}

// orphan receives a success event for an order from lose. orderReference is the payment service's
// reference of the order, which the shop does not know.
func (s *till) orphan(lost payments.Order, orderReference string) {
	event := shoptest.Event(lost, payments.PaymentSuccess, "")
	event.OrderReference = orderReference
	s.Hear(event)
}

// footer returns the enabled keys and their descriptions.
func (s *till) footer() string { return shoptest.Footer(s.Harness().Screen.ShortHelp()) }
