package tuitest

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// commandLimit is how long a command may take before its test fails.
const commandLimit = time.Minute

// A Driver uses one model as a person does, without a terminal. Call its methods only from the
// test's goroutine. Most return the Driver, so that calls can be chained.
type Driver struct {
	t             testing.TB
	model         tea.Model
	width, height int
	messages      []tea.Msg
	quit          bool

	// Tap, if set, sends the key presses to the model, for example with a person's pauses.
	Tap func(keys ...tea.KeyMsg)

	// Updated, if set, is called after each message, before the model's next commands run.
	Updated func()
}

// Drive starts model as Bubble Tea does, in a window of width columns and height rows, and runs
// commands until no messages are left.
//
// Commands run one after the other, and must end within a minute. Timers such as tea.Tick never
// run: the test sends their messages itself.
func Drive(t testing.TB, model tea.Model, width, height int) *Driver {
	t.Helper()
	d := &Driver{t: t, model: model, width: width, height: height}
	first := model.Init()
	d.update(tea.WindowSizeMsg{Width: width, Height: height})
	d.run(first)
	return d.settle()
}

// Send sends messages to the model, one after the other, and runs the commands that the model
// returns.
func (d *Driver) Send(msgs ...tea.Msg) *Driver {
	d.t.Helper()
	for _, msg := range msgs {
		d.messages = append(d.messages, msg)
		d.settle()
	}
	return d
}

// Press presses keys by the names of key bindings, such as "enter", "ctrl+c", "f1", "shift+tab",
// "alt+x", or a character.
func (d *Driver) Press(keys ...string) *Driver {
	d.t.Helper()
	for _, name := range keys {
		k, err := Key(name)
		Must(d.t, err)
		d.tap(k)
	}
	return d
}

// Type presses the keys of text, character by character.
func (d *Driver) Type(text string) *Driver {
	d.t.Helper()
	var keys []tea.KeyMsg
	for _, r := range text {
		k, err := Key(string(r))
		Must(d.t, err)
		keys = append(keys, k)
	}
	d.tap(keys...)
	return d
}

func (d *Driver) tap(keys ...tea.KeyMsg) {
	d.t.Helper()
	if d.Tap != nil {
		d.Tap(keys...)
		return
	}
	for _, k := range keys {
		d.Send(k)
	}
}

// Paste sends the text in a single message, as a terminal does for a paste.
func (d *Driver) Paste(text string) *Driver {
	d.t.Helper()
	return d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: true})
}

// Resize tells the model that the window has another size.
func (d *Driver) Resize(width, height int) *Driver {
	d.t.Helper()
	d.width, d.height = width, height
	return d.Send(tea.WindowSizeMsg{Width: width, Height: height})
}

// View returns the model's view, including escape sequences.
func (d *Driver) View() string { return d.model.View() }

// Screen returns the part of the view that the window shows.
func (d *Driver) Screen() Screen { return Render(d.View(), d.width, d.height) }

// Model returns the model as it is after the last message.
func (d *Driver) Model() tea.Model { return d.model }

// Quit reports whether the model has sent tea.Quit.
func (d *Driver) Quit() bool { return d.quit }

// Sees fails the test unless the view contains all texts, also in large letters or wrapped.
func (d *Driver) Sees(texts ...string) *Driver {
	d.t.Helper()
	view := ansi.Strip(d.View())
	for _, want := range texts {
		if !Shows(view, want) && !wraps(view, want) {
			d.t.Fatalf("the view does not contain %q\n%s", want, d.framed())
		}
	}
	return d
}

// Lacks fails the test if the view contains any of the texts. It does not find a wrapped text.
func (d *Driver) Lacks(texts ...string) *Driver {
	d.t.Helper()
	view := ansi.Strip(d.View())
	for _, unwanted := range texts {
		if Shows(view, unwanted) {
			d.t.Fatalf("the view contains %q\n%s", unwanted, d.framed())
		}
	}
	return d
}

// Fits fails the test if the view is larger than the window: Bubble Tea would cut it.
func (d *Driver) Fits() *Driver {
	d.t.Helper()
	lines := strings.Split(d.View(), "\n")
	if len(lines) > d.height {
		d.t.Errorf("the view has %d lines in a window of %d\n%s", len(lines), d.height, d.framed())
	}
	for n, line := range lines {
		if width := ansi.StringWidth(line); width > d.width {
			d.t.Errorf("line %d of the view is %d wide in a window of %d\n%s", n+1, width, d.width, d.framed())
		}
	}
	return d
}

// QR returns the text of the QR code in the view. It fails the test if the view has no readable
// code.
func (d *Driver) QR() string {
	d.t.Helper()
	text, err := d.Screen().read()
	if err != nil {
		d.t.Fatalf("%v\n%s", err, d.framed())
	}
	return text
}

func (d *Driver) settle() *Driver {
	d.t.Helper()
	const most = 10_000
	for range most {
		if len(d.messages) == 0 {
			return d
		}
		msg := d.messages[0]
		d.messages = d.messages[1:]
		d.handle(msg)
	}
	d.t.Fatalf("the model still sends messages after %d were handled", most)
	return d
}

// handle handles a message like Bubble Tea's event loop.
func (d *Driver) handle(msg tea.Msg) {
	d.t.Helper()
	switch msg.(type) {
	case nil:
	case tea.QuitMsg:
		d.quit = true
	default:
		cmds, several := commands(msg)
		if !several {
			d.update(msg)
		}
		for _, cmd := range cmds {
			d.run(cmd)
		}
	}
}

// commands returns the commands in a tea.Batch or tea.Sequence message. It uses reflection because
// the type of a sequence is unexported.
func commands(msg tea.Msg) ([]tea.Cmd, bool) {
	v := reflect.ValueOf(msg)
	if v.Kind() != reflect.Slice || v.Type().Elem() != reflect.TypeFor[tea.Cmd]() {
		return nil, false
	}
	return v.Convert(reflect.TypeFor[[]tea.Cmd]()).Interface().([]tea.Cmd), true
}

func (d *Driver) update(msg tea.Msg) {
	d.t.Helper()
	var cmd tea.Cmd
	d.model, cmd = d.model.Update(msg)
	if d.Updated != nil {
		d.Updated()
	}
	d.run(cmd)
}

// run runs a command unless it is a timer, and queues its message.
func (d *Driver) run(cmd tea.Cmd) {
	d.t.Helper()
	if cmd == nil || timer(cmd) {
		return
	}
	done := make(chan tea.Msg, 1)
	go func() { done <- cmd() }()
	limit := time.NewTimer(commandLimit)
	defer limit.Stop()
	select {
	case msg := <-done:
		d.messages = append(d.messages, msg)
	case <-limit.C:
		d.t.Fatalf("run command %s: it does not end within %v", nameOf(cmd), commandLimit)
	}
}

// timer reports whether cmd is a timer, by the name of its function.
func timer(cmd tea.Cmd) bool {
	name := nameOf(cmd)
	for _, maker := range []string{".Tick.func", ".Every.func", ".BlinkCmd.func"} {
		if strings.Contains(name, maker) {
			return true
		}
	}
	return false
}

func nameOf(cmd tea.Cmd) string {
	return runtime.FuncForPC(reflect.ValueOf(cmd).Pointer()).Name()
}

func (d *Driver) framed() string { return frame(d.width, ansi.Strip(d.View())) }

func frame(width int, picture string) string {
	rule := fmt.Sprintf("+%s+", strings.Repeat("-", width))
	return rule + "\n" + picture + "\n" + rule
}
