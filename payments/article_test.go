package payments_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/barcode"
	"checkout/till/payments/money"
)

func TestNewArticleChecksLabelPriceAndCode(t *testing.T) {
	for _, tt := range []struct {
		name, label string
		price       money.Ariary
		code        string
		want        error
	}{
		{"a label and a price", "Vary gasy", 3500, "", nil},
		{"a code from a scanner", "Vary gasy", 3500, " 6111000000017 ", nil},
		{"no label", " \t", 3500, "", payments.ErrInvalidArticle},
		{"no price", "Vary", 0, "", payments.ErrInvalidArticle},
		{"a price above the largest amount", "Vary", money.MaxAriary + 1, "", money.ErrTooLarge},
		{"a code with printed blanks", "Vary gasy", 3500, "5 449000 054227", nil},
		{"a code with a symbology identifier", "Vary gasy", 3500, "]E05449000054227", nil},
		{"a code of two words", "Vary", 3500, "61 11", payments.ErrInvalidArticle},
		{"a code with a control character", "Vary", 3500, "61\x1b11", payments.ErrInvalidArticle},
		{"a code that is too long", "Vary", 3500, strings.Repeat("6", payments.MaxCodeLength+1), payments.ErrInvalidArticle},
	} {
		t.Run(tt.name, func(t *testing.T) {
			article, err := payments.NewArticle(tt.label, tt.price, tt.code)
			if !errors.Is(err, tt.want) {
				t.Fatalf("%v, want %v", err, tt.want)
			}
			want := payments.Article{Label: "Vary gasy", UnitPrice: 3500, Code: barcode.Canonical(tt.code)}
			if err == nil && article != want {
				t.Errorf("%+v, want %+v", article, want)
			}
		})
	}
}

func TestArticlesAreAddedChangedAndDropped(t *testing.T) {
	s := newShop(t)
	change := func(from, article payments.Article) payments.Article {
		t.Helper()
		must(t, s.ChangeArticles(t.Context(), []payments.ArticleChange{{From: from, To: article}}))
		articles, err := s.Articles(t.Context())
		must(t, err)
		saved := slices.IndexFunc(articles, func(a payments.Article) bool { return a.Label == strings.TrimSpace(article.Label) })
		return articles[saved]
	}
	none := payments.Article{}
	coca := change(none, payments.Article{Label: "Coca", UnitPrice: 2000})
	vary := change(none, payments.Article{Label: " Vary ", UnitPrice: 3500, Code: "101", Favourite: 1, Uses: 7})
	if coca.ID == "" || coca.ID == vary.ID || vary.Label != "Vary" || vary.Uses != 0 {
		t.Errorf("stored as %+v and %+v", coca, vary)
	}
	s.charge(t, "S1")                      // Sells Vary and Coca.
	for _, to := range []payments.Article{ // Each change leaves the values of the others, which it has not read.
		{Label: "Vary", UnitPrice: 4000, Code: "101", Favourite: 1},
		{Label: "Vary be", UnitPrice: 3500, Code: "101", Favourite: 1},
		{Label: "Vary", UnitPrice: 3500, Code: "102", Favourite: 1},
		{Label: "Vary", UnitPrice: 3500, Code: "101"},
		{Label: "Vary", UnitPrice: 3500, Code: "101", Favourite: 1, Unit: "kg"},
	} {
		to.ID = vary.ID
		must(t, s.ChangeArticles(t.Context(), []payments.ArticleChange{{From: vary, To: to}}))
	}
	must(t, s.DropArticle(t.Context(), coca.ID))
	want := payments.Article{ID: vary.ID, Label: "Vary be", UnitPrice: 4000, Code: "102", Unit: "kg", Uses: 1}
	articles, err := s.Articles(t.Context())
	if err != nil || len(articles) != 1 || articles[0] != want {
		t.Errorf("%+v (%v), want %+v", articles, err, want)
	}
	if again := change(coca, coca); again != coca {
		t.Errorf("a removed article was added again as %+v, want %+v", again, coca)
	}
}

