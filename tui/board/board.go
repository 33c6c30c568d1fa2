// Package board is the waiting board. It shows this till's orders that are being sent, wait for
// their payment, or have an outcome that no cashier has acknowledged. The oldest order comes first.
//
// It guarantees:
//
//   - An order keeps its number until it leaves the board.
//   - An order keeps its place when its outcome comes.
//   - An order leaves the board when its outcome is acknowledged.
//   - The chosen order stays chosen when other orders change.
package board

import (
	"context"
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/tui/component/demo"
	"checkout/till/tui/component/list"
	"checkout/till/tui/component/master"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/counter"
	"checkout/till/tui/keyboard"
	"checkout/till/tui/live"
)

// Model is the waiting board as a screen, and as a part of the sale screen.
type Model struct {
	live.Console
	Customer demo.Customer // Acts as the customers of the demo; nil outside the demo.

	keys   keyMap
	state  counter.Picture
	orders []payments.Order
	// Numbers on the board, by order reference.
	numbers map[string]int
	master  master.Master
	failed  bool // Whether the last key of the demo's customer had no effect.
	most    int  // Largest number of orders since the board was last empty.
	size    screen.Size
	plan    plan
	// Draws the day's last outcomes below the board; nil if they are not shown.
	Last func(width, height int) string
}

type keyMap struct{ Jump, Open, Cash, Again, Back key.Binding }

// New returns an empty board.
func New(console live.Console, customer demo.Customer) Model {
	m := Model{Console: console, Customer: customer, master: master.New(console.Theme, console.Texts)}
	m.master.Single = true
	return m.SetTexts(console.Texts)
}

// SetTexts changes the language. The chosen order stays chosen.
func (m Model) SetTexts(texts i18n.Texts) Model {
	m.Texts = texts
	m.keys = keyMap{
		Jump:  screen.Bind("1-9", texts.Keys.Move, "1", "2", "3", "4", "5", "6", "7", "8", "9"),
		Open:  screen.Bind("enter", texts.PayKeys.Open, "enter"),
		Cash:  screen.Bind("tab", texts.TenderKeys[string(drawer.TenderCash)], "tab"),
		Again: screen.Bind("n", texts.PayKeys.Again, "n"),
		Back:  screen.Bind("esc", texts.Keys.Back, "esc"),
	}
	if len(m.Tenders) > 0 {
		m.keys.Cash.SetHelp(m.keys.Cash.Help().Key, texts.TenderKeys[string(m.Tenders[0])])
	}
	m.master.List = m.master.List.SetTexts(texts)
	return m.fit()
}

// SetSize sets the size of the screen, in cells, without the header and the key bar.
func (m Model) SetSize(width, height int) Model {
	m.size = screen.Size{Width: width, Height: height}
	return m.fit()
}

// Meaning returns what keys mean: all letters are commands.
func (m Model) Meaning() keyboard.Meaning { return keyboard.Meaning{} }

// Update handles a message. Keys come only while the screen is open.
func (m Model) Update(msg tea.Msg) (Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.press(msg)
	case live.Entered:
		m.failed = false
		m.master.List = m.master.List.Select(0)
		return m.fit(), nil
	case counter.Picture:
		m.state = msg
		if !msg.Changed {
			return m, nil
		}
		m.orders = msg.Board()
		m = m.numbered()
		m.most = max(m.most, len(m.orders))
		if len(m.orders) == 0 {
			m.most = 0
		}
		m.master.List = m.master.List.SetRows(list.IDs(m.orders, func(order payments.Order) string { return order.Reference }))
		return m.fit(), nil
	case notPlayed:
		m.failed = true
	}
	return m, nil
}

// numbered gives a new order the lowest free number.
func (m Model) numbered() Model {
	numbers, taken := make(map[string]int), make(map[int]bool)
	for _, order := range m.orders {
		if number, has := m.numbers[order.Reference]; has {
			numbers[order.Reference] = number
			taken[number] = true
		}
	}
	free := 1
	for _, order := range m.orders {
		if numbers[order.Reference] > 0 {
			continue
		}
		for taken[free] {
			free++
		}
		numbers[order.Reference] = free
		taken[free] = true
	}
	m.numbers = numbers
	return m
}

func (m Model) number(order payments.Order) int { return m.numbers[order.Reference] }

type notPlayed struct{}

func (m Model) press(msg tea.KeyMsg) (Model, tea.Cmd) {
	m.failed = false
	m.master, _ = m.master.Update(msg)
	order, found := m.chosen()
	switch {
	case key.Matches(msg, m.keys.Jump):
		number := int(msg.Runes[0] - '0')
		if at := slices.IndexFunc(m.orders, func(order payments.Order) bool { return m.number(order) == number }); at >= 0 {
			m.master.List = m.master.List.Select(at)
		}
	case key.Matches(msg, m.keys.Back):
		return m, m.Closes()
	case key.Matches(msg, m.keys.Open):
		return m, screen.Emit(live.Chosen{Order: order})
	case key.Matches(msg, m.keys.Cash, m.keys.Again):
		return m, screen.Emit(live.Chosen{Order: order, Key: msg})
	}
	act := m.Customer.Press(msg, m.Texts, order, m.state.Now)
	if act == nil {
		m.failed = found && key.Matches(msg, m.Customer.Keys(m.Texts)...)
		return m, nil
	}
	return m, m.Run(func(ctx context.Context) tea.Msg {
		if act(ctx) != nil {
			return notPlayed{}
		}
		return nil // The event of the payment service shows the result.
	})
}

func (m Model) chosen() (payments.Order, bool) { return list.Chosen(m.master.List, m.orders) }

// ShortHelp returns the keys for the border of a pane, the most important ones first.
func (m Model) ShortHelp() []key.Binding {
	return []key.Binding{m.keys.Open, m.keys.Cash, m.keys.Again, m.keys.Jump, m.keys.Back, m.master.List.Keys.Page}
}

// FullHelp returns all keys of the screen for the help (F1).
func (m Model) FullHelp() []screen.Keys {
	words := m.Texts.Guide
	return []screen.Keys{
		{Title: words.Lists, Keys: append([]key.Binding{m.keys.Jump}, m.master.List.FullHelp()...)},
		{Title: words.Order, Keys: []key.Binding{m.keys.Open, m.keys.Cash, m.keys.Again, m.keys.Back}},
		{Title: words.Demo, Keys: m.Customer.Keys(m.Texts)},
	}
}
