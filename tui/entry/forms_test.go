package entry_test

import (
	"errors"
	"slices"
	"testing"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/money"
	"checkout/till/tui/entry"
	"checkout/till/tui/tuitest"
)

// counterShelf returns the articles that the table of entries uses, and some with names that are
// hard to tell apart.
func counterShelf() entry.Shelf {
	return entry.NewShelf([]payments.Article{
		{ID: "1", Label: "Coca", UnitPrice: 2000, Code: "6111000000017"},
		{ID: "2", Label: "Tomate", UnitPrice: 4000, Unit: "kg", Code: "101"},
		{ID: "3", Label: "Lait", UnitPrice: 3000, Unit: "l"},
		{ID: "4", Label: "Lamba", UnitPrice: 8000, Unit: "m"},
		{ID: "5", Label: "Vary mena", UnitPrice: 2500, Unit: "kg"},
		{ID: "6", Label: "Tomate concentrée", UnitPrice: 1200},
		{ID: "7", Label: "Vitamine B12+C", UnitPrice: 5000},
		{ID: "8", Label: "Farine 1kg", UnitPrice: 4500},
		{ID: "9", Label: "Clous", UnitPrice: 50},
		{ID: "10", Label: "Baguette", UnitPrice: 700},
	})
}

func weighed(t *testing.T, label string, thousandths int64) payments.Item {
	t.Helper()
	article, _ := counterShelf().Labelled(label)
	sold, err := entry.Parsed{Label: label, Price: article.UnitPrice, Thousandths: thousandths}.Item(counterShelf(), words())
	if err != nil || !sold.Measured() {
		t.Fatalf("%d thousandths of %s: %+v, %v", thousandths, label, sold, err)
	}
	return sold
}

// read reads an entry like a till: as a discount on the whole sale, or as items.
func read(text string) (items []payments.Item, off money.Ariary, err error) {
	off, is, err := entry.SaleDiscount(text, 5000)
	if is {
		return nil, off, err
	}
	items, err = entry.ParseAll(text, counterShelf(), words())
	return items, 0, err
}

// TestEveryFormOfTheTableIsRead checks the entries of the table that F1 and the shop's guide show.
func TestEveryFormOfTheTableIsRead(t *testing.T) {
	coca, tomate := item("Coca", 2000, 1), weighed(t, "Tomate", 750)
	want := [][]payments.Item{
		{coca},
		{coca},
		{item("Coca", 2000, 2)},
		nil,
		{tomate},
		{weighed(t, "Tomate", 500)},
		{reduced("Coca", 1800, 1, 2000)},
		{item("Savony", 1500, 1)},
		{item("Savony", 1500, 3)},
		nil,
		{free(1500, 1)},
		{free(1500, 3)},
		{free(1500, 1), free(2000, 1)},
	}
	vary, err := entry.Parsed{Label: "Vary", Price: 2500, Thousandths: 1200}.Item(counterShelf(), words())
	tuitest.Must(t, err)
	want[9] = []payments.Item{vary}
	for _, mark := range []string{",", "."} {
		forms := entry.Forms(mark)
		forms = forms[:len(forms)-1] // The last form, the number of a sale, is not an entry.
		for row, typed := range forms {
			for _, text := range typed {
				items, off, err := read(text)
				weight, asks := errors.AsType[*entry.WeightError](err)
				switch {
				case row == 3:
					if !asks || weight.Unit != "kg" || weight.Sold.Label != "Tomate" {
						t.Errorf("%q: got %v, %v; want a question for the weight", text, items, err)
					}
				case row == len(forms)-1:
					about, is := errors.AsType[*entry.Error](err)
					if !is || about.Text == "" {
						t.Errorf("%q: got %v, %v; want a refusal with the form to type", text, items, err)
					}
				case row > 12:
					if off != 500 || err != nil {
						t.Errorf("%q of 5000: got %d, %v; want 500", text, off, err)
					}
				case err != nil || !slices.Equal(items, want[row]):
					t.Errorf("%q: got %+v, %v; want %+v", text, items, err, want[row])
				}
			}
		}
	}
	for _, language := range i18n.Languages() {
		tuitest.Equal(t, len(i18n.Load(language).Guide.Forms), len(entry.Forms(",")), "the meanings in guide.forms of %s", language)
	}
}

