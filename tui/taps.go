package tui

import (
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/tui/component/screen"
)

// Repeat is the longest time between two characters that a terminal sends while a key is
// held down. Two taps by a person are further apart.
const Repeat = 120 * time.Millisecond

// taps distinguishes a tap of an answering key from the repeats of a key that is held
// down. A tap counts if the same key is not read within [Repeat] before or after it.
type taps struct {
	last    map[string]time.Time
	waiting *tap
}

// tap is a press of a key that answers a question. The press is ignored if the key is held down.
type tap struct {
	key   tea.KeyMsg
	asked string // Question or outcome that the key answers; see screenModel.Asked.
}

// answering returns the keys that answer a question, acknowledge an outcome or end the
// program.
func answering() key.Binding { return screen.Bind("", "", "enter", "tab", "delete", "ctrl+c") }

// tap handles a key. If there is a question or an outcome to answer, an answering key counts only
// after [Repeat]. Any other key is handled immediately, after the waiting tap.
func (m *model) tap(msg tea.KeyMsg, at time.Time) tea.Cmd {
	waiting := m.taps.waiting
	m.taps.waiting = nil
	var before tea.Cmd
	if waiting != nil && waiting.key.String() != msg.String() {
		before = m.count(waiting)
	}
	if !key.Matches(msg, answering()) {
		return tea.Batch(before, m.act(msg))
	}
	last, known := m.taps.last[msg.String()]
	held := known && at.Sub(last).Abs() < Repeat
	m.taps.last[msg.String()] = at
	asked := m.asked()
	switch {
	case asked == "":
		return tea.Batch(before, m.act(msg))
	case held:
		return before
	}
	m.taps.waiting = &tap{msg, asked}
	return tea.Batch(before, tea.Tick(Repeat, func(time.Time) tea.Msg { return quiet{} }))
}

// tapped handles the waiting tap after [Repeat].
func (m *model) tapped() tea.Cmd {
	waiting := m.taps.waiting
	if waiting == nil || m.Service.Now().Sub(m.taps.last[waiting.key.String()]) < Repeat {
		return nil
	}
	m.taps.waiting = nil
	return m.count(waiting)
}

// count handles the waiting tap, unless another question or outcome has opened meanwhile.
func (m *model) count(waiting *tap) tea.Cmd {
	if m.asked() != waiting.asked {
		return nil
	}
	return m.act(waiting.key)
}

// asked returns a text that names the question or outcome that an answering key would answer now,
// or "".
func (m *model) asked() string {
	switch {
	case m.quitting():
		return m.counter.Answerable()
	case m.helping:
		return ""
	}
	return m.table()[m.route].Asked()
}
