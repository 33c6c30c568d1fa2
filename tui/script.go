package tui

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/tui/theme"
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

// note says, in the demo, where phones find it and that it plays by itself.
func (m model) note() string {
	words := m.Texts.Demo
	switch {
	case m.playing:
		return m.Theme.Muted.Render(theme.Truncate(words.Plays, m.size.width))
	case m.Address != "":
		return m.Theme.Muted.Render(theme.Truncate(words.Phones.With(m.Address), m.size.width))
	}
	return ""
}
