// Package catalog is the screen of the shop's articles: the cashier finds, adds, changes and
// deletes them, and makes them favourites. Typed text is not lost when a change is refused.
package catalog

import (
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/barcode"
	"checkout/till/tui/component/field"
	"checkout/till/tui/component/list"
	"checkout/till/tui/component/master"
	"checkout/till/tui/counter"
	"checkout/till/tui/entry"
	"checkout/till/tui/keyboard"
	"checkout/till/tui/live"
)

// ask is a question before an article is deleted or typed text is discarded.
type ask struct {
	says  i18n.Message
	does  i18n.Message // What the answer yes does.
	keeps i18n.Message // What the answer no does.
	yes   func(m Model) (Model, tea.Cmd)
}

// notice is a message for the cashier. The next key press removes it.
type notice struct {
	text  i18n.Message
	fault bool
}

// Model is the screen: the list with its filter, and the form for one article.
type Model struct {
	live.Console
	keys   keyMap
	master master.Master
	filter field.Field
	all    []payments.Article
	shown  []payments.Article // Articles that fit the filter.
	form   form
	ask    ask
	loader live.Loader[shelf]
	sales  live.Loader[sold]
	sold   sold
	busy   bool      // A change is being written.
	failed time.Time // Time at which the last change failed.
	saved  string    // Label of the saved article that the cursor must move to.
	notice notice
	open   bool
}

const maxFilter = 60 // Longest text in the filter field, in characters.

// New returns the screen, without articles.
func New(console live.Console) Model {
	return Model{
		Console: console, master: master.New(console.Theme, console.Texts),
		filter: field.New(console.Theme, "", maxFilter).Focus(true),
	}.SetTexts(console.Texts)
}

// SetTexts changes the language. The typed text, the chosen article and an open question
// stay.
func (m Model) SetTexts(texts i18n.Texts) Model {
	m.Texts = texts
	m.keys = newKeyMap(texts)
	m.master.List = m.master.List.SetTexts(texts)
	m.filter = m.filter.SetPrompt(texts.Catalog.Find + " ")
	return m.fit()
}

// SetSize sets the size of the screen, in cells.
func (m Model) SetSize(width, height int) Model {
	m.master = m.master.SetSize(width, height)
	return m.fit()
}

func (m Model) fit() Model {
	m.master.Inside = m.form.open
	m.master = m.master.Fit(m.view())
	_, found := m.chosen()
	m.keys.Edit.SetEnabled(found || !m.filter.Empty())
	m.keys.Place.SetEnabled(found)
	m.keys.Remove.SetEnabled(found)
	if m.keys.Next.SetHelp("enter", m.Texts.Keys.Next); m.form.focus == unitField {
		m.keys.Next.SetHelp("enter", m.Texts.Keys.Save)
	}
	return m
}

// enter opens the screen. With a code, it also opens the form for a new article, unless a form is
// open.
func (m Model) enter(code string) (Model, tea.Cmd) {
	m.open = true
	if !m.form.open {
		m.ask, m.notice = ask{}, notice{}
		m = m.find(m.filter.SetText(""))
	}
	if code != "" {
		m = m.addCode(code)
	}
	read, sales := m.refresh(), m.readSales()
	return m, tea.Batch(read, sales)
}

// Meaning returns what keys mean now: letters are text, and the screen itself uses scanned codes.
func (m Model) Meaning() keyboard.Meaning {
	return keyboard.Meaning{
		Keys: keyboard.Answer, Typing: m.form.open || !m.filter.Empty(), Codes: true,
		Asked: m.ask.says.In(m.Texts), Busy: m.busy, Since: m.failed,
	}
}

// Update handles a message. Keys and scans come only while the screen is open.
func (m Model) Update(msg tea.Msg) (Model, tea.Cmd) {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.KeyMsg:
		m, cmd = m.press(msg)
	case keyboard.Scan:
		m = m.scan(msg)
	case live.Entered:
		m, cmd = m.enter(msg.Code)
	case live.Exited:
		m.open = false
	case counter.Picture:
		if msg.Changed && m.open {
			cmd = m.refresh()
		}
	case live.Loaded[shelf]:
		m, cmd = m.loaded(msg)
	case live.Loaded[sold]:
		m, cmd = m.loadedSales(msg)
	case written:
		m, cmd = m.written(msg)
	default:
		return m, nil
	}
	return m.fit(), cmd
}

