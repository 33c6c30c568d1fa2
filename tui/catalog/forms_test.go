package catalog_test

import (
	"strings"
	"testing"

	"checkout/till/assets/i18n"
	"checkout/till/tui/theme"
)

// In every window an article, its form and a question about it fit, and a higher window shows all parts of a
// lower one.
func TestArticlesFitEveryWindow(t *testing.T) {
	for _, language := range i18n.Languages() {
		texts := i18n.Load(language)
		for state, parts := range map[string][]string{
			"list":   {texts.Sale.Article, texts.Sale.Price, texts.Catalog.Favourite},
			"edit":   {texts.Catalog.Label, texts.Sale.Price, texts.Catalog.Code, texts.Catalog.Unit},
			"delete": {texts.KeyNames.Of("enter"), texts.KeyNames.Of("esc")},
		} {
			s := dressed(t, language, theme.Plain(), shop()...)
			states()[state](s)
			for i, width := range []int{20, 40, 59, 60, 80, 120, 200} {
				before := ""
				for height := 6 + i%2; height <= 60; height += 2 {
					view := s.Resize(width, height).Fits().View()
					shown := ""
					for _, part := range parts {
						if strings.Contains(view, part) {
							shown += part + "\n"
						}
					}
					for part := range strings.Lines(before) {
						if !strings.Contains(shown, part) {
							t.Errorf("%s, %s: %d×%d hides %q, which a lower window shows\n%s", language, state, width, height, part, view)
						}
					}
					before = shown
				}
			}
		}
	}
}
