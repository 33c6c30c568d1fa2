package tuitest_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/tui/component/qr"
	"checkout/till/tui/tuitest"
)

// note is a message that the recorder writes down.
type note string

func say(text string) tea.Cmd { return func() tea.Msg { return note(text) } }

// recorder writes down what happens and answers keys with the commands it was
// given.
type recorder struct {
	first tea.Cmd
	on    map[string]func() tea.Cmd
	log   []string
}

func (r recorder) Init() tea.Cmd { return r.first }

func (r recorder) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	r.log = append(slices.Clip(r.log), describe(msg))
	if k, ok := msg.(tea.KeyMsg); ok && r.on[k.String()] != nil {
		return r, r.on[k.String()]()
	}
	if n, ok := msg.(note); ok && r.on[string(n)] != nil {
		return r, r.on[string(n)]()
	}
	return r, nil
}

func (r recorder) View() string { return strings.Join(r.log, " ") }

func describe(msg tea.Msg) string {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		return fmt.Sprintf("%dx%d", msg.Width, msg.Height)
	case tea.KeyMsg:
		return "<" + msg.String() + ">"
	default:
		return fmt.Sprint(msg)
	}
}

func TestWhatAPersonDoesReachesTheModel(t *testing.T) {
	d := tuitest.Drive(t, recorder{}, 80, 24)
	d.Press("enter", "ctrl+c", "shift+tab", "f1", "esc", "space", "alt+x").Type("a é").Paste("x\ny").Resize(40, 10)
	want := "80x24 <enter> <ctrl+c> <shift+tab> <f1> <esc> < > <alt+x> <a> < > <é> <[x\ny]> 40x10"
	if got := d.View(); got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if got := d.Model().(recorder).log[0]; got != "80x24" {
		t.Errorf("the first message is %q", got)
	}
}

func TestCommandsRunInTheOrderGiven(t *testing.T) {
	tests := []struct {
		name string
		cmd  tea.Cmd
		want string
	}{
		{"none", nil, ""},
		{"one", say("a"), " a"},
		{"one with nothing to say", func() tea.Msg { return nil }, ""},
		{"a batch", tea.Batch(say("a"), nil, say("b"), say("c")), " a b c"},
		{"a batch in a batch", tea.Batch(tea.Batch(say("a"), say("b")), say("c")), " c a b"},
		{"a sequence", tea.Sequence(say("a"), say("b"), say("c")), " a b c"},
		{"a batch in a sequence", tea.Sequence(tea.Batch(say("a"), say("b")), say("c")), " c a b"},
		{"one that brings another", say("more"), " more a"},
	}
	for _, tt := range tests {
		on := map[string]func() tea.Cmd{
			"x":    func() tea.Cmd { return tt.cmd },
			"more": func() tea.Cmd { return say("a") },
		}
		t.Run(tt.name, func(t *testing.T) {
			want := "80x24 <x>" + tt.want
			if got := tuitest.Drive(t, recorder{on: on}, 80, 24).Press("x").View(); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
		t.Run(tt.name+" in a bubble", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				want := "80x24 <x>" + tt.want
				if got := tuitest.Drive(t, recorder{on: on}, 80, 24).Press("x").View(); got != want {
					t.Errorf("got %q, want %q", got, want)
				}
			})
		})
		t.Run(tt.name+" at the start", func(t *testing.T) {
			if got, want := tuitest.Drive(t, recorder{first: tt.cmd, on: on}, 80, 24).View(), "80x24"+tt.want; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// later is a timer as screens have it.
func later(d time.Duration, text string) tea.Cmd {
	return tea.Tick(d, func(time.Time) tea.Msg { return note(text) })
}

func TestTimersDoNotRunOutsideOfABubble(t *testing.T) {
	input := textinput.New()
	input.Focus()
	d := tuitest.Drive(t, recorder{on: map[string]func() tea.Cmd{
		"t": func() tea.Cmd { return later(time.Hour, "tick") },
		"e": func() tea.Cmd { return tea.Every(time.Hour, func(time.Time) tea.Msg { return note("every") }) },
		"b": func() tea.Cmd { return tea.Batch(say("before"), input.Cursor.BlinkCmd(), say("after")) },
		"s": func() tea.Cmd { return tea.Sequence(say("one"), later(time.Hour, "never"), say("two")) },
	}}, 80, 24)
	want := "80x24 <t> <e> <b> before after <s> one two"
	if got := d.Press("t", "e", "b", "s").View(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTimePassesInABubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := tuitest.Drive(t, recorder{
			first: tea.Batch(later(time.Second, "tick"), later(time.Second, "twin")),
			on:    map[string]func() tea.Cmd{"tick": func() tea.Cmd { return later(time.Second, "tick") }},
		}, 80, 24)
		d.Sees("80x24").Lacks("tick")
		d.Advance(999*time.Millisecond).Lacks("tick", "twin")
		d.Advance(time.Millisecond).Sees("tick", "twin")
		d.Advance(9 * time.Second)
		if got := strings.Count(d.View(), "tick"); got != 10 {
			t.Errorf("%d ticks in ten seconds: %s", got, d.View())
		}
	})
}

func TestASequenceWaitsForItsTimersInABubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := tuitest.Drive(t, recorder{first: tea.Sequence(say("a"), later(time.Minute, "b"), say("c"))}, 80, 24)
		d.Sees("80x24 a").Lacks("b", "c").Advance(time.Minute).Sees("80x24 a b c")
	})
}

