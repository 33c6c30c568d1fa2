package tui

import (
	"context"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/payments"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/pager"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/live"
	"checkout/till/tui/sound"
)

// overlay names what lies over the screen.
type overlay int

const (
	noOverlay overlay = iota
	helping
	quitting
)

// model is the console: the screens, and what stands around them.
type model struct {
	Config
	screens
	size    screen.Size
	room    screen.Size             // What the frame leaves for a screen.
	given   [routeCount]screen.Size // The room that each screen was given.
	route   route
	from    route  // The screen that a payment was opened from: leaving it leads there.
	over    bool   // The screen was opened over a payment: closing it leads there.
	resume  string // The order whose code gave way to news: leaving those leads there.
	overlay overlay
	helped  pager.Pager

	keys       keyMap
	badge      badge.Badge
	state      live.State
	loader     live.Loader[live.State]
	failing    bool             // The last read failed.
	givenUp    []payments.Order // Whose outcome was acknowledged while their links lived.
	rung       []string         // The news for which the bell rang.
	playing    bool             // A script uses the console.
	stopScript context.CancelFunc
	scan       scanner
	status     status
}

// changed says that something in the store changed, mended that the store works
// again and which sales turned out to be charged.
type (
	changed struct{}
	mended  struct{ charged []payments.Sale }
	ticked  time.Time
)

func newModel(ctx context.Context, config Config) model {
	config.Shop = payments.Clean(config.Shop, payments.MaxLabelWidth)
	config.Till = payments.Clean(config.Till, payments.MaxTillWidth)
	config.Run = func(work func(context.Context) tea.Msg) tea.Cmd {
		return func() tea.Msg { return work(ctx) }
	}
	m := model{
		Config: config, keys: newKeyMap(config.Texts),
		badge: badge.New(config.Theme, config.Texts), screens: newScreens(config),
		playing: config.Script != nil, stopScript: func() {},
	}
	m.state = live.State{Now: config.Service.Now(), Conditions: m.conditions()}
	return m
}

// Init reads what is open, and starts the clock.
func (m model) Init() tea.Cmd {
	return tea.Batch(m.sale.Init(), func() tea.Msg { return changed{} }, tick())
}

func tick() tea.Cmd {
	return tea.Every(time.Second, func(at time.Time) tea.Msg { return ticked(at) })
}

func (m *model) fetch() tea.Cmd {
	service, till := m.Service, m.Till
	return m.loader.Load(m.Run, func(ctx context.Context) (live.State, error) {
		return live.State{}.Read(ctx, service, till)
	})
}

func (m model) conditions() payments.Conditions {
	health := m.Health()
	return payments.Conditions{
		StoreDown:    m.failing || health.StoreDown,
		ListenerDown: !health.Listening,
	}
}

func (m *model) loaded(msg live.Loaded[live.State]) tea.Cmd {
	wanted, next := m.loader.Done(msg)
	if !wanted {
		return nil
	}
	m.failing = msg.Err != nil
	if !m.failing {
		m.state = m.state.Take(msg.Value, m.Service.Now())
	}
	m.givenUp = slices.DeleteFunc(m.givenUp, func(o payments.Order) bool {
		_, open := m.state.Find(o.Reference) // It came back as news.
		return open
	})
	return tea.Batch(m.show(!m.failing), next)
}

// show hands the picture of the moment to every screen, and rings for its news.
func (m *model) show(read bool) tea.Cmd {
	failed := m.state.Conditions.StoreDown
	m.state.Now, m.state.Conditions, m.state.Changed = m.Service.Now(), m.conditions(), read
	cmds := []tea.Cmd{m.screens.update(m.state)}
	if failed && !m.state.Conditions.StoreDown {
		// What was under way then is settled. Should that fail, the next reading says so.
		service, till := m.Service, m.Till
		cmds = append(cmds, m.Run(func(ctx context.Context) tea.Msg {
			charged, _ := service.Recover(ctx, till)
			return mended{charged}
		}))
	}
	if !m.state.Now.Before(m.status.until) {
		m.status = status{}
	}
	return tea.Batch(append(cmds, m.ring())...)
}

// ring sounds once for each outcome that the cashier has not seen, and once for
// each payment that no order has. The question whether to leave gives way to
// them, and when no payment is awaited any more.
func (m *model) ring() tea.Cmd {
	var rung []string
	var tunes []sound.Tune
	note := func(name string, tune sound.Tune) {
		rung = append(rung, name)
		if !slices.Contains(m.rung, name) {
			tunes = append(tunes, tune)
		}
	}
	for _, order := range m.state.News() {
		tune := sound.Unpaid
		if m.state.Verdict(order) == payments.VerdictPaid {
			tune = sound.Paid
		}
		note(order.Reference+string(order.Status), tune)
	}
	for _, orphan := range m.state.Orphans() {
		note(string(orphan.ID[:]), sound.Alarm)
	}
	m.rung = rung
	if m.overlay == quitting && (len(tunes) > 0 || m.awaited() == 0) {
		m.overlay = noOverlay
	}
	if len(tunes) == 0 || m.Sound == nil {
		return nil
	}
	ring := m.Sound
	return m.Run(func(ctx context.Context) tea.Msg {
		ring(ctx, slices.Min(tunes)) // One sound at a time.
		return nil
	})
}
