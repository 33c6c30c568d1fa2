// Package today shows the shop's day: the takings, the outcomes of the orders, the takings
// by hour, and the sold articles. It is a screen, and a pane next to the sale. It guarantees
// that its figures equal those of the command "till report". It reads a day from the store
// only after a change, not every second.
package today

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/pager"
	"checkout/till/tui/component/question"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/counter"
	"checkout/till/tui/live"
)

// DayClosed is sent when the screen has read that today was closed, at this till or another.
// Says returns a sentence about the closing. Later sales are not part of its sums.
type DayClosed struct{ Says i18n.Message }

// CheckWanted is sent when the cashier wants the list of orders to check.
type CheckWanted struct{}

// Model is the screen and the pane.
type Model struct {
	live.Console
	keys    keyMap
	state   counter.Picture
	entered bool
	day     payments.Period // The day that the screen shows; zero for today.
	stale   bool            // The store changed after the day was read.
	readAt  time.Time
	loader  live.Loader[account]
	account account
	told    string      // Name of the day of the last DayClosed message.
	pager   pager.Pager // Text of the screen if its panes do not fit.
	ask     question.Question
	notice  i18n.Message
	size    screen.Size
}

type keyMap struct{ Former, Next, Check, Close, Back key.Binding }

type account struct {
	day    payments.Period
	report payments.Report
	before payments.Sum // Received on the day before; only for the screen.
	last   []payments.Order
	whole  bool               // The account has all that the screen shows, not only what the pane shows.
	closed []payments.Closing // The closing of the day; empty while the day is open.
}

// pause is the shortest time between two reads of a day. It limits the load on the database,
// because a read takes longer the more orders the day has.
const pause = time.Second

// lastOutcomes is how many of the day's last orders are read to find the last outcomes.
const lastOutcomes = 100

// New returns the screen.
func New(console live.Console) Model {
	return Model{Console: console}.SetTexts(console.Texts)
}

// SetTexts changes the language.
func (m Model) SetTexts(texts i18n.Texts) Model {
	m.Texts = texts
	m.keys = keyMap{
		Former: screen.Bind("←/→", texts.Today.OtherDay, "left"),
		Next:   screen.Bind("←/→", texts.Today.OtherDay, "right"),
		Check:  screen.Bind("tab", strings.ToLower(texts.Orders.ToCheck), "tab"),
		Close:  screen.Bind("c", texts.Today.Close, "c"),
		Back:   screen.Bind("esc", texts.Keys.Back, "esc"),
	}
	return m.fit()
}

// SetSize sets the size of the screen, in cells.
func (m Model) SetSize(width, height int) Model {
	m.size = screen.Size{Width: width, Height: height}
	return m.fit()
}

// Untyped returns the screen with the text that its question had before a scanner typed
// into it.
func (m Model) Untyped(before Model) Model {
	m.ask = m.ask.Untyped(before.ask)
	return m
}

// Update handles a message.
func (m Model) Update(msg tea.Msg) (Model, tea.Cmd) {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.KeyMsg:
		m, cmd = m.press(msg)
	case question.Answered:
		m, cmd = m.answered(msg)
	case live.Entered:
		m.entered = true
		m.stale = true
		m.pager = pager.Pager{}
		cmd = m.read()
	case live.Exited:
		m.entered = false
		m.day = payments.Period{}
		m.ask = question.Question{}
		m.stale = m.stale || !m.shown()
	case counter.Picture:
		m.state, m.stale = msg, m.stale || msg.Changed || !m.shown()
		if msg.Now.Sub(m.readAt) >= pause || msg.Now.Before(m.readAt) {
			cmd = m.read()
		}
	case live.Loaded[account]:
		m, cmd = m.loaded(msg)
	}
	return m.fit(), cmd
}

// answered handles the result of closing the day. It reads the day again, unless the store
// failed.
func (m Model) answered(msg question.Answered) (Model, tea.Cmd) {
	var ended bool
	m.ask, ended = m.ask.Answered(msg)
	if !ended {
		return m, nil
	}
	if msg.Err != nil && !errors.As(msg.Err, new(*payments.ClosedError)) {
		m.notice = storeFailed
		return m, nil
	}
	m.stale = true
	cmd := m.read()
	return m, cmd
}

func storeFailed(t i18n.Texts) string { return t.Hints.StoreFailed }

func (m Model) wanted() payments.Period {
	if m.day.From.IsZero() {
		return payments.Day(m.state.Now.In(m.Zone))
	}
	return m.day
}

// shown reports whether the account that was read is of the day that the screen should show.
func (m Model) shown() bool { return m.account.day.From.Equal(m.wanted().From) }

