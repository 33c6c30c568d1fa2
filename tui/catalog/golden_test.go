package catalog_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/money"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
)

// states returns, by name, functions that bring the screen into a state.
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
