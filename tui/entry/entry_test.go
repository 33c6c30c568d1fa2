package entry_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"checkout/till/payments"
	"checkout/till/tui/entry"
)

// articles are what the shop sells at a fixed price.
func articles() []payments.Article {
	return []payments.Article{
		{ID: "1", Label: "Vary gasy", UnitPrice: 3500, Code: "6111000000017"},
		{ID: "2", Label: "Vary stock", UnitPrice: 3000, Code: "12"},
		{ID: "3", Label: "Coca 1L", UnitPrice: 6000, Code: "A1"},
		{ID: "4", Label: "Coca", UnitPrice: 2000, Favourite: 1},
		{ID: "5", Label: "Éclair", UnitPrice: 4500, Favourite: 3},
		{ID: "6", Label: "Eau 150", UnitPrice: 700, Code: "E150"},
		{ID: "7", Label: "2*Savon", UnitPrice: 900, Code: "SAV"},
		{ID: "8", Label: "Vis 400x20", UnitPrice: 100},
		{ID: "9", Label: "Bon 2000 Ar", UnitPrice: 1900, Code: "20001111"},
	}
}

func shelf() entry.Shelf { return entry.NewShelf(articles()) }

func item(label string, price payments.Ariary, quantity int64) payments.Item {
	return payments.Item{Label: label, UnitPrice: price, Quantity: quantity}
}

func TestAnEntryIsReadAsItWasMeant(t *testing.T) {
	cases := map[string]struct {
		entry string
		want  payments.Item
	}{
		"a label and a price":                         {"Savony 1200", item("Savony", 1200, 1)},
		"a quantity behind":                           {"Savony 1200 x3", item("Savony", 1200, 3)},
		"a quantity behind, apart":                    {"Savony 1200 x 3", item("Savony", 1200, 3)},
		"a quantity behind with a capital":            {"Savony 1200 X3", item("Savony", 1200, 3)},
		"a quantity behind with a sign":               {"Savony 1200 ×3", item("Savony", 1200, 3)},
		"a quantity behind with a star":               {"Savony 1200 *3", item("Savony", 1200, 3)},
		"a quantity before":                           {"3*Savony 1200", item("Savony", 1200, 3)},
		"a quantity before, apart":                    {"3 * Savony 1200", item("Savony", 1200, 3)},
		"a quantity before a blank":                   {"3* Savony 1200", item("Savony", 1200, 3)},
		"a quantity before with an x":                 {"3 x Savony 1200", item("Savony", 1200, 3)},
		"a label of several words":                    {"Menaka ampalaza 12000 x2", item("Menaka ampalaza", 12000, 2)},
		"a label that holds a number":                 {"THB 65cl 4500", item("THB 65cl", 4500, 1)},
		"a label that ends in a number":               {"Eau 150 1000", item("Eau 150", 1000, 1)},
		"a bare price":                                {"1500", item("Free amount", 1500, 1)},
		"a bare price with a quantity":                {"1500 x4", item("Free amount", 1500, 4)},
		"a quantity before a bare price":              {"4*1500", item("Free amount", 1500, 4)},
		"T3 a grouped price":                          {"Vary 1 500", item("Vary", 1500, 1)},
		"T3 a bare grouped price":                     {"1 500", item("Free amount", 1500, 1)},
		"T3 a price of three groups":                  {"Fiara 12 500 000", item("Fiara", 12_500_000, 1)},
		"T3 groups and a quantity":                    {"Vary 1 500 x2", item("Vary", 1500, 2)},
		"T3 no-break spaces":                          {"Vary 1\u00a0500", item("Vary", 1500, 1)},
		"T3 narrow no-break spaces":                   {"Vary\u202f1\u202f500", item("Vary", 1500, 1)},
		"T3 a paste with a line end":                  {"Vary 1500\r\n", item("Vary", 1500, 1)},
		"blanks all around":                           {"  Vary   1500   x2  ", item("Vary", 1500, 2)},
		"tabs":                                        {"Vary\t1500\tx2", item("Vary", 1500, 2)},
		"a code that a scanner types":                 {"6111000000017", item("Vary gasy", 3500, 1)},
		"a short code":                                {"12", item("Vary stock", 3000, 1)},
		"a code with letters":                         {"A1", item("Coca 1L", 6000, 1)},
		"a code with a quantity behind":               {"A1 x3", item("Coca 1L", 6000, 3)},
		"a code with a quantity before":               {"3*A1", item("Coca 1L", 6000, 3)},
		"an article's name":                           {"Coca", item("Coca", 2000, 1)},
		"an article's name in small letters":          {"coca", item("Coca", 2000, 1)},
		"a few letters of a name":                     {"vary g", item("Vary gasy", 3500, 1)},
		"the beginning of a name's second word":       {"stock", item("Vary stock", 3000, 1)},
		"letters with an accent":                      {"écl", item("Éclair", 4500, 1)},
		"letters and a quantity":                      {"stock x2", item("Vary stock", 3000, 2)},
		"a name whose last word begins like a number": {"coca 1l", item("Coca 1L", 6000, 1)},
		"a price of one's own beats the article":      {"Coca 2500", item("Coca", 2500, 1)},
		"what no terminal shows is left away":         {"Va\u200bry 1500", item("Vary", 1500, 1)},
		"a quantity that sticks to the price":         {"Savony 1200x3", item("Savony", 1200, 3)},
		"one that sticks with a capital":              {"Savony 1200X3", item("Savony", 1200, 3)},
		"one that sticks to a grouped price":          {"Savony 1 200x3", item("Savony", 1200, 3)},
		"one that sticks to a bare price":             {"1500x4", item("Free amount", 1500, 4)},
		"T3 a unit of money":                          {"Savony 1500 Ar", item("Savony", 1500, 1)},
		"T3 a unit in small letters":                  {"Savony 1 500 ar", item("Savony", 1500, 1)},
		"T3 the whole word":                           {"Savony 1500 Ariary", item("Savony", 1500, 1)},
		"T3 a unit that sticks to the price":          {"Savony 1500Ar", item("Savony", 1500, 1)},
		"T3 a bare price with its unit":               {"1500 Ar", item("Free amount", 1500, 1)},
		"a unit, and a quantity behind":               {"Savony 1500 Ar x2", item("Savony", 1500, 2)},
		"a quantity before, and a unit":               {"2*Savony 1500 Ar", item("Savony", 1500, 2)},
		"an article whose name looks like a quantity": {"vis 400x20", item("Vis 400x20", 100, 1)},
		"an article whose name ends in a unit":        {"bon 2000 ar", item("Bon 2000 Ar", 1900, 1)},
		"letters from the middle of a name":           {"lair", item("Éclair", 4500, 1)},
		"letters without their accent":                {"ECLAIR", item("Éclair", 4500, 1)},
		"the beginning beats the middle":              {"coca 1l x2", item("Coca 1L", 6000, 2)},
		"beginnings of words in any order":            {"gas var", item("Vary gasy", 3500, 1)},
		"a bare price of many digits in groups":       {"12 345 678", item("Free amount", 12_345_678, 1)},
		"a price of many digits behind a label":       {"Fiara 12345678", item("Fiara", 12_345_678, 1)},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := entry.Parse(c.entry, shelf(), "Free amount")
			if err != nil || got != c.want {
				t.Errorf("Parse(%q) = %+v, %v; want %+v", c.entry, got, err, c.want)
			}
		})
	}
}