func (m *Model) read() tea.Cmd {
	if !m.stale || m.state.Now.IsZero() {
		return nil
	}
	m.stale, m.readAt = false, m.state.Now
	service := m.Service
	day := m.wanted()
	whole := m.entered
	return m.loader.Load(m.Run, func(ctx context.Context) (read account, err error) {
		read.day, read.whole = day, whole
		period := day
		period.Sold = whole
		if read.report, err = service.Report(ctx, period); err != nil {
			return read, err
		}
		if read.closed, err = service.Closings(ctx, nameOf(day), nameOf(day)); err != nil {
			return read, err
		}
		read.last, err = service.Orders(ctx, payments.Query{Since: day.From, Until: day.To, Limit: lastOutcomes})
		if err != nil || !whole {
			return read, err
		}
		before, err := service.Report(ctx, dayBefore(day))
		read.before = before.Received
		return read, err
	})
}

func dayBefore(day payments.Period) payments.Period { return payments.Day(day.From.Add(-time.Hour)) }

// loaded handles the result of reading a day. After an error the day is read again a
// second later.
func (m Model) loaded(msg live.Loaded[account]) (Model, tea.Cmd) {
	wanted, next := m.loader.Done(msg)
	if !wanted {
		return m, next
	}
	if msg.Err != nil {
		m.stale = true
		return m, next
	}
	m.account = msg.Value
	if closed := m.account.closed; len(closed) > 0 && m.shown() && m.day.From.IsZero() && m.told != closed[0].Day {
		m.told = closed[0].Day
		return m, tea.Batch(next, screen.Emit(DayClosed{m.closed}))
	}
	return m, next
}

func (m Model) press(msg tea.KeyMsg) (Model, tea.Cmd) {
	m.notice = nil
	if m.ask.Open() {
		var cmd tea.Cmd
		m.ask, cmd = m.ask.Press(m.Console, msg)
		return m, cmd
	}
	var taken bool
	if m.pager, taken = m.pager.Update(msg); taken {
		return m, nil
	}
	switch {
	case key.Matches(msg, m.keys.Back):
		return m, screen.Emit(live.Closed{})
	case key.Matches(msg, m.keys.Check):
		return m, screen.Emit(CheckWanted{})
	case key.Matches(msg, m.keys.Close):
		m.ask = m.closing()
	case key.Matches(msg, m.keys.Former):
		return m.turn(dayBefore(m.wanted()))
	case key.Matches(msg, m.keys.Next):
		return m.turn(payments.Day(m.wanted().To))
	}
	return m, nil
}

// turn shows another day. It does nothing for a day in the future.
func (m Model) turn(day payments.Period) (Model, tea.Cmd) {
	if day.From.After(m.state.Now) {
		return m, nil
	}
	m.day, m.stale = day, true
	if m.state.Now.Before(day.To) {
		m.day = payments.Period{}
	}
	m.loader.Drop()
	cmd := m.read()
	return m, cmd
}

// received returns the money received on the day, minus refunds.
func (m Model) received() payments.Sum { return m.account.report.Received }

// ShortHelp returns the keys that matter now. An open question shows its keys itself.
func (m Model) ShortHelp() []key.Binding {
	if m.ask.Open() {
		return nil
	}
	return []key.Binding{m.keys.Close, m.keys.Former, m.keys.Check, m.keys.Back}
}

// FullHelp returns all keys of the screen, in columns.
func (m Model) FullHelp() [][]key.Binding {
	return [][]key.Binding{{m.keys.Former, m.keys.Check, m.keys.Close, m.keys.Back}}
}

// nameOf returns the name of a day as in [payments.Closing.Day].
func nameOf(day payments.Period) string { return day.From.Format(time.DateOnly) }

// Asked names the open question. It is "" if no question is open.
func (m Model) Asked() string { return m.ask.Asked() }

// Typing reports whether a PIN is being typed.
func (m Model) Typing() bool { return m.ask.Typing() }

// closing returns the question whether to close the day, with the takings and the number
// of orders without a final result.
func (m Model) closing() question.Question {
	service := m.Service
	till := m.Till
	day := m.wanted()
	paid := m.received()
	var open []string
	for _, verdict := range payments.Verdicts() {
		if count := m.account.report.Verdicts[verdict].Count; count > 0 && verdict.Undecided() {
			open = append(open, fmt.Sprintf("%d %s", count, badge.Of(m.Texts, payments.Order{}, verdict).Tag()))
		}
	}
	says := func(t i18n.Texts) string {
		asks := t.Printed.AskClose.With(t.Today.DateOf(day.From.In(m.Zone))) + "\n" + t.Today.Count(paid.Count) + " · " + i18n.Money(paid.Amount)
		if len(open) > 0 {
			asks += "\n" + t.Printed.Open.With(strings.Join(open, ", "))
		}
		return asks
	}
	return question.New("day "+nameOf(day), says, func(ctx context.Context, _ string, who payments.Identity) error {
		_, err := service.Close(ctx, day.From, till, till, who)
		return err
	})
}

func (m Model) closed(t i18n.Texts) string {
	closing := m.account.closed[0]
	return t.Printed.Closed.With(t.Today.DateOf(m.wanted().From.In(m.Zone)), closing.By, closing.Till, i18n.Moment(closing.At.In(m.Zone)))
}
