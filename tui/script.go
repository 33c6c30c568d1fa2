package tui

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"
)

// Script uses the console by itself until it is done. Its context ends when the
// console does, and as soon as a person presses a key.
type Script func(ctx context.Context, press func(key tea.KeyMsg))

// played is a key of the script's; scriptEnded says that there are no more.
type (
	played      struct{ key tea.KeyMsg }
	scriptEnded struct{}
)

// play plays the script until it ends or ctx does.
func play(ctx context.Context, script Script, send func(tea.Msg)) {
	script(ctx, func(key tea.KeyMsg) { send(played{key}) })
	send(scriptEnded{})
}

// takeOver ends the script: a person has pressed a key.
func (m *model) takeOver() {
	m.stopScript()
	m.playing = false
}
