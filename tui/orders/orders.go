// Package orders is the list of orders: those that a person must look at, and
// all that ever were, each with the whole of what is known about it. It
// decides nothing: it shows verdicts and records what a person found out.
package orders

import (
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/field"
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

// question is what the screen asks before it records anything.
type question int

const (
	nothing question = iota
	askPaid
	askUnpaid
	askMatch
	askSeen
	askReason // Why a proven payment is not to count.
	askWho
)

// tab is the list that is shown.
type tab int

const (
	checking tab = iota // What a person must look at.
	own                 // The till's own orders, where several tills share the database.
	past                // All orders that ever were.
)

// Model is the screen.
type Model struct {
	Config
	keys      keyMap
	badge     badge.Badge
	state     live.State
	history   history
	unmatched []payments.Record
	entered   bool // The screen is open.
	tab       tab
	cursor    int
	detail    detail
	question  question
	stray     payments.Record // Which one the question is about.
	notice    i18n.Message
	size      size
}

type size struct{ width, height int }

// detail is the order that is shown whole; its reference is blank while the
// list is shown.
type detail struct {
	wanted string // The reference of the order that was asked for.
	order  payments.Order
	events []payments.Record
	offset int         // How many rows above are scrolled away.
	reason field.Field // Why a proven payment is not to count.
	who    who         // Who answers for what was found out.
}

// New returns the screen.
func New(config Config) Model {
	model := Model{
		Config: config, keys: newKeyMap(config.Texts),
		badge: badge.New(config.Theme, config.Texts),
	}
	model.enable()
	return model
}

// SetSize gives the screen its room, in cells.
func (m Model) SetSize(width, height int) Model {
	m.size = size{width, height}
	m.history.search.field = m.history.search.field.SetWidth(width)
	m.enable()
	return m.scroll(0)
}

// enter shows the list anew: what there is to check, or when there is nothing
// the till's own orders or, where it is the only one, the history.
func (m Model) enter() (Model, tea.Cmd) {
	m.detail, m.question, m.notice = detail{}, nothing, nil
	m.entered = true
	if m.state.ToCheck() > 0 {
		return m.list(checking)
	}
	return m.list(m.after(checking))
}

// Update handles a message.
func (m Model) Update(msg tea.Msg) (Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.press(msg)
	case live.Entered:
		return m.enter()
	case live.Left:
		return m.leave(), nil
	case live.State:
		return m.look(msg)
	case paged:
		return m.found(msg).paged(msg).caughtUp()
	case counted:
		return m.counted(msg), nil
	case opened:
		return m.opened(msg), nil
	case settled:
		return m.settled(msg)
	case asked:
		return m.asked(msg), nil
	case answered:
		return m.answered(msg)
	case noticed:
		if msg.err != nil {
			m.notice = func(t i18n.Texts) string { return t.Hints.StoreFailed }
		}
		return m, nil
	}
	return m, nil
}

// look takes in the picture of the moment.
func (m Model) look(state live.State) (Model, tea.Cmd) {
	// An order can come to the list by the clock alone.
	changed := state.Changed || m.tab == checking && state.ToCheck() != m.state.ToCheck()
	m.state = state
	m.enable()
	if !changed || !m.entered {
		return m, nil
	}
	m, read := m.refresh()
	if reference := m.detail.order.Reference; reference != "" {
		return m, tea.Batch(read, m.open(reference))
	}
	return m, read
}

func (m Model) counted(msg counted) Model {
	if msg.err == nil {
		m.unmatched = msg.unmatched
		m.enable()
	}
	return m
}

// opened shows an order whole. A question that was asked about its former
// state is dropped: the answer may be another one now.
func (m Model) opened(msg opened) Model {
	switch {
	case msg.reference != m.detail.wanted:
		return m
	case msg.err != nil:
		m.notice = func(t i18n.Texts) string { return t.Frame.StoreDown }
		return m
	case m.state.Verdict(msg.order) != m.state.Verdict(m.detail.order):
		m.question = nothing
	}
	m.detail.order, m.detail.events = msg.order, msg.events
	m.enable()
	return m.scroll(0)
}