func TestAQuantityIsReadAsPeopleSayIt(t *testing.T) {
	cases := map[string]struct {
		want    payments.Item
		entries []string
	}{
		"two": {item("Coca", 2000, 2), []string{
			"two coca", "deux coca", "2coca", "deux cocas", "2 fois coca", "coca roa", "roa coca", "2 X coca", "2x coca", "2× coca", "x2 coca", "coca 2 x", "coca x 2", "2 Coca", "coca ×2", "two of coca",
		}},
		"one": {item("Coca", 2000, 1), []string{"a coca", "un coca", "une coca", "iray coca", "coca iray", "1 coca"}},
		"ten": {item("Coca", 2000, 10), []string{"dix coca", "ten coca", "coca folo", "10xcoca"}},
		"half": {weighed(t, "Tomate", 500), []string{
			"half tomate", "half a kilo of tomate", "half a kg of tomate", "demi tomate", "demi kilo de tomate", "un demi-kilo de tomate", "un demi kilo de tomate",
			"½ kg tomate", "½tomate", "1/2 tomate", "tomate ½", "tomate ½kg", "tomate x½", "une livre de tomate", "500g de tomates", "tomates 500g", "tomate antsasaky ny kilao", "tomate antsasa-kilao",
			"antsasaky ny kilao tomate", "500 g de tomate", "tomate 500 gr", "500grammes tomate", "0.5kg de tomate", "tomate 0,5", "tomate 0,50 kg", ",5 tomate",
		}},
		"three quarters": {weighed(t, "Tomate", 750), []string{
			"¾ tomate", "trois quarts de kilo de tomate", "three quarters of a kilo of tomate", "3/4 kg tomate", "tomate 750 g", "tomate 750g", "tomate x750g", "750 g tomate", "750gr de tomate", "0,750 tomate", "tomate 0,750",
			"0,75 kg tomate", "0,75kg tomate", "tomate 0,75 kilo", "tomate x 0,75 kg", "TOMATE 750G", "0,75 101", "101 x0,75", "750g 101", "0,75x tomate",
		}},
		"two kilos": {weighed(t, "Tomate", 2000), []string{
			"2 tomate", "2kg tomate", "2 kg de tomate", "tomate 2kg", "tomate 2 kilos", "deux kilos de tomate", "tomate roa kilao", "tomate 2 kilao", "2*tomate", "tomate x2", "two kilos of tomate",
		}},
		"a kilo": {weighed(t, "Tomate", 1000), []string{"a kilo of tomate", "un kilo de tomate", "1kg tomate", "tomate iray kilao", "tomate 1 kg", "1000g tomate"}},
		"one and a half": {weighed(t, "Tomate", 1500), []string{
			"1½ tomate", "1 1/2 kg tomate", "1,5 tomate", "tomate 1,5kg", "un kilo et demi de tomate", "kilo et demi tomate", "one and a half kilos of tomate",
			"a kilo and a half of tomate",
		}},
		"a quarter":         {weighed(t, "Tomate", 250), []string{"un quart de tomate", "a quarter of tomate", "¼ tomate"}},
		"another price":     {reduced("Coca", 1800, 1, 2000), []string{"coca à 1800", "coca à 1800 Ar", "coca at 1800", "coca @1800"}},
		"three amounts":     {free(1500, 3), []string{"3 x 1500", "3 * 1 500", "3x1 500", "3 à 1500", "3 fois 1500", "1500 fois 3", "1500 x 3"}},
		"a plural":          {item("Baguette", 700, 2), []string{"2 baguettes", "baguettes x2", "deux baguettes"}},
		"a volume":          {weighed(t, "Lait", 750), []string{"75cl lait", "lait 750 ml", "lait 0,75 l", "7,5dl de lait", "0,75 litre de lait", "lait 0,75 litatra"}},
		"a length":          {weighed(t, "Lamba", 2500), []string{"2,5m lamba", "lamba 250 cm", "lamba 2,5 mètres", "2,5 metatra lamba"}},
		"a part of a piece": {payments.Item{Label: "Coca 0.5", UnitPrice: 1000, Quantity: 1, Measure: payments.Measure{Article: "Coca", Thousandths: 500, Price: 2000}}, []string{"½ coca", "0,5 coca", "demi coca"}},
		"a size in a name":  {item("Farine 1kg", 4500, 1), []string{"farine 1kg", "farine"}},
		"several of it":     {item("Farine 1kg", 4500, 2), []string{"2 farine", "2 farine 1kg", "2*farine 1kg", "farine 1kg x2"}},
		"a cheap article":   {reduced("Clous", 40, 1, 50), []string{"clous 40 Ar", "clous 40 x1"}},
	}
	for name, c := range cases {
		for _, text := range c.entries {
			got, err := entry.ParseAll(text, counterShelf(), words())
			if err != nil || !slices.Equal(got, []payments.Item{c.want}) {
				t.Errorf("%s: got %+v, %v; want %+v", name, got, err, c.want)
			}
		}
	}
}

