// Package health is the screen that says whether payments can be seen: the
// listener, the last event, what was refused and why, the database, the clock
// and the payment service. It guarantees that each line is true at the moment
// of the picture, and says in words what to do about what is not well.
package health

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/layout"
	"checkout/till/tui/component/pager"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
)

// clockTolerance is by how much the machine's two clocks may part before it is
// told.
const clockTolerance = 2 * time.Second

// skewTolerance is by how much this machine's clock and the database server's
// may be apart before it is told.
const skewTolerance = 5 * time.Second

// Config is what the screen needs.
type Config struct {
	Facts func() payments.Health
	Run   live.Runner
	Now   func() time.Time
	Ran   func() time.Duration // For how long, by a clock that nobody sets; nil when nobody knows.
	Zone  *time.Location
	// Reach connects to the payment service, and sends nothing. Nil when there
	// is nothing to reach.
	Reach func(ctx context.Context) error
	Theme theme.Theme
	Texts i18n.Texts
}

// reached is how the connection to the payment service went.
type reached struct{ err error }

// service is what is known of the way to the payment service.
type service int

const (
	unasked service = iota
	asking
	there
	away
)

// Model is the screen.
type Model struct {
	Config
	back, again key.Binding
	opened      time.Time // By the clock on the wall, when the console had run for no time.
	state       live.State
	facts       payments.Health
	service     service
	pager       pager.Pager
	size        screen.Size
}

// New returns the screen.
func New(config Config) Model {
	words := config.Texts.Health
	if config.Ran == nil {
		opened := config.Now()
		config.Ran = func() time.Duration { return config.Now().Sub(opened) }
	}
	facts := config.Facts()
	return Model{
		Config: config, pager: pager.New(), opened: config.Now().Round(0).Add(-facts.Skew - config.Ran()), facts: facts,
		back: screen.Bind("esc", config.Texts.Keys.Back, "esc"), again: screen.Bind("r", words.Again, "r"),
	}
}

// SetSize gives the screen its room, in cells.
func (m Model) SetSize(width, height int) Model {
	m.size = screen.Size{Width: width, Height: height}
	return m.fit()
}

// enter looks at everything anew.
func (m Model) enter() (Model, tea.Cmd) {
	m.facts = m.Facts()
	if m.Reach == nil || m.service == asking {
		return m, nil
	}
	m.service = asking
	return m, m.Run(func(ctx context.Context) tea.Msg { return reached{m.Reach(ctx)} })
}

// Update handles a message.
func (m Model) Update(msg tea.Msg) (Model, tea.Cmd) {
	m, cmd := m.handle(msg)
	return m.fit(), cmd
}

func (m Model) handle(msg tea.Msg) (Model, tea.Cmd) {
	switch msg := msg.(type) {
	case live.Entered:
		return m.enter()
	case live.State:
		m.state, m.facts = msg, m.Facts()
	case reached:
		m.service = there
		if msg.err != nil {
			m.service = away
		}
	case tea.KeyMsg:
		m.pager, _ = m.pager.Update(msg)
		switch {
		case key.Matches(msg, m.back):
			return m, func() tea.Msg { return live.Closed{} }
		case key.Matches(msg, m.again):
			return m.enter()
		}
	}
	return m, nil
}

// ShortHelp returns the keys that matter now.
func (m Model) ShortHelp() []key.Binding { return []key.Binding{m.again, m.back} }

// FullHelp returns all keys of the screen, in columns.
func (m Model) FullHelp() [][]key.Binding { return [][]key.Binding{{m.again, m.back}} }

// finding is one line of the screen.
type finding struct {
	well bool
	name string
	says string
	todo string // What to do about it; blank when it is well.
	note string // What is good to know about it; most often blank.
}

// View draws the screen in the room it was given.
func (m Model) View() string {
	grid := layout.Of(m.size.Width, m.size.Height+2)
	shown := pane.Pane{Frame: grid.Frame, Title: m.Texts.Health.Title, Rows: m.pager.Rows(), Keys: true, Scroll: m.pager.Scroll()}
	return shown.Draw(m.Theme, m.size.Width, m.size.Height)
}

// fit gives the pager what was found.
func (m Model) fit() Model {
	grid := layout.Of(m.size.Width, m.size.Height+2)
	width, height := grid.Frame.Inner(m.size.Width, m.size.Height)
	m.pager = m.pager.Show(append(make([]string, grid.Air), m.rows(width)...), width, height)
	return m
}

