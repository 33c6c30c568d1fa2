// Package today shows the shop's day: the takings, the outcomes, the takings by hour, the till's
// drawer, and the sold articles. The screen also records money that is put in, taken out or
// counted, and closes the till's account.
package today

import (
	"context"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/tui/component/pager"
	"checkout/till/tui/component/question"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/counter"
	"checkout/till/tui/keyboard"
	"checkout/till/tui/live"
	"checkout/till/tui/wording/errortext"
)

// Model is the screen, and the pane next to the sale.
type Model struct {
	live.Console
	keys    keyMap
	state   counter.Picture
	entered bool         // Whether the screen is open.
	day     money.Period // Day that the cashier has chosen; zero means today.
	stale   bool         // Whether the day must be read again.
	staleAt time.Time    // When the store first changed after the last read.
	readAt  time.Time
	loader  live.Loader[reading]
	latest  reading     // Result of the last successful read.
	pager   pager.Pager // The day, or its statements, as a text that scrolls.
	stated  bool        // Whether the pager shows the statements; see [accounts.statements].
	ask     asked
	notice  i18n.Message // Error below the day.
	said    i18n.Message // What a key has done.
	size    screen.Size
}

type keyMap struct {
	Float, In, Out, Count, Open, Slip, Print, Close key.Binding // Keys for the drawer.
	Export, Former, Next, Check, Back               key.Binding
}

// reading is what was read from the store about a day.
type reading struct {
	day  money.Period
	sums drawer.Day
	last []payments.Order // The newest orders of the day, at most lastOutcomes.
	// Whether the fields below and the sold articles were read, too.
	whole    bool
	before   money.Sum        // Money that was taken on the day before.
	closings []drawer.Closing // Closings of all tills on the day.
	open     drawer.Account   // This till's account since its last closing.
}

const (
	// pause is the minimum time between a read of the day and the next one after a change of the
	// store. A read takes long on a busy day.
	pause = time.Second
	// patience is how long after a change of the store the pane next to the sale waits before it
	// reads from a database server. Meanwhile the server is free for the QR code that the cashier
	// waits for.
	patience = 3 * time.Second
)

// lastOutcomes is the maximum number of a day's newest orders to read.
const lastOutcomes = 100

// New returns the screen without figures. The first [counter.Picture] makes it read the day.
func New(console live.Console) Model {
	return Model{Console: console}.SetTexts(console.Texts)
}

// SetTexts changes the language. The shown day and an open question stay.
func (m Model) SetTexts(texts i18n.Texts) Model {
	m.Texts = texts
	m.keys = keyMap{
		Float:  screen.Bind("f", texts.Account.KeyFloat, "f"),
		In:     screen.Bind("i", texts.Account.KeyIn, "i"),
		Out:    screen.Bind("o", texts.Account.KeyOut, "o"),
		Count:  screen.Bind("m", texts.Account.KeyCount, "m"),
		Open:   screen.Bind("k", texts.Account.KeyOpen, "k"),
		Slip:   screen.Bind("x", texts.Account.KeySlip, "x"),
		Print:  screen.Bind("p", texts.Receipt.Prints, "p"),
		Export: screen.Bind("e", texts.Account.KeyExport, "e"),
		Former: screen.Bind("←/→", texts.Today.OtherDay, "left"),
		Next:   screen.Bind("←/→", texts.Today.OtherDay, "right"),
		Check:  screen.Bind("tab", strings.ToLower(texts.Orders.ToCheck), "tab"),
		Close:  screen.Bind("c", texts.Today.Close, "c"),
		Back:   screen.Bind("esc", texts.Keys.Back, "esc"),
	}
	return m.fit()
}

// SetSize sets the size of the screen, in cells, without the header and the key bar.
func (m Model) SetSize(width, height int) Model {
	m.size = screen.Size{Width: width, Height: height}
	return m.fit()
}

// Update handles a message. Keys and scans come only while the screen is open.
func (m Model) Update(msg tea.Msg) (Model, tea.Cmd) {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.KeyMsg:
		m, cmd = m.press(msg)
	case keyboard.Scan:
		m.ask.Question = m.ask.Untype(msg.Typed)
	case question.Answered:
		m, cmd = m.answered(msg)
	case live.Entered:
		m.entered = true
		m.stale = true
		m.stated = false
		m.pager = pager.Pager{}
		cmd = m.read()
	case live.Exited:
		m.entered = false
		m.day = money.Period{}
		m.ask.Question = m.ask.Close()
		m.notice, m.said = nil, nil // A later result is shown when the screen opens again.
		m.stale = m.stale || !m.shown()
	case counter.Picture:
		if msg.Changed && !m.stale {
			m.staleAt = msg.Now
		}
		m.state, m.stale = msg, m.stale || msg.Changed || !m.shown()
		if m.due() {
			cmd = m.read()
		}
	case exported:
		m.said = msg.says
	case opened:
		m.stale = true
		cmd = m.read()
		if msg.err != nil {
			m.notice = errortext.NotDone(msg.err)
		}
	case printed:
		m.said = msg.outcome.In
		if msg.err != nil {
			m.notice = errortext.NotDone(msg.err)
		}
	case live.Loaded[reading]:
		m, cmd = m.loaded(msg)
	}
	return m.fit(), cmd
}

func (m Model) answered(msg question.Answered) (Model, tea.Cmd) {
	var ended bool
	m.ask.Question, ended = m.ask.Answered(m.Console, msg)
	if !ended {
		return m, nil
	}
	if msg.Err != nil {
		m.notice = errortext.NotDone(msg.Err)
		return m, nil
	}
	m.stale = true
	m.stated = m.ask.closes // Show the new closing.
	cmd := m.read()
	if m.ask.opens {
		cmd = tea.Batch(cmd, m.openDrawer())
	}
	return m, cmd
}

