package catalog

import (
	"slices"
	"strings"

	"checkout/till/payments"
	"checkout/till/tui/entry"
)

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
	m.shown = make([]payments.Article, 0, len(m.all))
	for _, article := range m.all {
		label := entry.Fold(article.Label)
		lacks := func(word string) bool { return !strings.Contains(label, word) }
		if len(words) > 0 && !slices.ContainsFunc(words, lacks) || strings.HasPrefix(strings.ToLower(article.Code), code) {
			m.shown = append(m.shown, article)
		}
	}
	m.master.List = m.master.List.SetRows(len(m.shown))
	return m
}

// to moves the cursor to the article of an ID, and tells whether that is shown.
func (m Model) to(id string) (Model, bool) {
	at := slices.IndexFunc(m.shown, func(a payments.Article) bool { return a.ID == id })
	if at >= 0 {
		m.master.List = m.master.List.Select(at)
	}
	return m, at >= 0
}

func (m Model) chosen() (payments.Article, bool) {
	if at := m.master.List.Cursor(); at < len(m.shown) {
		return m.shown[at], true
	}
	return payments.Article{}, false
}

func (m Model) with(is func(payments.Article) bool) (payments.Article, bool) {
	if i := slices.IndexFunc(m.all, is); i >= 0 {
		return m.all[i], true
	}
	return payments.Article{}, false
}
