package payments_test

import (
	"errors"
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