// wanted returns the day to show: the chosen one, or today.
func (m Model) wanted() money.Period {
	if m.day.From.IsZero() {
		return m.Service.DayOf(m.state.Now.In(m.Zone))
	}
	return m.day
}

// shown reports whether the day to show was read.
func (m Model) shown() bool { return m.latest.day.From.Equal(m.wanted().From) }

// Report returns the report of the shown day. Until the day was read, the report has no figures.
func (m Model) Report() Report {
	var reading reading
	if m.shown() {
		reading = m.latest
	}
	return Report{
		Console: m.Console, reading: reading, state: m.state, wanted: m.wanted(), present: m.day.From.IsZero(), read: m.shown(),
	}
}

func (m Model) accounts() accounts {
	read := m.shown()
	return accounts{Console: m.Console, reading: m.latest, present: m.day.From.IsZero() && m.latest.whole && read, read: read}
}

// due reports whether the day may be read again now; see pause and patience.
func (m Model) due() bool {
	now := m.state.Now
	if m.Shared && !m.entered && m.shown() && now.Sub(m.staleAt).Abs() < patience {
		return false
	}
	return now.Sub(m.readAt).Abs() >= pause
}

func (m *Model) read() tea.Cmd {
	if !m.stale || m.state.Now.IsZero() {
		return nil
	}
	m.stale, m.readAt = false, m.state.Now
	service, till := m.Service, m.Till
	day := m.wanted()
	whole := m.entered
	return m.loader.Load(m.Run, func(ctx context.Context) (read reading, err error) {
		read.day, read.whole = day, whole
		period := day
		period.Sold = whole
		if read.sums, err = service.Day(ctx, period); err != nil {
			return read, err
		}
		read.last, err = service.Orders(ctx, payments.Query{Since: day.From, Until: day.To, Limit: lastOutcomes})
		if err != nil || !whole {
			return read, err
		}
		if read.closings, err = service.Closings(ctx, day); err != nil {
			return read, err
		}
		if read.open, err = service.Account(ctx, till); err != nil {
			return read, err
		}
		before, err := service.Day(ctx, dayBefore(service, day))
		read.before = before.Taken()
		return read, err
	})
}

func dayBefore(service *drawer.Service, day money.Period) money.Period {
	return service.DayOf(day.From.Add(-time.Hour))
}

// loaded handles the result of reading a day. After an error, a later picture makes the screen read
// again.
func (m Model) loaded(msg live.Loaded[reading]) (Model, tea.Cmd) {
	wanted, next := m.loader.Done(msg)
	if !wanted {
		return m, next
	}
	if msg.Err != nil {
		m.stale = true
		return m, next
	}
	m.latest = msg.Value
	return m, next
}

func (m Model) press(msg tea.KeyMsg) (Model, tea.Cmd) {
	m.notice, m.said = nil, nil
	if m.ask.Open() {
		var cmd tea.Cmd
		m.ask.Question, cmd = m.ask.Press(m.Console, msg)
		return m, cmd
	}
	m.pager, _ = m.pager.Update(msg)
	if asked, is := m.accounts().asks(msg, m.keys); is {
		m.ask = asked
		return m, asked.before
	}
	switch {
	case key.Matches(msg, m.keys.Slip), m.stated && key.Matches(msg, m.keys.Back):
		m.stated = !m.stated
		m.pager = pager.Pager{}
	case key.Matches(msg, m.keys.Back):
		return m, m.Closes()
	case key.Matches(msg, m.keys.Check):
		return m, screen.Emit(live.OrderWanted{})
	case key.Matches(msg, m.keys.Print):
		return m.print()
	case key.Matches(msg, m.keys.Export):
		return m, m.export()
	case key.Matches(msg, m.keys.Former):
		return m.turn(dayBefore(m.Service, m.wanted()))
	case key.Matches(msg, m.keys.Next):
		return m.turn(m.Service.DayOf(m.wanted().To))
	}
	return m, nil
}

// turn shows another day, unless it is in the future.
func (m Model) turn(day money.Period) (Model, tea.Cmd) {
	if day.From.After(m.state.Now) {
		return m, nil
	}
	m.day = day
	m.stale, m.stated = true, false
	if m.state.Now.Before(day.To) {
		m.day = money.Period{}
	}
	m.loader.Drop()
	cmd := m.read()
	return m, cmd
}

// ShortHelp returns the keys for a border or the last row, the most important ones first. A text that
// scrolls has the other keys on its rules.
func (m Model) ShortHelp() []key.Binding {
	if m.ask.Open() {
		return nil
	}
	k, open := m.keys, m.latest.open
	switch {
	case m.stated:
		return []key.Binding{k.Print, k.Slip, k.Close, k.Count, k.Out, k.In, k.Float, k.Back}
	case len(open.Counts) > 0:
		return []key.Binding{k.Close, k.Count, k.Slip, k.Check, k.Back}
	case open.Empty():
		return []key.Binding{k.Slip, k.Count, k.Check, k.Back}
	}
	return []key.Binding{k.Count, k.Close, k.Slip, k.Check, k.Back}
}

// FullHelp returns the keys of the screen for the help (F1).
func (m Model) FullHelp() []screen.Keys {
	k := m.keys
	return []screen.Keys{
		{Title: m.Texts.Account.Drawer, Keys: []key.Binding{k.Float, k.In, k.Out, k.Count, k.Open, k.Slip, k.Print, k.Close}},
		{Title: m.Texts.Bar.Today, Keys: []key.Binding{k.Export, k.Former, k.Check, k.Back}},
	}
}

// Meaning returns what keys mean now: an answer to the open question, or commands.
func (m Model) Meaning() keyboard.Meaning { return m.ask.Meaning() }
