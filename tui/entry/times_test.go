package entry_test

import (
	"errors"
	"strings"
	"testing"

	"checkout/till/payments"
	"checkout/till/tui/entry"
)

// crates are articles whose names hold what looks like a quantity.
func crates() entry.Shelf {
	return entry.NewShelf(append(articles(),
		payments.Article{ID: "20", Label: "Pack x6", UnitPrice: 9000},
		payments.Article{ID: "21", Label: "2x Chips", UnitPrice: 1200},
		payments.Article{ID: "22", Label: "Eau 1500", UnitPrice: 2500},
		payments.Article{ID: "23", Label: "Pain", UnitPrice: 800, Code: "201"},
		payments.Article{ID: "24", Label: "THB", UnitPrice: 4500, Code: "thb"},
	))
}

func TestAQuantityWithItsSignStandsWhereItIsTyped(t *testing.T) {
	cases := map[string]struct {
		entry string
		want  payments.Item
	}{
		"before the label":                           {"2x riz 3500", item("riz", 3500, 2)},
		"before the label, apart":                    {"2 x riz 3500", item("riz", 3500, 2)},
		"before the label, the sign first":           {"x2 riz 3500", item("riz", 3500, 2)},
		"before the label, the sign first, apart":    {"x 2 riz 3500", item("riz", 3500, 2)},
		"before the label with another sign":         {"2× riz 3 500", item("riz", 3500, 2)},
		"before the price":                           {"Riz x2 3500", item("Riz", 3500, 2)},
		"before the price, the number first":         {"Riz 2x 3500", item("Riz", 3500, 2)},
		"before the price, apart":                    {"Riz x 2 3500", item("Riz", 3500, 2)},
		"before a grouped price":                     {"Riz x2 3 500", item("Riz", 3500, 2)},
		"before a grouped price, apart":              {"Riz x 2 3 500", item("Riz", 3500, 2)},
		"before a grouped price, number first":       {"Riz 2 x 3 500", item("Riz", 3500, 2)},
		"before a price of three digits, apart":      {"Riz x 2 500", item("Riz", 500, 2)},
		"before a price with its unit":               {"Riz x2 3500 Ar", item("Riz", 3500, 2)},
		"before a free amount":                       {"x2 3500", item("Free amount", 3500, 2)},
		"before a free amount, the number first":     {"2x 3500", item("Free amount", 3500, 2)},
		"before a code":                              {"2x A1", item("Coca 1L", 6000, 2)},
		"before letters":                             {"2x coca", item("Coca", 2000, 2)},
		"within a name whose last word is a measure": {"coca x2 1l", item("Coca 1L", 6000, 2)},
		"a measure is none":                          {"Planche 20 x 30 5000", item("Planche 20 x 30", 5000, 1)},
		"an article is called so":                    {"pack x6 8000", item("pack x6", 8000, 1)},
		"an article's whole name":                    {"2x chips", item("2x Chips", 1200, 1)},
		"letters of an article's name":               {"2x chi", item("2x Chips", 1200, 1)},
		"a quantity before an article called so":     {"3*pack x6 8000", item("pack x6", 8000, 3)},
		"a label as it is written":                   {"2**Riz x2 3500", item("Riz x2", 3500, 2)},
		"a free amount behind two stars":             {"2**3500", item("Free amount", 3500, 2)},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := entry.Parse(c.entry, crates(), "Free amount")
			if err != nil || got != c.want {
				t.Errorf("Parse(%q) = %+v, %v; want %+v", c.entry, got, err, c.want)
			}
		})
	}
}

func TestAQuantityThatCannotBeMeantSaysWhy(t *testing.T) {
	for text, want := range map[string]error{
		"2x riz 3500 x2": entry.ErrTwoQuantities,
		"2x riz x2 3500": entry.ErrTwoQuantities,
		"2*riz x2 3500":  entry.ErrTwoQuantities,
		"Riz x2 3500 x2": entry.ErrTwoQuantities,
		"2x riz 3500x2":  entry.ErrTwoQuantities,
		"2x x2 3500":     entry.ErrTwoQuantities,
		"0x riz 3500":    entry.ErrQuantity,
		"Riz x0 3500":    entry.ErrQuantity,
		"Riz x1,5 3500":  entry.ErrQuantity,
		"0**riz 3500":    entry.ErrQuantity,
		"2**":            entry.ErrNotUnderstood,
		"2**riz":         entry.ErrNoPrice,
		"2x riz":         entry.ErrNoPrice,
		"Riz x2 1.500":   payments.ErrNotAmount,
	} {
		if got, err := entry.Parse(text, crates(), "Free amount"); !errors.Is(err, want) {
			t.Errorf("Parse(%q) = %+v, %v; want %v", text, got, err, want)
		}
	}
}

