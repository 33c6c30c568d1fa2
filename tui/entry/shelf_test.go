package entry_test

import (
	"slices"
	"testing"

	"checkout/till/payments"
	"checkout/till/tui/entry"
)

func labels(found []payments.Article) []string {
	var all []string
	for _, article := range found {
		all = append(all, article.Label)
	}
	return all
}

func TestTheShelfFindsTheLikeliestFirst(t *testing.T) {
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
		"then the beginning, then a word's, then what is sold most": {
			"coc", []string{"Coca-Cola Zéro 33cl", "Coca-Cola 1L", "Coca", "Jus de coco", "Lait Coco", "Abricoca"}, 6, false,
		},
		"where uses are the same the store decides": {"coco", []string{"Jus de coco", "Lait Coco"}, 2, false},
		"a sign is a blank":                         {"coca cola", []string{"Coca-Cola Zéro 33cl", "Coca-Cola 1L"}, 2, false},
		"letters in the middle":                     {"ric", []string{"Abricoca"}, 1, true},
		"accents do not matter":                     {"creme BRULEE", []string{"Crème brûlée"}, 1, true},
		"nor where they are typed":                  {"séche", []string{"Bœuf séché"}, 1, true},
		"a ligature is its letters":                 {"oeuf", []string{"Œufs", "Bœuf séché"}, 2, true},
		"and its letters are the ligature":          {"bœuf", []string{"Bœuf séché"}, 1, true},
		"an apostrophe parts words":                 {"eau", []string{"L’eau vive"}, 1, true},
		"words in another order":                    {"zero coca", []string{"Coca-Cola Zéro 33cl"}, 1, true},
		"words that do not all begin one":           {"ero coca", nil, 0, false},
		"nothing that fits":                         {"xyz", nil, 0, false},
		"no letters":                                {" -* ", nil, 0, false},
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
	if fit := stocked.Find("o", 3); len(fit.Best) != 3 || fit.Total != 8 {
		t.Errorf("three of those with an o are %q of %d", labels(fit.Best), fit.Total)
	}
}

func TestTheShelfKnowsCodesLabelsAndFavourites(t *testing.T) {
	stocked := shelf()
	if article, found := stocked.Coded("A1"); !found || article.Label != "Coca 1L" {
		t.Errorf("A1 is %+v", article)
	}
	for _, code := range []string{"a1", "611", ""} {
		if article, found := stocked.Coded(code); found {
			t.Errorf("the code %q is %+v", code, article)
		}
	}
	if article, found := stocked.Labelled("  ECLAIR "); !found || article.UnitPrice != 4500 {
		t.Errorf("the éclair is %+v", article)
	}
	if _, found := stocked.Labelled("…"); found {
		t.Error("a sign is an article")
	}
	for place, want := range map[int]string{0: "", 1: "Coca", 2: "", 3: "Éclair", 10: "", -1: ""} {
		if article, found := stocked.Favourite(place); article.Label != want || found != (want != "") {
			t.Errorf("favourite %d is %+v", place, article)
		}
	}
	var none entry.Shelf
	if fit := none.Find("a", 5); fit.Total != 0 {
		t.Errorf("an empty shelf has %+v", fit)
	}
	if _, found := none.Favourite(1); found {
		t.Error("an empty shelf has a favourite")
	}
}

func TestAnArticleKeepsItsLabelAndItsListPrice(t *testing.T) {
	got, err := entry.Parse("2*eclair 4000", shelf(), "")
	want := payments.Item{Label: "Éclair", UnitPrice: 4000, Quantity: 2, ListPrice: 4500}
	if err != nil || got != want {
		t.Errorf("below its price it is %+v, %v; want %+v", got, err, want)
	}
	if got, err := entry.Parse("Savony 1200", shelf(), ""); err != nil || got != item("Savony", 1200, 1) {
		t.Errorf("what is no article is %+v, %v", got, err)
	}
}

func TestWhatIsBeingTypedFindsItsArticles(t *testing.T) {
	for text, want := range map[string]struct {
		labels   []string
		quantity int64
	}{
		"A1":        {[]string{"Coca 1L"}, 1},
		"2*stock":   {[]string{"Vary stock"}, 2},
		"coca x":    {nil, 0},
		"coca 500":  {nil, 0},
		"2*coca x2": {nil, 0},
	} {
		fit, quantity := shelf().Fitting(text)
		if !slices.Equal(labels(fit.Best), want.labels) || quantity != want.quantity {
			t.Errorf("Fitting(%q) is %q, %d; want %q, %d", text, labels(fit.Best), quantity, want.labels, want.quantity)
		}
	}
}
