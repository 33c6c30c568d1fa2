// Package health is the screen that shows whether the till can see payments, and what to do about
// problems.
//
// The findings of the checks, such as those over the network, change only when the cashier opens
// the screen or repeats the checks.
package health

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/fit"
	"checkout/till/tui/component/keybar"
	"checkout/till/tui/component/layout"
	"checkout/till/tui/component/pager"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/counter"
	"checkout/till/tui/doctor"
	"checkout/till/tui/keyboard"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
)

// Config is what the screen needs from the console.
type Config struct {
	live.Console
	Facts func() payments.Health
	Calls func() []payments.Call // Returns the last order calls, oldest first; may be nil.
	Now   func() time.Time
	// Ran returns the time since a fixed moment, by a clock that cannot be set. If Ran is nil, it
	// is [payments.Service.Elapsed].
	Ran        func() time.Duration
	Checks     []doctor.Check          // Checks to run when the screen opens; may be empty.
	ServiceURL string                  // Address of the payment service; may be blank.
	PublicURL  string                  // Address that the payment service calls; blank if not set.
	Sample     bool                    // The payments before the start are made up, for the demo.
	Copy       func(text string) error // Sends a text to the terminal's clipboard.
	// Draws the day's last outcomes in a tall window; may be nil.
	Last func(width, height int) string
}

// leastLast is the minimum height of the last outcomes, in rows.
const leastLast = 9

type keyMap struct{ Again, Report, Back key.Binding }

type checksEnded struct{ reports []doctor.Report }

// Model is the screen: the path of a payment, the payments of the last hour, and the findings.
type Model struct {
	Config
	keys      keyMap
	reporting bool          // Whether the report for support is shown.
	opened    time.Time     // When New was called, by the wall clock, corrected by the clock skew known then.
	ran       time.Duration // Result of Config.Ran when New was called.
	state     counter.Picture
	facts     payments.Health
	called    []payments.Call
	checking  bool
	checked   time.Time // When the checks last ended; zero for never.
	reports   []doctor.Report
	entered   bool
	loader    live.Loader[lastHour]
	hour      lastHour
	above     []string // The panes above the findings, as rows.
	routine   string   // Findings without a problem, for the border.
	last      int      // Height of the last outcomes, in rows.
	pager     pager.Pager
	size      screen.Size
}

// New returns the screen. Call it when the till starts.
func New(config Config) Model {
	opened, facts := config.Now(), config.Facts()
	if config.Ran == nil {
		config.Ran = config.Service.Elapsed
	}
	return Model{Config: config, opened: opened.Round(0).Add(-facts.Skew), ran: config.Ran(), facts: facts}.SetTexts(config.Texts)
}

// SetTexts changes the language. The results of the checks are kept.
func (m Model) SetTexts(texts i18n.Texts) Model {
	m.Texts = texts
	m.keys = keyMap{
		Again:  screen.Bind("r", texts.Health.Again, "r"),
		Report: screen.Bind("d", strings.ToLower(texts.Health.Report), "d"),
		Back:   screen.Bind("esc", texts.Keys.Back, "esc"),
	}
	return m.fit()
}

// SetSize sets the size of the screen, in cells, without the header and the key bar.
func (m Model) SetSize(width, height int) Model {
	m.size = screen.Size{Width: width, Height: height}
	return m.fit()
}

func (m *Model) look() {
	m.facts = m.Facts()
	if m.Calls != nil {
		m.called = m.Calls()
	}
}

func (m Model) enter() (Model, tea.Cmd) {
	m.look()
	m.entered = true
	cmd := m.read()
	if len(m.Checks) == 0 || m.checking {
		return m, cmd
	}
	m.checking, m.reports = true, nil
	return m, tea.Batch(cmd, m.Run(func(ctx context.Context) tea.Msg { return checksEnded{doctor.Run(ctx, m.Checks...)} }))
}

// Meaning returns what keys mean: each letter is a command.
func (m Model) Meaning() keyboard.Meaning { return keyboard.Meaning{} }

