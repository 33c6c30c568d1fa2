package tui

import (
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/tui/component/screen"
)

// Repeat is the longest time between two repeats of a key that is held. A person who
// taps a key twice takes longer.
const Repeat = 120 * time.Millisecond

// taps tells a tap of an answering key from a key that is held. A tap counts once the
// same key did not come within [Repeat] before it or after it.
type taps struct {
	last    map[string]time.Time // When each answering key came last.
	waiting *tap
}

// tap is an answering key that counts unless it comes again.
type tap struct {
	key   tea.KeyMsg
	asked string // What it answers.
}

// answering are the keys that answer a question, acknowledge an outcome or leave the
// program.
func answering() key.Binding { return screen.Bind("", "", "enter", "tab", "delete", "ctrl+c") }

// tap takes a key. One that may be a held key waits; every other one is handled at
// once, after the one that waits.
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

// tapped handles the tap that waits once its time is over.
func (m *model) tapped() tea.Cmd {
	waiting := m.taps.waiting
	if waiting == nil || m.Service.Now().Sub(m.taps.last[waiting.key.String()]) < Repeat {
		return nil
	}
	m.taps.waiting = nil
	return m.count(waiting)
}

// count handles a tap whose key was not held, if it still answers what it answered.
func (m *model) count(waiting *tap) tea.Cmd {
	if m.asked() != waiting.asked {
		return nil
	}
	return m.act(waiting.key)
}

// asked names the question or the outcome that an answering key would answer now; ""
// if there is none.
func (m *model) asked() string {
	switch {
	case m.quitting():
		return m.counter.Answerable()
	case m.helping:
		return ""
	}
	return m.table()[m.route].Asked()
}