func TestALastNumberThatIsRatherAQuantityIsRefused(t *testing.T) {
	for text, want := range map[string]string{
		"Riz 3500 2":       "Riz 3500x2",
		"Eau 1 500 2":      "Eau 1 500x2",
		"3500 2":           "3500x2",
		"Riz 35000 2 000":  "Riz 35000x2000",
		"Coca 2000 1":      "Coca 2000x1",
		"201 2":            "201 x2",
		"A1 3":             "A1 x3",
		"201 3500":         "201 x3500",
		"eau 150 2":        "Eau 150 0700 x2",
		"Eau 1500 12":      "Eau 1500 2500 x12",
		"Savon 100 99":     "Savon 100x99",
		"Recharge 5000 48": "Recharge 5000x48",
	} {
		got, err := entry.Parse(text, crates(), "Free amount")
		pieces, ok := errors.AsType[*entry.PiecesError](err)
		if !ok || pieces.Form != want {
			t.Errorf("Parse(%q) = %+v, %v; want the advice %q", text, got, err, want)
			continue
		}
		if !strings.HasSuffix(err.Error(), " pieces are "+want) {
			t.Errorf("the error says %q", err)
		}
		sold, err := entry.Parse(pieces.Form, crates(), "Free amount")
		if err != nil || sold.Quantity != int64(pieces.Pieces) {
			t.Errorf("Parse(%q) = %+v, %v; want %s pieces", pieces.Form, sold, err, pieces.Pieces)
		}
	}
	for text, want := range map[string]payments.Item{
		"Coca 50 2000":      item("Coca 50", 2000, 1),
		"Coca 50 20":        item("Coca 50", 20, 1),
		"Riz 3500 4000":     item("Riz 3500", 4000, 1),
		"2 201":             item("Free amount", 2201, 1),
		"201 500":           item("Free amount", 201500, 1),
		"201 x2":            item("Pain", 800, 2),
		"thb 4000":          item("thb", 4000, 1),
		"Eau 1500 2000":     item("Eau 1500", 2000, 1),
		"eau 1500 0900":     item("eau 1500", 900, 1),
		"Bonbon 500 50 x3":  item("Bonbon 500", 50, 3),
		"Bonbon 500 50 Ar":  item("Bonbon 500", 50, 1),
		"2*Bonbon 500 50":   item("Bonbon 500", 50, 2),
		"1**201 2":          item("201", 2, 1),
		"Vary 3500 gasy 20": item("Vary 3500 gasy", 20, 1),
	} {
		if got, err := entry.Parse(text, crates(), "Free amount"); err != nil || got != want {
			t.Errorf("Parse(%q) = %+v, %v; want %+v", text, got, err, want)
		}
	}
}

func TestAnEntryThatIsTooLongSaysSo(t *testing.T) {
	fits := strings.Repeat("a", entry.MaxWidth-5) + " 3500"
	if _, err := entry.Parse(fits, shelf(), ""); err != nil {
		t.Errorf("an entry of %d columns gives %v", len(fits), err)
	}
	for _, text := range []string{"a" + fits, "a" + fits + " x2", strings.Repeat("3500 ", 1000)} {
		if got, err := entry.Parse(text, shelf(), ""); !errors.Is(err, entry.ErrTooLong) {
			t.Errorf("an entry of %d columns gives %+v, %v", len(text), got, err)
		}
	}
}

func TestAQuantityAloneIsReadInEachOfItsForms(t *testing.T) {
	for text, want := range map[string]int64{"2*": 2, "x2": 2, "2x": 2, "x 2": 2, "2 x": 2, "2 *": 2, "": 0} {
		if got, ok := entry.Quantity(text); !ok || got != want {
			t.Errorf("Quantity(%q) = %d, %v; want %d", text, got, ok, want)
		}
	}
	for _, text := range []string{"2", "x0", "0x", "x", "2x a", "2x 3500"} {
		if got, ok := entry.Quantity(text); ok {
			t.Errorf("Quantity(%q) = %d", text, got)
		}
	}
}
