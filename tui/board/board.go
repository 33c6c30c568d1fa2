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
	"slices"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/countdown"
	"checkout/till/tui/component/list"
	"checkout/till/tui/component/screen"
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
	list      list.List
	typed     typed
	size      screen.Size
}

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
	return Model{Config: config, list: list.New(config.Texts, true)}.SetTexts(config.Texts)
}

// SetTexts changes the language. The chosen order stays chosen.
func (m Model) SetTexts(texts i18n.Texts) Model {
	m.Texts, m.keys, m.badge = texts, newKeyMap(texts), badge.New(m.Theme, texts)
	m.countdown, m.list = countdown.New(m.Theme, texts), m.list.SetTexts(texts)
	m.enable()
	return m
}

// SetSize gives the screen its room, in cells.
func (m Model) SetSize(width, height int) Model {
	m.size = screen.Size{Width: width, Height: height}
	return m.fit()
}

// enter shows the board anew, with its first order chosen.
func (m Model) enter() Model {
	m.typed = typed{}
	return m.fill(arrange(nil, m.rows, m.state), 0)
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
	rows := arrange(m.rows, m.rows, state)
	at := slices.IndexFunc(rows, func(row row) bool { return row.order.Reference == chosen.Reference })
	if at < 0 {
		at = m.list.Cursor()
	}
	return m.fill(rows, at)
}

// fill puts rows onto the board, with the cursor on one of them.
func (m Model) fill(rows []row, cursor int) Model {
	m.rows = rows
	m.list = m.list.SetRows(len(rows)).Select(cursor)
	m.enable()
	return m.fit()
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
	if key.Matches(msg, m.keys.Jump) {
		return m.digit(int(msg.Runes[0] - '0')), nil
	}
	m.typed = typed{}
	m.list, _ = m.list.Update(msg)
	switch {
	case key.Matches(msg, m.keys.Back):
		return m, func() tea.Msg { return live.Closed{} }
	case key.Matches(msg, m.keys.Open):
		if order, found := m.chosen(); found {
			return m, func() tea.Msg { return Chosen{order} }
		}
	}
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
	m.list = m.list.Select(number - 1)
	return m
}

// chosen returns the order under the cursor.
func (m Model) chosen() (payments.Order, bool) {
	if m.list.Cursor() >= len(m.rows) {
		return payments.Order{}, false
	}
	return m.rows[m.list.Cursor()].order, true
}
