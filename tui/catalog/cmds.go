package catalog

import (
	"context"
	"errors"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/live"
)

// Shelf keeps the articles.
type Shelf interface {
	// Articles returns all of them, what is sold most often first.
	Articles(ctx context.Context) ([]payments.Article, error)
	// SaveArticles adds articles and changes those that have an ID, all or
	// none. The errors that matter are payments.ErrCodeTaken and
	// payments.ErrLabelTaken.
	SaveArticles(ctx context.Context, articles []payments.Article) ([]payments.Article, error)
	// DropArticle deletes the article of an ID.
	DropArticle(ctx context.Context, id string) error
}

// Changed is sent when an article was added, changed or deleted. It holds all
// that there are now.
type Changed struct{ Articles []payments.Article }

// maxUndo is how many changes can be undone.
const maxUndo = 100

// work is what is done to the shelf: one thing at a time.
type work struct {
	busy   bool         // A change is being written.
	stale  bool         // Something else changed meanwhile.
	keys   []tea.KeyMsg // Pressed meanwhile.
	undo   []step       // What takes the last changes back, newest last.
	loader live.Loader[shelf]
}

type shelf []payments.Article

type step struct {
	save []payments.Article
	drop string // An ID; blank for none.
}

// settled is how a change ended, and the articles after it.
type settled struct {
	err      error
	back     step
	undone   bool // It was itself the undoing of a change.
	say      i18n.Message
	subject  payments.Article
	articles shelf
	unread   error // Why there are none.
}

func (m Model) refresh() (Model, tea.Cmd) {
	m.work.stale = m.work.busy
	if m.work.busy {
		return m, nil
	}
	cmd := m.work.loader.Load(m.Run, m.load)
	return m, cmd
}

func (m Model) load(ctx context.Context) (shelf, error) { return m.Shelf.Articles(ctx) }

func (m Model) loaded(msg live.Loaded[shelf]) (Model, tea.Cmd) {
	wanted, next := m.work.loader.Done(msg)
	switch {
	case !wanted:
	case msg.Err != nil:
		m = m.fault(storeDown)
	default:
		m = m.restock(msg.Value)
	}
	return m, next
}

// change does something to the shelf, reads it, and tells of both. What was being
// read is older than that.
func (m Model) change(msg settled, do func(ctx context.Context) (back step, err error)) (Model, tea.Cmd) {
	m.work.stale = m.work.loader.Busy()
	m.work.loader.Drop()
	m.work.busy = true
	return m, m.Run(func(ctx context.Context) tea.Msg {
		if msg.back, msg.err = do(ctx); msg.err == nil {
			msg.articles, msg.unread = m.load(ctx)
		}
		return msg
	})
}

// save writes an article. Whoever loses a favourite's place to it gets that
// back when it is undone.
func (m Model) save(article payments.Article, say i18n.Message) (Model, tea.Cmd) {
	var back step
	for _, was := range m.stock.articles {
		switch {
		case was.ID == article.ID: // Comes first, for it gives the place up.
			back.save = slices.Insert(back.save, 0, was)
		case article.Favourite != 0 && was.Favourite == article.Favourite:
			back.save = append(back.save, was)
		}
	}
	return m.change(settled{say: say, subject: article}, func(ctx context.Context) (step, error) {
		saved, err := m.Shelf.SaveArticles(ctx, []payments.Article{article})
		if err == nil && article.ID == "" {
			back.drop = saved[0].ID
		}
		return back, err
	})
}

// place gives the chosen article a place among the favourites; 0 takes it away.
func (m Model) place(at int) (Model, tea.Cmd) {
	article, _ := m.chosen()
	if article.Favourite == at {
		return m, nil
	}
	article.Favourite = at
	return m.save(article, func(t i18n.Texts) string {
		if at == 0 {
			return t.CatalogNews.Unplaced.With(article.Label)
		}
		return t.CatalogNews.Placed.With(article.Label, at)
	})
}

