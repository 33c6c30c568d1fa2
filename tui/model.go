package tui

import (
	"context"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/payments"
	"checkout/till/tui/component/pager"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/counter"
	"checkout/till/tui/keyboard"
	"checkout/till/tui/sound"
)

// model is the console: the screens, and what stands around them.
type model struct {
	Config
	screens
	size    screen.Size
	room    screen.Size             // What the frame leaves for a screen.
	given   [routeCount]screen.Size // The room that each screen was given.
	route   route
	from    route // The screen that a payment was opened from: leaving it leads there.
	helping bool
	helped  pager.Pager

	keys       keyMap
	counter    *counter.Counter
	playing    bool // A script uses the console.
	stopScript context.CancelFunc
	keyboard   *keyboard.Reader
	burst      burst
	scanEnd    time.Time // When the last scan ended.
	held       held
	taps       taps
	status     status
}

// began says that the program runs, changed that something in the store changed, ticked
// that a second went by, and performed that an effect of the counter was performed.
type (
	began     struct{}
	changed   struct{}
	ticked    time.Time
	performed struct{ effect counter.Effect }
)

func newModel(ctx context.Context, config Config) model {
	config.Shop = payments.Clean(config.Shop, payments.MaxLabelWidth)
	config.Till = payments.Clean(config.Till, payments.MaxTillWidth)
	config.Run = func(work func(context.Context) tea.Msg) tea.Cmd {
		return func() tea.Msg { return work(ctx) }
	}
	m := model{
		Config: config, keys: newKeyMap(config.Texts),
		playing: config.Script != nil, stopScript: func() {}, taps: taps{last: map[string]time.Time{}},
		keyboard: keyboard.NewReader(config.Input, config.Service.Now),
	}
	m.counter = counter.New(counter.Config{
		Till: config.Till, Now: config.Service.Now, Grace: counter.Grace, Reach: m.reach,
		NewSale: func() payments.Sale { return config.Service.NewSale(config.Till) },
	})
	m.screens = newScreens(config, m.counter)
	return m
}

// Init reads what the till left, and starts the clock.
func (m model) Init() tea.Cmd {
	return tea.Batch(func() tea.Msg { return began{} }, tick())
}

func tick() tea.Cmd {
	return tea.Every(time.Second, func(at time.Time) tea.Msg { return ticked(at) })
}

// state returns what is known of the store.
func (m model) state() counter.Picture { return m.counter.Picture() }

// reach says whether a payment would be seen now. storeDown reports whether the last read
// of the store failed.
func (m model) reach(storeDown bool) payments.Reach {
	health := m.Health()
	health.StoreDown = health.StoreDown || storeDown
	return health.Reach(m.Service.Now())
}

// settle hands the facts of the counter to the screens, rings for them, and returns
// commands that perform its effects.
func (m *model) settle() tea.Cmd {
	var cmds []tea.Cmd
	var tunes []sound.Tune
	for {
		effects, facts := m.counter.Drain()
		if len(effects) == 0 && len(facts) == 0 {
			return tea.Batch(append(cmds, m.ring(tunes))...)
		}
		for _, fact := range facts {
			cmds = append(cmds, m.hear(fact), m.screens.update(fact))
			if tune, rings := sound.Of(fact); rings {
				tunes = append(tunes, tune)
			}
		}
		for _, effect := range effects {
			cmds = append(cmds, m.perform(effect))
		}
	}
}

func (m *model) perform(effect counter.Effect) tea.Cmd {
	service := m.Service
	return m.Run(func(ctx context.Context) tea.Msg { return performed{effect.Perform(ctx, service)} })
}

// ring sounds the most important tune: one sound at a time.
func (m *model) ring(tunes []sound.Tune) tea.Cmd {
	if len(tunes) == 0 || m.Sound == nil {
		return nil
	}
	ring, tune := m.Sound, slices.Min(tunes)
	return m.Run(func(ctx context.Context) tea.Msg {
		ring(ctx, tune)
		return nil
	})
}

// hear follows what happened at the counter: it opens the screen that shows it, and says
// what no screen says.
func (m *model) hear(fact counter.Fact) tea.Cmd {
	switch fact := fact.(type) {
	case counter.Looked:
		m.forgetStatus()
		return m.screens.update(m.counter.Picture())
	case counter.Refused:
		m.refused(fact.Why)
	case counter.Sent:
		if m.route != routePay {
			m.from = routeSale
		}
		m.route = routePay
	case counter.Opened:
		m.opened(fact)
	case counter.Closed:
		m.left(fact)
	case counter.TookBack:
		return m.enter(routeSale)
	case counter.Quits:
		return tea.Quit
	}
	return nil
}

func (m *model) refused(why counter.Why) {
	switch why {
	case counter.Busy:
		m.say(m.Texts.Frame.Sending)
	case counter.NoNews:
		m.say(m.Texts.Frame.NoNews)
	}
}

// opened shows an order. Leaving it leads back to the screen it was opened from. A code
// that comes back is shown only if the cashier has not gone elsewhere.
func (m *model) opened(fact counter.Opened) {
	if fact.Back && m.route != m.from {
		return
	}
	if m.route != routePay {
		m.from = m.route
	}
	m.route = routePay
}

// left goes back to where the order was opened from, unless the cashier has gone
// elsewhere. After a payment the next sale is entered.
func (m *model) left(fact counter.Closed) {
	if m.from == routeBoard && fact.Paid {
		m.from = routeSale
	}
	if m.route == routePay {
		m.route = m.from
	}
}
