package shoptest

import (
	"math/rand/v2"

	tea "github.com/charmbracelet/bubbletea"
)

// Gate wraps a model and can delay its commands or messages, as a slow machine would.
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

// NewGate returns a gate that delays nothing.
func NewGate(model tea.Model) Gate { return Gate{Model: model, state: &gateState{}} }

// HoldCommands delays the command that the model returns for a message that keeps accepts.
func (g Gate) HoldCommands(keeps func(tea.Msg) bool) { g.state.keeps = keeps }

// HoldMessages delays the messages that holds accepts. Their commands have already run, but the
// model does not know the result yet.
func (g Gate) HoldMessages(holds func(tea.Msg) bool) { g.state.holds = holds }

// Shuffle changes the order in which Open releases what was delayed.
func (g Gate) Shuffle(random *rand.Rand) {
	kept := g.state.kept
	random.Shuffle(len(kept), func(i, j int) { kept[i], kept[j] = kept[j], kept[i] })
}

// Open returns a message that ends all delays and releases what was delayed.
func (g Gate) Open() tea.Msg { return opened{} }

// Update passes a message to the model, unless the gate delays the message.
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
