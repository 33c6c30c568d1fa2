package shoptest

import tea "github.com/charmbracelet/bubbletea"

// Gate stands around a model and can keep back the commands that it gives, or
// the messages that it gets, as a machine does that is slow.
type Gate struct {
	tea.Model
	state *gateState
}

type gateState struct {
	keeps func(tea.Msg) bool
	holds func(tea.Msg) bool
	kept  []tea.Cmd
}

type opened struct{}

// NewGate returns a gate that is open.
func NewGate(model tea.Model) Gate { return Gate{Model: model, state: &gateState{}} }

// Keep makes the gate keep back the commands that follow a message for which
// keeps returns true.
func (g Gate) Keep(keeps func(tea.Msg) bool) { g.state.keeps = keeps }

// Hold makes the gate keep back the messages for which holds returns true: what
// led to them has happened, and the model does not know.
func (g Gate) Hold(holds func(tea.Msg) bool) { g.state.holds = holds }

// Kept is how many commands and messages are kept back.
func (g Gate) Kept() int { return len(g.state.kept) }

// Open is the message upon which the gate lets everything go, in its order, and
// keeps nothing back any more.
func (g Gate) Open() tea.Msg { return opened{} }

// Update hands a message to the model.
func (g Gate) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, ok := msg.(opened); ok {
		kept := g.state.kept
		*g.state = gateState{}
		return g, tea.Batch(kept...)
	}
	if g.state.holds != nil && g.state.holds(msg) {
		g.state.kept = append(g.state.kept, func() tea.Msg { return msg })
		return g, nil
	}
	var cmd tea.Cmd
	g.Model, cmd = g.Model.Update(msg)
	if g.state.keeps != nil && cmd != nil && g.state.keeps(msg) {
		g.state.kept = append(g.state.kept, cmd)
		return g, nil
	}
	return g, cmd
}
