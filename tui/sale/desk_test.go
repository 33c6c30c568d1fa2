package sale_test

import (
	"slices"
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

func desk(t *testing.T, at drawer.Store) sale.Model {
	return with(t, at, "en", unhurried(), theme.Plain())
}

func on(t *testing.T, at drawer.Store, now payments.Clock) sale.Model {
	return with(t, at, "en", now, theme.Plain())
}

func with(t *testing.T, at drawer.Store, language string, now payments.Clock, styles theme.Theme) sale.Model {
	t.Helper()
	return offering(t, at, language, now, styles, drawer.TenderCash)
}

func tendering(t *testing.T, at drawer.Store, tenders ...drawer.Tender) sale.Model {
	t.Helper()
	return offering(t, at, "en", unhurried(), theme.Plain(), tenders...)
}

func offering(t *testing.T, at drawer.Store, language string, now payments.Clock, styles theme.Theme, tenders ...drawer.Tender) sale.Model {
	t.Helper()
	service := drawer.New(at, payments.New(at, nil, now))
	desk := shoptest.NewCounter(service, 0, func() payments.Health { return payments.Health{Listening: true} }, tenders...)
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
	return slowly(t, screen, shoptest.Delays[counter.Checkout]) // The test has no payment service.
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

func enter(d *tuitest.Driver, entries ...string) *tuitest.Driver {
	for _, entry := range entries {
		d.Type(entry).Press("enter")
	}
	return d
}

func alone(d *tuitest.Driver) shoptest.Harness[sale.Model] {
	return d.Model().(shoptest.Harness[sale.Model])
}

func items(d *tuitest.Driver) []payments.Item { return alone(d).Screen.Counter.Cart().Sale.Items }

func sells(t *testing.T, d *tuitest.Driver, want ...payments.Item) {
	t.Helper()
	if got := items(d); !slices.Equal(got, want) {
		t.Errorf("the sale has %+v, want %+v", got, want)
	}
}

// charged returns the facts that say that an order call has begun.
func charged(d *tuitest.Driver) []counter.Sent {
	return shoptest.Received[counter.Sent](alone(d))
}

// stores fails the test unless the first sale in the store has exactly the lines in want. Without
// want, the store must have no sale.
func stores(t *testing.T, c *shoptest.Counter, want ...payments.Item) {
	t.Helper()
	sales, err := c.Sales(t.Context(), shoptest.Till)
	tuitest.Must(t, err)
	var got []payments.Item
	if len(sales) > 0 {
		got = sales[0].Items
	}
	if !slices.Equal(got, want) || len(want) == 0 && len(sales) > 0 {
		t.Errorf("got the stored lines %+v, want %+v", got, want)
	}
}

// does returns a message that calls methods of the counter.
func does(act func(c *counter.Counter)) func(sale.Model) sale.Model {
	return func(m sale.Model) sale.Model {
		act(m.Counter)
		return m
	}
}

// takes returns a message that passes the result of an effect to the counter.
func takes(done counter.Effect) func(sale.Model) sale.Model {
	return does(func(c *counter.Counter) { c.Take(done) })
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
