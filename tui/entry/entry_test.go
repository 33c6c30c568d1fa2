package entry_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/money"
	"checkout/till/tui/entry"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

// shelf returns the shelf of shoptest.Articles and five more articles.
func shelf() entry.Shelf {
	return entry.NewShelf(append(shoptest.Articles(), []payments.Article{
		{ID: "20", Label: "Pack x6", UnitPrice: 9000},
		{ID: "21", Label: "2x Chips", UnitPrice: 1200},
		{ID: "22", Label: "Eau 1500", UnitPrice: 2500},
		{ID: "23", Label: "Pain", UnitPrice: 800, Code: "201"},
		{ID: "24", Label: "THB", UnitPrice: 4500, Code: "thb"},
	}...))
}

func words() entry.Words { return entry.Words{FreeAmount: "Free amount", DecimalMark: "."} }

func item(label string, price money.Ariary, quantity int64) payments.Item {
	return payments.Item{Label: label, UnitPrice: price, Quantity: quantity}
}

func reduced(label string, price money.Ariary, quantity int64, list money.Ariary) payments.Item {
	return payments.Item{Label: label, UnitPrice: price, Quantity: quantity, ListPrice: list}
}

func free(price money.Ariary, quantity int64) payments.Item {
	return item("Free amount", price, quantity)
}

func TestParseReadsEveryForm(t *testing.T) {
	for name, c := range map[string]struct {
		want    payments.Item
		entries []string
	}{
		"a quantity at the end": {item("Savony", 1200, 3), []string{
			"Savony 1200 x3", "Savony 1200 x 3", "Savony 1200 X3", "Savony 1200 ×3", "Savony 1200 *3", "Savony 1200x3", "Savony 1 200X3",
		}},
		"a quantity in front": {item("Savony", 1200, 3), []string{
			"3*Savony 1200", "3 * Savony 1200", "3* Savony 1200", "3 x Savony 1200", "3x Savony 1200", "3× Savony 1 200",
		}},
		"a quantity after a name":       {item("Coca", 2000, 2), []string{"coca*2", "coca×2", "coca *2"}},
		"a label of several words":      {item("Menaka ampalaza", 12000, 2), []string{"Menaka ampalaza 12000 x2"}},
		"a label that holds a number":   {item("THB 65cl", 4500, 1), []string{"THB 65cl 4500"}},
		"a label that ends in a number": {item("Eau 150", 1000, 1), []string{"Eau 150 1000"}},
		"a label as it is written":      {item("Riz x2", 3500, 2), []string{"2**Riz x2 3500"}},
		"a bare price":                  {free(1500, 1), []string{"1500", "1 500", "1500 Ar"}},
		"a bare price with a quantity":  {free(1500, 4), []string{"1500 x4", "4*1500", "1500x4", "4x 1500", "4**1500", "4x1500", "4×1 500"}},
		"a price and its groups": {item("Vary", 1500, 1), []string{
			"Vary 1500", "Vary 1 500", "Vary 1\u00a0500", "Vary\u202f1\u202f500", "Vary 1500\r\n", "  Vary   1500  ", "Vary\t1500", "Va\u200bry 1500",
		}},
		"a price of three groups":                                  {item("Fiara", 12_500_000, 1), []string{"Fiara 12 500 000", "Fiara 12500000"}},
		"groups and a quantity":                                    {item("Vary", 1500, 2), []string{"Vary 1 500 x2", "Vary 1 500x2", "Vary 1 500Ar x2", "2*Vary 1500 Ar"}},
		"a unit of money":                                          {item("Savony", 1500, 1), []string{"Savony 1500 Ar", "Savony 1 500 ar", "Savony 1500 Ariary", "Savony 1500Ar"}},
		"a price with a unit after another number":                 {item("Bonbon 500", 50, 1), []string{"Bonbon 500 50 Ar"}},
		"a comma in a label":                                       {item("Planche 2,500", 3000, 1), []string{"Planche 2,500 3000"}},
		"a price of many digits in groups":                         {free(12_345_678, 1), []string{"12 345 678"}},
		"a price of seven digits":                                  {free(1_234_567, 1), []string{"1234567"}},
		"a code":                                                   {item("Vary gasy", 3500, 1), []string{"6111000000017", "vary g", "gas var"}},
		"a short code":                                             {item("Vary stock", 3000, 1), []string{"12", "stock"}},
		"a code with a quantity":                                   {item("Coca 1L", 6000, 3), []string{"A1 x3", "3*A1", "3x A1", "coca 1l x3"}},
		"an article's name":                                        {item("Coca", 2000, 1), []string{"Coca", "coca", "1x coca"}},
		"letters with or without accents":                          {item("Éclair", 4500, 1), []string{"écl", "ECLAIR", "lair"}},
		"a name with a last word like a number":                    {item("Coca 1L", 6000, 1), []string{"coca 1l"}},
		"a typed price replaces the article's":                     {item("Coca", 2500, 1), []string{"Coca 2500"}},
		"an article with a name like a quantity":                   {item("Vis 400x20", 100, 1), []string{"vis 400x20"}},
		"an article with a name that ends in a unit":               {item("Bon 2000 Ar", 1900, 1), []string{"bon 2000 ar"}},
		"an article with a name that begins with a quantity":       {item("2x Chips", 1200, 1), []string{"2x chips"}},
		"an article with a name like a quantity, at another price": {reduced("Pack x6", 8000, 1, 9000), []string{"pack x6 8000"}},
		"several of that article":                                  {reduced("Pack x6", 8000, 3, 9000), []string{"3*pack x6 8000"}},
		"a number before an article":                               {item("Coca", 2000, 3), []string{"3 coca"}},
		"a number after a smaller one":                             {item("Coca 50", 2000, 1), []string{"Coca 50 2000"}},
		"small numbers":                                            {item("Coca 50", 20, 1), []string{"Coca 50 20"}},
		"a number after a code":                                    {free(201_500, 1), []string{"201 500"}},
		"a code's article at its price":                            {item("Pain", 800, 2), []string{"201 x2"}},
		"a code that is a name":                                    {reduced("THB", 4000, 1, 4500), []string{"thb 4000"}},
		"an article at a price with a zero":                        {reduced("Eau 1500", 900, 1, 2500), []string{"eau 1500 0900"}},
		"a price that a quantity names":                            {item("Bonbon 500", 50, 2), []string{"2*Bonbon 500 50", "Bonbon 500 50 x2"}},
	} {
		for _, text := range c.entries {
			if got, err := entry.Parse(text, shelf(), words()); err != nil || got != c.want {
				t.Errorf("%s: Parse(%q) = %+v, %v; want %+v", name, text, got, err, c.want)
			}
		}
	}
}

