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

func TestAReducedLineKeepsTheOldPrice(t *testing.T) {
	was := payments.Item{Label: "Coca", UnitPrice: 1800, Quantity: 2, ListPrice: 2000}
	got, err := entry.Reduced(was, "-500")
	if want := (payments.Item{Label: "Coca", UnitPrice: 1500, Quantity: 2, ListPrice: 2000}); err != nil || got != want {
		t.Errorf("500 off give %+v, %v; want %+v", got, err, want)
	}
	if got, err = entry.Reduced(was, "2000"); err != nil || got.ListPrice != 0 {
		t.Errorf("the full price gives %+v, %v", got, err)
	}
	if _, err = entry.Reduced(was, "?"); !errors.Is(err, entry.ErrDiscount) {
		t.Errorf("what is no discount gives %v", err)
	}
	if got := entry.Corrected(was, item("Coca", 1700, 1)); got.ListPrice != 2000 {
		t.Errorf("corrected, it is %+v", got)
	}
	if got := entry.Corrected(was, item("Fanta", 1700, 1)); got.ListPrice != 0 {
		t.Errorf("corrected to another article, it is %+v", got)
	}
}

func TestALineThatIsThereAlreadyGetsMoreOfIt(t *testing.T) {
	reduced := payments.Item{Label: "Coca", UnitPrice: 1800, Quantity: 1, ListPrice: 2000}
	lines := []payments.Item{item("Vary", 3500, 1), reduced}
	for name, c := range map[string]struct {
		place int
		item  payments.Item
		want  []payments.Item
		at    int
		err   error
	}{
		"the same line":      {2, item("Vary", 3500, 2), []payments.Item{item("Vary", 3500, 3), reduced}, 0, nil},
		"another price":      {2, item("Vary", 3000, 1), append(slices.Clone(lines), item("Vary", 3000, 1)), 2, nil},
		"another discount":   {0, item("Coca", 1800, 1), append([]payments.Item{item("Coca", 1800, 1)}, lines...), 0, nil},
		"T4 a line too many": {2, item("Zebu", payments.MaxAriary, 1), nil, 2, payments.ErrTooLarge},
		"T4 a line too much": {2, item("Vary", 3500, int64(payments.MaxAriary)/3500), nil, 0, payments.ErrTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			got, at, err := entry.Joined(slices.Clone(lines), c.place, c.item)
			if !errors.Is(err, c.err) || c.err == nil && (at != c.at || !slices.Equal(got, c.want)) {
				t.Errorf("joined they are %+v, changed at %d, %v; want %+v, %d, %v", got, at, err, c.want, c.at, c.err)
			}
		})
	}
	if got, err := entry.Times(reduced, 5); err != nil || got.Quantity != 5 || got.ListPrice != 2000 {
		t.Errorf("five of them are %+v, %v", got, err)
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
