package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// frameRate is how often the screen is looked at for changes, in frames a
// second. The first frame, and the word PAID, wait for up to one of them: a
// quarter more of them than usual cost as many wake-ups of an idle console.
const frameRate = 75

// Terminal is a terminal that was taken for a console. A shop is opened in the
// time that a terminal needs until its first frame.
type Terminal struct {
	program *tea.Program
	ended   chan struct{}
	err     error // Of the program, when it has ended.
}

// Take takes a terminal. What is typed before [Terminal.Show] is kept for the
// console; leave is called when Ctrl-C is, unless it is nil. processors sets on
// how many the program runs, as [runtime.GOMAXPROCS] does: one while nobody uses
// the console; nil leaves that alone. Whoever gets the terminal closes it.
func Take(in io.Reader, out io.Writer, leave func(), processors func(int) int) *Terminal {
	t := &Terminal{ended: make(chan struct{})}
	options := []tea.ProgramOption{
		tea.WithAltScreen(), tea.WithoutSignalHandler(), tea.WithFPS(frameRate),
		tea.WithInput(in), tea.WithOutput(wheel(out)),
	}
	if processors != nil {
		options = append(options, tea.WithFilter((&dozer{use: processors}).watch))
	}
	t.program = tea.NewProgram(curtain{leave: leave}, options...)
	go func() {
		defer close(t.ended)
		_, t.err = t.program.Run()
	}()
	return t
}

// Close gives the terminal back.
func (t *Terminal) Close() {
	t.program.Quit()
	<-t.ended
}

// Show shows the console until the cashier leaves or ctx ends; both are no
// error. It is called once. The terminal is given back in every case.
func (t *Terminal) Show(ctx context.Context, config Config) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	model, keys := newModel(ctx, config), (<-chan typed)(nil)
	if config.Player != nil {
		playing, stop := context.WithCancel(ctx)
		defer stop()
		model.play.stop = stop
		keys = config.Player.start(playing)
	}
	t.program.Send(model)
	// Asked to quit and not killed by the context: a killed program gives the
	// terminal back while it still reads from it.
	defer context.AfterFunc(ctx, t.program.Quit)()
	var beside sync.WaitGroup
	beside.Go(func() { relay(ctx, config.Service.Watch(ctx), keys, t.program.Send) })
	beside.Go(func() { suspend(ctx, t.program) })
	<-t.ended
	interrupted := ctx.Err() != nil
	cancel()
	beside.Wait()
	if t.err != nil && !interrupted && !errors.Is(t.err, tea.ErrInterrupted) {
		return fmt.Errorf("show the console: %w", t.err)
	}
	return nil
}

// curtainTime is how long a screen may be blank before it says what it belongs
// to.
const curtainTime = 500 * time.Millisecond

// curtain is what stands on the screen until it is sent the console's model.
// What comes before it is kept for it.
type curtain struct {
	leave func()
	came  []tea.Msg
	late  bool
}

// late says that the console takes its time.
type late struct{}

// Init waits for the console.
func (c curtain) Init() tea.Cmd {
	return tea.Tick(curtainTime, func(time.Time) tea.Msg { return late{} })
}

// Update keeps what comes, or becomes the console.
func (c curtain) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case model:
		return c.rise(msg)
	case late:
		c.late = true
	case tea.KeyMsg:
		if c.leave != nil && key.Matches(msg, key.NewBinding(key.WithKeys(quitKey))) {
			c.leave()
			break
		}
		c.came = append(c.came, msg)
	case tea.WindowSizeMsg:
		c.came = append(c.came, msg)
	}
	return c, nil
}

// rise returns the console after what came before it.
func (c curtain) rise(console tea.Model) (tea.Model, tea.Cmd) {
	begun := []tea.Cmd{console.Init()}
	for _, msg := range c.came {
		next, cmd := console.Update(msg)
		console, begun = next, append(begun, cmd)
	}
	return console, tea.Batch(begun...)
}

// View is blank for a moment. The texts are not read yet.
func (c curtain) View() string {
	if c.late {
		return "till ..."
	}
	return ""
}
