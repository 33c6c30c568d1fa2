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
	"context"
	"slices"
	"time"

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
	Now      payments.Clock // When a digit was typed.
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
	rows   []row
	master master.Master
	typed  typed
	failed bool // The demo's customer could not act.

	width, height int
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
	return Model{Config: config, master: master.New(config.Theme, config.Texts, true)}.SetTexts(config.Texts)
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
		m.typed, m.failed = typed{}, false
		return m.fill(arrange(m.rows, m.state, false), 0), nil
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
	rows := arrange(m.rows, state, true)
	at := slices.IndexFunc(rows, func(row row) bool { return row.order.Reference == chosen.Reference })
	if at < 0 {
		at = m.master.List.Cursor()
	}
	return m.fill(rows, at)
}

func (m Model) fill(rows []row, cursor int) Model {
	m.rows = rows
	m.master.List = m.master.List.SetRows(len(rows)).Select(cursor)
	return m.fit()
}

// arrange gives every order of the board its row. In place those that are known
// keep their order, and the others follow in the order in which they were made.
// What is known of an order's countdown is kept.
func arrange(known []row, state live.State, inPlace bool) []row {
	orders, places := state.Board(), make(map[string]int, len(known)) // Below 0; of a new one 0.
	for i, row := range known {
		places[row.order.Reference] = i - len(known)
	}
	if inPlace {
		slices.SortStableFunc(orders, func(a, b payments.Order) int { return places[a.Reference] - places[b.Reference] })
	}
	rows := make([]row, 0, len(orders))
	for _, order := range orders {
		next := row{order, payments.NewCountdown(order.Link.ExpiresAt, state.Now), state.Now}
		if place, seen := places[order.Reference]; seen {
			if was := known[len(known)+place]; was.order.Link.URL == order.Link.URL {
				next.countdown, next.started = was.countdown, was.started
			}
		}
		rows = append(rows, next)
	}
	return rows
}

func (m Model) press(msg tea.KeyMsg) (Model, tea.Cmd) {
	m.failed = false
	if key.Matches(msg, m.keys.Jump) {
		return m.digit(int(msg.Runes[0] - '0')), nil
	}
	m.typed = typed{}
	m.master, _ = m.master.Update(msg)
	switch {
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
	m.master.List = m.master.List.Select(number - 1)
	return m
}

func (m Model) chosen() (payments.Order, bool) {
	if at := m.master.List.Cursor(); at < len(m.rows) {
		return m.rows[at].order, true
	}
	return payments.Order{}, false
}