func (m Model) press(msg tea.KeyMsg) (Model, tea.Cmd) {
	m.notice = notice{}
	if asked := m.ask; asked.says != nil {
		m.ask = ask{}
		switch {
		case key.Matches(msg, m.keys.No):
			return m, nil
		case key.Matches(msg, m.keys.Yes):
			return asked.yes(m)
		}
		// Any other key closes the question, so the Enter after a scanned code cannot answer it.
	}
	if m.form.open {
		return m.fill(msg)
	}
	return m.choose(msg)
}

// choose handles a key while no form is open.
func (m Model) choose(msg tea.KeyMsg) (Model, tea.Cmd) {
	if moved, taken := m.master.Update(msg); taken {
		m.master = moved
		return m, nil
	}
	chosen, found := m.chosen()
	switch {
	case key.Matches(msg, m.keys.Back) && m.filter.Empty():
		return m, m.Closes()
	case key.Matches(msg, m.keys.Back):
		return m.find(m.filter.SetText("")), nil
	case key.Matches(msg, m.keys.New):
		return m.edit(payments.Article{}), nil
	case key.Matches(msg, m.keys.Edit) && found:
		return m.edit(chosen), nil
	case key.Matches(msg, m.keys.Edit): // Without a match, the filter's text becomes the label or code of a new article.
		return m.add(m.filter.Value()), nil
	case key.Matches(msg, m.keys.Place):
		return m.place(chosen, int(msg.Runes[0]-'0'))
	case key.Matches(msg, m.keys.Remove):
		deletion := written{say: messages(chosen).deleted, article: chosen, deletes: true}
		m.ask = ask{says: messages(chosen).askDelete, does: deletes, keeps: keeps, yes: deletion.start}
		return m, nil
	}
	filter, cmd := m.filter.Type(msg)
	if filter.Value() == m.filter.Value() {
		m.filter = filter
		return m, cmd
	}
	m.saved = ""
	return m.find(filter), cmd
}

func (m Model) find(filter field.Field) Model {
	m.filter = filter
	m = m.filtered()
	m.master.List = m.master.List.Select(0)
	return m
}

// filtered lists the articles that match the filter by label or code.
func (m Model) filtered() Model {
	words, begins := strings.Fields(entry.Fold(m.filter.Value())), strings.ToUpper(m.filter.Value())
	code := barcode.Canonical(m.filter.Value())
	m.shown = make([]payments.Article, 0, len(m.all))
	for _, article := range m.all {
		label := entry.Fold(article.Label)
		fits := len(words) > 0 && holds(label, words)
		if fits || strings.HasPrefix(strings.ToUpper(article.Code), begins) || article.Code == code {
			m.shown = append(m.shown, article)
		}
	}
	m.master.List = m.master.List.SetRows(list.IDs(m.shown, func(article payments.Article) string { return article.ID }))
	return m
}

func holds(label string, words []string) bool {
	for _, word := range words {
		if !strings.Contains(label, word) {
			return false
		}
	}
	return true
}

// to moves the cursor to the first listed article that matches.
func (m Model) to(match func(payments.Article) bool) (Model, bool) {
	at := slices.IndexFunc(m.shown, match)
	if at >= 0 {
		m.master.List = m.master.List.Select(at)
	}
	return m, at >= 0
}

func (m Model) chosen() (payments.Article, bool) { return list.Chosen(m.master.List, m.shown) }

func (m Model) coded(code string) (article payments.Article) {
	if at := slices.IndexFunc(m.all, func(a payments.Article) bool { return a.Code == code }); at >= 0 {
		article = m.all[at]
	}
	return article
}

// Texts that say what the answers to the questions do.
func deletes(t i18n.Texts) string  { return t.Asks.Deletes }
func keeps(t i18n.Texts) string    { return t.Asks.Keeps }
func discards(t i18n.Texts) string { return t.Asks.Discards }
func goesOn(t i18n.Texts) string   { return t.Asks.GoesOn }
