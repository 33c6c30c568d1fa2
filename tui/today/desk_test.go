package today_test

import (
	"testing"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
	"checkout/till/tui/today"
	"checkout/till/tui/tuitest/shoptest"
)

// till is the screen of the day under test, with a shop that the test controls.
type till struct {
	shoptest.Rig[today.Model, *till]
}

func dressed(t *testing.T, language string, styles theme.Theme) *till {
	t.Helper()
	s := &till{}
	s.Counter = shoptest.Open(t)
	return s.Put(s, today.New(live.Console{
		Service: s.Service, Run: s.Run, Till: shoptest.Till, Zone: shoptest.Zone(), Theme: styles, Texts: i18n.Load(language),
	}), 120, 34).Look()
}

// trade makes orders with every outcome on one day.
func trade(s *till) {
	s.Fail(s.Pay(s.Charge("S1")), "")
	s.Advance(time.Hour)
	s.Hear(shoptest.Event(s.Charge("S2", shoptest.Coca()), payments.PaymentExpired, ""))
	s.Reply(shoptest.Silence())
	s.Charge("S3")
	s.Reply(s.Accept)
	s.Fail(s.Charge("S4"), "Solde insuffisant")
	for range 3 {
		s.Advance(20 * time.Minute)
		s.Pay(s.Charge("", shoptest.Vary()))
		s.Pay(s.Charge("", shoptest.Coca(), payments.Item{Label: "Menaka 1 L", UnitPrice: 9500, Quantity: 1}))
	}
	s.Charge("S5", shoptest.Vary())
	s.Advance(time.Minute)
}
