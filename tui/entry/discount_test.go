package entry_test

import (
	"errors"
	"slices"
	"testing"

	"checkout/till/payments"
	"checkout/till/tui/entry"
)

func TestADiscountIsReadInThreeWays(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want payments.Ariary
		err  error
	}{
		"a price":                     {"1800", 1800, nil},
		"a grouped price with a unit": {"1 800 Ar", 1800, nil},
		"a share":                     {"10%", 1800, nil},
		"a share with a sign":         {"-10 %", 1800, nil},
		"an amount taken off":         {"-500", 1500, nil},
		"more than the price":         {"2500", 2500, nil},
		"nothing":                     {" ", 0, entry.ErrDiscount},
		"all of it":                   {"-2000", 0, entry.ErrDiscount},
		"the whole share":             {"100%", 0, entry.ErrDiscount},
		"above the whole share":       {"101%", 0, entry.ErrDiscount},
		"words":                       {"half", 0, entry.ErrDiscount},
		"T4 too much":                 {"99999999999999999999", 0, payments.ErrTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := entry.Discounted(c.text, 2000)
			if got != c.want || !errors.Is(err, c.err) {
				t.Errorf("Discounted(%q) = %d, %v; want %d, %v", c.text, got, err, c.want, c.err)
			}
		})
	}
}

func TestAnArticleKeepsItsLabelAndItsListPrice(t *testing.T) {
	got, err := shelf().Priced(item("eclair", 4000, 2))
	want := payments.Item{Label: "Éclair", UnitPrice: 4000, Quantity: 2, ListPrice: 4500}
	if err != nil || got != want {
		t.Errorf("below its price it is %+v, %v; want %+v", got, err, want)
	}
	if got, err := shelf().Priced(item("Savony", 1200, 1)); err != nil || got != item("Savony", 1200, 1) {
		t.Errorf("what is no article is %+v, %v", got, err)
	}
}

func TestTextsArePartedByTheirLettersAlone(t *testing.T) {
	for _, c := range []struct {
		one, other string
		want       bool
	}{
		{"Rakoto", "RAKOTO", true},
		{"Éclair", "eclair", true},
		{"Table 4", "table-4", true},
		{"*", "*", true},
		{"*", "+", false},
		{"Table 4", "Table 5", false},
	} {
		if got := entry.Same(c.one, c.other); got != c.want {
			t.Errorf("Same(%q, %q) = %v", c.one, c.other, got)
		}
	}
}

func TestAQuantityAloneIsKnownAsOne(t *testing.T) {
	for text, want := range map[string]struct {
		quantity int64
		ok       bool
	}{"": {0, true}, "2*": {2, true}, "x3": {3, true}, "2* Vary": {2, false}, "x0": {0, false}, "Vary": {0, false}} {
		if quantity, ok := entry.Quantity(text); quantity != want.quantity || ok != want.ok {
			t.Errorf("Quantity(%q) = %d, %v; want %d, %v", text, quantity, ok, want.quantity, want.ok)
		}
	}
}

func TestWhatIsBeingTypedFindsItsArticles(t *testing.T) {
	for text, want := range map[string]struct {
		labels   []string
		quantity int64
	}{
		"A1":        {[]string{"Coca 1L"}, 1},
		"2*stock":   {[]string{"Vary stock"}, 2},
		"coca x":    {[]string{"Coca", "Coca 1L"}, 1},
		"coca 500":  {nil, 0},
		"2*coca x2": {nil, 0},
	} {
		fit, quantity := shelf().Fitting(text)
		if !slices.Equal(labels(fit.Best), want.labels) || quantity != want.quantity {
			t.Errorf("Fitting(%q) is %q, %d; want %q, %d", text, labels(fit.Best), quantity, want.labels, want.quantity)
		}
	}
}

func TestAShelfKnowsWhetherItIsStillTheCatalogue(t *testing.T) {
	catalogue := articles()[:1]
	stocked := entry.NewShelf(catalogue)
	if !stocked.Holds(catalogue) {
		t.Error("it does not hold what it was built of")
	}
	catalogue[0].UnitPrice++
	if stocked.Holds(catalogue) || stocked.Holds(nil) {
		t.Error("it holds what it was not built of")
	}
}