func TestInvalidEntriesReturnTheirError(t *testing.T) {
	for name, c := range map[string]struct {
		want    error
		entries []string
	}{
		"nothing":                       {entry.ErrNotUnderstood, []string{"", " \t ", "\u200b\u202e", "x2", "2*", "2**"}},
		"a quantity in the wrong place": {entry.ErrPieces, []string{"Riz x2 3500", "Riz 2x 3500", "Riz x 2 3 500", "Riz 2 x 3 500", "x2 riz 3500", "x4 1500", "rice 2x3500"}},
		"no price":                      {entry.ErrNoPrice, []string{"Savony", "Savony x2", "Savony Ar", "2x riz", "2**riz", "3 mofo"}},
		"the price first":               {entry.ErrPriceFirst, []string{"3500 rice", "3 500 rice", "2*3500 rice"}},
		"two quantities":                {entry.ErrTwoQuantities, []string{"2*Savony 1200 x2", "2x riz 3500 x2", "2x riz 3500x2"}},
		"an invalid quantity":           {entry.ErrQuantity, []string{"Savony 1200 x0", "Savony 1200 x-1", "Savony 1200 x３", "Savony 1200 x12345678901234567890"}},
		"a quantity of zero in front":   {entry.ErrQuantity, []string{"0*Savony 1200", "-2*Savony 1200", "-2 * Savony 1200", "0x riz 3500", "0**riz 3500"}},
		"a decimal quantity that is not read": {entry.ErrDecimal, []string{
			"Savony 1200 x1.2345", "Savony 1200 x0.000", "0,0*Savony 1200", "Savony 1200 x1.", "Savony 1200 x1,200.5", "Savony 1200 x-1.5",
			"huile 0,5x6000", "Vary 1.2x2500", "Savony 1200 x99999999999999999.5", "Savony 1200x１.５",
		}},
		"a decimal quantity in the wrong place": {entry.ErrPieces, []string{"Riz x1.2 3500", "x1,2 riz 3500", "1,2 riz 3500"}},
		"a decimal quantity alone":              {entry.ErrNotUnderstood, []string{"x1.2", "1,2*"}},
		"two quantities, one decimal":           {entry.ErrTwoQuantities, []string{"1,2*Savony 1200 x2", "2*Savony 1200 x1.2"}},
		"a measure of an unknown article":       {entry.ErrNoPrice, []string{"Savony x1.2", "1,2*Savony"}},
		"a price that rounds to 0":              {payments.ErrTooSmall, []string{"Savony 1 x0.499", "0,001*Savony 499"}},
		"a measure that is too large":           {money.ErrTooLarge, []string{"Savony 1000000000000 x1.001", "Savony 2 x999999999999999.5"}},
		"an invalid attached quantity":          {entry.ErrQuantity, []string{"Savony 1200x0", "Savony 1200x３", "Savony 1200x", "Savony 1 200x", "coca x"}},
		"a measure":                             {entry.ErrAttachedQuantity, []string{"Planche 20x30", "Planche 20x3,5", "Huile 50x0.5", "Bonbon 50x10", "20x30"}},
		"a decimal mark":                        {entry.ErrDotted, []string{"Savony 1.500", "Savony 1,5", "Savony 2.000", "Savony 1,500", "Savony 1500,000", "1,500*2", "1.500*2"}},
		"no amount":                             {money.ErrNotAmount, []string{"Savony +5", "Savony 0", "Savony １５００", "Savony 1e3", "Savony 1500F", "15 00", "Savony 1.500"}},
		"a discount":                            {entry.ErrPercent, []string{"10%", "Pain 500 -5%", "remise 500", "Discount 500", "rabais 10%", "réduction 500", "fihenam-bidy 500", "-500"}},
		"too large":                             {money.ErrTooLarge, []string{"Savony 12345678901234567890", "Savony 1000000000001", "Savony 1000000000000 x2", "Savony 999999999999 x9223372036854775"}},
		"a long number that is not a code":      {entry.ErrUnknownCode, []string{"12345678", "6111000000018", "2*12345678", "12345678 x2", "12345678901234567890", "12345678 2"}},
		"too long":                              {entry.ErrTooLong, []string{strings.Repeat("a", entry.MaxWidth-4) + " 3500", strings.Repeat("3500 ", 1000)}},
	} {
		for _, text := range c.entries {
			if got, err := entry.Parse(text, shelf(), words()); !errors.Is(err, c.want) {
				t.Errorf("%s: Parse(%q) = %+v, %v; want %v", name, text, got, err, c.want)
			}
		}
	}
}

