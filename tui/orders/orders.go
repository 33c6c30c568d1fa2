// Package orders is the list of orders: those that a person must look at, and
// all that ever were, each with the whole of what is known about it. It
// decides nothing: it shows verdicts and records what a person found out.
package orders

import (
	"context"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/master"
	"checkout/till/tui/component/question"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
)

// Config is what the screen needs.
type Config struct {
	Ledger Ledger
	Run    live.Runner
	By     string // The till, which is recorded with a finding.
	Shared bool   // Several tills share the database: the till's own orders are a list of their own.
	Zone   *time.Location
	Theme  theme.Theme
	Texts  i18n.Texts
}

// CodeWanted is sent when the cashier wants to see the code of an order whose
// link can still be paid.
type CodeWanted struct{ Order payments.Order }

// LinesWanted is sent when the cashier wants the lines of an order that was not
// paid back, for another sale.
type LinesWanted struct{ Terms payments.Terms }

// Model is the screen.
type Model struct {
	Config
	keys    keyMap
	badge   badge.Badge
	state   live.State
	entered bool // The screen is open.
	tab     tab
	master  master.Master
	history history
	search  search
	detail  detail
	ask     question.Question
	notice  i18n.Message
}

// New returns the screen.
func New(config Config) Model {
	return Model{Config: config, master: master.New(config.Theme, config.Texts)}.SetTexts(config.Texts)
}

// SetTexts changes the language. The list, the chosen order and a question
// that is open stay as they are.
func (m Model) SetTexts(texts i18n.Texts) Model {
	m.Texts, m.keys, m.badge = texts, newKeyMap(texts), badge.New(m.Theme, texts)
	m.master.List = m.master.List.SetTexts(texts)
	m.search.field = m.search.field.SetPrompt(m.prompt())
	return m.fit()
}

// SetSize gives the screen its room, in cells.
func (m Model) SetSize(width, height int) Model {
	m.master = m.master.SetSize(width, height)
	return m.fit()
}

// fit gives the list and the order their room, and switches each key on where it
// does something.
func (m Model) fit() Model {
	width, _, _ := m.master.Rooms()
	m.search.field = m.search.field.SetWidth(width)
	m.master.Inside = m.inside()
	m.master.List = m.master.List.SetRows(m.count()).SetHeads(m.heads())
	m.enable()
	m.master = m.master.Fit(m.view())
	return m
}

// Typing tells whether text is being typed: digits are a PIN's or a reason's or
// are searched for, and no code of a scanner.
func (m Model) Typing() bool {
	return m.ask.Typing() || m.search.typing
}

// Update handles a message.
func (m Model) Update(msg tea.Msg) (Model, tea.Cmd) {
	m, cmd := m.handle(msg)
	followed := m.follow()
	return m.fit(), tea.Batch(cmd, followed)
}

func (m Model) handle(msg tea.Msg) (Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.press(msg)
	case live.Entered:
		return m.enter()
	case live.Left:
		return m.leave(), nil
	case live.State:
		return m.look(msg)
	case live.Loaded[page]:
		return m.paged(msg)
	case live.Loaded[whole]:
		return m.opened(msg)
	case question.Answered:
		return m.answered(msg)
	}
	return m, nil
}

// enter shows the list anew: what there is to check, or when there is nothing
// the till's own orders or, where it is the only one, the history.
func (m Model) enter() (Model, tea.Cmd) {
	m = m.leave()
	m.entered, m.notice = true, nil
	if m.state.ToCheck() > 0 {
		return m.show(checking)
	}
	return m.show(m.after(checking))
}

// leave ends the reading of a list that nobody looks at any more.
func (m Model) leave() Model {
	m.entered = false
	return m.close()
}

func (m Model) look(state live.State) (Model, tea.Cmd) {
	// An order can come to the list by the clock alone.
	changed := state.Changed || m.tab == checking && state.ToCheck() != m.state.ToCheck()
	m.state = state
	if !changed || !m.entered {
		return m, nil
	}
	read := m.refresh()
	opened := m.reopen()
	return m, tea.Batch(read, opened)
}

func (m Model) press(msg tea.KeyMsg) (Model, tea.Cmd) {
	m.notice = nil
	switch {
	case m.ask.Open():
		var cmd tea.Cmd
		m.ask, cmd = m.ask.Press(m.asker(), msg)
		return m, cmd
	case m.search.typing:
		return m.write(msg)
	}
	if moved, taken := m.master.Update(msg); taken {
		m.master = moved
		return m.readOn()
	}
	order := m.detail.order
	switch {
	case key.Matches(msg, m.keys.Search):
		return m.seek()
	case key.Matches(msg, m.keys.Back):
		return m.back()
	case key.Matches(msg, m.keys.Switch):
		return m.show(m.after(m.tab))
	case key.Matches(msg, m.keys.Open):
		return m.choose()
	case key.Matches(msg, m.keys.Lines):
		return m, func() tea.Msg { return LinesWanted{order.Terms()} }
	case key.Matches(msg, m.keys.Code):
		return m, func() tea.Msg { return CodeWanted{order} }
	}
	return m.question(msg), nil
}

// back closes the order that is shown whole, or the search, or the screen.
func (m Model) back() (Model, tea.Cmd) {
	if m.inside() {
		m.detail.entered = false
		if m.master.Grid.Detail == 0 {
			m = m.close()
		}
		return m, nil
	}
	m = m.close() // An order that is being read is not wanted any more.
	if m.sought() {
		return m.show(past)
	}
	return m, func() tea.Msg { return live.Closed{} }
}

// Ledger is what the screen reads and records.
type Ledger interface {
	// Orders returns the orders that fit, newest first.
	Orders(ctx context.Context, query payments.Query) ([]payments.Order, error)
	// Report returns the takings of a period.
	Report(ctx context.Context, period payments.Period) (payments.Report, error)
	// Order returns an order and its events, or payments.ErrNotFound.
	Order(ctx context.Context, ref string) (payments.Order, []payments.Record, error)
	// Resolve records what a person found out about an order. Like the others it
	// returns payments.ErrIdentityNeeded without an identity in a shop that has
	// cashiers.
	Resolve(ctx context.Context, ref string, finding payments.Finding, who payments.Identity) (payments.Order, error)
	// Cashiers returns the shop's cashiers by name.
	Cashiers(ctx context.Context) ([]payments.Cashier, error)
	// Notice records that a person looked at an event that no order has.
	Notice(ctx context.Context, event payments.Record, who payments.Identity) error
	// Match gives an order of unknown outcome its order reference.
	Match(ctx context.Context, reference, orderReference string, who payments.Identity) (payments.Order, error)
}
