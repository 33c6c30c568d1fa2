package sale

import (
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
)

// Settle is how long the charge question stands before it is answered: an
// Enter that comes earlier counts once the time is over, and not at all when it
// is one of a key that is held.
const Settle = 250 * time.Millisecond

// A key that is held repeats itself in even steps. What comes faster than bounce
// is no step; presses that come faster than repeat on the average are a
// machine's, who means one.
const (
	bounce = 25 * time.Millisecond
	repeat = 15 * time.Millisecond
)

// question is what is known of the open charge question.
type question struct {
	asked   time.Time // Since when it stands.
	last    time.Time // When Enter was pressed last.
	presses int       // How often Enter came before its time,
	steps   int       // and how often by a step of a key that is held.
	held    bool      // Enter is held: it answers nothing until it was let go.
}

// early takes in an Enter that came before its time.
func (q question) early(now time.Time) question {
	q.presses++
	if now.Sub(q.last) >= bounce {
		q.steps++
	}
	q.held = q.steps > 1 && now.Sub(q.asked) >= time.Duration(q.presses)*repeat
	q.last = now
	return q
}

// settled says that the charge question has stood long enough.
type settled struct{}

// askCharge opens the charge question.
func (m Model) askCharge() Model {
	now := m.Now()
	m.question = question{asked: now, last: now}
	return m.become(asking)
}

// answer takes the answer to the question whether to charge or to drop the sale.
// Whatever types something closes the question and stands in the entry line.
func (m Model) answer(msg tea.KeyMsg) (Model, tea.Cmd) {
	switch {
	case m.mode == dropping && key.Matches(msg, m.keys.Held.Yes):
		m.cart = m.cart.Drop()
		return m.become(entering).Say(func(t i18n.Texts) string { return t.Selling.Dropped }).flush()
	case m.mode == asking && key.Matches(msg, m.keys.Charge):
		return m.confirm()
	case key.Matches(msg, m.keys.Back):
		return m.become(entering), nil
	case msg.Type == tea.KeyRunes, msg.Type == tea.KeySpace:
		return m.become(entering).press(msg)
	}
	return m, nil
}

// confirm takes an Enter for the charge question.
func (m Model) confirm() (Model, tea.Cmd) {
	now := m.Now()
	left := Settle - now.Sub(m.question.asked)
	if m.question.held {
		left = Settle - now.Sub(m.question.last)
	}
	switch {
	case left <= 0:
		return m.charge()
	case m.question.held:
		m.question.last = now
		return m, nil
	}
	m.question = m.question.early(now)
	if m.question.presses > 1 {
		return m, nil
	}
	return m, tea.Tick(left, func(time.Time) tea.Msg { return settled{} })
}

// settle charges when an early Enter waits for the question to have stood.
func (m Model) settle() (Model, tea.Cmd) {
	waits := m.mode == asking && m.question.presses > 0 && !m.question.held
	if !waits || m.Now().Sub(m.question.asked) < Settle {
		return m, nil
	}
	return m.charge()
}

// charge puts the sale on disk once more, and then says that it is charged.
func (m Model) charge() (Model, tea.Cmd) {
	m.cart = m.cart.Save()
	return m.become(charging).flush()
}
