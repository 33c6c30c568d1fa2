package catalog_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/money"
	"checkout/till/tui/counter"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
)

func TestArticlesAreFoundWhileTyping(t *testing.T) {
	for name, tt := range map[string]struct {
		typed       string
		sees, lacks []string
	}{
		"letters within the name":     {"gas", []string{"1 of 5", "Vary gasy"}, []string{"Vary stock", "Coca"}},
		"capitals do not matter":      {"VARY", []string{"2 of 5", "Vary gasy", "Vary stock"}, []string{"Coca"}},
		"accents do not matter":       {"cafe", []string{"1 of 5", "Café moulu"}, nil},
		"several words, in any order": {"stock va", []string{"1 of 5", "Vary stock"}, []string{"gasy"}},
		"a code's beginning":          {"6111", []string{"2 of 5", "Café moulu", "Vary gasy"}, []string{"Coca"}},
		"a code's end does not match": {"0996", []string{"0 of 5", "No article matches. Enter adds 0996."}, nil},
		"no match":                    {"mofo", []string{"0 of 5", "No article matches. Enter adds mofo."}, []string{"Coca"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, shop()...)
			s.Type(tt.typed).Sees(tt.sees...).Lacks(tt.lacks...)
			s.Keys("esc").Sees("5 of 5")
		})
	}
}

func TestTypingPutsTheCursorOnTheFirstArticleFound(t *testing.T) {
	s := open(t, many(100)...)
	s.Keys("end").Sees("›      Entana 0099").Type("00").Sees("›      Entana 0000")
}

func TestTheCursorStaysOnItsArticle(t *testing.T) {
	s := open(t, shop()...)
	s.Keys("down", "down", "down").Sees("›      Vary gasy")
	tuitest.Must(t, s.AddArticles(t.Context(), []payments.Article{{Label: "Akoho", UnitPrice: 9000}}))
	s.Look().Sees("Akoho", "›      Vary gasy", "6 of 6")
	tuitest.Must(t, s.DropArticle(t.Context(), s.stored("Vary gasy").ID))
	s.Look().Sees("5 of 5", "›").Lacks("Vary gasy")
}

func TestAnArticleShowsWhatWasSoldOfItToday(t *testing.T) {
	s := open(t, shop()...)
	s.Lacks("Sold today")
	s.sell()
	s.Enter().Resize(120, 33).Type("vary g").Sees("Today", "─ Sold today ─", "Vary gasy  4  ━━━", "Sold today        4 · 14 000 Ar", "How to sell it", "2*vary").Fits()
	s.Keys("ctrl+u").Type("koba").Lacks("Sold today").Sees("Alt 1", "one of it")
}

func TestAClosedScreenReadsNoArticles(t *testing.T) {
	s := open(t, shop()...)
	s.Keys("esc").Left(1).Send(live.Exited{})
	s.Hold().Look()
	tuitest.Equal(t, len(s.Kept), 0, "reads of a closed screen")
	s.Enter().Look()
	tuitest.Equal(t, len(s.Kept), 2, "running reads")
	s.Release().Sees("5 of 5")
}

func TestEscClearsTheFilterAndThenLeaves(t *testing.T) {
	s := open(t, shop()...)
	s.Type("vary").Press("esc").Sees("5 of 5")
	s.Left(0).Keys("esc").Left(1)
	s.Type("x")
	s.Enter().Sees("5 of 5").Lacks("Find: x")
}

func TestAltAndADigitSetAFavourite(t *testing.T) {
	s := open(t, shop()...)
	s.Type("gasy").Press("alt+1")
	s.Sees("Vary gasy is favourite 1.")
	tuitest.Equal(t, s.stored("Vary gasy").Favourite, 1, "the favourite")
	tuitest.Equal(t, s.stored("Koba").Favourite, 0, "the former favourite")
	s.Keys("alt+1")
	s.Keys("alt+0").Sees("Vary gasy is no longer a favourite.")
	s.changed(2)
}

func TestAnArticleIsDeletedAfterAQuestion(t *testing.T) {
	s := open(t, shop()...)
	s.Type("coca").Press("delete")
	s.Sees("Delete Coca? Orders keep their lines.", "Esc   keeps it     Enter   deletes it")
	s.Keys("esc").Sees("1 of 5").Lacks("Delete")
	s.Keys("delete", "enter").Sees("Deleted: Coca", "0 of 4")
	tuitest.Equal(t, s.stored("Coca").ID, "", "the ID of the deleted article")
}

