package counter_test

import (
	"fmt"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/tui/counter"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

// desk is the counter under test, with a shop and a clock that the test controls.
type desk struct {
	*shoptest.Counter
	t     *testing.T
	at    *counter.Counter
	reach payments.Reach
	facts []counter.Fact
	late  func(counter.Effect) bool // Reports whether settle must leave an effect to release or next.
	kept  []counter.Effect
}

func open(t *testing.T) *desk {
	t.Helper()
	return sell(t, shoptest.Open(t))
}

func sell(t *testing.T, shop *shoptest.Counter) *desk {
	t.Helper()
	d := closed(t, shop)
	d.at.Begin()
	return d.settle()
}

// closed returns a counter in a shop, before Begin.
func closed(t *testing.T, shop *shoptest.Counter) *desk {
	t.Helper()
	d := &desk{Counter: shop, t: t, reach: payments.ReachListens}
	health := func() payments.Health { return shoptest.Health(d.reach, d.Now()) }
	d.at = shoptest.NewCounter(shop.Service, counter.Grace, health, drawer.CounterTenders()...)
	return d
}

// settle performs effects and collects facts until no effect is left. If late returns true for an
// effect, settle puts it into kept instead.
func (d *desk) settle() *desk {
	d.t.Helper()
	for {
		effects, facts := d.at.Drain()
		d.facts = append(d.facts, facts...)
		if len(effects) == 0 && len(facts) == 0 {
			return d
		}
		for _, effect := range effects {
			if d.late != nil && d.late(effect) {
				d.kept = append(d.kept, effect)
				continue
			}
			d.at.Take(effect.Perform(d.t.Context(), d.Service))
		}
	}
}

// release performs the effects in kept. From then on settle performs every effect.
func (d *desk) release() *desk {
	d.t.Helper()
	kept := d.kept
	d.kept = nil
	d.late = nil
	for _, effect := range kept {
		d.at.Take(effect.Perform(d.t.Context(), d.Service))
	}
	return d.settle()
}

// next performs the first effect in kept.
func (d *desk) next() *desk {
	d.t.Helper()
	first := d.kept[0]
	d.kept = d.kept[1:]
	d.at.Take(first.Perform(d.t.Context(), d.Service))
	return d.settle()
}

func (d *desk) add(label string, price money.Ariary) *desk {
	d.t.Helper()
	_, err := d.at.Add(payments.Item{Label: label, UnitPrice: price, Quantity: 1})
	tuitest.Must(d.t, err)
	return d.settle()
}

// charge charges the sale and returns the shop's newest order.
func (d *desk) charge() payments.Order {
	d.t.Helper()
	d.at.Charge()
	d.yes()
	return d.All()[0]
}

func (d *desk) yes() *desk {
	d.t.Helper()
	d.at.Yes()
	return d.settle()
}

// cash takes what the customer gave for the sale in cash; 0 means the exact sum.
func (d *desk) cash(given money.Ariary) *desk {
	d.t.Helper()
	d.at.TenderBy(drawer.TenderCash)
	d.settle().at.TakeCash(given)
	return d.settle()
}

// is fails the test unless got, a value of the counter, equals want.
func (d *desk) is(what string, got, want any) {
	d.t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		d.t.Fatalf("%s: got %v, want %v", what, got, want)
	}
}

func (d *desk) stores(count int) {
	d.t.Helper()
	sales, err := d.Sales(d.t.Context(), shoptest.Till)
	tuitest.Must(d.t, err)
	d.is("stored sales", len(sales), count)
}

// sale returns what is paid of the current sale, and the labels of its lines.
func (d *desk) sale() string {
	sale := d.at.Cart().Sale
	return fmt.Sprint(sale.Taken, " ", labels(sale))
}

func (d *desk) wake() *desk {
	d.t.Helper()
	d.at.Wake()
	return d.settle()
}

func (d *desk) after(by time.Duration) *desk {
	d.t.Helper()
	d.Advance(by)
	d.at.Tick()
	return d.settle()
}

// came returns the collected facts of type F, the oldest first.
func came[F counter.Fact](d *desk) []F {
	var found []F
	for _, fact := range d.facts {
		if wanted, is := fact.(F); is {
			found = append(found, wanted)
		}
	}
	return found
}

func labels(sale payments.Sale) []string {
	var names []string
	for _, item := range sale.Items {
		names = append(names, item.Label)
	}
	return names
}
