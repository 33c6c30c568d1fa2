// Package board is the waiting board: the orders of this till whose customers
// still have to pay, and those whose outcome nobody has seen yet. The oldest
// comes first, which is the one that is over soonest, and a new one is the last.
//
// It guarantees that an order keeps its place when its outcome comes, and leaves
// once that was acknowledged, and that the chosen order stays chosen whatever
// happens to the others.
package board

import (
	"context"
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/demo"
	"checkout/till/tui/component/master"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
)

// Config is what the screen needs.
type Config struct {
	Run      live.Runner
	Customer demo.Customer // Nil unless this is the demo.
	Theme    theme.Theme
	Texts    i18n.Texts
}

// Chosen is sent when the cashier opens an order.
type Chosen struct{ Order payments.Order }

// Model is the screen.
type Model struct {
	Config
	keys   keyMap
	badge  badge.Badge
	state  live.State
	orders []payments.Order
	master master.Master
	failed bool // The demo's customer could not act.

	width, height int
}

// New returns the screen.
func New(config Config) Model {
	return Model{Config: config, master: master.New(config.Theme, config.Texts)}.SetTexts(config.Texts)
}

// SetTexts changes the language. The chosen order stays chosen.
func (m Model) SetTexts(texts i18n.Texts) Model {
	m.Texts, m.keys, m.badge = texts, newKeyMap(texts), badge.New(m.Theme, texts)
	m.master.List = m.master.List.SetTexts(texts)
	return m.fit()
}

// SetSize gives the screen its room, in cells.
func (m Model) SetSize(width, height int) Model {
	m.width, m.height = width, height
	m.master = m.master.SetSize(width, height).Single()
	return m.fit()
}

// Update handles a message.
func (m Model) Update(msg tea.Msg) (Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.press(msg)
	case live.Entered: // The board is shown anew, with its first order chosen.
		m.failed = false
		m.master.List = m.master.List.Select(0)
		return m.fit(), nil
	case live.State:
		return m.look(msg), nil
	case notPlayed:
		m.failed = true
	}
	return m, nil
}

func (m Model) look(state live.State) Model {
	m.state = state
	if !state.Changed {
		return m
	}
	chosen, _ := m.chosen()
	m.orders = state.Board()
	at := slices.IndexFunc(m.orders, func(order payments.Order) bool { return order.Reference == chosen.Reference })
	if at < 0 {
		at = m.master.List.Cursor()
	}
	m.master.List = m.master.List.SetRows(len(m.orders)).Select(at)
	return m.fit()
}

func (m Model) press(msg tea.KeyMsg) (Model, tea.Cmd) {
	m.failed = false
	m.master, _ = m.master.Update(msg)
	switch {
	case key.Matches(msg, m.keys.Jump):
		if number := int(msg.Runes[0] - '0'); number <= len(m.orders) {
			m.master.List = m.master.List.Select(number - 1)
		}
	case key.Matches(msg, m.keys.Back):
		return m, func() tea.Msg { return live.Closed{} }
	case key.Matches(msg, m.keys.Open):
		order, _ := m.chosen()
		return m, func() tea.Msg { return Chosen{order} }
	}
	return m, m.play(msg)
}

type notPlayed struct{}

// play has the demo's customer act for the chosen order. What came of it is seen
// on the board.
func (m Model) play(msg tea.KeyMsg) tea.Cmd {
	order, _ := m.chosen()
	act := m.Customer.Press(msg, m.Texts, order, m.state.Now)
	if act == nil {
		return nil
	}
	return m.Run(func(ctx context.Context) tea.Msg {
		if act(ctx) != nil {
			return notPlayed{}
		}
		return nil
	})
}

func (m Model) chosen() (payments.Order, bool) {
	if at := m.master.List.Cursor(); at < len(m.orders) {
		return m.orders[at], true
	}
	return payments.Order{}, false
}
