package pay

import (
	"context"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/counter"
	"checkout/till/tui/wording"
)

// StoryWanted is sent when the cashier wants to see what happened to an order, because
// the customer says that it is paid.
type StoryWanted struct{ Reference string }

// noticed is what there is to say of what was tried; link shows the link whole.
type noticed struct {
	text i18n.Message
	link bool
}

// longestCall is how long an order call takes at most, as the screen says it: the
// gateway's own deadline.
const longestCall = 30 * time.Second

// asks returns whether a question about an order is open.
func (m Model) asks() bool {
	question := m.Counter.Question()
	return question != nil && question.Kind.OfOrder()
}

func (m Model) question() string { return wording.Question(m.Texts, m.Zone, *m.Counter.Question()) }

// answers say how the question that is open is answered.
func (m Model) answers() []string {
	if kind := m.Counter.Question().Kind; kind == counter.AskLeave || kind == counter.AskDone {
		return []string{m.Texts.Asks.YesNo, m.Texts.Asks.OrNext}
	}
	return []string{m.Texts.Asks.YesNo}
}

func (m Model) answer(msg tea.KeyMsg) {
	switch answers := screen.NewAnswers(); {
	case key.Matches(msg, answers.Yes):
		m.Counter.Yes()
	case key.Matches(msg, answers.No):
		m.Counter.No()
	}
}

// Serves reports whether a key types something at a question, or text came at once at a
// code or at an outcome. That belongs to the next customer: the order is left to wait.
func (m Model) Serves(msg tea.KeyMsg) bool {
	return screen.Types(msg) && (m.asks() || msg.Paste && !m.sending())
}

// Typing reports whether characters are text: here each is a key.
func (m Model) Typing() bool { return false }

// Asked names the question or the outcome that a key answers; "" while there is none that
// could be read.
func (m Model) Asked() string { return m.Counter.Answerable() }

// try does what may fail without harm, and says how it ended.
func (m Model) try(work func(context.Context) error, done, failed noticed) tea.Cmd {
	return m.Run(func(ctx context.Context) tea.Msg {
		if work(ctx) != nil {
			return failed
		}
		return done
	})
}
