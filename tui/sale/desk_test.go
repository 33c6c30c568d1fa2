package sale_test

import (
	"testing"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/tui/counter"
	"checkout/till/tui/live"
	"checkout/till/tui/sale"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

// open returns a shop with articles in a new database.
func open(t *testing.T) *shoptest.Counter {
	t.Helper()
	c, articles := shoptest.Open(t), shoptest.Articles()
	for i := range articles {
		articles[i].ID = ""
	}
	tuitest.Must(t, c.AddArticles(t.Context(), articles))
	return c
}

// desk returns the screen in English, with a new counter.
func desk(t *testing.T, at drawer.Store) sale.Model {
	return with(t, at, "en", unhurried(), theme.Plain())
}

// on returns the screen in English, with the given clock.
func on(t *testing.T, at drawer.Store, now payments.Clock) sale.Model {
	return with(t, at, "en", now, theme.Plain())
}

func with(t *testing.T, at drawer.Store, language string, now payments.Clock, styles theme.Theme) sale.Model {
	t.Helper()
	return offering(t, at, language, now, styles, drawer.TenderCash)
}

// tendering returns the screen in English, with the given tenders.
func tendering(t *testing.T, at drawer.Store, tenders ...drawer.Tender) sale.Model {
	t.Helper()
	return offering(t, at, "en", unhurried(), theme.Plain(), tenders...)
}

func offering(t *testing.T, at drawer.Store, language string, now payments.Clock, styles theme.Theme, tenders ...drawer.Tender) sale.Model {
	t.Helper()
	service := drawer.New(at, payments.New(at, nil, now))
	desk := counter.New(counter.Config{
		Till: shoptest.Till, Tenders: tenders, Words: counter.Words{Rest: func(money.Ariary) string { return "rest" }, Dropped: "dropped", Debt: "Payment of a debt"}, Now: service.Now, Health: func() payments.Health { return payments.Health{Listening: true} },
		NewSale: func() payments.Sale { return service.NewSale(shoptest.Till) },
	})
	return sale.New(live.Console{
		Service: service, Run: shoptest.Run(t), Tenders: tenders, Till: shoptest.Till, Zone: shoptest.Zone(),
		Theme: styles, Texts: i18n.Load(language),
	}, desk, "")
}

// unhurried returns a clock that advances by a second at each reading, so that a question accepts
// an answer immediately.
func unhurried() payments.Clock {
	now := shoptest.Opening()
	return func() time.Time {
		now = now.Add(time.Second)
		return now
	}
}

// drive starts the screen in a window of 80×24.
func drive(t *testing.T, screen sale.Model) *tuitest.Driver {
	t.Helper()
	return slowly(t, screen, calls)
}

// slowly starts the screen in a window of 80×24. If keep returns true for an effect, the effect is
// delayed.
func slowly(t *testing.T, screen sale.Model, keep func(counter.Effect) bool) *tuitest.Driver {
	t.Helper()
	desk := &shoptest.Desk{Counter: screen.Counter, Service: screen.Service, Run: screen.Run, Keep: keep}
	screen.Counter.Begin()
	return tuitest.Drive(t, shoptest.Wrap(screen).At(desk), 80, 24)
}

// reads reports whether an effect is not a write of a sale.
func reads(effect counter.Effect) bool {
	_, saves := effect.(counter.SaveSale)
	return !saves
}

// calls reports whether an effect is an order call. Order calls are delayed, because the test has
// no payment service.
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

func alone(d *tuitest.Driver) shoptest.Harness[sale.Model] {
	return d.Model().(shoptest.Harness[sale.Model])
}

// items returns the lines of the current sale.
func items(d *tuitest.Driver) []payments.Item { return alone(d).Screen.Counter.Cart().Sale.Items }

// charged returns the facts that say that an order call has begun.
func charged(d *tuitest.Driver) []counter.Sent {
	return shoptest.Received[counter.Sent](alone(d))
}

// stored returns the lines of the first sale in the store.
func stored(t *testing.T, c *shoptest.Counter) []payments.Item {
	t.Helper()
	sales, err := c.Sales(t.Context(), shoptest.Till)
	tuitest.Must(t, err)
	if len(sales) == 0 {
		return nil
	}
	return sales[0].Items
}

// reset begins a new sale, like the console after a charge.
func reset(m sale.Model) sale.Model {
	if m.Counter.Stage() == counter.Sending {
		m.Counter.Leave()
	} else {
		m.Counter.Take(counter.Recover{Sales: []payments.Sale{m.Counter.Cart().Sale}})
	}
	return m
}

func tick(m sale.Model) sale.Model {
	m.Counter.Tick()
	return m
}

// hold does the same as the console's key F5: it holds or resumes a sale.
func hold(m sale.Model) sale.Model { return m.Hold() }

// warn returns a function that shows a warning of the console on the screen.
func warn(text string) func(sale.Model) sale.Model {
	return func(m sale.Model) sale.Model {
		m.Warn(func(i18n.Texts) string { return text })
		return m
	}
}

func item(label string, price money.Ariary, quantity int64) payments.Item {
	return payments.Item{Label: label, UnitPrice: price, Quantity: quantity}
}
