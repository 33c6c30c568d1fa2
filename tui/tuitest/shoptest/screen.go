package shoptest

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/tui/component/layout"
	"checkout/till/tui/counter"
	"checkout/till/tui/live"
)

// Run returns a runner whose work is canceled when the test ends.
func Run(t testing.TB) live.Runner { return live.RunIn(t.Context()) }

// Part is a screen of the console. M is the type of the screen itself.
type Part[M any] interface {
	Update(msg tea.Msg) (M, tea.Cmd)
	SetSize(width, height int) M
	View() string
}

// Harness wraps a screen as a Bubble Tea model, for tuitest.Drive. It logs all messages.
type Harness[M Part[M]] struct {
	Screen M
	first  tea.Cmd
	log    *[]tea.Msg
	at     *Desk
	window tea.WindowSizeMsg
}

// whole is a screen that can use the full window.
type whole interface{ FullWindow() bool }

// Wrap wraps a screen. first contains the commands that Init returns.
func Wrap[M Part[M]](screen M, first ...tea.Cmd) Harness[M] {
	return Harness[M]{Screen: screen, first: tea.Batch(first...), log: new([]tea.Msg)}
}

// Desk holds the counter of a screen and performs the counter's effects.
type Desk struct {
	Counter *counter.Counter
	Service *drawer.Service
	Run     func(work func(ctx context.Context) tea.Msg) tea.Cmd
	// Whether to delay an effect; may be nil. Kept contains the delayed effects.
	Keep func(counter.Effect) bool
	Kept []counter.Effect
}

// NewCounter returns a counter for the till named Till. grace and health are the fields Grace and
// Health of [counter.Config].
func NewCounter(service *drawer.Service, grace time.Duration, health func() payments.Health, tenders ...drawer.Tender) *counter.Counter {
	return counter.New(counter.Config{
		Till: Till, Tenders: tenders, Now: service.Now, Grace: grace, Health: health,
		Words:   counter.Words{Rest: func(money.Ariary) string { return "rest" }, Dropped: "dropped", Debt: "Payment of a debt"},
		NewSale: func() payments.Sale { return service.NewSale(Till) },
	})
}

// Delays reports whether an effect has the type E. A test sets [Desk].Keep to it.
func Delays[E counter.Effect](effect counter.Effect) bool {
	_, is := effect.(E)
	return is
}

// Release is a message that ends a desk's delay and performs the delayed effects.
type Release struct{}

// performed carries an effect back after its Perform. settled makes the harness perform the queued
// effects.
type (
	performed struct{ effect counter.Effect }
	settled   struct{}
)

func (d *Desk) perform(effect counter.Effect) tea.Cmd {
	return d.Run(func(ctx context.Context) tea.Msg { return performed{effect.Perform(ctx, d.Service)} })
}

// take ends the delay, and returns commands for the delayed effects.
func (d *Desk) take() []tea.Cmd {
	var cmds []tea.Cmd
	for _, effect := range d.Kept {
		cmds = append(cmds, d.perform(effect))
	}
	d.Kept = nil
	d.Keep = nil
	return cmds
}

// At connects the screen to the counter of a desk.
func (a Harness[M]) At(desk *Desk) Harness[M] {
	a.at = desk
	return a
}

// settle passes the counter's facts to the screen, and returns commands that perform the counter's
// effects.
func (a Harness[M]) settle() (Harness[M], tea.Cmd) {
	var cmds []tea.Cmd
	for a.at != nil {
		effects, facts := a.at.Counter.Drain()
		if len(effects)+len(facts) == 0 {
			break
		}
		for _, fact := range facts {
			*a.log = append(*a.log, fact)
			var cmd tea.Cmd
			a.Screen, cmd = a.Screen.Update(fact)
			cmds = append(cmds, cmd)
		}
		for _, effect := range effects {
			if a.at.Keep != nil && a.at.Keep(effect) {
				a.at.Kept = append(a.at.Kept, effect)
				continue
			}
			cmds = append(cmds, a.at.perform(effect))
		}
	}
	if screen, syncs := any(a.Screen).(interface{ Sync() M }); syncs {
		a.Screen = screen.Sync()
	}
	return a, tea.Batch(cmds...)
}

// Init returns the commands that were given to Wrap.
func (a Harness[M]) Init() tea.Cmd { return a.first }

// Update passes a message to the screen. A message may also be a function on the screen, so that
// tests can call the screen's methods.
func (a Harness[M]) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	*a.log = append(*a.log, msg)
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		a.window = msg
		a.Screen = a.Screen.SetSize(msg.Width, msg.Height)
	case Release:
		cmd = tea.Batch(a.at.take()...)
	case performed:
		a.at.Counter.Take(msg.effect)
	case func(M) M:
		a.Screen = msg(a.Screen)
	case func(M) (M, tea.Cmd):
		a.Screen, cmd = msg(a.Screen)
	default:
		a.Screen, cmd = a.Screen.Update(msg)
	}
	a, settled := a.settle()
	return a, tea.Batch(cmd, settled)
}

// View draws the screen. If the screen has a method FullWindow that returns false, View adds a
// blank row above and below, except in a low window.
func (a Harness[M]) View() string {
	view := a.Screen.View()
	if screen, is := any(a.Screen).(whole); is && !screen.FullWindow() && a.window.Height > layout.FrameRows {
		return "\n" + view + "\n"
	}
	return view
}

// Received returns the logged messages of one type, oldest first.
func Received[Msg any, M Part[M]](a Harness[M]) []Msg {
	var found []Msg
	for _, msg := range *a.log {
		if wanted, ok := msg.(Msg); ok {
			found = append(found, wanted)
		}
	}
	return found
}

// Gate wraps a model and can delay its commands or messages, as a slow machine would.
type Gate struct {
	tea.Model
	state *gateState
}

type gateState struct {
	keeps func(tea.Msg) bool
	holds func(tea.Msg) bool
	kept  []tea.Cmd
}

type opened struct{}

// NewGate returns a gate that delays nothing.
func NewGate(model tea.Model) Gate { return Gate{Model: model, state: &gateState{}} }

// HoldCommands delays the command that the model returns for a message that keeps accepts.
func (g Gate) HoldCommands(keeps func(tea.Msg) bool) { g.state.keeps = keeps }

// HoldMessages delays the messages that holds accepts. Their commands have already run, but the
// model does not know the result yet.
func (g Gate) HoldMessages(holds func(tea.Msg) bool) { g.state.holds = holds }

// Shuffle changes the order in which Open releases what was delayed.
func (g Gate) Shuffle(random *rand.Rand) {
	kept := g.state.kept
	random.Shuffle(len(kept), func(i, j int) { kept[i], kept[j] = kept[j], kept[i] })
}

// Open returns a message that ends all delays and releases what was delayed.
func (g Gate) Open() tea.Msg { return opened{} }

// Update passes a message to the model, unless the gate delays the message.
func (g Gate) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, ok := msg.(opened); ok {
		kept := g.state.kept
		*g.state = gateState{}
		return g, tea.Batch(kept...)
	}
	if g.state.holds != nil && g.state.holds(msg) {
		g.state.kept = append(g.state.kept, func() tea.Msg { return msg })
		return g, nil
	}
	var cmd tea.Cmd
	g.Model, cmd = g.Model.Update(msg)
	if g.state.keeps != nil && cmd != nil && g.state.keeps(msg) {
		g.state.kept = append(g.state.kept, cmd)
		return g, nil
	}
	return g, cmd
}
