package entry_test

import (
	"errors"
	"slices"
	"testing"

	"checkout/till/payments"
	"checkout/till/tui/entry"
	"checkout/till/tui/tuitest"
)

func labels(found []payments.Article) []string {
	var all []string
	for _, article := range found {
		all = append(all, article.Label)
	}
	return all
}

func TestTheShelfFindsTheBestMatchFirst(t *testing.T) {
	stocked := entry.NewShelf([]payments.Article{
		{Label: "Abricoca", Uses: 99},
		{Label: "Jus de coco", Uses: 90},
		{Label: "Lait Coco", Uses: 90},
		{Label: "Coca-Cola Zéro 33cl", Uses: 7},
		{Label: "Coca-Cola 1L", Uses: 5},
		{Label: "Œufs", Uses: 3},
		{Label: "Coca", Uses: 1},
		{Label: "Bœuf séché"},
		{Label: "Crème brûlée"},
		{Label: "L’eau vive"},
	})
	cases := map[string]struct {
		letters string
		want    []string
		total   int
		sure    bool
	}{
		"the whole name comes first": {
			"coca", []string{"Coca", "Coca-Cola Zéro 33cl", "Coca-Cola 1L", "Abricoca"}, 4, true,
		},
		"then the beginning of the name, then of a word, each by uses": {
			"coc", []string{"Coca-Cola Zéro 33cl", "Coca-Cola 1L", "Coca", "Jus de coco", "Lait Coco", "Abricoca"}, 6, false,
		},
		"with equal uses the store's order counts":    {"coco", []string{"Jus de coco", "Lait Coco"}, 2, false},
		"punctuation is a blank":                      {"coca cola", []string{"Coca-Cola Zéro 33cl", "Coca-Cola 1L"}, 2, false},
		"letters in the middle":                       {"ric", []string{"Abricoca"}, 1, true},
		"accents do not matter":                       {"creme BRULEE", []string{"Crème brûlée"}, 1, true},
		"accents in the entry do not matter":          {"séche", []string{"Bœuf séché"}, 1, true},
		"a ligature is its letters":                   {"oeuf", []string{"Œufs", "Bœuf séché"}, 2, true},
		"a ligature in the entry matches its letters": {"bœuf", []string{"Bœuf séché"}, 1, true},
		"an apostrophe separates words":               {"eau", []string{"L’eau vive"}, 1, true},
		"words in another order":                      {"zero coca", []string{"Coca-Cola Zéro 33cl"}, 1, true},
		"not all words begin a word of the name":      {"ero coca", nil, 0, false},
		"no match":                                    {"xyz", nil, 0, false},
		"no letters":                                  {" -* ", nil, 0, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			fit := stocked.Find(c.letters, 10)
			if !slices.Equal(labels(fit.Best), c.want) || fit.Total != c.total || fit.Sure != c.sure {
				t.Errorf("Find(%q) is %q of %d, sure: %v; want %q of %d, sure: %v",
					c.letters, labels(fit.Best), fit.Total, fit.Sure, c.want, c.total, c.sure)
			}
		})
	}
	some := stocked.Find("o", 3)
	tuitest.Equal(t, [2]int{len(some.Best), some.Total}, [2]int{3, 8}, "the articles with an o")
}

func TestTheShelfFindsCodesLabelsAndFavourites(t *testing.T) {
	stocked := shelf()
	for _, code := range []string{"A1", "a1", "]C0A1"} {
		if article, found := stocked.Coded(code); !found || article.Label != "Coca 1L" {
			t.Errorf("the code %q is %+v", code, article)
		}
	}
	for _, code := range []string{"A", "611", ""} {
		if article, found := stocked.Coded(code); found {
			t.Errorf("the code %q is %+v", code, article)
		}
	}
	if article, found := stocked.Labelled("  ECLAIR "); !found || article.UnitPrice != 4500 {
		t.Errorf("the éclair is %+v", article)
	}
	if _, found := stocked.Labelled("…"); found {
		t.Error("punctuation finds an article")
	}
	for place, want := range map[int]string{0: "", 1: "Coca", 2: "", 3: "Éclair", 10: "", -1: ""} {
		if article, found := stocked.Favourite(place); article.Label != want || found != (want != "") {
			t.Errorf("favourite %d is %+v", place, article)
		}
	}
	var none entry.Shelf
	tuitest.Equal(t, none.Find("a", 5).Total, 0, "articles of an empty shelf")
	if _, found := none.Favourite(1); found {
		t.Error("an empty shelf has a favourite")
	}
}

