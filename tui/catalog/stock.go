package catalog

import (
	"slices"
	"strings"

	"checkout/till/payments"
	"checkout/till/tui/entry"
)

// stock are the articles, and those of them that fit the filter.
type stock struct {
	articles []payments.Article
	shown    []payments.Article
}

// restock puts articles in the place of those that there were. The cursor stays
// on the article that it was on, if that is still shown.
func (m Model) restock(articles []payments.Article) Model {
	was, _ := m.chosen()
	m.stock.articles = articles
	return m.filtered().to(was.ID)
}

// unfiltered shows all articles.
func (m Model) unfiltered() Model {
	m.filter = m.filter.With("")
	return m.find()
}

// find shows what the filter finds, with the cursor on the first article.
func (m Model) find() Model {
	m = m.filtered()
	m.master.List = m.master.List.Select(0)
	return m
}

// filtered shows the articles whose label holds all the words of the filter, or
// whose code begins with it.
func (m Model) filtered() Model {
	words, code := strings.Fields(entry.Fold(m.filter.Value())), strings.ToLower(m.filter.Value())
	m.stock.shown = make([]payments.Article, 0, len(m.stock.articles))
	for _, article := range m.stock.articles {
		label := entry.Fold(article.Label)
		lacks := func(word string) bool { return !strings.Contains(label, word) }
		if len(words) > 0 && !slices.ContainsFunc(words, lacks) || strings.HasPrefix(strings.ToLower(article.Code), code) {
			m.stock.shown = append(m.stock.shown, article)
		}
	}
	m.master.List = m.master.List.SetRows(len(m.stock.shown))
	return m
}

// to moves the cursor to the article of an ID, if that is shown.
func (m Model) to(id string) Model {
	if at := slices.IndexFunc(m.stock.shown, func(a payments.Article) bool { return a.ID == id }); at >= 0 {
		m.master.List = m.master.List.Select(at)
	}
	return m
}

func (m Model) chosen() (payments.Article, bool) {
	if at := m.master.List.Cursor(); at < len(m.stock.shown) {
		return m.stock.shown[at], true
	}
	return payments.Article{}, false
}

// on tells whether the cursor is on the article of an ID.
func (m Model) on(id string) bool {
	chosen, _ := m.chosen()
	return chosen.ID == id
}

func (m Model) with(is func(payments.Article) bool) (payments.Article, bool) {
	if i := slices.IndexFunc(m.stock.articles, is); i >= 0 {
		return m.stock.articles[i], true
	}
	return payments.Article{}, false
}