func (m Model) settled(msg settled) (Model, tea.Cmd) {
	if msg.err != nil {
		m.notice = func(t i18n.Texts) string { return t.Hints.StoreFailed }
		return m, nil
	}
	return m, m.open(msg.reference)
}

// press takes a key.
func (m Model) press(msg tea.KeyMsg) (Model, tea.Cmd) {
	m.notice = nil
	switch {
	case m.question == askWho:
		return m.identify(msg)
	case m.question == askReason:
		return m.explain(msg)
	case m.question != nothing:
		return m.answer(msg)
	case m.history.search.typing:
		return m.write(msg)
	case key.Matches(msg, m.keys.Search):
		return m.seek()
	case key.Matches(msg, m.keys.Back):
		return m.back()
	case key.Matches(msg, m.keys.Up):
		return m.up(), nil
	case key.Matches(msg, m.keys.Down):
		return m.down()
	case key.Matches(msg, m.keys.Switch):
		return m.turn()
	case key.Matches(msg, m.keys.Open):
		return m.choose()
	case key.Matches(msg, m.keys.Paid):
		m.question = askPaid
	case key.Matches(msg, m.keys.Unpaid):
		return m.doubt(), nil
	case key.Matches(msg, m.keys.Code):
		return m, m.showCode()
	case key.Matches(msg, m.keys.Match):
		m.question = askMatch
	case key.Matches(msg, m.keys.Seen):
		m.question = askSeen
		m.stray, _ = m.oldestStray()
	}
	return m, nil
}

func (m Model) back() (Model, tea.Cmd) {
	shown := m.detail.order.Reference != ""
	m.detail = detail{}
	m.enable()
	switch {
	case shown:
		return m, nil
	case m.sought():
		return m.unsought()
	}
	return m, func() tea.Msg { return live.Closed{} }
}

// leave ends the reading of a list that nobody looks at any more.
func (m Model) leave() Model {
	m.entered, m.detail, m.question = false, detail{}, nothing
	return m
}

// turn shows the next list. It is read anew: it was not kept up while nobody
// saw it.
func (m Model) turn() (Model, tea.Cmd) { return m.list(m.after(m.tab)) }

// after returns the list that follows one.
func (m Model) after(shown tab) tab {
	switch {
	case shown == past:
		return checking
	case shown == checking && m.Shared:
		return own
	}
	return past
}

func (m Model) up() Model {
	if m.detail.order.Reference != "" {
		return m.scroll(-1)
	}
	m.cursor = max(0, m.cursor-1)
	return m
}

// down moves the cursor, and reads on before the list ends.
func (m Model) down() (Model, tea.Cmd) {
	if m.detail.order.Reference != "" {
		return m.scroll(1), nil
	}
	m.cursor = max(0, min(m.cursor+1, len(m.history.orders)-1))
	near := m.cursor > len(m.history.orders)-10
	if !near || m.history.reading || m.history.whole || len(m.history.orders) == 0 {
		return m, nil
	}
	m.history.reading = true
	return m, m.page(m.history.orders[len(m.history.orders)-1].Reference)
}

// chosen returns the order under the cursor.
func (m Model) chosen() (payments.Order, bool) {
	if m.cursor >= len(m.history.orders) || m.history.search.asked {
		return payments.Order{}, false
	}
	return m.history.orders[m.cursor], true
}

// choose opens the order under the cursor.
func (m Model) choose() (Model, tea.Cmd) {
	order, found := m.chosen()
	if !found {
		return m, nil
	}
	m.detail.wanted = order.Reference
	return m, m.open(order.Reference)
}

// scroll moves the rows of the order that is shown whole.
func (m Model) scroll(by int) Model {
	hidden := len(m.whole()) - m.room()
	m.detail.offset = max(0, min(m.detail.offset+by, hidden))
	return m
}
