// Package board is the waiting board: the orders of this till whose customers
// still have to pay, and those whose outcome nobody has seen yet. The oldest
// comes first, which is the one that is over soonest, and a new one is put at
// the end.
//
// It guarantees that nothing moves under the cashier's finger: an order keeps
// its place when its outcome comes, and leaves once that was acknowledged; the
// chosen order stays chosen whatever happens to the others.
package board

import (
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/countdown"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
)

// Config is what the screen needs.
type Config struct {
	Now   payments.Clock // When a digit was typed.
	Theme theme.Theme
	Texts i18n.Texts
}

// Chosen is sent when the cashier opens an order.
type Chosen struct{ Order payments.Order }

// Model is the screen.
type Model struct {
	Config
	keys      keyMap
	badge     badge.Badge
	countdown countdown.Countdown
	state     live.State
	rows      []row
	cursor    int
	top       int // The first row in view.
	typed     typed
	size      size
}

type size struct{ width, height int }

// row is an order in its place, and the time that its link has left.
type row struct {
	order     payments.Order
	countdown payments.Countdown
	started   time.Time
}

// typed is the number that is being typed, and when its last digit was.
type typed struct {
	number int
	at     time.Time
}

// digitPause is how long a digit waits for another one to follow.
const digitPause = time.Second

// New returns the screen.
func New(config Config) Model {
	m := Model{Config: config}
	return m.SetTexts(config.Texts)
}

// SetTexts changes the language. The chosen order stays chosen.
func (m Model) SetTexts(texts i18n.Texts) Model {
	m.Texts, m.keys, m.badge = texts, newKeyMap(texts), badge.New(m.Theme, texts)
	m.countdown = countdown.New(m.Theme, texts)
	m.enable()
	return m
}

// SetSize gives the screen its room, in cells.
func (m Model) SetSize(width, height int) Model {
	m.size = size{width, height}
	return m.choose(m.cursor)
}

// enter shows the board anew, with its first order chosen.
func (m Model) enter() Model {
	m.typed, m.top = typed{}, 0
	m.rows = arrange(nil, m.rows, m.state)
	return m.choose(0)
}

// Update handles a message.
func (m Model) Update(msg tea.Msg) (Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.press(msg)
	case live.Entered:
		return m.enter(), nil
	case live.State:
		return m.look(msg), nil
	}
	return m, nil
}

// look takes in the picture of the moment. The chosen order stays chosen.
func (m Model) look(state live.State) Model {
	m.state = state
	if !state.Changed {
		return m
	}
	chosen, _ := m.chosen()
	m.rows = arrange(m.rows, m.rows, state)
	for i, row := range m.rows {
		if row.order.Reference == chosen.Reference {
			return m.choose(i)
		}
	}
	return m.choose(m.cursor)
}

// arrange gives every order of the board its row: those that are in places keep
// theirs, and the others follow in the order in which they were made. What is
// known of an order's countdown is kept.
func arrange(places, known []row, state live.State) []row {
	counts := make(map[string]row, len(known))
	for _, row := range known {
		counts[row.order.Reference] = row
	}
	wanted := state.Board()
	current := make(map[string]payments.Order, len(wanted))
	for _, order := range wanted {
		current[order.Reference] = order
	}
	rows := make([]row, 0, len(wanted))
	put := func(order payments.Order) {
		row, seen := counts[order.Reference]
		if !seen || row.order.Link.URL != order.Link.URL {
			row.countdown, row.started = payments.NewCountdown(order.Link.ExpiresAt, state.Now), state.Now
		}
		row.order = order
		rows = append(rows, row)
		delete(current, order.Reference)
	}
	for _, place := range places {
		if order, stays := current[place.order.Reference]; stays {
			put(order)
		}
	}
	for _, order := range wanted {
		if _, left := current[order.Reference]; left {
			put(order)
		}
	}
	return rows
}

// press takes a key.
func (m Model) press(msg tea.KeyMsg) (Model, tea.Cmd) {
	page := max(1, m.room()-1)
	switch {
	case key.Matches(msg, m.keys.Back):
		return m, func() tea.Msg { return live.Closed{} }
	case key.Matches(msg, m.keys.Jump):
		return m.digit(int(msg.Runes[0] - '0')), nil
	case key.Matches(msg, m.keys.Up):
		m = m.choose(m.cursor - 1)
	case key.Matches(msg, m.keys.Down):
		m = m.choose(m.cursor + 1)
	case key.Matches(msg, m.keys.PageUp):
		m = m.choose(m.cursor - page)
	case key.Matches(msg, m.keys.PageDown):
		m = m.choose(m.cursor + page)
	case key.Matches(msg, m.keys.First):
		m = m.choose(0)
	case key.Matches(msg, m.keys.Last):
		m = m.choose(len(m.rows) - 1)
	case key.Matches(msg, m.keys.Open):
		if order, found := m.chosen(); found {
			return m, func() tea.Msg { return Chosen{order} }
		}
	}
	m.typed = typed{}
	return m, nil
}

// digit chooses the order of a number at once. A digit that follows soon makes
// a longer number of it, where there are so many orders.
func (m Model) digit(digit int) Model {
	now, number := m.Now(), digit
	if joined := m.typed.number*10 + digit; now.Sub(m.typed.at) <= digitPause && joined <= len(m.rows) {
		number = joined
	}
	if number < 1 || number > len(m.rows) {
		m.typed = typed{}
		return m
	}
	m.typed = typed{number: number, at: now}
	return m.choose(number - 1)
}

// choose puts the cursor on a row, and brings it into view.
func (m Model) choose(i int) Model {
	m.cursor = max(0, min(i, len(m.rows)-1))
	room := max(1, m.room())
	m.top = max(m.cursor-room+1, min(m.top, m.cursor))
	m.top = max(0, min(m.top, len(m.rows)-room))
	m.enable()
	return m
}

// chosen returns the order under the cursor.
func (m Model) chosen() (payments.Order, bool) {
	if m.cursor >= len(m.rows) {
		return payments.Order{}, false
	}
	return m.rows[m.cursor].order, true
}