func TestInvalidOrTakenArticlesAreNotAdded(t *testing.T) {
	s := newShop(t)
	must(t, s.AddArticles(t.Context(), []payments.Article{
		{Label: "Vary", UnitPrice: 3500, Code: "101"}, {Label: "Sac", UnitPrice: 500, Code: "0 12345 67890 5"},
	}))
	before := s.store.dump(t)
	for name, tt := range map[string]struct {
		article payments.Article
		want    error
	}{
		"no price":                          {payments.Article{Label: "Koba"}, payments.ErrInvalidArticle},
		"a favourite beyond the last place": {payments.Article{Label: "Koba", UnitPrice: 1, Favourite: 10}, payments.ErrInvalidArticle},
		"a label that is taken":             {payments.Article{Label: "Vary", UnitPrice: 1}, payments.ErrLabelTaken},
		"a code that is taken":              {payments.Article{Label: "Koba", UnitPrice: 1, Code: "101"}, payments.ErrCodeTaken},
		"a taken code in another form":      {payments.Article{Label: "Koba", UnitPrice: 1, Code: "012345678905"}, payments.ErrCodeTaken},
	} {
		t.Run(name, func(t *testing.T) {
			sound := payments.Article{Label: "Mofo", UnitPrice: 300}
			mustFail(t, s.AddArticles(t.Context(), []payments.Article{sound, tt.article}), tt.want)
			mustFail(t, s.AddArticles(t.Context(), []payments.Article{tt.article}), tt.want)
			if s.store.dump(t) != before {
				t.Error("something was stored")
			}
		})
	}
}

func TestALowerPriceKeepsTheListPrice(t *testing.T) {
	item := payments.Item{Label: "Vary", UnitPrice: 3500, Quantity: 2}
	at := func(item payments.Item, price money.Ariary) payments.Item {
		t.Helper()
		changed, err := item.At(price)
		must(t, err)
		return changed
	}
	lowered := at(item, 3000)
	for _, tt := range []struct {
		name            string
		item            payments.Item
		price, listWant money.Ariary
	}{
		{"a lower price keeps the old one", item, 3000, 3500},
		{"a still lower price keeps the first one", lowered, 2500, 3500},
		{"the old price is no discount", lowered, 3500, 0},
		{"a higher price is no discount", item, 4000, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := payments.Item{Label: "Vary", UnitPrice: tt.price, Quantity: 2, ListPrice: tt.listWant}
			if got := at(tt.item, tt.price); got != want {
				t.Errorf("%+v, want %+v", got, want)
			}
		})
	}
	mustFail(t, failure(item.At(0)), payments.ErrInvalidItem)
}

func TestAnOrderKeepsItsDiscounts(t *testing.T) {
	for list, want := range map[money.Ariary]money.Ariary{
		4000: 4000, 3500: 0, 3000: 0, 0: 0, money.MaxAriary + 1: 0,
	} {
		asked := terms("S1")
		asked.Reference = "R-1"
		asked.Items[0].ListPrice = list
		order, err := payments.NewOrder(asked, opening())
		if err != nil || order.Items[0].ListPrice != want || order.Amount != 9000 {
			t.Errorf("list price %d: %+v (%v), want %d", list, order.Items[0], err, want)
		}
	}
}

func line(label string, price money.Ariary, quantity int64) payments.Item {
	return payments.Item{Label: label, UnitPrice: price, Quantity: quantity}
}

func cheaper(label string, price money.Ariary, quantity int64, list money.Ariary) payments.Item {
	return payments.Item{Label: label, UnitPrice: price, Quantity: quantity, ListPrice: list}
}