func TestACommandThatWaitsForSomethingElseIsLeftWaitingInABubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		news := make(chan string)
		defer close(news)
		d := tuitest.Drive(t, recorder{first: func() tea.Msg { return note(<-news) }}, 80, 24)
		d.Lacks("paid")
		news <- "paid"
		d.Sees("paid")
	})
}

func TestSlowWorkIsWaitedFor(t *testing.T) {
	// A command that hands its work to somebody else, as database drivers do.
	work := func() tea.Msg {
		var wg sync.WaitGroup
		var found string
		wg.Go(func() {
			data, _ := os.ReadFile("doc.go")
			found = string(data[:10])
		})
		wg.Wait()
		return note("found " + found)
	}
	tuitest.Drive(t, recorder{first: work}, 80, 24).Sees("found // Package")
	synctest.Test(t, func(t *testing.T) {
		tuitest.Drive(t, recorder{first: work}, 80, 24).Sees("found // Package")
	})
}

func TestTheEndOfTheProgramIsNoted(t *testing.T) {
	d := tuitest.Drive(t, recorder{on: map[string]func() tea.Cmd{"q": func() tea.Cmd { return tea.Quit }}}, 80, 24)
	if d.Quit() {
		t.Error("it has quit before it was asked to")
	}
	if d.Press("q"); !d.Quit() {
		t.Error("it has not quit")
	}
}

func TestAModelThatFailsItsTest(t *testing.T) {
	restless := map[string]func() tea.Cmd{"x": func() tea.Cmd { return say("again") }, "again": func() tea.Cmd { return say("again") }}
	tests := []struct {
		name string
		do   func(*tuitest.Driver)
		want string
	}{
		{"does not say what it should", func(d *tuitest.Driver) { d.Sees("80x24", "PAID") }, `does not say "PAID"`},
		{"says what it should not", func(d *tuitest.Driver) { d.Lacks("PAID", "80x24") }, `says "80x24"`},
		{"never comes to rest", func(d *tuitest.Driver) { d.Press("x") }, "come to rest"},
		{"is too wide", func(d *tuitest.Driver) { d.Resize(4, 24).Fits() }, "wide in a window of 4"},
		{"is too high", func(d *tuitest.Driver) { d.Send(note("a\nb\nc")).Resize(80, 2).Fits() }, "3 lines in a window of 2"},
		{"has no code", func(d *tuitest.Driver) { d.QR() }, "no QR code"},
		{"has no clock", func(d *tuitest.Driver) { d.Advance(time.Second) }, "synctest.Test"},
		{"is asked for an unknown key", func(d *tuitest.Driver) { d.Press("hyper") }, "no key is called that"},
		{"has no golden file", func(d *tuitest.Driver) { d.Golden("absent") }, "-update"},
		{"differs from its golden file", func(d *tuitest.Driver) { d.Press("y").Golden("recorder") }, "differs from"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			spy := &spy{TB: t}
			d := tuitest.Drive(spy, recorder{on: restless}, 80, 24)
			spy.fails(func() { tt.do(d) })
			if !strings.Contains(spy.said, tt.want) {
				t.Errorf("the failure says %q, want %q in it", spy.said, tt.want)
			}
		})
	}
}

// poster draws a code.
type poster struct{ code qr.Model }

func (p poster) Init() tea.Cmd { return nil }

func (p poster) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if size, ok := msg.(tea.WindowSizeMsg); ok {
		p.code = p.code.SetSize(size.Width, size.Height)
	}
	return p, nil
}

func (p poster) View() string { return p.code.View() }

func TestACodeIsReadFromAView(t *testing.T) {
	code, err := qr.New(link)
	if err != nil {
		t.Fatal(err)
	}
	if got := tuitest.Drive(t, poster{code}, 80, 24).Fits().QR(); got != link {
		t.Errorf("read %q", got)
	}
}

func TestGoldenFiles(t *testing.T) {
	d := tuitest.Drive(t, recorder{}, 20, 4).Send(note("\x1b[31mred\x1b[0m   "))
	d.Golden("recorder")
}

func ExampleDrive() {
	t := &testing.T{}
	d := tuitest.Drive(t, recorder{}, 80, 24)
	fmt.Println(d.Type("ok").Press("enter").View())
	// Output: 80x24 <o> <k> <enter>
}