func TestTheTextBeingTypedFindsArticles(t *testing.T) {
	for text, want := range map[string]struct {
		labels   []string
		quantity int64
	}{
		"A1":        {[]string{"Coca 1L"}, 0},
		"2*stock":   {[]string{"Vary stock"}, 2000},
		"1,2*stock": {[]string{"Vary stock"}, 1200},
		"coca x":    {nil, 0},
		"coca 500":  {nil, 0},
		"2*coca x2": {nil, 0},
		"2 stock":   {[]string{"Vary stock"}, 2000},
	} {
		fit, quantity := shelf().Fitting(text)
		if !slices.Equal(labels(fit.Best), want.labels) || quantity.Thousandths != want.quantity {
			t.Errorf("Fitting(%q) is %q, %+v; want %q, %d", text, labels(fit.Best), quantity, want.labels, want.quantity)
		}
	}
}

func TestAnExactNameWinsOverASimilarOne(t *testing.T) {
	stocked := entry.NewShelf([]payments.Article{
		{ID: "1", Label: "Pâte", UnitPrice: 100, Code: "P1", Uses: 9},
		{ID: "2", Label: "Pâté", UnitPrice: 200, Code: "P2"},
		{ID: "3", Label: "PÂTÉ", UnitPrice: 300},
	})
	for typed, want := range map[string]payments.Item{
		"P1":   item("Pâte", 100, 1),
		"p2":   item("Pâté", 200, 1),
		"Pâte": item("Pâte", 100, 1),
		"pâte": item("Pâte", 100, 1),
		"Pâté": item("Pâté", 200, 1),
		"PÂTÉ": item("PÂTÉ", 300, 1),
		// The same article at another price.
		"Pâté 150": reduced("Pâté", 150, 1, 200),
	} {
		if got, err := entry.Parse(typed, stocked, words()); err != nil || got != want {
			t.Errorf("%q is %+v, %v; want %+v", typed, got, err, want)
		}
	}
	if got, err := entry.Parse("pate", stocked, words()); err == nil {
		t.Errorf("letters that match several articles give %+v, want an error", got)
	}
}

func TestACodeIsFoundInEveryNotation(t *testing.T) {
	stocked := entry.NewShelf([]payments.Article{
		{ID: "1", Label: "Sac", UnitPrice: 500, Code: "012345678905"}, // This code was saved by a version that did not normalize codes.
		{ID: "2", Label: "Coca", UnitPrice: 2000, Code: "5449000054227"},
		{ID: "3", Label: "Lamba", UnitPrice: 9000, Code: "HA112"},
	})
	for typed, want := range map[string]payments.Item{
		"0 012345 678905":              item("Sac", 500, 1),
		"2*0 12345 67890 5":            item("Sac", 500, 2),
		"012345678905":                 item("Sac", 500, 1),
		"]E05449000054227":             item("Coca", 2000, 1),
		"]C1010544900005422717261231":  item("Coca", 2000, 1),
		"(01)05449000054227(17)261231": item("Coca", 2000, 1),
		"05449000054227 x3":            item("Coca", 2000, 3),
		"ha112":                        item("Lamba", 9000, 1),
	} {
		if got, err := entry.Parse(typed, stocked, words()); err != nil || got != want {
			t.Errorf("%q is %+v, %v; want %+v", typed, got, err, want)
		}
	}
	for typed, code := range map[string]string{
		"5 449000 000996": "5449000000996", "]E05449000000996": "5449000000996", "5449000000996": "5449000000996",
	} {
		_, err := entry.Parse(typed, stocked, words())
		if about, ok := errors.AsType[*entry.Error](err); !ok || !errors.Is(err, entry.ErrUnknownCode) || about.Text != code {
			t.Errorf("%q is %v, want the unknown code %s", typed, err, code)
		}
	}
}