func TestTheDeleteQuestionKeepsItsArticle(t *testing.T) {
	s := open(t, shop()...)
	s.Keys("down", "delete").Sees("Delete Coca?")
	tuitest.Must(t, s.DropArticle(t.Context(), s.stored("Coca").ID))
	s.Look().Sees("Delete Coca?")
	if s.Keys("enter"); s.stored("Koba").ID == "" || s.stored("Café moulu").ID == "" {
		t.Error("another article was deleted")
	}
}

func TestAScanDoesNotAnswerTheDeleteQuestion(t *testing.T) {
	s := open(t, shop()...)
	s.Keys("down", "delete")
	s.scan("6111000000017").Sees("Change: Vary gasy")
	tuitest.Equal(t, s.stored("Coca").Label, "Coca", "the article under the question")
}

func TestAWriteErrorIsShown(t *testing.T) {
	s := open(t, shop()...)
	s.Break()
	s.Keys("alt+3").Sees("It could not be written to disk.")
	s.Keys("delete", "enter").Sees("It could not be written to disk.", "5 of 5")
	s.Send(counter.Picture{Now: s.Now(), Changed: true}).Sees("THE DATABASE CANNOT BE USED")
	s.Mend()
	s.Keys("alt+3").Sees("is favourite 3")
}

func states() map[string]func(s *till) {
	return map[string]func(s *till){
		"list":        func(s *till) { s.Keys("down", "down", "down") },
		"filter":      func(s *till) { s.Type("vary") },
		"no-fit":      func(s *till) { s.Type("mofo") },
		"new":         func(s *till) { s.Keys("ctrl+n").Type("Mofo gasy") },
		"edit":        func(s *till) { s.Keys("enter", "tab") },
		"bad-price":   func(s *till) { s.Keys("enter", "tab").Type(",50").Press("ctrl+s") },
		"code-taken":  func(s *till) { s.Keys("enter", "tab", "tab", "ctrl+u").scan("5449000000996").Keys("enter") },
		"label-taken": func(s *till) { s.Keys("enter", "ctrl+u").Type("Koba").Press("ctrl+s") },
		"saved":       func(s *till) { s.Keys("enter", "tab", "ctrl+u").Type("4 800").Press("ctrl+s") },
		"delete":      func(s *till) { s.Keys("delete") },
		"deleted":     func(s *till) { s.Keys("delete", "enter") },
		"discard":     func(s *till) { s.Keys("enter").Type("!").Press("esc") },
		"sold":        func(s *till) { s.sell(); s.Enter() },
		"fault":       func(s *till) { s.Break(); s.Keys("alt+3") },
	}
}

func TestTheScreenLooksAsItDid(t *testing.T) {
	articles := append(shop(), payments.Article{
		Label: strings.Repeat("Menaka ampalaza ", 5), UnitPrice: money.MaxAriary, Code: strings.Repeat("9", payments.MaxCodeLength),
	})
	stocks := map[string][]payments.Article{"empty": nil, "thousands": many(1000)}
	all := states()
	all["empty"] = func(*till) {}
	all["thousands"] = func(s *till) { s.Keys("pgdown", "pgdown") }
	tuitest.Gallery{
		States: slices.Sorted(maps.Keys(all)), Beside: 3,
		Wide:   []string{"list", "sold", "edit"},
		Data:   []string{"Entana", "entana"},
		Yields: []string{"catalog.used"}, // Next to the widest price, a row has no room for this text.
		Show: func(t *testing.T, state, language string, styles theme.Theme) *tuitest.Driver {
			stock, special := stocks[state]
			if !special {
				stock = articles
			}
			s := dressed(t, language, styles, stock...)
			all[state](s)
			return s.Driver
		},
	}.Test(t)
}

// In every window, there is room for an article, for the form of an article, and for a question. A
// higher window shows all the parts that a lower window shows.
func TestArticlesFitEveryWindow(t *testing.T) {
	for _, language := range tuitest.Languages() {
		texts := i18n.Load(language)
		for state, parts := range map[string][]string{
			"list":   {texts.Sale.Article, texts.Sale.Price, texts.Catalog.Favourite},
			"edit":   {texts.Catalog.Label, texts.Sale.Price, texts.Catalog.Code, texts.Catalog.Unit},
			"delete": {texts.KeyNames.Of("enter"), texts.KeyNames.Of("esc")},
		} {
			s := dressed(t, language, theme.Plain(), shop()...)
			states()[state](s)
			draw := func(width, height int) string { return s.Resize(width, height).Fits().View() }
			tuitest.Windows(t, []int{20, 40, 59, 60, 80, 120, 200}, draw, func(view string) []string { return tuitest.Among(view, parts...) })
		}
	}
}
