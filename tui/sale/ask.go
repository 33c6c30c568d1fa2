package sale

import (
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Settle is how long the charge question stands before it is answered: an
// Enter that comes earlier counts once the time is over, and not at all when
// more of them show that the key is held.
const Settle = 250 * time.Millisecond

// bounce is by how much two presses of a key differ at least in time when a
// person or a held key makes them.
const bounce = 20 * time.Millisecond

// question is what is known of the open charge question.
type question struct {
	asked time.Time // Since when it stands, or since a held Enter was last seen.
	early time.Time // When Enter came before its time; zero while none has.
	held  bool      // Enter is held: it answers nothing until it was let go.
}

// settled says that the charge question has stood long enough.
type settled struct{}

// askCharge opens the charge question.
func (m Model) askCharge() Model {
	m.question = question{asked: m.Now()}
	return m.become(asking)
}

// answer takes the answer to the charge question.
func (m Model) answer(msg tea.KeyMsg) (Model, tea.Cmd) {
	switch {
	case key.Matches(msg, m.keys.Charge):
		return m.confirm()
	case key.Matches(msg, m.keys.Back):
		return m.become(entering), nil
	}
	return m, nil
}

// confirm takes an Enter for the charge question.
func (m Model) confirm() (Model, tea.Cmd) {
	now, asked := m.Now(), m.question
	stood := now.Sub(asked.asked)
	switch {
	case stood >= Settle:
		return m.charge()
	case asked.early.IsZero() && !asked.held:
		m.question.early = now
		return m, tea.Tick(Settle-stood, func(time.Time) tea.Msg { return settled{} })
	case !asked.held && now.Sub(asked.early) < bounce:
		return m, nil
	}
	m.question = question{asked: now, held: true}
	return m, nil
}

// settle charges when an early Enter waits for the question to have stood.
func (m Model) settle() (Model, tea.Cmd) {
	waits := m.mode == asking && !m.question.early.IsZero()
	if !waits || m.Now().Sub(m.question.asked) < Settle {
		return m, nil
	}
	return m.charge()
}

// charge puts the sale on disk once more, and then says that it is charged.
func (m Model) charge() (Model, tea.Cmd) { return m.become(charging).store() }