// rows are what was found, one below the other, and what to do about it.
func (m Model) rows(width int) []string {
	const abreast = 56 // From this width on the names stand in a column.
	var rows []string
	all, column := m.findings(), 0
	for _, each := range all {
		column = max(column, theme.Width(each.name))
	}
	for _, found := range all {
		sign := "✓ "
		if !found.well {
			sign = m.Theme.Danger.Render("! ")
		}
		if width >= abreast {
			found.name = theme.Left(found.name, column)
		}
		rows = append(rows, theme.Truncate(sign+m.Theme.Strong.Render(found.name)+"  "+found.says, width))
		rows = append(rows, indented(found.todo, m.Theme.Danger, width)...)
		rows = append(rows, indented(found.note, m.Theme.Text, width)...)
	}
	return rows
}

// indented are the rows below a line that say more about it.
func indented(text string, style theme.Style, width int) []string {
	if text == "" {
		return nil
	}
	rows := strings.Split(theme.Wrap(text, max(1, width-2)), "\n")
	for i, row := range rows {
		rows[i] = "  " + style.Render(row)
	}
	return rows
}

func (m Model) findings() []finding {
	found := append(append(m.listener(), m.store(), m.clock()), m.reach()...)
	// What is not well comes first, where the window is small.
	slices.SortStableFunc(found, func(a, b finding) int { return cmp.Compare(rank(a), rank(b)) })
	return found
}

func rank(found finding) int {
	if found.well {
		return 1
	}
	return 0
}

// listener says whether this console listens and when it heard something; of a
// listener elsewhere it knows nothing.
func (m Model) listener() []finding {
	words, ill := m.Texts.Health, m.Texts.Illness
	switch {
	case !m.facts.Listening:
		return []finding{{name: words.Listener, says: ill.Closed, todo: ill.ClosedTodo}, m.events()}
	case m.facts.Address == "":
		return []finding{{well: true, name: words.Listener, says: words.Elsewhere}}
	case m.facts.Crowded:
		return []finding{{name: words.Listener, says: ill.Crowded, todo: ill.CrowdedTodo}, m.events()}
	}
	return []finding{{well: true, name: words.Listener, says: words.Bound.With(m.facts.Address)}, m.events()}
}

func (m Model) events() finding {
	words, last := m.Texts.Health, m.facts.LastEvent
	says := words.NoEvent
	if !last.IsZero() {
		ago := max(0, m.Now().Sub(last)).Truncate(time.Minute)
		says = words.LastAt.With(i18n.Moment(last.In(m.Zone)), int64(ago/time.Minute))
	}
	if !m.facts.Suspicious() {
		return finding{well: true, name: words.Events, says: says}
	}
	return finding{name: words.Events, says: says, todo: m.Texts.RefusedTodo(m.facts.Refused, m.facts.Cause)}
}

func (m Model) store() finding {
	words, ill := m.Texts.Health, m.Texts.Illness
	failing := m.facts.StoreDown || m.state.Conditions.StoreDown
	switch ago := i18n.Span(m.Now().Sub(m.facts.Heard)); {
	case m.facts.Shared && failing && m.facts.Heard.IsZero():
		return finding{name: words.Database, says: ill.NeverHeard, todo: m.silentTodo()}
	case m.facts.Shared && failing:
		return finding{name: words.Database, says: ill.Silent.With(ago), todo: m.silentTodo()}
	case m.facts.Shared:
		found := finding{well: true, name: words.Database, says: words.Answered.With(ago)}
		switch {
		case m.facts.Readable != "":
			found.well, found.todo = false, ill.Readable.With(m.facts.Readable)
		case m.facts.Polls:
			found.note = ill.Polled
		}
		return found
	case failing:
		return finding{name: words.Database, says: ill.Failing, todo: ill.FailingTodo}
	}
	return finding{well: true, name: words.Database, says: words.Writing}
}

// silentTodo says what to do about a server that is not heard of.
func (m Model) silentTodo() string {
	return strings.TrimSpace(m.Texts.Illness.SilentTodo + " " + m.facts.Fault)
}

// clock compares the machine's two clocks: the one on the wall is set by hand,
// by the network, or by a battery that is empty.
func (m Model) clock() finding {
	words, now := m.Texts.Health, m.Now()
	says := i18n.Moment(now.In(m.Zone))
	parted := now.Round(0).Sub(m.opened) - m.facts.Skew - m.Ran()
	switch skew := m.facts.Skew.Abs(); {
	case parted.Abs() > clockTolerance:
		return finding{name: words.Clock, says: says, todo: m.Texts.Illness.ClockTodo}
	case skew > skewTolerance:
		return finding{name: words.Clock, says: says, todo: m.Texts.Illness.SkewTodo.With(i18n.Span(skew))}
	}
	return finding{well: true, name: words.Clock, says: says}
}

func (m Model) reach() []finding {
	words := m.Texts.Health
	found := finding{well: true, name: words.Service}
	switch m.service {
	case unasked:
		return nil
	case asking:
		found.says = words.Asking
	case there:
		found.says = words.Reached
	case away:
		found = finding{name: words.Service, says: m.Texts.Illness.Away, todo: m.Texts.Illness.AwayTodo}
	}
	return []finding{found}
}