func TestAnErrorNamesItsSubject(t *testing.T) {
	var many []payments.Article
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g"} {
		many = append(many, payments.Article{Label: "Vary " + name, UnitPrice: 1})
	}
	for text, c := range map[string]struct {
		shelf entry.Shelf
		want  string
	}{
		"v":            {entry.NewShelf(many), "several articles fit: Vary a, Vary b, Vary c, Vary d, Vary e"},
		"vary":         {shelf(), "several articles fit: Vary gasy, Vary stock"},
		"mofo x2":      {shelf(), "the price is missing: mofo"},
		"2 mofo":       {shelf(), "the price is missing: 2 mofo"},
		"2*3 500 ri z": {shelf(), "the price stands before the name: ri z 3 500"},
		"12345678":     {shelf(), "unknown code: 12345678"},
	} {
		if _, err := entry.Parse(text, c.shelf, words()); err == nil || err.Error() != c.want {
			t.Errorf("Parse(%q) gives %v, want %q", text, err, c.want)
		}
	}
}

func TestANumberThatMayBeAQuantityIsRefused(t *testing.T) {
	for text, want := range map[string]string{
		"Riz 3500 2":       "Riz 3500 x2",
		"Eau 1 500 2":      "Eau 1 500 x2",
		"3500 2":           "3500 x2",
		"Riz 35000 2 000":  "Riz 35000 x2000",
		"Coca 2000 1":      "Coca 2000 x1",
		"201 2":            "201 x2",
		"A1 3":             "A1 x3",
		"2 rice 3500":      "rice 3500 x2",
		"12 bon 50":        "bon 50 x12",
		"201 3500":         "201 x3500",
		"eau 150 2":        "Eau 150 0700 x2",
		"Eau 1500 12":      "Eau 1500 2500 x12",
		"Recharge 5000 48": "Recharge 5000 x48",
	} {
		got, err := entry.Parse(text, shelf(), words())
		pieces, ok := errors.AsType[*entry.Error](err)
		if !ok || !errors.Is(err, entry.ErrPieces) || pieces.Text != want {
			t.Errorf("Parse(%q) = %+v, %v; want the advice %q", text, got, err, want)
		}
	}
}

