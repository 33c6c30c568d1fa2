package tuitest

import (
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// A Driver is a person in front of one model, without a terminal. Its methods
// are for the test's goroutine; most return the Driver, to be chained.
type Driver struct {
	t             testing.TB
	model         tea.Model
	width, height int
	runner        *runner
	quit          bool
}

// Drive starts model as Bubble Tea does, in a window of width columns and height
// rows, and runs its commands until none is left that has something to say.
//
// Commands run one after the other, in the order in which they were given.
// Within a testing/synctest bubble all of them run, on the bubble's clock: one
// that waits is left waiting, and Advance brings its message. When the test ends
// time runs on until the last timer has gone off; what waits for a channel the
// test has to close. Outside of a bubble a command that is a timer (tea.Tick,
// tea.Every, a blinking cursor) never runs, and any other must come to an end
// within 10 seconds.
func Drive(t testing.TB, model tea.Model, width, height int) *Driver {
	t.Helper()
	d := &Driver{t: t, model: model, width: width, height: height, runner: newRunner()}
	t.Cleanup(d.runner.finish)
	first := model.Init()
	d.update(tea.WindowSizeMsg{Width: width, Height: height})
	d.run(first)
	return d.settle()
}

// Send gives messages to the model, one after the other, and runs what commands
// they bring.
func (d *Driver) Send(msgs ...tea.Msg) *Driver {
	d.t.Helper()
	for _, msg := range msgs {
		d.runner.messages.push(msg)
		d.settle()
	}
	return d
}

// Press presses keys by the names that key bindings have: "enter", "esc", "up",
// "ctrl+c", "f1", "shift+tab", "alt+x", or a character.
func (d *Driver) Press(keys ...string) *Driver {
	d.t.Helper()
	for _, name := range keys {
		k, err := Key(name)
		if err != nil {
			d.t.Fatal(err)
		}
		d.Send(k)
	}
	return d
}

// Type presses the keys of text, character by character.
func (d *Driver) Type(text string) *Driver {
	d.t.Helper()
	for _, r := range text {
		d.Press(string(r))
	}
	return d
}

// Paste sends text as one paste.
func (d *Driver) Paste(text string) *Driver {
	d.t.Helper()
	return d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: true})
}

// Resize gives the window another size.
func (d *Driver) Resize(width, height int) *Driver {
	d.t.Helper()
	d.width, d.height = width, height
	return d.Send(tea.WindowSizeMsg{Width: width, Height: height})
}

// Advance lets time go by, with all that falls due within it. It works in a
// testing/synctest bubble alone.
func (d *Driver) Advance(by time.Duration) *Driver {
	d.t.Helper()
	if !d.runner.bubble {
		d.t.Fatal("Advance has no clock to set: call Drive within synctest.Test")
	}
	// One step for each thing that falls due, so that a timer started by the
	// first is still in time for the last.
	for end := time.Now().Add(by); ; {
		d.settle()
		rest := time.Until(end)
		if rest <= 0 {
			return d
		}
		d.runner.messages.wait(rest)
	}
}

// View is what the model draws, escape sequences and all.
func (d *Driver) View() string {
	d.t.Helper()
	return d.settle().model.View()
}

// Screen is what the window shows of the view.
func (d *Driver) Screen() Screen { return Render(d.View(), d.width, d.height) }

// Model is the model as it is now.
func (d *Driver) Model() tea.Model {
	d.t.Helper()
	return d.settle().model
}

// Quit tells whether the model has asked the program to end.
func (d *Driver) Quit() bool {
	d.t.Helper()
	return d.settle().quit
}

// Sees fails the test unless the view says all of texts.
func (d *Driver) Sees(texts ...string) *Driver {
	d.t.Helper()
	text := ansi.Strip(d.View())
	for _, want := range texts {
		if !strings.Contains(text, want) {
			d.t.Fatalf("the view does not say %q\n%s", want, d.framed())
		}
	}
	return d
}

// Lacks fails the test if the view says any of texts.
func (d *Driver) Lacks(texts ...string) *Driver {
	d.t.Helper()
	text := ansi.Strip(d.View())
	for _, unwanted := range texts {
		if strings.Contains(text, unwanted) {
			d.t.Fatalf("the view says %q\n%s", unwanted, d.framed())
		}
	}
	return d
}

// Fits fails the test if the view is larger than the window: Bubble Tea cuts
// wide lines, and the first lines of high views.
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

// QR is the text of the QR code in the view. The test fails if there is none
// that can be read.
func (d *Driver) QR() string {
	d.t.Helper()
	code, err := d.Screen().Code()
	if err != nil {
		d.t.Fatalf("%v\n%s", err, d.framed())
	}
	text, err := code.Text()
	if err != nil {
		d.t.Fatalf("%v\n%s", err, d.framed())
	}
	return text
}

// settle hands out messages until there are no more. All that look at the model
// begin with it, for in a bubble commands can come to their ends by themselves.
func (d *Driver) settle() *Driver {
	d.t.Helper()
	const most = 10_000
	for range most {
		d.runner.wait()
		msg, ok := d.runner.messages.pop()
		if !ok {
			return d
		}
		d.handle(msg)
	}
	d.t.Fatalf("the model does not come to rest: %d messages brought more of them", most)
	return d
}

// handle treats a message as Bubble Tea's loop does.
func (d *Driver) handle(msg tea.Msg) {
	d.t.Helper()
	if msg == nil {
		return
	}
	switch m := msg.(type) {
	case tea.QuitMsg:
		d.quit = true
	case tea.BatchMsg:
		for _, cmd := range m {
			d.run(cmd)
		}
	default:
		if cmds, ok := sequenced(msg); ok {
			d.run(func() tea.Msg { return d.runner.inOrder(cmds) })
			return
		}
		d.update(msg)
	}
}

func (d *Driver) update(msg tea.Msg) {
	d.t.Helper()
	var cmd tea.Cmd
	d.model, cmd = d.model.Update(msg)
	d.run(cmd)
}

func (d *Driver) run(cmd tea.Cmd) {
	d.t.Helper()
	if err := d.runner.run(cmd); err != nil {
		d.t.Fatal(err)
	}
}

func (d *Driver) framed() string {
	rule := "+" + strings.Repeat("-", d.width) + "+"
	return rule + "\n" + ansi.Strip(d.model.View()) + "\n" + rule
}
