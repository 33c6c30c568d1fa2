package catalog

import (
	"context"
	"errors"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/live"
)

type shelf []payments.Article

// settled is how a change ended.
type settled struct {
	err     error
	say     i18n.Message
	article payments.Article // As it was saved; without a label when it was deleted.
}

func (m *Model) refresh() tea.Cmd {
	service := m.Service
	return m.loader.Load(m.Run, func(ctx context.Context) (shelf, error) { return service.Articles(ctx) })
}

// loaded shows the articles as they are now. The cursor stays on its article, or goes
// to what was saved last: where the filter hides that, all are shown.
func (m Model) loaded(msg live.Loaded[shelf]) (Model, tea.Cmd) {
	wanted, next := m.loader.Done(msg)
	switch {
	case !wanted:
		return m, nil
	case msg.Err != nil:
		return m.fault(func(t i18n.Texts) string { return t.Reach[payments.ReachStoreDown] }), next
	}
	chosen, _ := m.chosen()
	m.all = msg.Value
	m, _ = m.filtered().to(chosen.ID)
	if saved, found := m.with(func(a payments.Article) bool { return a.Label == m.saved }); found {
		if m, found = m.to(saved.ID); !found {
			m, _ = m.find(m.filter.With("")).to(saved.ID)
		}
		m.saved = ""
	}
	return m, next
}

// change does something to the shelf.
func (m Model) change(msg settled, do func(ctx context.Context) error) (Model, tea.Cmd) {
	m.busy = true
	return m, m.Run(func(ctx context.Context) tea.Msg {
		msg.err = do(ctx)
		return msg
	})
}

func (m Model) save(article payments.Article, say i18n.Message) (Model, tea.Cmd) {
	return m.change(settled{say: say, article: article}, func(ctx context.Context) error {
		return m.Service.SaveArticles(ctx, []payments.Article{article})
	})
}

// place gives an article a place among the favourites; 0 takes it away.
func (m Model) place(article payments.Article, at int) (Model, tea.Cmd) {
	if article.Favourite == at {
		return m, nil
	}
	article.Favourite = at
	return m.save(article, func(t i18n.Texts) string {
		if at == 0 {
			return t.Catalog.Unplaced.With(article.Label)
		}
		return t.Catalog.Placed.With(article.Label, at)
	})
}

// settled takes in how a change ended, and then the keys that waited for it; what
// was refused has to be seen first, and what was typed is still there. A new article
// empties the filter, so that the next one can be scanned.
func (m Model) settled(msg settled) (Model, tea.Cmd) {
	keys := m.waits
	m.busy, m.waits = false, nil
	switch {
	case errors.Is(msg.err, payments.ErrLabelTaken):
		return m.refuse(labelField, func(t i18n.Texts) string { return t.Catalog.LabelTaken.With(msg.article.Label) }), nil
	case errors.Is(msg.err, payments.ErrCodeTaken):
		other, _ := m.with(func(a payments.Article) bool { return a.Code == msg.article.Code })
		return m.refuse(codeField, func(t i18n.Texts) string { return t.Catalog.CodeTaken.With(other.Label) }), nil
	case msg.err != nil:
		return m.fault(func(t i18n.Texts) string { return t.Hints.StoreFailed }), nil
	}
	m.form = form{}
	m.notice = notice{text: msg.say}
	m.saved = msg.article.Label
	if msg.article.ID == "" && msg.article.Label != "" {
		m = m.find(m.filter.With(""))
	}
	m.loader.Drop() // What is being read is older than the change.
	cmds := []tea.Cmd{m.refresh(), func() tea.Msg { return live.ArticlesChanged{} }}
	for _, key := range keys {
		var cmd tea.Cmd
		m, cmd = m.fit().press(key)
		cmds = append(cmds, cmd)
	}
	return m, tea.Batch(cmds...)
}

func (m Model) fault(text i18n.Message) Model {
	m.notice = notice{text: text, fault: true}
	return m
}