func TestSeveralEntriesStandOnOneLine(t *testing.T) {
	coca := item("Coca", 2000, 1)
	for text, want := range map[string][]payments.Item{
		"1500+2000":             {free(1500, 1), free(2000, 1)},
		"1 500 + 2 000":         {free(1500, 1), free(2000, 1)},
		"1 500 and 2 000":       {free(1500, 1), free(2000, 1)},
		"1500 et 2000":          {free(1500, 1), free(2000, 1)},
		"1500 sy 2000":          {free(1500, 1), free(2000, 1)},
		"1500+2000+500":         {free(1500, 1), free(2000, 1), free(500, 1)},
		"1500x2 + 2000":         {free(1500, 2), free(2000, 1)},
		"1500 Ar + 2000 Ar":     {free(1500, 1), free(2000, 1)},
		"coca + 500":            {coca, free(500, 1)},
		"coca+clous":            {coca, item("Clous", 50, 1)},
		"2 coca + 750g tomate":  {item("Coca", 2000, 2), weighed(t, "Tomate", 750)},
		"Mofo 500 + Dite 300":   {item("Mofo", 500, 1), item("Dite", 300, 1)},
		"Vitamine B12+C":        {item("Vitamine B12+C", 5000, 1)},
		"vitamine b12+c 4000":   {reduced("Vitamine B12+C", 4000, 1, 5000)},
		"Omo 500+50 2000":       {item("Omo 500+50", 2000, 1)},
		"Miel+Dite 3000":        {item("Miel+Dite", 3000, 1)},
		"1**Mofo 500 + Zava 10": {item("Mofo 500 + Zava", 10, 1)},
	} {
		if got, err := entry.ParseAll(text, counterShelf(), words()); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: got %+v, %v; want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{"1500+", "+1500", "1500++2000", "1500+abc", "1500+tomate", "+"} {
		if got, err := entry.ParseAll(text, counterShelf(), words()); err == nil {
			t.Errorf("%q: got %+v, want an error", text, got)
		}
	}
}

func TestADoubtfulEntryIsRefusedWithTheFormToType(t *testing.T) {
	for text, want := range map[string]entry.Error{
		"coca 2":             {Err: entry.ErrPieces, Text: "Coca x2", Other: "coca 2 Ar", Quantity: 2000},
		"coc 12":             {Err: entry.ErrPieces, Text: "Coca x12", Other: "coc 12 Ar", Quantity: 12000},
		"clous 40":           {Err: entry.ErrPieces, Text: "Clous x40", Other: "clous 40 Ar", Quantity: 40000},
		"tom 2":              {Err: entry.ErrPieces, Text: "tom x2", Other: "tom 2 Ar", Quantity: 2000},
		"2 coca 1800":        {Err: entry.ErrPieces, Text: "coca 1800 x2", Quantity: 2000},
		"2xcoca 1800":        {Err: entry.ErrPieces, Text: "coca 1800 x2", Quantity: 2000},
		"750g tomate 3500":   {Err: entry.ErrPieces, Text: "tomate 3500 x0.75", Quantity: 750},
		"tomate 750g 3500":   {Err: entry.ErrPieces, Text: "tomate 3500 x0.75", Quantity: 750},
		"0,75 tomate 3500":   {Err: entry.ErrPieces, Text: "tomate 3500 x0.75", Quantity: 750},
		"deux savons 1500":   {Err: entry.ErrPieces, Text: "savons 1500 x2", Quantity: 2000},
		"trois pains à 500":  {Err: entry.ErrPieces, Text: "pains 500 x3", Quantity: 3000},
		"2 savons 1500 Ar":   {Err: entry.ErrPieces, Text: "savons 1500 x2", Quantity: 2000},
		"pain 3 x 500":       {Err: entry.ErrPieces, Text: "pain 500 x3", Quantity: 3000},
		"tomate 0,75 à 3500": {Err: entry.ErrPieces, Text: "tomate 3500 x0.75", Quantity: 750},
		"vary 1kg 500":       {Err: entry.ErrPieces, Text: "vary 500 x1", Quantity: 1000},
		"tomates concent 2":  {Err: entry.ErrPieces, Text: "Tomate concentrée x2", Other: "tomate concent 2 Ar", Quantity: 2000},
		"laits 500":          {Err: entry.ErrWeightOrPrice, Text: "Lait 500ml", Other: "Lait 500 Ar"},
		"1500 2000 Ar":       {Err: entry.ErrTwoPrices, Text: "1500+2000", Other: "1500 2000 x1"},
		"12 1500":            {Err: entry.ErrPieces, Text: "1500 x12", Quantity: 12000},
		"tomate 750":         {Err: entry.ErrWeightOrPrice, Text: "Tomate 750g", Other: "Tomate 750 Ar"},
		"tomate 2":           {Err: entry.ErrWeightOrPrice, Text: "Tomate 2kg", Other: "Tomate 2 Ar"},
		"750 tomate":         {Err: entry.ErrWeightOrPrice, Text: "Tomate 750g", Other: "Tomate 750 Ar"},
		"lait 500":           {Err: entry.ErrWeightOrPrice, Text: "Lait 500ml", Other: "Lait 500 Ar"},
		"lamb 150":           {Err: entry.ErrWeightOrPrice, Text: "Lamba 150cm", Other: "Lamba 150 Ar"},
		"101 4000":           {Err: entry.ErrWeightOrPrice, Text: "Tomate 4000g", Other: "Tomate 4000 Ar"},
		"1500 2000":          {Err: entry.ErrTwoPrices, Text: "1500+2000", Other: "1500 2000 x1"},
		"1 500 2 000":        {Err: entry.ErrTwoPrices, Text: "1500+2000", Other: "1 500 2000 x1"},
		"1500, 2000":         {Err: entry.ErrTwoPrices, Text: "1500+2000", Other: "1500, 2000 x1"},
		"2000 1500":          {Err: entry.ErrTwoPrices, Text: "2000+1500", Other: "2000 1500 x1"},
		"750g coca":          {Err: entry.ErrByPiece, Text: "Coca"},
		"coca 75cl":          {Err: entry.ErrByPiece, Text: "Coca"},
		"tomate 75cl":        {Err: entry.ErrByPiece, Text: "Tomate"},
	} {
		got, err := entry.ParseAll(text, counterShelf(), words())
		if about, is := errors.AsType[*entry.Error](err); !is || *about != want {
			t.Errorf("%q: got %+v, %#v; want %+v", text, got, err, want)
		}
	}
	for text, want := range map[string]error{
		"tomate 4.000": entry.ErrDotted, "1.500 tomate": entry.ErrDotted, "tomate 0,0001 kg": entry.ErrDecimal, "0,5g tomate": entry.ErrDecimal,
		"2 to": entry.ErrSeveral, "deux xyz": entry.ErrNoPrice, "750g beurre": entry.ErrNoPrice, "coca 1,5": entry.ErrDotted,
	} {
		if got, err := entry.ParseAll(text, counterShelf(), words()); !errors.Is(err, want) {
			t.Errorf("%q: got %+v, %v; want %v", text, got, err, want)
		}
	}
}

func TestANameKeepsItsWords(t *testing.T) {
	for text, want := range map[string]payments.Item{
		"un pain 500": item("un pain", 500, 1), "une bougie 700": item("une bougie", 700, 1), "Lot de trois 1500": item("Lot de trois", 1500, 1),
		"Clous 6 x200": reduced("Clous", 6, 200, 50), "Menu à deux 9000": item("Menu à deux", 9000, 1), "deux pains 500 x1": item("deux pains", 500, 1),
		"1**Pain à 500": item("Pain à", 500, 1), "Pneus 3000": item("Pneus", 3000, 1),
	} {
		got, err := entry.ParseAll(text, counterShelf(), words())
		if err != nil || !slices.Equal(got, []payments.Item{want}) {
			t.Errorf("%q: got %+v, %v; want %+v", text, got, err, want)
		}
	}
}

func TestAnArticleSoldByWeightIsNeverSoldWithoutOne(t *testing.T) {
	for _, text := range []string{"tomate", "101", "Tomate", "tomate 750 Ar", "tomate à 750", "Tomates", "TOMATES"} {
		got, err := entry.ParseAll(text, counterShelf(), words())
		weight, is := errors.AsType[*entry.WeightError](err)
		if !is || weight.Unit != "kg" || weight.Sold.Label != "Tomate" {
			t.Errorf("%q: got %+v, %v; want a question for kg of Tomate", text, got, err)
		}
	}
	for text, want := range map[string]int64{"0,75": 750, "750 g": 750, "750g": 750, "½": 500, "2": 2000, "1 kg": 1000, "1,5 kilo": 1500} {
		amount, err := entry.ParseAmount(text)
		if got, unitErr := amount.In("kg"); err != nil || unitErr != nil || got != want || amount.Whole() {
			t.Errorf("the weight %q: got %d, %v, %v; want %d", text, got, err, unitErr, want)
		}
	}
	_, err := entry.ParseAll("tomate", counterShelf(), words())
	question, asks := errors.AsType[*entry.WeightError](err)
	for text, want := range map[string]int64{"une livre": 500, "un demi": 500, "half a kilo": 500, "un kilo et demi": 1500, "deux": 2000, "trois quarts": 750} {
		if sold, err := question.Weigh(text); !asks || err != nil || sold.Thousandths != want {
			t.Errorf("the answer %q: got %+v, %v; want %d", text, sold, err, want)
		}
	}
	if amount, err := entry.ParseAmount("750"); err != nil || !amount.Whole() {
		t.Errorf("the weight 750: got %+v, %v; want a number that is probably in grams", amount, err)
	}
	for _, text := range []string{"", "x", "abc", "-1", "0", "0,7500 kg", "5 sacs", "1 2"} {
		if amount, err := entry.ParseAmount(text); err == nil {
			t.Errorf("the weight %q: got %+v, want an error", text, amount)
		}
	}
}

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
			want := payments.Item{Label: c.label, UnitPrice: c.price, Quantity: 1, ListPrice: c.list, Measure: c.measure}
			got, err := entry.Parse(text, market(), french)
			if err != nil || got != want {
				t.Errorf("%s: Parse(%q) = %+v, %v; want %+v", name, text, got, err, want)
			}
			back := entry.Format(got, market())
			if again, err := entry.Parse(back, market(), french); err != nil || again != want {
				t.Errorf("%s: Parse(%q) = %+v, %v; want %+v", name, back, again, err, want)
			}
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