func TestAnEntryThatIsNotUnderstoodSaysWhy(t *testing.T) {
	cases := map[string]struct {
		entry string
		want  error
	}{
		"nothing":                             {"", entry.ErrNotUnderstood},
		"blanks":                              {" \t ", entry.ErrNotUnderstood},
		"characters that cannot be seen":      {"\u200b\u202e", entry.ErrNotUnderstood},
		"a quantity alone":                    {"x2", entry.ErrNotUnderstood},
		"a quantity before nothing":           {"2*", entry.ErrNotUnderstood},
		"a label alone":                       {"Savony", entry.ErrNoPrice},
		"a label and a quantity":              {"Savony x2", entry.ErrNoPrice},
		"two quantities":                      {"2*Savony 1200 x2", entry.ErrTwoQuantities},
		"a quantity of nothing":               {"Savony 1200 x0", entry.ErrQuantity},
		"a quantity below nothing":            {"Savony 1200 x-1", entry.ErrQuantity},
		"a quantity with a fraction":          {"Savony 1200 x1.5", entry.ErrQuantity},
		"a quantity with a decimal comma":     {"Savony 1200 x1,5", entry.ErrQuantity},
		"a quantity in other digits":          {"Savony 1200 x３", entry.ErrQuantity},
		"a quantity of 20 digits":             {"Savony 1200 x12345678901234567890", entry.ErrQuantity},
		"a quantity of nothing before":        {"0*Savony 1200", entry.ErrQuantity},
		"a quantity below nothing before":     {"-2*Savony 1200", entry.ErrQuantity},
		"a quantity below nothing, apart":     {"-2 * Savony 1200", entry.ErrQuantity},
		"a quantity with a fraction before":   {"1,5*Savony 1200", entry.ErrQuantity},
		"T3 a decimal point":                  {"Savony 1.500", payments.ErrNotAmount},
		"T3 a decimal comma":                  {"Savony 1,5", payments.ErrNotAmount},
		"T3 a price below nothing":            {"Savony -5", payments.ErrNotAmount},
		"T3 a price with a plus":              {"Savony +5", payments.ErrNotAmount},
		"T3 a price of nothing":               {"Savony 0", payments.ErrNotAmount},
		"T3 digits of another script":         {"Savony １５００", payments.ErrNotAmount},
		"T3 an exponent":                      {"Savony 1e3", payments.ErrNotAmount},
		"T3 20 digits":                        {"Savony 12345678901234567890", payments.ErrTooLarge},
		"T3 another unit of money":            {"Savony 1500F", payments.ErrNotAmount},
		"a unit without a price":              {"Savony Ar", entry.ErrNoPrice},
		"T3 groups that are none":             {"15 00", payments.ErrNotAmount},
		"T4 a price above all":                {"Savony 1000000000001", payments.ErrTooLarge},
		"T4 a product above all":              {"Savony 1000000000000 x2", payments.ErrTooLarge},
		"T4 a product that does not fit":      {"Savony 999999999999 x9223372036854775807", payments.ErrTooLarge},
		"a measure that is no quantity":       {"Planche 20x30", entry.ErrApart},
		"a sticking quantity of nothing":      {"Savony 1200x0", entry.ErrQuantity},
		"a sticking quantity in other digits": {"Savony 1200x３", entry.ErrQuantity},
		"a sticking sign without a quantity":  {"Savony 1200x", entry.ErrQuantity},
		"a sticking sign behind groups":       {"Savony 1 200x", entry.ErrQuantity},
		"a small price and what sticks to it": {"Bonbon 50x10", entry.ErrApart},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := entry.Parse(c.entry, shelf(), "Free amount")
			if !errors.Is(err, c.want) {
				t.Errorf("Parse(%q) = %+v, %v; want %v", c.entry, got, err, c.want)
			}
		})
	}
}