// Update handles a message. Keys come only while the screen is open.
func (m Model) Update(msg tea.Msg) (Model, tea.Cmd) {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case live.Entered:
		m, cmd = m.enter()
	case live.Exited:
		m.entered = false
		m.reporting = false
	case counter.Picture:
		m.state = msg
		m.look()
		if m.entered && (msg.Changed || m.hour.ended(m.Now())) {
			cmd = m.read()
		}
	case live.Loaded[lastHour]:
		var wanted bool
		if wanted, cmd = m.loader.Done(msg); wanted {
			m.hour = msg.Value
		}
	case checksEnded:
		m.checking = false
		m.reports, m.checked = msg.reports, m.Now()
	case tea.KeyMsg:
		m, cmd = m.press(msg)
	}
	return m.fit(), cmd
}

func (m Model) press(msg tea.KeyMsg) (Model, tea.Cmd) {
	m.pager, _ = m.pager.Update(msg)
	switch {
	case key.Matches(msg, m.keys.Back) && m.reporting:
		m.reporting = false
	case key.Matches(msg, m.keys.Back):
		return m, m.Closes()
	case key.Matches(msg, m.keys.Report):
		m.reporting = true
		m.pager = pager.Pager{}
		text := strings.Join(m.report(), "\n")
		return m, m.Run(func(context.Context) tea.Msg {
			_ = m.Copy(text) // The report is also on the screen.
			return nil
		})
	case key.Matches(msg, m.keys.Again):
		return m.enter()
	}
	return m, nil
}

// ShortHelp returns the keys for the border of the pane, the most important ones first.
func (m Model) ShortHelp() []key.Binding {
	return []key.Binding{m.keys.Again, m.keys.Report, m.keys.Back}
}

// FullHelp returns the keys of the screen for the help (F1).
func (m Model) FullHelp() []screen.Keys {
	return []screen.Keys{{Title: m.Texts.Bar.Health, Keys: []key.Binding{m.keys.Again, m.keys.Report, m.keys.Back}}}
}

// View draws the screen. A small window shows only the findings.
func (m Model) View() string {
	shown := pane.Pane{Frame: m.frame(), Title: m.Texts.Path.Todo, Right: m.routine, Rows: m.pager.Rows(), Keys: true, Scroll: m.pager.Scroll()}
	shown.Offers = keybar.Offers(m.Theme, keybar.Of(m.Texts.KeyNames, m.ShortHelp()...))
	if m.reporting {
		shown.Title, shown.Right = m.Texts.Health.Report, ""
	}
	rows := append(slices.Clone(m.above), shown.Lines(m.Theme, m.size.Width, m.size.Height-len(m.above)-m.last)...)
	if m.last > 0 {
		rows = append(rows, m.Last(m.size.Width, m.last))
	}
	return strings.Join(rows, "\n")
}

func (m Model) frame() pane.Frame {
	return layout.FrameOf(m.size.Width, m.size.Height+layout.FrameRows)
}

// fit draws the panes and the findings for the current size.
func (m Model) fit() Model {
	if !m.entered {
		return m // A hidden screen is drawn when it is opened.
	}
	found := m.findings()
	width, _ := m.frame().Inner(m.size.Width, m.size.Height)
	path := m.path(found, width)
	told := m.tell(found, path, width, true)
	if m.above = m.upper(path, told); m.above == nil {
		told = m.tell(found, path, width, false)
	}
	rest := m.size.Height - len(m.above)
	m.last = rest - len(told.aired()) - pane.Edges
	if m.last < leastLast || m.Last == nil || m.reporting || m.frame() != pane.FullBorder {
		m.last = 0
	}
	height := rest - m.last
	if m.frame() != pane.Bare {
		height -= pane.Edges // Without a lower border, a blank row is in its place.
	}
	const around = 6 // Columns between the title, the findings and the corners.
	m.routine = fit.Join(width-theme.Width(m.Texts.Path.Todo)-around, "  ", told.routine...)
	m.pager = m.pager.Show(told.in(height), width, height)
	return m
}

func (m Model) findings() []doctor.Finding {
	now := m.Now()
	found := doctor.Findings(m.Texts, doctor.Picture{
		Health: m.facts, Reach: m.state.Reach, Now: now, Zone: m.Zone, Orphans: payments.SumOf(m.state.Orphans()),
		Moved: now.Round(0).Sub(m.opened) - m.facts.Skew - (m.Ran() - m.ran),
	})
	if m.checking {
		found = append(found, doctor.New(doctor.Service, doctor.OK, "", m.Texts.Health.Asking, ""))
	}
	found = doctor.Join(m.Texts, found, m.reports...)
	slices.SortStableFunc(found, doctor.WorstFirst)
	return found
}
