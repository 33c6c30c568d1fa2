package entry_test

import (
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/money"
	"checkout/till/tui/entry"
)

// market returns a shelf with articles that are sold by weight, by volume and by the piece.
func market() entry.Shelf {
	return entry.NewShelf([]payments.Article{
		{ID: "1", Label: "Vary mena", UnitPrice: 2500, Unit: "kg", Code: "101"},
		{ID: "2", Label: "Menaka", UnitPrice: 6000, Unit: "l"},
		{ID: "3", Label: "Mofomamy", UnitPrice: 9000},
		{ID: "4", Label: "Lamba x2", UnitPrice: 15000, Unit: "m"},
	})
}

func TestADecimalQuantityMeasuresAnArticle(t *testing.T) {
	french := entry.Words{FreeAmount: "Montant libre", DecimalMark: ","}
	for name, c := range map[string]struct {
		label   string
		price   money.Ariary
		list    money.Ariary
		measure payments.Measure
		entries []string
	}{
		"an article of the shelf": {"Vary mena 1,2 kg", 3000, 0, payments.Measure{Article: "Vary mena", Thousandths: 1200, Unit: "kg", Price: 2500}, []string{
			"vary x1.2", "vary x1,2", "Vary mena x1,2", "1,2*vary", "1.2 * Vary mena", "1.20 x vary", "vary mena ×1,200", "vary*1.2", "101 x1.2", "1,2*101",
			"Vary mena 2500x1.2", "vary mena 2 500 x1,2", "1,2*Vary mena 2500", "Vary mena 2500 Ar x1.2", "1,2**Vary mena 2500", "Vary mena x01.2",
		}},
		"less than one":                   {"Vary mena 0,75 kg", 1875, 0, payments.Measure{Article: "Vary mena", Thousandths: 750, Unit: "kg", Price: 2500}, []string{"vary x0.75", "vary x,75", "0,750*vary"}},
		"half an ariary is rounded up":    {"Vary mena 0,001 kg", 3, 0, payments.Measure{Article: "Vary mena", Thousandths: 1, Unit: "kg", Price: 2500}, []string{"vary x0.001"}},
		"a lower price":                   {"Vary mena 1,2 kg", 2400, 3000, payments.Measure{Article: "Vary mena", Thousandths: 1200, Unit: "kg", Price: 2000}, []string{"vary mena 2000x1.2", "1,2*VARY MENA 2 000"}},
		"a higher price":                  {"Vary mena 1,2 kg", 3600, 0, payments.Measure{Article: "Vary mena", Thousandths: 1200, Unit: "kg", Price: 3000}, []string{"vary mena 3000x1.2"}},
		"a volume":                        {"Menaka 0,5 l", 3000, 0, payments.Measure{Article: "Menaka", Thousandths: 500, Unit: "l", Price: 6000}, []string{"menaka x0,5", "0.5*menak"}},
		"a name like a quantity":          {"Lamba x2 2,5 m", 37500, 0, payments.Measure{Article: "Lamba x2", Thousandths: 2500, Unit: "m", Price: 15000}, []string{"lamba x2.5", "Lamba x2 15000 x2.5"}},
		"a third of a piece":              {"Mofomamy 0,333", 2997, 0, payments.Measure{Article: "Mofomamy", Thousandths: 333, Price: 9000}, []string{"mofo x0.333", "0,333*mofo"}},
		"an unknown article":              {"Savony 1,2", 1440, 0, payments.Measure{Article: "Savony", Thousandths: 1200, Price: 1200}, []string{"Savony 1200 x1.2", "1,2*Savony 1200", "Savony 1 200x1,2"}},
		"a free amount":                   {"Montant libre 1,5", 2250, 0, payments.Measure{Article: "Montant libre", Thousandths: 1500, Price: 1500}, []string{"1500x1.5", "1,5*1500"}},
		"a small price":                   {"Clous 0,25", 13, 0, payments.Measure{Article: "Clous", Thousandths: 250, Price: 50}, []string{"Clous 50 x0.25"}},
		"a decimal comma in another word": {"Bois 2,5 m 1,5", 4500, 0, payments.Measure{Article: "Bois 2,5 m", Thousandths: 1500, Price: 3000}, []string{"Bois 2,5 m 3000 x1.5"}},
	} {
		for _, text := range c.entries {
			t.Run(name+": "+text, func(t *testing.T) {
				want := payments.Item{Label: c.label, UnitPrice: c.price, Quantity: 1, ListPrice: c.list, Measure: c.measure}
				got, err := entry.Parse(text, market(), french)
				if err != nil || got != want {
					t.Errorf("Parse(%q) = %+v, %v; want %+v", text, got, err, want)
				}
				back := entry.Format(got, market())
				if again, err := entry.Parse(back, market(), french); err != nil || again != want {
					t.Errorf("Parse(%q) = %+v, %v; want %+v", back, again, err, want)
				}
			})
		}
	}
	for text, want := range map[string]payments.Item{
		"mofo x2":   item("Mofomamy", 9000, 2),
		"mofo x2.0": item("Mofomamy", 9000, 2),
	} {
		if got, err := entry.Parse(text, market(), french); err != nil || got != want {
			t.Errorf("a whole quantity: Parse(%q) = %+v, %v; want %+v", text, got, err, want)
		}
	}
	if got, err := entry.Parse("vary x1,2", market(), words()); err != nil || got.Label != "Vary mena 1.2 kg" {
		t.Errorf("in English the label is %q (%v)", got.Label, err)
	}
	long, err := entry.Parse("Kakazo lava be lava be lava be lava be lava be lava be lava be lava be lava be lava be lava be lava be lava be lava be 3000 x1.5", market(), french)
	if want := "… 1,5"; err != nil || len(long.Label) < len(want) || long.Label[len(long.Label)-len(want):] != want {
		t.Errorf("a long label is %q (%v), want it to end in %q", long.Label, err, want)
	}
}

// TestFormatAndParseAreInverseForEveryMeasure tries many prices and measures, with labels that are
// hard to parse again.
func TestFormatAndParseAreInverseForEveryMeasure(t *testing.T) {
	for _, label := range []string{"Vary mena", "Savony", "Eau 150", "2x Riz", "Riz x2", "2* x", "101", "Lamba x2", "1,5 L eau", "x1.2"} {
		for _, thousandths := range []int64{1, 10, 333, 750, 999, 1001, 1200, 12345, 250_500, 1_200_500} {
			for _, price := range []money.Ariary{500, 700, 2500, 6001, 150_000, 2_000_000} {
				parsed := entry.Parsed{Label: label, Price: price, Thousandths: thousandths}
				sold, err := parsed.Item(market(), words())
				if err != nil {
					t.Fatal(err)
				}
				text := entry.Format(sold, market())
				if back, err := entry.Parse(text, market(), words()); err != nil || back != sold {
					t.Errorf("Parse(%q) = %+v, %v; want %+v", text, back, err, sold)
				}
			}
		}
	}
}