func TestLettersThatFitSeveralArticlesNameThem(t *testing.T) {
	var many []payments.Article
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g"} {
		many = append(many, payments.Article{Label: "Va\u202ery\x1b " + name, UnitPrice: 1})
	}
	for text, c := range map[string]struct {
		articles []payments.Article
		want     []string
	}{
		"v":    {many, []string{"Vary a", "Vary b", "Vary c", "Vary d", "Vary e"}},
		"vary": {articles(), []string{"Vary gasy", "Vary stock"}},
	} {
		_, err := entry.Parse(text, entry.NewShelf(c.articles), "")
		several, ok := errors.AsType[*entry.SeveralError](err)
		if !ok || !slices.Equal(several.Labels, c.want) {
			t.Errorf("Parse(%q) gives %v, want the articles %q", text, err, c.want)
			continue
		}
		if want := "several articles fit: " + strings.Join(c.want, ", "); err.Error() != want {
			t.Errorf("the error says %q, want %q", err, want)
		}
	}
}

func TestALongNumberAloneIsACodeAndNoPrice(t *testing.T) {
	for _, text := range []string{"12345678", "6111000000018", "2*12345678", "12345678 x2", "12345678901234567890", "12345678 2"} {
		got, err := entry.Parse(text, shelf(), "Free amount")
		unknown, ok := errors.AsType[*entry.UnknownCodeError](err)
		if !ok {
			t.Errorf("Parse(%q) = %+v, %v; want an unknown code", text, got, err)
			continue
		}
		if digits := strings.Trim(text, "2*x "); !strings.Contains(unknown.Code, digits) || err.Error() != "unknown code "+unknown.Code {
			t.Errorf("Parse(%q) does not know the code %q", text, unknown.Code)
		}
	}
	if got, err := entry.Parse("1234567", shelf(), "Free amount"); err != nil || got.UnitPrice != 1_234_567 {
		t.Errorf("seven digits give %+v, %v", got, err)
	}
}

