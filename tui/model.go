package tui

import (
	"context"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/payments"
	"checkout/till/tui/component/pager"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/keyboard"
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
	parked  string // The order whose code gave way to news: acknowledging those leads there.
	overlay overlay
	helped  pager.Pager

	keys       keyMap
	state      live.State
	loader     live.Loader[live.State]
	failing    bool             // The last read failed.
	givenUp    []payments.Order // Whose outcome was acknowledged while their links lived.
	playing    bool             // A script uses the console.
	stopScript context.CancelFunc
	keyboard   *keyboard.Reader
	burst      burst
	scanEnd    time.Time // When the last scan ended.
	held       held
	taps       taps
	scannedAt  string // The ID of the sale of the shown order, if articles were scanned at its code.
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
		Config: config, keys: newKeyMap(config.Texts), screens: newScreens(config),
		playing: config.Script != nil, stopScript: func() {}, taps: taps{last: map[string]time.Time{}},
		keyboard: keyboard.NewReader(config.Input, config.Service.Now),
	}
	m.state = live.State{Now: config.Service.Now(), Reach: m.reach()}
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

// reach says whether a payment would be seen now, also by what the last read says.
func (m model) reach() payments.Reach {
	health := m.Health()
	health.StoreDown = health.StoreDown || m.failing
	return health.Reach(m.Service.Now())
}

func (m *model) loaded(msg live.Loaded[live.State]) tea.Cmd {
	wanted, next := m.loader.Done(msg)
	if !wanted {
		return nil
	}
	picture := m.state
	if m.failing = msg.Err != nil; !m.failing {
		picture = picture.Take(msg.Value, m.Service.Now())
	}
	m.givenUp = slices.DeleteFunc(m.givenUp, func(o payments.Order) bool {
		_, open := picture.Find(o.Reference) // It came back as news.
		return open
	})
	return tea.Batch(m.show(picture, !m.failing), next)
}

// show hands a picture to every screen as that of the moment, and rings for its news.
func (m *model) show(picture live.State, read bool) tea.Cmd {
	before := m.state
	picture.Now, picture.Reach, picture.Changed = m.Service.Now(), m.reach(), read
	m.state = picture
	cmds := []tea.Cmd{m.screens.update(picture)}
	if before.Reach.Conditions().StoreDown && !picture.Reach.Conditions().StoreDown {
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
	return tea.Batch(append(cmds, m.ring(before))...)
}

// ring sounds once for each outcome that the cashier has not seen, and once for
// each payment that no order has: for those that the picture before did not have.
// The question whether to leave gives way to them, and when no payment is awaited
// any more.
func (m *model) ring(before live.State) tea.Cmd {
	var tunes []sound.Tune
	news, orphans := before.News(), before.Orphans()
	for _, order := range m.state.News() {
		rung := func(o payments.Order) bool { return o.Reference == order.Reference && o.Status == order.Status }
		switch paid := m.state.Verdict(order) == payments.VerdictPaid; {
		case slices.ContainsFunc(news, rung):
		case paid:
			tunes = append(tunes, sound.Paid)
		default:
			tunes = append(tunes, sound.Unpaid)
		}
	}
	for _, orphan := range m.state.Orphans() {
		if !slices.ContainsFunc(orphans, func(r payments.Record) bool { return r.ID == orphan.ID }) {
			tunes = append(tunes, sound.Alarm)
		}
	}
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