func (m Model) drop(article payments.Article) (Model, tea.Cmd) {
	msg := settled{say: func(t i18n.Texts) string { return t.CatalogNews.Deleted.With(article.Label) }}
	return m.change(msg, func(ctx context.Context) (step, error) {
		return step{save: []payments.Article{article}}, m.Shelf.DropArticle(ctx, article.ID)
	})
}

func (m Model) undo() (Model, tea.Cmd) {
	last := m.work.undo[len(m.work.undo)-1]
	msg := settled{say: func(t i18n.Texts) string { return t.CatalogNews.Undone }, undone: true}
	if len(last.save) > 0 {
		msg.subject = last.save[0]
	}
	return m.change(msg, func(ctx context.Context) (step, error) {
		var err error
		if last.drop != "" {
			err = m.Shelf.DropArticle(ctx, last.drop)
		}
		if err == nil && len(last.save) > 0 {
			_, err = m.Shelf.SaveArticles(ctx, last.save)
		}
		return step{}, err
	})
}

// settled takes in how a change ended, and then the keys that waited for it.
func (m Model) settled(msg settled) (Model, tea.Cmd) {
	keys := m.work.keys
	m.work.busy, m.work.keys = false, nil
	var cmds []tea.Cmd
	switch {
	case msg.err != nil:
		m = m.failed(msg)
	case msg.unread != nil:
		m = m.done(msg).fault(storeDown)
	default:
		m = m.done(msg).show(msg)
		cmds = append(cmds, func() tea.Msg { return Changed{msg.articles} })
	}
	if m.work.stale {
		var read tea.Cmd
		m, read = m.refresh()
		cmds = append(cmds, read)
	}
	for _, key := range keys {
		var cmd tea.Cmd
		m.enable()
		said := m.notice
		m, cmd = m.press(key)
		if m.notice.text == nil && said.fault {
			m.notice = said // Nobody has seen it yet.
		}
		cmds = append(cmds, cmd)
	}
	return m, tea.Batch(cmds...)
}

// done notes how a change is taken back, and says that it was made.
func (m Model) done(msg settled) Model {
	undo := m.work.undo
	if msg.undone {
		undo = undo[:max(0, len(undo)-1)]
	} else {
		undo = append(slices.Clip(undo), msg.back)
		undo = undo[max(0, len(undo)-maxUndo):]
		m.form = form{}
	}
	m.work.undo, m.notice = undo, notice{text: msg.say}
	return m
}

// show shows the articles after a change, with the cursor on what was changed.
func (m Model) show(msg settled) Model {
	m = m.restock(msg.articles)
	subject, found := m.with(func(a payments.Article) bool { return a.Label == msg.subject.Label })
	if !found {
		return m
	}
	m = m.to(subject.ID)
	if chosen, _ := m.chosen(); msg.subject.ID == "" || chosen.ID != subject.ID {
		// All are shown when it does not fit the filter, and when it is new: what
		// was looked for is there now, and the next one can be scanned.
		m = m.search("").to(subject.ID)
	}
	return m
}

// failed says why a change was not made. What was typed is still there.
func (m Model) failed(msg settled) Model {
	switch {
	case errors.Is(msg.err, payments.ErrLabelTaken):
		return m.refuse(labelField, func(t i18n.Texts) string { return t.CatalogNews.LabelTaken.With(msg.subject.Label) })
	case errors.Is(msg.err, payments.ErrCodeTaken):
		other, _ := m.with(func(a payments.Article) bool { return a.Code == msg.subject.Code })
		return m.refuse(codeField, func(t i18n.Texts) string { return t.CatalogNews.CodeTaken.With(other.Label) })
	}
	return m.fault(func(t i18n.Texts) string { return t.Hints.StoreFailed })
}

func (m Model) fault(text i18n.Message) Model {
	m.notice = notice{text: text, fault: true}
	return m
}

func storeDown(t i18n.Texts) string { return t.Frame.StoreDown }
