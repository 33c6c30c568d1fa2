package sale_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/tui/sale"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

// hall is a store with articles that the test sets. reads is the number of times that the articles
// were read.
type hall struct {
	drawer.Store
	articles []payments.Article
	reads    int
	fault    error
}

func (h *hall) Articles(context.Context) ([]payments.Article, error) {
	h.reads++
	return h.articles, h.fault
}

func TestTheCatalogueIsReadAgainAfterAChange(t *testing.T) {
	now := shoptest.Opening()
	at := &hall{Store: open(t).Store(), articles: shoptest.Articles()}
	d := drive(t, on(t, at, func() time.Time { return now }))
	picture := func(changed bool) *tuitest.Driver {
		return d.Send(func(m sale.Model) sale.Model {
			if changed {
				m.Counter.Wake()
			}
			return tick(m)
		})
	}
	changed := func(m sale.Model) sale.Model {
		m.Counter.ArticlesChanged()
		return m
	}
	reads := func(want int, when string) {
		t.Helper()
		if at.reads != want {
			t.Errorf("%s the catalogue was read %d times, want %d", when, at.reads, want)
		}
	}
	reads(1, "at the start")
	at.articles = append(shoptest.Articles(), payments.Article{ID: "new", Label: "Kafe", UnitPrice: 800})
	d.Type("kaf").Lacks("Kafe")
	t.Run("at once when the console reports a change, also while typing", func(t *testing.T) {
		d.Send(changed).Sees("Kafe  800", "Enter adds")
		reads(2, "after it changed")
	})
	t.Run("five seconds after another change in the store", func(t *testing.T) {
		picture(true)
		picture(true)
		reads(2, "at the same moment")
		now = now.Add(4 * time.Second)
		picture(true)
		reads(2, "too early")
		now = now.Add(time.Second)
		picture(false)
		reads(3, "five seconds later")
		now = now.Add(time.Minute)
		picture(false)
		reads(3, "without a change")
	})
	t.Run("a failed read keeps the catalogue and is repeated", func(t *testing.T) {
		at.fault = errors.New("the disk is gone")
		d.Send(changed).Sees("Kafe  800")
		at.fault, at.articles = nil, nil
		now = now.Add(5 * time.Second)
		picture(false).Lacks("Kafe")
	})
}

func TestAnEntryWaitsUntilTheCatalogueIsRead(t *testing.T) {
	tests := []struct {
		name, entry, then string
		fault             error
		want              []payments.Item
		says              string
	}{
		{name: "an article", entry: "vary g", want: []payments.Item{item("Vary gasy", 3500, 1)}},
		{name: "a code", entry: "6111000000017", want: []payments.Item{item("Vary gasy", 3500, 1)}},
		{name: "an unknown article", entry: "mofo", says: "No price is known"},
		{name: "a catalogue that cannot be read", entry: "vary g", fault: errors.New("the disk is gone"), says: "No price is known"},
		{name: "an entry that was changed meanwhile", entry: "vary g", then: "a"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := slowly(t, desk(t, &hall{Store: open(t).Store(), articles: shoptest.Articles(), fault: test.fault}), reads)
			enter(d, test.entry).Sees("› " + test.entry).Lacks("missing")
			d.Type(test.then).Send(shoptest.Release{}).Sees(test.says)
			if got := items(d); !slices.Equal(got, test.want) {
				t.Errorf("the sale has %v, want %v", got, test.want)
			}
			if test.says == "" {
				d.Lacks("missing")
			}
		})
	}
}

func TestScansWaitUntilTheCatalogueIsRead(t *testing.T) {
	d := slowly(t, desk(t, &hall{Store: open(t).Store(), articles: shoptest.Articles()}), reads)
	scan(scan(d, varyGasy), varyGasy).Lacks("No article")
	d.Send(shoptest.Release{}).Sees("Vary gasy")
	if got, want := items(d), []payments.Item{item("Vary gasy", 3500, 2)}; !slices.Equal(got, want) {
		t.Errorf("the sale has %v, want %v", got, want)
	}
}
