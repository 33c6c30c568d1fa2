package catalog_test

import (
	"testing"

	"checkout/till/assets/i18n"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
)

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
