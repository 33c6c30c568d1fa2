package catalog_test

import (
	"fmt"
	"testing"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/money"
	"checkout/till/tui/catalog"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

// till is the catalogue screen under test, with a shop that the test controls.
type till struct {
	shoptest.Rig[catalog.Model, *till]
	t *testing.T
}

// open starts the screen in English. It has the size that it has in a terminal of 80×24.
func open(t *testing.T, articles ...payments.Article) *till {
	return dressed(t, "en", theme.Plain(), articles...)
}

func dressed(t *testing.T, language string, styles theme.Theme, articles ...payments.Article) *till {
	t.Helper()
	s := &till{t: t}
	s.Counter = shoptest.Open(t)
	tuitest.Must(t, s.AddArticles(t.Context(), articles))
	return s.Put(s, catalog.New(live.Console{
		Service: s.Service, Run: s.Run, Zone: shoptest.Zone(), Theme: styles, Texts: i18n.Load(language),
	}), 80, 21).Enter()
}

// shop returns five articles, in the order of the list on the screen.
func shop() []payments.Article {
	return []payments.Article{
		{Label: "Café moulu", UnitPrice: 4500, Code: "6111000000093", Favourite: 2},
		{Label: "Coca", UnitPrice: 2000, Code: "5449000000996"},
		{Label: "Koba", UnitPrice: 500, Favourite: 1},
		{Label: "Vary gasy", UnitPrice: 3500, Code: "6111000000017"},
		{Label: "Vary stock", UnitPrice: 3000},
	}
}

func many(count int) []payments.Article {
	articles := make([]payments.Article, 0, count)
	for i := range count {
		articles = append(articles, payments.Article{
			Label: fmt.Sprintf("Entana %04d", i), UnitPrice: money.Ariary(100 + i), Code: fmt.Sprintf("61110%08d", i),
		})
	}
	return articles
}

func (s *till) sell() {
	s.t.Helper()
	s.Sell(shoptest.Terms("", payments.Item{Label: "Vary gasy", UnitPrice: 3500, Quantity: 4}), shoptest.Cash())
}

func (s *till) scan(code string) *till {
	s.t.Helper()
	s.Type(code).Press("enter")
	return s
}

func (s *till) changed(times int) {
	s.t.Helper()
	tuitest.Equal(s.t, len(shoptest.Received[live.ArticlesChanged](s.Harness())), times, "change messages")
}

// stored returns the stored article with the label, or a zero article if there is none.
func (s *till) stored(label string) payments.Article {
	s.t.Helper()
	articles, err := s.Articles(s.t.Context())
	tuitest.Must(s.t, err)
	for _, article := range articles {
		if article.Label == label {
			return article
		}
	}
	return payments.Article{}
}

// has fails the test unless the store contains the article want. It ignores the ID.
func (s *till) has(want payments.Article) *till {
	s.t.Helper()
	got := s.stored(want.Label)
	got.ID = ""
	tuitest.Equal(s.t, got, want, "the stored article")
	return s
}
