// Package catalog is the screen of the shop's articles: it finds, adds and
// changes them, gives them places among the favourites, and deletes them. It
// guarantees that nothing that was typed is lost because it was refused, that
// every change can be undone until the console is left, and that a list of
// thousands is as quick as one of ten.
package catalog

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/field"
	"checkout/till/tui/component/list"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
)

// Config is what the screen needs.
type Config struct {
	Shelf Shelf
	Run   live.Runner
	Theme theme.Theme
	Texts i18n.Texts
}

// question is what the screen asks before it throws something away.
type question int

const (
	nothing question = iota
	askDelete
	askDiscard
)

// notice is what the last row says until the next key.
type notice struct {
	text  i18n.Message
	fault bool
}

// Model is the screen.
type Model struct {
	Config
	keys     keyMap
	filter   field.Field
	stock    stock
	form     form
	question question
	doomed   payments.Article // Which one the question is about.
	work     work
	notice   notice
	open     bool // Somebody looks at the screen.
	size     screen.Size
}

// maxFilter bounds the filter, in characters.
const maxFilter = 60

// New returns the screen. It shows nothing before it is entered.
func New(config Config) Model {
	m := Model{
		Config: config, keys: newKeyMap(config.Texts),
		filter: field.New(config.Theme, config.Texts.Catalog.Find+" ", maxFilter).Focus(true),
	}
	m.stock.list = list.New(config.Texts, false)
	m.enable()
	return m
}

// SetSize gives the screen its room, in cells.
func (m Model) SetSize(width, height int) Model {
	m.size = screen.Size{Width: width, Height: height}
	return m.fit()
}

// enter shows the articles anew. An article that is being typed is still there.
func (m Model) enter() (Model, tea.Cmd) {
	m.open = true
	if !m.form.open {
		m.filter, m.question, m.notice = m.filter.With(""), nothing, notice{}
		m.stock = m.stock.find("")
		m.stock.list = m.stock.list.Select(0)
	}
	m.enable()
	return m.refresh()
}

// Typing tells whether text is being typed, so that "?" is no key.
func (m Model) Typing() bool { return m.form.open || !m.filter.Empty() }

// Update handles a message.
func (m Model) Update(msg tea.Msg) (Model, tea.Cmd) {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.KeyMsg:
		m, cmd = m.press(msg)
	case live.Entered:
		m, cmd = m.enter()
	case live.Left:
		m.open = false
	case live.State:
		if msg.Changed && m.open {
			m, cmd = m.refresh()
		}
	case live.Loaded[shelf]:
		m, cmd = m.loaded(msg)
	case settled:
		m, cmd = m.settled(msg)
	default:
		return m, nil
	}
	m = m.fit()
	m.enable()
	return m, cmd
}

// press takes a key. While a change is being written keys wait for it.
func (m Model) press(msg tea.KeyMsg) (Model, tea.Cmd) {
	if m.work.busy {
		m.work.keys = append(slices.Clip(m.work.keys), msg)
		return m, nil
	}
	m.notice = notice{}
	switch {
	case m.question != nothing:
		return m.answer(msg)
	case m.form.open:
		return m.fill(msg)
	}
	return m.choose(msg)
}

// choose takes a key for the list. What is no key of the list is typed into
// the filter.
func (m Model) choose(msg tea.KeyMsg) (Model, tea.Cmd) {
	if moved, taken := m.stock.list.Update(msg); taken {
		m.stock.list = moved
		return m, nil
	}
	switch {
	case key.Matches(msg, m.keys.Back):
		return m.back()
	case key.Matches(msg, m.keys.New):
		return m.edit(payments.Article{}), nil
	case key.Matches(msg, m.keys.Edit):
		return m.take(), nil
	case key.Matches(msg, m.keys.Place):
		return m.place(int(msg.Runes[0] - '0'))
	case key.Matches(msg, m.keys.Remove):
		m.question = askDelete
		m.doomed, _ = m.stock.chosen()
	case key.Matches(msg, m.keys.Undo):
		return m.undo()
	default:
		var cmd tea.Cmd
		m.filter, cmd = m.filter.Type(msg)
		m.stock = m.stock.find(m.filter.Value())
		return m, cmd
	}
	return m, nil
}

// back empties the filter, or else leaves the screen.
func (m Model) back() (Model, tea.Cmd) {
	if !m.filter.Empty() {
		m.filter, m.stock = m.filter.With(""), m.stock.find("")
		return m, nil
	}
	return m, func() tea.Msg { return live.Closed{} }
}

// take opens the article under the cursor, or, where none fits what was typed,
// a new one of that name or of that code.
func (m Model) take() Model {
	if chosen, found := m.stock.chosen(); found {
		return m.edit(chosen)
	}
	return m.add(m.filter.Value())
}

// answer takes the answer to the question. Any other key takes the question
// back and does what it does: a scanner's digits end in Enter.
func (m Model) answer(msg tea.KeyMsg) (Model, tea.Cmd) {
	asked := m.question
	switch {
	case key.Matches(msg, m.keys.No), key.Matches(msg, m.keys.Undo):
		m.question = nothing // What is asked about is not done yet: there is nothing to undo.
	case key.Matches(msg, m.keys.Yes):
		m.question = nothing
		if asked == askDelete {
			return m.drop(m.doomed)
		}
		m.form = form{}
	default:
		m.question = nothing
		return m.press(msg)
	}
	return m, nil
}
