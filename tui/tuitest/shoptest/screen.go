package shoptest

import (
	"context"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets"
	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/layout"
	"checkout/till/tui/counter"
	"checkout/till/tui/tuitest"
)

// Texts returns the texts of a language.
func Texts(t testing.TB, language string) i18n.Texts {
	t.Helper()
	texts, err := i18n.Load(assets.Files, language)
	tuitest.Must(t, err)
	return texts
}

// Run makes commands of a screen's work.
func Run(t testing.TB) func(work func(ctx context.Context) tea.Msg) tea.Cmd {
	return func(work func(ctx context.Context) tea.Msg) tea.Cmd {
		return func() tea.Msg { return work(t.Context()) }
	}
}

// Part is a screen that is drawn within the console.
type Part[M any] interface {
	// Update handles a message.
	Update(msg tea.Msg) (M, tea.Cmd)
	// SetSize gives the screen its room, in cells.
	SetSize(width, height int) M
	// View draws the screen.
	View() string
}

// Alone is a screen without the console around it, as a model that
// tuitest.Drive takes. It remembers the messages that came by.
type Alone[M Part[M]] struct {
	Screen M
	first  tea.Cmd
	log    *[]tea.Msg
	at     *Desk
	window tea.WindowSizeMsg
}

// whole is a screen that sometimes takes the whole window, without the frame. Such
// a one is framed here, by blank rows.
type whole interface{ Whole() bool }

// Stand puts a screen up alone. first are the commands with which it begins.
func Stand[M Part[M]](screen M, first ...tea.Cmd) Alone[M] {
	return Alone[M]{Screen: screen, first: tea.Batch(first...), log: new([]tea.Msg)}
}

// Desk is the counter at which a screen stands, and what performs its effects.
type Desk struct {
	Counter *counter.Counter
	Service *payments.Service
	Run     func(work func(ctx context.Context) tea.Msg) tea.Cmd
	// Keep returns whether an effect is kept back, in Kept. It may be nil.
	Keep func(counter.Effect) bool
	Kept []counter.Effect
}

// Release is the message upon which a desk performs what it kept back, and keeps nothing
// back any more.
type Release struct{}

// performed says that an effect was performed, and settled that commands were called.
type (
	performed struct{ effect counter.Effect }
	settled   struct{}
)

func (d *Desk) perform(effect counter.Effect) tea.Cmd {
	return d.Run(func(ctx context.Context) tea.Msg { return performed{effect.Perform(ctx, d.Service)} })
}

// take returns commands that perform what was kept back, and keeps nothing back any more.
func (d *Desk) take() []tea.Cmd {
	var cmds []tea.Cmd
	for _, effect := range d.Kept {
		cmds = append(cmds, d.perform(effect))
	}
	d.Kept = nil
	d.Keep = nil
	return cmds
}

// At puts the screen at a counter.
func (a Alone[M]) At(desk *Desk) Alone[M] {
	a.at = desk
	return a
}

// settle hands the counter's facts to the screen and returns commands that perform its
// effects, as the console does.
func (a Alone[M]) settle() (Alone[M], tea.Cmd) {
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

// Init returns the commands with which the screen begins.
func (a Alone[M]) Init() tea.Cmd { return a.first }

// Update hands a message to the screen. A function from the screen to the
// screen is called: so does the console use what is no message.
func (a Alone[M]) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
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

// View draws the screen.
func (a Alone[M]) View() string {
	view := a.Screen.View()
	if screen, is := any(a.Screen).(whole); is && !screen.Whole() && a.window.Height > layout.FrameRows {
		return "\n" + view + "\n"
	}
	return view
}

// Came returns the messages of a type that came by, in their order.
func Came[Msg any, M Part[M]](a Alone[M]) []Msg {
	var found []Msg
	for _, msg := range *a.log {
		if wanted, ok := msg.(Msg); ok {
			found = append(found, wanted)
		}
	}
	return found
}
