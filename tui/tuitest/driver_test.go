package tuitest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/tui/tuitest"
)

// note is a message that the recorder writes down.
type note string

func say(text string) tea.Cmd { return func() tea.Msg { return note(text) } }

// recorder writes down what happens and answers keys and notes with commands.
type recorder struct {
	on  map[string]tea.Cmd
	log []string
}

func (r recorder) Init() tea.Cmd { return nil }

func (r recorder) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	text := fmt.Sprint(msg)
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		text = fmt.Sprintf("%dx%d", msg.Width, msg.Height)
	case tea.KeyMsg:
		text = "<" + text + ">"
	}
	r.log = append(slices.Clip(r.log), text)
	return r, r.on[text]
}

func (r recorder) View() string { return strings.Join(r.log, " ") }

func TestAModelThatFailsItsTest(t *testing.T) {
	for name, tt := range map[string]struct {
		do   func(*tuitest.Driver)
		want string
	}{
		"does not say what it should":  {func(d *tuitest.Driver) { d.Sees("80x24", "PAID") }, `does not say "PAID"`},
		"says what it should not":      {func(d *tuitest.Driver) { d.Lacks("PAID", "80x24") }, `says "80x24"`},
		"never comes to rest":          {func(d *tuitest.Driver) { d.Press("x") }, "come to rest"},
		"is too wide":                  {func(d *tuitest.Driver) { d.Resize(4, 24).Fits() }, "wide in a window of 4"},
		"is too high":                  {func(d *tuitest.Driver) { d.Send(note("a\nb\nc")).Resize(80, 2).Fits() }, "3 lines in a window of 2"},
		"has no code":                  {func(d *tuitest.Driver) { d.QR() }, "no QR code"},
		"is asked for an unknown key":  {func(d *tuitest.Driver) { d.Press("hyper") }, "no key is called that"},
		"looks other than it did once": {func(d *tuitest.Driver) { d.Compare("recorder.golden") }, "differs from"},
	} {
		t.Run(name, func(t *testing.T) {
			spy := &spy{TB: t}
			d := tuitest.Drive(spy, recorder{on: map[string]tea.Cmd{"<x>": say("again"), "again": say("again")}}, 80, 24)
			spy.fails(func() { tt.do(d) })
			if !strings.Contains(spy.said, tt.want) {
				t.Errorf("the failure says %q, want %q in it", spy.said, tt.want)
			}
		})
	}
	tuitest.Drive(t, recorder{}, 20, 4).Send(note("\x1b[31mred\x1b[0m   ")).Compare("recorder.golden")
}
