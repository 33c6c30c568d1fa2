package catalog_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/payments"
	"checkout/till/storage"
	"checkout/till/tui/catalog"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/counter"
)

// till is the screen with a cashier in front of it, and the counter around it.
type till struct {
	*tuitest.Driver
	*counter.Counter
	t    *testing.T
	held bool // Commands are kept back.
	kept []tea.Cmd
}

// open puts the screen up in English, in the room it has in an old terminal.
func open(t *testing.T, articles ...payments.Article) *till { return speaking(t, "en", articles...) }

func speaking(t *testing.T, language string, articles ...payments.Article) *till {
	return dressed(t, language, theme.Plain(), articles...)
}

func dressed(t *testing.T, language string, styles theme.Theme, articles ...payments.Article) *till {
	t.Helper()
	store, err := storage.Open(t.Context(), filepath.Join(t.TempDir(), "till.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	s := &till{t: t, Counter: counter.New(t, store)}
	if _, err := s.SaveArticles(t.Context(), articles); err != nil {
		t.Fatal(err)
	}
	screen := catalog.New(catalog.Config{
		Shelf: s.Service, Run: s.run, Theme: styles, Texts: counter.Texts(t, language),
	})
	s.Driver = tuitest.Drive(t, counter.Stand(screen), 80, 21)
	return s.enter()
}

// shop are a few articles, in the order in which they are shown.
func shop() []payments.Article {
	return []payments.Article{
		{Label: "Café moulu", UnitPrice: 4500, Code: "6111000000093", Favourite: 2},
		{Label: "Coca", UnitPrice: 2000, Code: "5449000000996"},
		{Label: "Koba", UnitPrice: 500, Favourite: 1},
		{Label: "Vary gasy", UnitPrice: 3500, Code: "6111000000017"},
		{Label: "Vary stock", UnitPrice: 3000},
	}
}

// many are as many articles as a large shop has.
func many(count int) []payments.Article {
	articles := make([]payments.Article, 0, count)
	for i := range count {
		articles = append(articles, payments.Article{
			Label: fmt.Sprintf("Entana %04d", i), UnitPrice: payments.Ariary(100 + i), Code: fmt.Sprintf("61110%08d", i),
		})
	}
	return articles
}

// run makes commands, and keeps them back while the machine is slow.
func (s *till) run(work func(ctx context.Context) tea.Msg) tea.Cmd {
	cmd := counter.Run(s.t)(work)
	if s.held {
		s.kept = append(s.kept, cmd)
		return nil
	}
	return cmd
}

// hold keeps commands back from now on.
func (s *till) hold() *till {
	s.held = true
	return s
}

// release runs what was kept back.
func (s *till) release() *till {
	s.held = false
	kept := s.kept
	s.kept = nil
	for _, cmd := range kept {
		s.Send(cmd())
	}
	return s
}

// enter shows the articles anew.
func (s *till) enter() *till {
	s.t.Helper()
	s.Send(live.Entered{})
	return s
}

// wake tells the screen that something changed.
func (s *till) wake() *till {
	s.Send(live.State{Now: s.Now(), Changed: true})
	return s
}

// press presses keys and returns the till, to be chained.
func (s *till) press(keys ...string) *till {
	s.t.Helper()
	s.Press(keys...)
	return s
}

// scan types a code and Enter.
func (s *till) scan(code string) *till {
	s.t.Helper()
	s.Type(code).Press("enter")
	return s
}

func (s *till) alone() counter.Alone[catalog.Model] { return s.Model().(counter.Alone[catalog.Model]) }

// closed tells how often the cashier left the screen.
func (s *till) closed() int { return len(counter.Came[live.Closed](s.alone())) }

// changes are what the screen told of changes.
func (s *till) changes() []catalog.Changed { return counter.Came[catalog.Changed](s.alone()) }

// article returns what is stored of a label, and fails the test when it is not
// as wanted.
func (s *till) stored(label string) payments.Article {
	s.t.Helper()
	articles, err := s.Articles(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	for _, article := range articles {
		if article.Label == label {
			return article
		}
	}
	return payments.Article{}
}

// has fails the test unless an article is stored so, whatever its ID.
func (s *till) has(want payments.Article) *till {
	s.t.Helper()
	got := s.stored(want.Label)
	got.ID = ""
	if got != want {
		s.t.Errorf("stored is %+v, want %+v", got, want)
	}
	return s
}