func TestParseReadsBackWhatFormatWrites(t *testing.T) {
	cases := map[string]struct {
		item payments.Item
		want string
	}{
		"a plain item":                                 {item("Vary", 3500, 1), "Vary 3500"},
		"several":                                      {item("Vary", 3500, 2), "Vary 3500 x2"},
		"a label that ends in a number":                {item("Eau 150", 1000, 1), "Eau 150 1000"},
		"a label that joins with the price":            {item("Eau 150", 700, 2), "Eau 150 0700 x2"},
		"a label that is a number":                     {item("3", 500, 1), "3 0500 x1"},
		"a label that begins like a quantity":          {item("2*Savon", 900, 1), "1**2*Savon 900"},
		"several with a label like a quantity":         {item("2*Savon", 900, 5), "5**2*Savon 900"},
		"a label that ends like a quantity":            {item("Ruban x", 500, 1), "Ruban x 500 x1"},
		"a label that begins with a sign":              {item("* Promo", 1000, 1), "* Promo 1000"},
		"a label that is a sign":                       {item("x", 1000, 1), "x 1000 x1"},
		"a label that begins and ends like a quantity": {item("2* x", 3500, 1), "1**2* x 3500"},
		"the same, below a thousand":                   {item("2* x", 500, 1), "1**2* x 500"},
		"the same, above a million":                    {item("2* x", 12500000, 1), "1**2* x 12500000"},
		"a label that holds a quantity":                {item("Riz x2", 3500, 1), "Riz x2 3500 x1"},
		"a label that begins with a quantity":          {item("2x Riz", 3500, 4), "4**2x Riz 3500"},
		"a label that ends in a larger price":          {item("Riz 3500", 2, 1), "Riz 3500 2 x1"},
		"a label that is a code":                       {item("12", 50, 1), "12 50 x1"},
		"an item with a discount":                      {payments.Item{Label: "Riz 3500", UnitPrice: 20, Quantity: 1, ListPrice: 30}, "Riz 3500 20 x1"},
		"a number and a sign":                          {item("0000 X", 100, 1), "1**0000 X 100"},
	}
	for name, c := range cases {
		text := entry.Format(c.item, shelf())
		tuitest.Equal(t, text, c.want, "%s: the text of %+v", name, c.item)
		back, err := entry.Parse(text, shelf(), words())
		if back.ListPrice = c.item.ListPrice; err != nil || back != c.item {
			t.Errorf("%s: Parse(%q) = %+v, %v; want %+v", name, text, back, err, c.item)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"Vary 3500 x2", "2*Vary 3 500", "1500", "6111000000017", "coca", "Eau 150", "SAV x2",
		"2*Savon 900", "1*2* x 3 500", "Ruban x 500 x1", "Riz 3500x2", "Coca 2000 Ar", "Bon 20Ar 3", "a 300x2 Ar x1", "* × x X", "3 0500", "e\u0301\u0301 5",
		"2x riz 3500", "Riz x 2 3 500", "x2 3500", "1**Riz x2 3500", "Riz 3500 2", "Eau 1 500 2", "12 2", "eau 150 20", "1**12 2", "0 X0 100 1",
		"Va\u202ery 1\u00a0500\r\n", "-1*a 5", "x9223372036854775807", "750g tomate", "tomate 0,75kg", "½ tomate", "2xcoca", "3x1500", "1500 2000", "tomate 750", "lait x2 x1,5", "75cl lait", "coca 2", "demi tomate", "12 12 12 12", "2 rice 3500", "7 up 2000x1", "3 a 50",
		"Vary 2500x1.2", "1,2*vary g", "vary s x0.75", "Savony 1 200 x,5", "0.333**2x 50", "eclair 4000 x1,25", "12 x0.1", "a1 x1,001", "Eau 1500 900 x0.5", "中文 100 ×２",
		"1,5**2x Riz 3500", "0,001**Riz x2 700", "1,2**2* x 6001", "12,345**101 500", "0,333**1,5 L eau 700", "1,2**x1.2 150000",
	} {
		f.Add(seed)
	}
	stocked := entry.NewShelf(slices.Concat(shoptest.Articles(), []payments.Article{
		{ID: "30", Label: "Tomate", UnitPrice: 4000, Unit: "kg", Code: "101"}, {ID: "31", Label: "Lait x2", UnitPrice: 3000, Unit: "l"}, {ID: "32", Label: "THB", UnitPrice: 4500, Code: "thb"},
	}))
	f.Fuzz(func(t *testing.T, text string) {
		got, err := entry.Parse(text, stocked, words())
		if pieces, ok := errors.AsType[*entry.Error](err); ok && errors.Is(err, entry.ErrPieces) {
			sold, err := entry.Parse(pieces.Text, stocked, words())
			if !errors.Is(err, money.ErrTooLarge) && !errors.Is(err, entry.ErrSeveral) && !errors.Is(err, payments.ErrTooSmall) && (err != nil || entry.ParsedOf(sold).Thousandths != pieces.Quantity) {
				t.Fatalf("Parse(%q) advises %q, which gives %+v, %v", text, pieces.Text, sold, err)
			}
		}
		if weight, asks := errors.AsType[*entry.WeightError](err); asks {
			weight.Sold.Thousandths = 750
			got, err = weight.Sold.Item(stocked, words())
		}
		if err != nil {
			if got != (payments.Item{}) {
				t.Fatalf("Parse(%q) gives %+v and %v", text, got, err)
			}
			return
		}
		checked, err := payments.NewItem(got.Label, got.UnitPrice, got.Quantity)
		if got.Measured() {
			checked, err = payments.NewMeasured(got.Measure, got.Label)
		}
		if checked.ListPrice = got.ListPrice; err != nil || checked != got {
			t.Fatalf("Parse(%q) gives the invalid item %+v: %v", text, got, err)
		}
		back, err := entry.Parse(entry.Format(got, stocked), stocked, words())
		if err != nil || back != got {
			t.Fatalf("Parse(%q) = %+v, but Parse(%q) = %+v, %v", text, got, entry.Format(got, stocked), back, err)
		}
	})
}

func TestAnEntryWithOnlyAQuantityIsRecognized(t *testing.T) {
	for text, want := range map[string]int64{
		"": 0, "2*": 2000, "x2": 2000, "2x": 2000, "x 2": 2000, "2 x": 2000, "2 *": 2000, "1,2*": 1200, "x0.75": 750,
		"0,75": 750, "½": 500, "1 1/2": 1500, "2½": 2500,
		"x1.2345": -1, "2": -1, "x0": -1, "0x": -1, "x": -1, "2x a": -1, "2* Vary": -1, "2x 3500": -1, "750": -1, "0,00": -1,
	} {
		if got, ok := entry.Quantity(text); ok != (want >= 0) || ok && got != (entry.Amount{Thousandths: want}) {
			t.Errorf("Quantity(%q) = %+v, %v; want %d", text, got, ok, want)
		}
	}
}

func TestADiscountIsAPriceAPercentageOrAnAmount(t *testing.T) {
	for text, c := range map[string]struct {
		want money.Ariary
		err  error
	}{
		"1800":                 {1800, nil},
		"1 800":                {1800, nil},
		"10%":                  {1800, nil},
		"-10 %":                {1800, nil},
		"-500":                 {1500, nil},
		"2000":                 {2000, nil},
		"2001":                 {0, entry.ErrRaised},
		"10":                   {0, entry.ErrEither},
		"99":                   {0, entry.ErrEither},
		"100":                  {100, nil},
		"10 Ar":                {10, nil},
		" ":                    {0, entry.ErrDiscount},
		"-2000":                {0, entry.ErrDiscount},
		"100%":                 {0, entry.ErrDiscount},
		"101%":                 {0, entry.ErrDiscount},
		"half":                 {0, entry.ErrDiscount},
		"99999999999999999999": {0, money.ErrTooLarge},
	} {
		if got, err := entry.Discounted(text, 2000); got != c.want || !errors.Is(err, c.err) {
			t.Errorf("Discounted(%q) = %d, %v; want %d, %v", text, got, err, c.want, c.err)
		}
	}
}

func TestARefundIsAnAmountAReasonOrANumber(t *testing.T) {
	for text, want := range map[string]entry.Refund{
		"4000 broken":           {Amount: 4000, Note: "broken"},
		"4 000 Ar  broken cups": {Amount: 4000, Note: "broken cups"},
		"20 Ar broken":          {Amount: 20, Note: "broken"},
		"4000":                  {Amount: 4000},
		" cassé":                {Note: "cassé"},
		"#12 a mistake":         {TakeBack: 12, Note: "a mistake"},
	} {
		if got, err := entry.ParseRefund(text); got != want || err != nil {
			t.Errorf("%q: got %+v, %v", text, got, err)
		}
	}
	// A small number is a number of things: "2 cups" does not mean 2 Ar.
	for _, text := range []string{"", "0 broken", "-5 broken", "2 cups broken", "3 mofo gasy", "5 00 broken", "#12", "#0 x", "#a x", "# 12 x"} {
		if got, err := entry.ParseRefund(text); !errors.Is(err, money.ErrNotAmount) {
			t.Errorf("%q: got %+v, %v", text, got, err)
		}
	}
}

func TestAnAmountIsSplitFromTheNoteAfterIt(t *testing.T) {
	for text, want := range map[string]struct {
		amount money.Ariary
		note   string
	}{
		"50 000 pain": {50_000, "pain"}, "50000": {50_000, ""}, "5 000 Ar pain": {5000, "pain"}, "0": {0, ""}, "0 rien": {0, "rien"},
	} {
		amount, note, err := entry.SplitAmount(text)
		if amount != want.amount || note != want.note || err != nil {
			t.Errorf("%q: got %d, %q, %v", text, amount, note, err)
		}
	}
	for _, text := range []string{"", "pain", "pain 5000", "5 00 pain", "2 000i2 000 monnaie", "-5 pain", "5.000 pain"} {
		if amount, note, err := entry.SplitAmount(text); err == nil {
			t.Errorf("%q: got %d and %q, want an error", text, amount, note)
		}
	}
	for _, text := range []string{"99999999999999999999", "99 999 999 999 999 999 999 pain"} {
		if amount, note, err := entry.SplitAmount(text); !errors.Is(err, money.ErrTooLarge) {
			t.Errorf("%q: got %d, %q, %v", text, amount, note, err)
		}
	}
}

func TestAPhraseAfterTheAmountIsItsNote(t *testing.T) {
	for _, c := range []struct {
		arguments []string
		amount    money.Ariary
		note      string
	}{
		{[]string{"500", "200 bags"}, 500, "200 bags"},
		{[]string{"500", "Ar 200 bags"}, 500, "200 bags"},
		{[]string{"500", "200", "3 bags"}, 500_200, "3 bags"},
		{[]string{"1", "000", "pain", "500 g"}, 1000, "pain 500 g"},
		{[]string{"1 000", "500", "pain"}, 1_000_500, "pain"},
		{[]string{"1 000 pain", "500 g"}, 1000, "pain 500 g"},
		{[]string{"0", "2 bags"}, 0, "2 bags"},
	} {
		amount, note, err := entry.SplitArguments(c.arguments)
		if amount != c.amount || note != c.note || err != nil {
			t.Errorf("%q: got %d, %q, %v", c.arguments, amount, note, err)
		}
	}
	for _, arguments := range [][]string{nil, {"pain", "5 g"}, {"5", "00", "2 bags"}, {"5 00 pain", "2 bags"}, {"500", "2", "3 bags"}} {
		if amount, note, err := entry.SplitArguments(arguments); err == nil {
			t.Errorf("%q: got %d and %q, want an error", arguments, amount, note)
		}
	}
}

func ExampleParse() {
	shelf := entry.NewShelf([]payments.Article{{Label: "Coca 1L", UnitPrice: 6000, Code: "6111000000017"}})
	for _, text := range []string{
		"Vary 3500 x2", "2*Vary 3 500", "Vary 3500x2", "1500", "6111000000017", "coca x3", "Vary 2500x1.2", "Savony",
	} {
		item, err := entry.Parse(text, shelf, words())
		if err != nil {
			fmt.Printf("%s: %v\n", text, err)
			continue
		}
		fmt.Printf("%s: %d %s at %s Ar\n", text, item.Quantity, item.Label, item.UnitPrice)
	}
	// Output:
	// Vary 3500 x2: 2 Vary at 3500 Ar
	// 2*Vary 3 500: 2 Vary at 3500 Ar
	// Vary 3500x2: 2 Vary at 3500 Ar
	// 1500: 1 Free amount at 1500 Ar
	// 6111000000017: 1 Coca 1L at 6000 Ar
	// coca x3: 3 Coca 1L at 6000 Ar
	// Vary 2500x1.2: 1 Vary 1.2 at 3000 Ar
	// Savony: the price is missing: Savony
}
