package tui

import (
	"context"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/tui/component/demo"
	"checkout/till/tui/component/motion"
	"checkout/till/tui/component/pager"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/counter"
	"checkout/till/tui/keyboard"
	"checkout/till/tui/sound"
)

// model is the console: the screens, and the state that they share.
type model struct {
	Config
	screens
	size    screen.Size
	room    screen.Size             // Space for a screen inside the frame.
	given   [routeCount]screen.Size // Size that each screen was last given.
	route   route
	from    route // Screen that the payment screen was opened from, to go back to it.
	helping bool
	helped  pager.Pager

	keys       keyMap
	counter    *counter.Counter
	playing    bool // A script presses keys, until a person presses one.
	stopScript context.CancelFunc
	keyboard   *keyboard.Reader
	filter     keyboard.Filter
	status     status
	opening    motion.Motion // Animation that opens the outcome PAID from the middle of the window.
	paid       bool          // The payment screen shows PAID now.
	moving     bool          // The tick for the next frame of an animation has been requested.
}

// The messages of the console. began is the first one. changed says that the store has changed.
// ticked comes every second. performed says that the console has performed an effect of the
// counter; its field effect contains the result.
type (
	began     struct{}
	changed   struct{}
	ticked    time.Time
	performed struct{ effect counter.Effect }
)

func newModel(ctx context.Context, config Config) model {
	config.Shop = clean.Text(config.Shop, payments.MaxLabelWidth)
	config.Till = clean.Text(config.Till, payments.MaxTillWidth)
	config.Run = func(work func(context.Context) tea.Msg) tea.Cmd {
		return func() tea.Msg { return work(ctx) }
	}
	m := model{
		Config: config, keys: newKeyMap(config.Texts),
		playing: config.Script != nil, stopScript: func() {},
		keyboard: keyboard.NewReader(config.Input, config.Service.Now),
	}
	m.counter = counter.New(counter.Config{
		Till: config.Till, Now: config.Service.Now, Grace: counter.Grace, Health: config.Health,
		NewSale: func() payments.Sale { return config.Service.NewSale(config.Till) },
	})
	m.screens = newScreens(config, m.counter)
	if config.Sample {
		m.sale.Steps = new(demo.Steps)
	}
	return m
}

// Init starts the ticks and sends began, so that the console reads the saved state of the till. If
// the theme adapts to the terminal's colours, Init asks the terminal for them.
// The console draws without waiting for the reply.
func (m model) Init() tea.Cmd {
	begin := func() tea.Msg { return began{} }
	return tea.Batch(keyboard.Prepare(m.Output, m.Theme.Adapts()), begin, tick())
}

func tick() tea.Cmd {
	return tea.Every(time.Second, func(at time.Time) tea.Msg { return ticked(at) })
}

func (m model) state() counter.Picture { return m.counter.Picture() }

// settle passes the counter's facts to the screens and the voice. It returns the commands
// that play a sound for the facts and perform the counter's effects.
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
			m.Voice.Hear(m.Texts, fact)
			if tune, rings := sound.Of(fact); rings {
				tunes = append(tunes, tune)
			}
		}
		for _, effect := range effects {
			service := m.Service
			cmds = append(cmds, m.Run(func(ctx context.Context) tea.Msg { return performed{effect.Perform(ctx, service)} }))
		}
	}
}

// move begins the animations that the last message caused. While an animation runs, move returns a
// command that asks for the next frame.
func (m *model) move() tea.Cmd {
	if !m.Motion {
		return nil
	}
	now := m.Service.Now()
	before := m.paid
	m.paid = m.route == routePay && m.counter.Stage() == counter.Showing && m.counter.Verdict() == payments.VerdictPaid
	if m.paid && !before {
		m.opening = motion.Begin(now)
	}
	m.sale = m.sale.CountTotal(now)
	if m.moving || !m.opening.Runs(now) && !m.sale.Total.Runs(now) {
		return nil
	}
	m.moving = true
	return motion.Tick()
}

// ring returns a command that plays the most important of the tunes.
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

// hear reacts to a fact of the counter. It may open another screen, show a status or quit.
// It ignores facts that only the screens show.
func (m *model) hear(fact counter.Fact) tea.Cmd {
	switch fact := fact.(type) {
	case counter.Looked:
		m.forgetStatus()
		return m.screens.update(m.counter.Picture())
	case counter.Refused:
		m.refused(fact.Why)
	case counter.Asked:
		// The cash was not taken: the counter asks about a possible double payment first.
		if fact.Question.Unbidden && m.route == routeSale {
			m.from, m.route = routeSale, routePay
		}
	case counter.TookCash:
		m.from, m.route = routeSale, routePay
	case counter.Sent:
		if m.route != routePay {
			m.from = routeSale
		}
		m.route = routePay
	case counter.Opened:
		m.opened(fact)
	case counter.OrderLeft:
		m.left(fact)
	case counter.TookBack:
		return m.enter(routeSale)
	case counter.Quits:
		return tea.Quit
	}
	return nil
}

// try marks the proposed steps of the demo that the user has taken.
func (m *model) try() {
	steps := m.sale.Steps
	if steps == nil {
		return
	}
	shown := m.counter.Stage() == counter.Showing
	steps[demo.Charge] = steps[demo.Charge] || shown && m.counter.CodeShown()
	steps[demo.Paid] = steps[demo.Paid] || shown && m.counter.Verdict() == payments.VerdictPaid
	steps[demo.Refused] = steps[demo.Refused] || shown && m.counter.Retrying()
	steps[demo.Cash] = steps[demo.Cash] || m.counter.ShownCash().Number != ""
	steps[demo.Check] = steps[demo.Check] || m.route == routeOrders
}

func (m *model) refused(why counter.Why) {
	switch why {
	case counter.Busy:
		m.say(m.Texts.Frame.Sending)
	case counter.NoNews:
		m.say(m.Texts.Frame.NoNews)
	}
}

// opened opens the payment screen and stores the screen to go back to. It does nothing if the order
// is only shown again (fact.Back) and the cashier has opened another screen meanwhile.
func (m *model) opened(fact counter.Opened) {
	if fact.Back && m.route != m.from {
		return
	}
	if m.route != routePay {
		m.from = m.route
	}
	m.route = routePay
}

// left closes the payment screen and goes back to the screen that the order was opened from. If
// that is the board and the order is paid, left goes to the sale instead. If the cashier has opened
// another screen meanwhile, that screen stays open.
func (m *model) left(fact counter.OrderLeft) {
	if m.sale.Steps != nil && !fact.Paid {
		m.sale.Steps[demo.Next] = true
	}
	if m.from == routeBoard && fact.Paid {
		m.from = routeSale
	}
	if m.route == routePay {
		m.route = m.from
	}
}
