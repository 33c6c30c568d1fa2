package orders_test

import (
	"testing"

	"checkout/till/payments"
	"checkout/till/tui/live"
	"checkout/till/tui/orders"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest/shoptest"
)

// till is the screen with a cashier in front of it, and the counter around it.
type till struct {
	shoptest.Rig[orders.Model, *till]
	t *testing.T
}

// open puts the screen up in English, in the room it has in an old terminal.
func open(t *testing.T) *till { return dressed(t, "en", theme.Plain()) }

func dressed(t *testing.T, language string, styles theme.Theme) *till {
	t.Helper()
	return standing(t, language, styles, false)
}

// standing puts the screen up where others may share the database.
func standing(t *testing.T, language string, styles theme.Theme, shared bool) *till {
	t.Helper()
	s := &till{t: t}
	s.Counter = shoptest.Open(t)
	return s.Put(s, orders.New(live.Console{
		Service: s.Service, Run: s.Run, Till: shoptest.Till, Shared: shared, Zone: shoptest.Zone(),
		Theme: styles, Texts: shoptest.Texts(t, language),
	}), 80, 21).Look()
}

// lose makes an order of unknown outcome, which the service has after all.
func (s *till) lose() payments.Order {
	s.Reply(shoptest.Silence())
	defer s.Reply(s.Accept)
	return s.Charge("S1")
}

// orphan is the success of a lost order, under the name that the service gave it.
func (s *till) orphan(lost payments.Order, orderReference string) {
	event := shoptest.Event(lost, payments.PaymentSuccess, "")
	event.OrderReference = orderReference
	s.Hear(event)
}
