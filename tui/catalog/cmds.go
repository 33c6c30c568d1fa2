package catalog

import (
	"context"
	"errors"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/live"
	"checkout/till/tui/wording"
	"checkout/till/tui/wording/errortext"
)

type shelf []payments.Article

// sold maps the label of an article to how much of it was sold today.
type sold map[string]drawer.Sold

// written is a change of an article and, after the write, its result.
type written struct {
	err     error
	say     i18n.Message     // Message after a success.
	was     payments.Article // The article before the change, as the cashier saw it.
	article payments.Article
	deletes bool
}

// start returns a command that saves or deletes the article, and sends s with the result.
func (s written) start(m Model) (Model, tea.Cmd) {
	m.busy = true
	return m, m.Run(func(ctx context.Context) tea.Msg {
		if s.deletes {
			s.err = m.Service.DropArticle(ctx, s.article.ID)
		} else {
			s.err = m.Service.ChangeArticles(ctx, []payments.ArticleChange{{From: s.was, To: s.article}})
		}
		return s
	})
}

// messages is an article with methods that return messages about it.
type messages payments.Article

func (n messages) askDelete(t i18n.Texts) string { return t.Catalog.Delete.With(n.Label) }
func (n messages) deleted(t i18n.Texts) string   { return t.Catalog.Deleted.With(n.Label) }
func (n messages) saved(t i18n.Texts) string     { return t.Catalog.Saved.With(n.Label) }

func (n messages) placed(t i18n.Texts) string {
	if n.Favourite == 0 {
		return t.Catalog.Unplaced.With(n.Label)
	}
	return t.Catalog.Placed.With(n.Label, n.Favourite)
}

func (m *Model) refresh() tea.Cmd {
	service := m.Service
	return m.loader.Load(m.Run, func(ctx context.Context) (shelf, error) { return service.Articles(ctx) })
}

// readSales reads how much was sold today. It runs only when the screen opens, because it takes
// long on a busy day.
func (m *Model) readSales() tea.Cmd {
	service := m.Service
	day := service.DayOf(service.Now().In(m.Zone))
	day.Sold = true
	return m.sales.Load(m.Run, func(ctx context.Context) (sold, error) {
		read, err := service.Day(ctx, day)
		sales := make(sold)
		for _, article := range read.Sold {
			sales[article.Label] = article
		}
		return sales, err
	})
}

func (m Model) loadedSales(msg live.Loaded[sold]) (Model, tea.Cmd) {
	wanted, next := m.sales.Done(msg)
	if wanted && msg.Err == nil {
		m.sold = msg.Value
	}
	return m, next
}

// loaded shows the articles that were read. The cursor moves to an article that was just saved;
// otherwise it stays on its article.
func (m Model) loaded(msg live.Loaded[shelf]) (Model, tea.Cmd) {
	wanted, next := m.loader.Done(msg)
	switch {
	case !wanted:
		return m, nil
	case msg.Err != nil:
		return m.fault(wording.StoreDown), next
	}
	m.all = msg.Value
	m = m.filtered()
	saved := func(a payments.Article) bool { return a.Label == m.saved }
	if slices.ContainsFunc(m.all, saved) {
		var visible bool
		if m, visible = m.to(saved); !visible {
			m, _ = m.find(m.filter.SetText("")).to(saved)
		}
		m.saved = ""
	}
	return m, next
}

// place gives an article a favourite number; 0 removes it from the favourites.
func (m Model) place(article payments.Article, at int) (Model, tea.Cmd) {
	if article.Favourite == at {
		return m, nil
	}
	was := article
	article.Favourite = at
	return written{say: messages(article).placed, was: was, article: article}.start(m)
}

// written handles the result of a change. After an error, keys that were pressed earlier are
// ignored, because the cashier must see the error first.
func (m Model) written(msg written) (Model, tea.Cmd) {
	m.busy = false
	if msg.err != nil {
		m.failed = m.Service.Now()
	}
	switch {
	case errors.Is(msg.err, payments.ErrLabelTaken):
		return m.refuse(labelField, errortext.NotDone(errortext.About(msg.article.Label, msg.err))), nil
	case errors.Is(msg.err, payments.ErrCodeTaken):
		return m.refuse(codeField, errortext.NotDone(errortext.About(m.coded(msg.article.Code).Label, msg.err))), nil
	case msg.err != nil:
		return m.fault(errortext.NotDone(msg.err)), nil
	}
	m.form = form{}
	m.notice = notice{text: msg.say}
	m.saved = msg.article.Label
	if msg.deletes {
		m.saved = ""
	}
	if msg.article.ID == "" {
		m = m.find(m.filter.SetText(""))
	}
	m.loader.Drop() // A running read may not contain the change.
	read := m.refresh()
	return m, tea.Batch(read, screen.Emit(live.ArticlesChanged{}))
}

func (m Model) fault(text i18n.Message) Model {
	m.notice = notice{text: text, fault: true}
	return m
}
