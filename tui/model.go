package tui

import (
	"context"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/tui/component/demo"
	"checkout/till/tui/component/motion"
	"checkout/till/tui/component/question"
	"checkout/till/tui/counter"
	"checkout/till/tui/keyboard"
	"checkout/till/tui/live"
	"checkout/till/tui/wording"
)

// model is the console: the screens, and the state that they share.
type model struct {
	Config
	router
	window
	help help

	keys       keyMap
	playing    bool // Whether a script presses keys.
	stopScript context.CancelFunc
	keyboard   *keyboard.Reader
	filter     keyboard.Filter
	status     status
	shift      question.Question // Asks which cashier sells from now on.
	lookedUp   string            // Number of the sale that is being looked up, until a key is pressed.
	opening    motion.Motion     // Animation that opens a received payment.
	opensFrom  motion.Box        // Where the animation starts: at the code, or in the middle of the window.
	taken      bool              // Whether the payment screen shows PAID or a payment at the counter.
	started    time.Time         // Just before the terminal is asked for its colours. A late reply means a slow line.
	slow       *atomic.Bool      // Whether the line to the terminal is slow; see patience.
	moving     bool              // Whether the next frame of an animation was requested.
	graceEnds  time.Time         // When the last outcome begins to accept keys.
}

// The messages of the console.
type (
	began       struct{}                        // Sent by Init: the counter begins to read the store.
	changed     struct{}                        // The store may have changed.
	ticked      time.Time                       // Comes every second.
	performed   struct{ effect counter.Effect } // Has the result of a counter's effect.
	played      struct{ key tea.KeyMsg }        // Has a key of a script.
	scriptEnded struct{}                        // Follows the last key of a script.
	graceEnded  struct{}                        // An outcome begins to accept keys.
)

func newModel(ctx context.Context, config Config) model {
	config.Shop = clean.Text(config.Shop, payments.MaxLabelWidth)
	config.Till = clean.Text(config.Till, payments.MaxTillWidth)
	config.Run = live.RunIn(ctx)
	config.Cashier = new(string)
	m := model{
		Config:  config,
		playing: config.Script != nil, stopScript: func() {},
		status:   status{now: config.Service.Now},
		started:  time.Now(),
		slow:     new(atomic.Bool),
		keyboard: keyboard.NewReader(config.Input, config.Service.Now),
	}
	m.counter = counter.New(counter.Config{
		Till: config.Till, Tenders: config.Tenders, Words: wording.Recorded(config.Texts), Now: config.Service.Now, Grace: counter.Grace, Health: config.Health,
		NewSale: func() payments.Sale { return config.Service.NewSale(config.Till) },
	})
	m.screens = newScreens(config, m.counter)
	m.keys = newKeyMap(config.Texts, m.screens)
	m.keys.SignIn.SetEnabled(false)
	if config.Sample {
		m.sale.Steps = new(demo.Steps)
	}
	return m
}

func (m model) quitting() bool { return m.counter.Asking() == counter.AskQuit }

// covered reports whether the help or a question of the console gets the keys.
func (m model) covered() bool { return m.help.open || m.quitting() || m.shift.Open() }

func (m model) meaning() keyboard.Meaning {
	switch {
	case m.quitting():
		return keyboard.Meaning{Asked: m.counter.Answerable()}
	case m.help.open:
		return keyboard.Meaning{}
	case m.shift.Open():
		return m.shift.Meaning()
	}
	return m.open().Meaning()
}
