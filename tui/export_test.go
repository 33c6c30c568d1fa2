package tui

import (
	"context"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/tui/counter"
)

// New returns the console's model, for tests that drive it without a terminal.
func New(ctx context.Context, config Config) tea.Model {
	return newModel(ctx, config)
}

// Changed returns the message that reports a change in the store.
func Changed() tea.Msg { return changed{} }

// Ticked returns the message of the console's clock.
func Ticked() tea.Msg { return ticked(time.Time{}) }

// Performed reports whether msg is the result of an effect of type E.
func Performed[E counter.Effect](msg tea.Msg) bool {
	done, is := msg.(performed)
	if is {
		_, is = done.effect.(E)
	}
	return is
}

// CommonKeys returns the keys that work on every screen.
func CommonKeys(texts i18n.Texts) []key.Binding {
	return newKeyMap(texts).common()
}

// Relay turns wake-ups into messages until ctx ends and wakeUps is closed.
func Relay(ctx context.Context, wakeUps <-chan struct{}, send func(tea.Msg)) {
	relay(ctx, wakeUps, send)
}

// Pace is the shortest time between two change messages.
const Pace = pace
