package sale_test

import (
	"testing"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/counter"
	"checkout/till/tui/live"
	"checkout/till/tui/sale"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

// open opens a counter on a database of its own.
func open(t *testing.T) *shoptest.Counter {
	t.Helper()
	c, articles := shoptest.Open(t), shoptest.Articles()
	for i := range articles {
		articles[i].ID = ""
	}
	tuitest.Must(t, c.SaveArticles(t.Context(), articles))
	return c
}

// desk is the screen in English, at a counter's desk.
func desk(t *testing.T, at payments.Store) sale.Model {
	return with(t, at, "en", unhurried(), theme.Plain())
}

// on is the screen on a clock.
func on(t *testing.T, at payments.Store, now payments.Clock) sale.Model {
	return with(t, at, "en", now, theme.Plain())
}

func with(t *testing.T, at payments.Store, language string, now payments.Clock, styles theme.Theme) sale.Model {
	t.Helper()
	service := payments.New(at, nil, now)
	desk := counter.New(counter.Config{
		Till: shoptest.Till, Now: service.Now, Health: func() payments.Health { return payments.Health{Listening: true} },
		NewSale: func() payments.Sale { return service.NewSale(shoptest.Till) },
	})
	return sale.New(live.Console{
		Service: service, Run: shoptest.Run(t), Till: shoptest.Till, Zone: shoptest.Zone(),
		Theme: styles, Texts: shoptest.Texts(t, language),
	}, desk, "")
}

// unhurried is the clock of a cashier who reads a question before he answers
// it.
func unhurried() payments.Clock {
	now := shoptest.Opening()
	return func() time.Time {
		now = now.Add(time.Second)
		return now
	}
}

// drive puts the screen up in a window of an old terminal.
func drive(t *testing.T, screen sale.Model) *tuitest.Driver {
	t.Helper()
	return slowly(t, screen, calls)
}

// slowly puts the screen up on a machine that keeps effects back.
func slowly(t *testing.T, screen sale.Model, keep func(counter.Effect) bool) *tuitest.Driver {
	t.Helper()
	desk := &shoptest.Desk{Counter: screen.Counter, Service: screen.Service, Run: screen.Run, Keep: keep}
	screen.Counter.Begin()
	return tuitest.Drive(t, shoptest.Stand(screen).At(desk), 80, 24)
}

// reads tells which effects are reads.
func reads(effect counter.Effect) bool {
	_, saves := effect.(counter.SaveSale)
	return !saves
}

// calls tells which effects are order calls: there is no payment service.
func calls(effect counter.Effect) bool {
	_, is := effect.(counter.Checkout)
	return is
}

// enter types entries, each followed by Enter.
func enter(d *tuitest.Driver, entries ...string) *tuitest.Driver {
	for _, entry := range entries {
		d.Type(entry).Press("enter")
	}
	return d
}

func alone(d *tuitest.Driver) shoptest.Alone[sale.Model] {
	return d.Model().(shoptest.Alone[sale.Model])
}

// items are the lines of the sale that is on the screen.
func items(d *tuitest.Driver) []payments.Item { return alone(d).Screen.Counter.Cart().Sale.Items }

// charged are the charges that the cashier confirmed.
func charged(d *tuitest.Driver) []counter.Sent {
	return shoptest.Came[counter.Sent](alone(d))
}

// stored are the lines that are on disk.
func stored(t *testing.T, c *shoptest.Counter) []payments.Item {
	t.Helper()
	sales, err := c.Sales(t.Context(), shoptest.Till)
	tuitest.Must(t, err)
	if len(sales) == 0 {
		return nil
	}
	return sales[0].Items
}

// reset begins a new sale, as the console does once one was charged.
func reset(m sale.Model) sale.Model {
	if m.Counter.Stage() == counter.Sending {
		m.Counter.Leave()
	} else {
		m.Counter.Take(counter.Recover{Sales: []payments.Sale{m.Counter.Cart().Sale}})
	}
	return m
}

// tick lets the counter see that time went by.
func tick(m sale.Model) sale.Model {
	m.Counter.Tick()
	return m
}

// hold is the console's key to hold a sale or to resume one.
func hold(m sale.Model) sale.Model { return m.Hold() }

// warn is a warning of the console.
func warn(text string) func(sale.Model) sale.Model {
	return func(m sale.Model) sale.Model { return m.Warn(func(i18n.Texts) string { return text }) }
}

func item(label string, price payments.Ariary, quantity int64) payments.Item {
	return payments.Item{Label: label, UnitPrice: price, Quantity: quantity}
}
