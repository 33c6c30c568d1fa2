// Package health is the screen that shows whether payments can be seen: the listener, the
// last event, refused events with the reason, the database, the clock, and the
// connections to the payment service and from it. It guarantees that each line is true at
// the time of the picture, or of the cashier's last check, and that it says what to do
// about a problem.
package health

import (
	"context"
	"slices"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/keybar"
	"checkout/till/tui/component/layout"
	"checkout/till/tui/component/pager"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/counter"
	"checkout/till/tui/doctor"
	"checkout/till/tui/live"
)

// Config is the configuration of the screen.
type Config struct {
	live.Console
	Facts func() payments.Health
	Now   func() time.Time
	Ran   func() time.Duration // Time since the start, by a clock that is never set; nil for the monotonic clock of Now.
	// Checks test over the network what Facts does not have; nil if there is nothing to
	// test.
	Checks []doctor.Check
}

type checked struct{ reports []doctor.Report }

// Model is the screen.
type Model struct {
	Config
	back, again key.Binding
	opened      time.Time // Start, by the wall clock.
	state       counter.Picture
	facts       payments.Health
	checking    bool
	reports     []doctor.Report
	pager       pager.Pager
	size        screen.Size
}

// New returns the screen.
func New(config Config) Model {
	opened, facts := config.Now(), config.Facts()
	if config.Ran == nil {
		config.Ran = func() time.Duration { return config.Now().Sub(opened) }
	}
	return Model{Config: config, opened: opened.Round(0).Add(-facts.Skew), facts: facts}.SetTexts(config.Texts)
}

// SetTexts changes the language. The results of the checks stay.
func (m Model) SetTexts(texts i18n.Texts) Model {
	m.Texts = texts
	m.back = screen.Bind("esc", texts.Keys.Back, "esc")
	m.again = screen.Bind("r", texts.Health.Again, "r")
	return m.fit()
}

// SetSize sets the size of the screen, in cells.
func (m Model) SetSize(width, height int) Model {
	m.size = screen.Size{Width: width, Height: height}
	return m.fit()
}

func (m Model) enter() (Model, tea.Cmd) {
	m.facts = m.Facts()
	if len(m.Checks) == 0 || m.checking {
		return m, nil
	}
	m.checking, m.reports = true, nil
	return m, m.Run(func(ctx context.Context) tea.Msg { return checked{doctor.Run(ctx, m.Checks...)} })
}

// Typing reports false: every character is a command.
func (m Model) Typing() bool { return false }

// Asked returns "": the screen has no questions.
func (m Model) Asked() string { return "" }

// Update handles a message.
func (m Model) Update(msg tea.Msg) (Model, tea.Cmd) {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case live.Entered:
		m, cmd = m.enter()
	case counter.Picture:
		m.state, m.facts = msg, m.Facts()
	case checked:
		m.checking, m.reports = false, msg.reports
	case tea.KeyMsg:
		m.pager, _ = m.pager.Update(msg)
		switch {
		case key.Matches(msg, m.back):
			cmd = screen.Emit(live.Closed{})
		case key.Matches(msg, m.again):
			m, cmd = m.enter()
		}
	}
	return m.fit(), cmd
}

// ShortHelp returns the keys that matter now.
func (m Model) ShortHelp() []key.Binding { return []key.Binding{m.again, m.back} }

// FullHelp returns all keys of the screen, in columns.
func (m Model) FullHelp() [][]key.Binding { return [][]key.Binding{{m.again, m.back}} }

// View draws the screen in its room, as high as its rows.
func (m Model) View() string {
	grid := layout.Of(m.size.Width, m.size.Height+2)
	shown := pane.Pane{Frame: grid.Frame, Title: m.Texts.Health.Title, Rows: m.pager.Rows(), Keys: true, Scroll: m.pager.Scroll()}
	shown.Offers = keybar.Offers(m.Theme, keybar.Of(m.Texts.KeyNames, m.ShortHelp()...))
	_, height := grid.Frame.Inner(m.size.Width, m.size.Height)
	return shown.Draw(m.Theme, m.size.Width, m.size.Height-height+len(shown.Rows))
}

// fit draws the findings of the facts and of the checks in the room of the screen. The
// worst come first, because a small window shows only the first rows.
func (m Model) fit() Model {
	grid := layout.Of(m.size.Width, m.size.Height+2)
	width, height := grid.Frame.Inner(m.size.Width, m.size.Height)
	now, facts := m.Now(), m.facts
	facts.StoreDown = facts.StoreDown || m.state.Reach.Conditions().StoreDown
	found := []doctor.Finding{
		doctor.OfListener(m.Texts, facts, m.state.Reach), doctor.OfStore(m.Texts, facts, now),
		doctor.OfClock(m.Texts, facts, now, now.Round(0).Sub(m.opened)-facts.Skew-m.Ran(), m.Zone),
	}
	if !facts.Listening || facts.Address != "" {
		found = append(found, doctor.OfEvents(m.Texts, facts, now, m.Zone))
	}
	if m.checking {
		found = append(found, doctor.Finding{Check: doctor.Service, State: doctor.OK, Text: m.Texts.Health.Asking})
	}
	found = doctor.Findings(m.Texts, found, m.reports...)
	slices.SortStableFunc(found, doctor.WorstFirst)
	air := make([]string, grid.Air)
	rows := slices.Concat(air, doctor.Rows(m.Texts, found, m.Theme, width), air)
	m.pager = m.pager.Show(rows, width, min(height, len(rows)))
	return m
}