func TestAnItemIsWrittenAsAnEntryThatGivesItBack(t *testing.T) {
	cases := map[string]struct {
		item payments.Item
		want string
	}{
		"a plain one":                         {item("Vary", 3500, 1), "Vary 3500"},
		"several":                             {item("Vary", 3500, 2), "Vary 3500 x2"},
		"a label that ends in a number":       {item("Eau 150", 1000, 1), "Eau 150 1000"},
		"a label that joins with the price":   {item("Eau 150", 700, 2), "Eau 150 0700 x2"},
		"a label that is a number":            {item("3", 500, 1), "3 0500"},
		"a label that begins like a quantity": {item("2*Savon", 900, 1), "1*2*Savon 900"},
		"the same, several":                   {item("2*Savon", 900, 5), "5*2*Savon 900"},
		"a label that ends like a quantity":   {item("Ruban x", 500, 1), "Ruban x 500 x1"},
		"a label that begins with a sign":     {item("* Promo", 1000, 1), "* Promo 1000"},
		"a label that is a sign":              {item("x", 1000, 1), "x 1000 x1"},
		"a label that looks like both":        {item("2* x", 3500, 1), "1**2* x 3500"},
		"the same, below a thousand":          {item("2* x", 500, 1), "1**2* x 500"},
		"the same, above a million":           {item("2* x", 12500000, 1), "1**2* x 12500000"},
		"a label that holds a quantity":       {item("Riz x2", 3500, 1), "1**Riz x2 3500"},
		"a label that begins with one":        {item("2x Riz", 3500, 4), "4**2x Riz 3500"},
		"a label that ends in a larger price": {item("Riz 3500", 2, 1), "Riz 3500 2 x1"},
		"a label that is a code":              {item("12", 50, 1), "12 50 x1"},
		"one of a discount":                   {payments.Item{Label: "Riz 3500", UnitPrice: 20, Quantity: 1, ListPrice: 30}, "Riz 3500 20 x1"},
		"a number and a sign":                 {item("0000 X", 100, 1), "1**0000 X 100"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			text := entry.Format(c.item, shelf())
			if text != c.want {
				t.Errorf("Format(%+v) = %q, want %q", c.item, text, c.want)
			}
			back, err := entry.Parse(text, shelf(), "")
			if back.ListPrice = c.item.ListPrice; err != nil || back != c.item {
				t.Errorf("Parse(%q) = %+v, %v; want %+v", text, back, err, c.item)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"Vary 3500 x2", "2*Vary 3 500", "1500", "6111000000017", "coca", "Eau 150", "SAV x2",
		"2*Savon 900", "1*2* x 3 500", "Ruban x 500 x1", "Riz 3500x2", "Coca 2000 Ar", "Bon 20Ar 3", "a 300x2 Ar x1", "* × x X", "3 0500", "e\u0301\u0301 5",
		"2x riz 3500", "Riz x 2 3 500", "x2 3500", "1**Riz x2 3500", "Riz 3500 2", "Eau 1 500 2", "12 2", "eau 150 20", "1**12 2", "0 X0 100 1",
		"Va\u202ery 1\u00a0500\r\n", "-1*a 5", "x9223372036854775807", "12 12 12 12", "中文 100 ×２",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := entry.Parse(text, shelf(), "Free amount")
		if pieces, ok := errors.AsType[*entry.PiecesError](err); ok {
			sold, err := entry.Parse(pieces.Form, shelf(), "Free amount")
			if !errors.Is(err, payments.ErrTooLarge) && (err != nil || sold.Quantity != int64(pieces.Pieces)) {
				t.Fatalf("Parse(%q) advises %q, which gives %+v, %v", text, pieces.Form, sold, err)
			}
		}
		if err != nil {
			if got != (payments.Item{}) {
				t.Fatalf("Parse(%q) gives %+v and %v", text, got, err)
			}
			return
		}
		if checked, err := payments.NewItem(got.Label, got.UnitPrice, got.Quantity); err != nil || checked != got {
			t.Fatalf("Parse(%q) gives %+v, which is no item: %v", text, got, err)
		}
		back, err := entry.Parse(entry.Format(got, shelf()), shelf(), "Free amount")
		if err != nil || back != got {
			t.Fatalf("Parse(%q) = %+v, but Parse(%q) = %+v, %v", text, got, entry.Format(got, shelf()), back, err)
		}
	})
}

func TestN41AnEntryInAnotherOrderIsUnderstoodWhereItsMeaningIsClear(t *testing.T) {
	shelf := entry.NewShelf([]payments.Article{{Label: "Coca", UnitPrice: 2500}, {Label: "Vis 4x40", UnitPrice: 100}})
	coca := func(price payments.Ariary, quantity int64) payments.Item {
		return payments.Item{Label: "Coca", UnitPrice: price, Quantity: quantity}
	}
	for text, c := range map[string]struct {
		want payments.Item
		err  error
	}{
		"3 coca":       {coca(2500, 3), nil},
		"2000 Coca":    {coca(2000, 1), nil},
		"2x3500":       {payments.Item{Label: "Free amount", UnitPrice: 3500, Quantity: 2}, nil},
		"20x30":        {payments.Item{}, entry.ErrApart},
		"3 mofo":       {payments.Item{}, entry.ErrNoPrice},
		"2000 mofo":    {payments.Item{}, entry.ErrNoPrice},
		"Savony 2.000": {payments.Item{}, entry.ErrDotted},
		"Savony 2,000": {payments.Item{}, entry.ErrDotted},
		"10%":          {payments.Item{}, entry.ErrPercent},
		"Pain 500 -5%": {payments.Item{}, entry.ErrPercent},
	} {
		if got, err := entry.Parse(text, shelf, "Free amount"); got != c.want || !errors.Is(err, c.err) {
			t.Errorf("Parse(%q) = %+v, %v; want %+v, %v", text, got, err, c.want, c.err)
		}
	}
}