func TestADiscountOnASaleIsSpreadByLargestRemainder(t *testing.T) {
	weighed := payments.Item{
		Label: "Tomate 0.75 kg", UnitPrice: 3000, Quantity: 1,
		Measure: payments.Measure{Article: "Tomate", Thousandths: 750, Unit: "kg", Price: 4000},
	}
	weighedCheaper := weighed
	weighedCheaper.UnitPrice, weighedCheaper.ListPrice = 2700, 3000
	for name, c := range map[string]struct {
		items []payments.Item
		off   money.Ariary
		want  []payments.Item
	}{
		"shares without a remainder": {
			[]payments.Item{line("Vary", 3000, 1), line("Coca", 2000, 1)},
			500,
			[]payments.Item{cheaper("Vary", 2700, 1, 3000), cheaper("Coca", 1800, 1, 2000)},
		},
		"the largest remainder gets the last ariary": {
			[]payments.Item{line("A", 1000, 1), line("B", 1000, 1), line("C", 1001, 1)},
			100,
			[]payments.Item{cheaper("A", 967, 1, 1000), cheaper("B", 967, 1, 1000), cheaper("C", 967, 1, 1001)},
		},
		"pieces of one line that cannot be equal become two lines": {
			[]payments.Item{line("Coca", 1500, 3)},
			200,
			[]payments.Item{cheaper("Coca", 1433, 2, 1500), cheaper("Coca", 1434, 1, 1500)},
		},
		"a weighed line is one piece": {
			[]payments.Item{weighed, line("Coca", 2000, 1)}, 500, []payments.Item{weighedCheaper, cheaper("Coca", 1800, 1, 2000)},
		},
		"a reduced line keeps its list price": {
			[]payments.Item{cheaper("Vary", 3000, 1, 3500)}, 300, []payments.Item{cheaper("Vary", 2700, 1, 3500)},
		},
		"a line without a share stays as it is": {
			[]payments.Item{line("Voiture", 1_000_000, 1), line("Clou", 10, 1)}, 1, []payments.Item{cheaper("Voiture", 999_999, 1, 1_000_000), line("Clou", 10, 1)},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := payments.Reduce(c.items, c.off)
			if err != nil || !slices.Equal(got, c.want) {
				t.Errorf("got %+v, %v; want %+v", got, err, c.want)
			}
		})
	}
	for _, off := range []money.Ariary{-1, 0, 5000, 5001} {
		mustFail(t, failure(payments.Reduce([]payments.Item{line("Vary", 5000, 1)}, off)), payments.ErrInvalidItem)
	}
	huge := line("Gold", money.MaxAriary, 1)
	mustFail(t, failure(payments.Reduce([]payments.Item{huge, huge}, 1)), money.ErrTooLarge)
	mustFail(t, failure(payments.Reduce([]payments.Item{line("A", 1, 2)}, 1)), payments.ErrInvalidItem) // A piece would cost nothing.
}

func TestADiscountOnASaleAddsUp(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var items []payments.Item
		for range 1 + random.IntN(8) {
			items = append(items, line("x", 2+money.Ariary(random.Int64N(int64(1)<<random.IntN(35))), 1+random.Int64N(20)))
		}
		total, err := payments.Total(items)
		if err != nil {
			continue
		}
		off := 1 + money.Ariary(random.Int64N(int64(total-1)))
		got, err := payments.Reduce(items, off)
		if err != nil {
			continue // A piece would cost nothing.
		}
		sum, err := payments.Total(got)
		if err != nil || sum != total-off || len(got) > len(items)+1 {
			t.Fatalf("%d off %+v: got %+v with the sum %d, %v; want %d in at most one line more", off, items, got, sum, err, total-off)
		}
		for _, item := range got {
			exact := float64(item.UnitPrice+0) / float64(max(item.ListPrice, item.UnitPrice))
			if want := float64(total-off) / float64(total); exact > want+1/float64(max(item.ListPrice, item.UnitPrice))+1e-9 {
				t.Fatalf("%d off %+v: %+v keeps %f of its price, want %f", off, items, item, exact, want)
			}
		}
	}
}
