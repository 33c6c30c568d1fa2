package tui

import (
	"context"
	"io"
	"sync/atomic"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/tui/counter"
)

// New returns the console's model, so that tests can drive it without a terminal.
func New(ctx context.Context, config Config) tea.Model {
	return newModel(ctx, config)
}

// Changed returns the message that reports a change in the store.
func Changed() tea.Msg { return changed{} }

// Ticked returns the message that the console's clock sends.
func Ticked() tea.Msg { return ticked(time.Time{}) }

// GraceEnds returns when the console, returned by [New], next draws the keys of an outcome.
func GraceEnds(console tea.Model) time.Time { return console.(model).graceEnds }

// Performed reports whether msg is the message that an effect of type E has been performed.
func Performed[E counter.Effect](msg tea.Msg) bool {
	done, is := msg.(performed)
	if is {
		_, is = done.effect.(E)
	}
	return is
}

// Found reports whether msg is the result of looking up a sale by its number.
func Found(msg tea.Msg) bool {
	_, is := msg.(found)
	return is
}

// Help is the help of a screen.
type Help struct {
	Title string
	Keys  []key.Binding
}

// Helps returns the help of the keys that work on every screen, and the help of every listed
// screen.
func Helps(ctx context.Context, config Config) []Help {
	m := newModel(ctx, config)
	m.keys.SignIn.SetEnabled(true)
	helps := []Help{{Title: config.Texts.Guide.Everywhere, Keys: m.keys.common()}}
	for _, listed := range m.all {
		help := Help{Title: listed.title(config.Texts)}
		for _, group := range listed.screen.FullHelp() {
			help.Keys = append(help.Keys, group.Keys...)
		}
		helps = append(helps, help)
	}
	return helps
}

// Forward sends a message for each wake-up until ctx ends and wakeUps is closed.
func Forward(ctx context.Context, wakeUps <-chan struct{}, send func(tea.Msg)) {
	forward(ctx, wakeUps, send)
}

// Pace is the shortest time between two change messages.
const Pace = pace

// Synchronized returns an output on which each write appears as a whole.
func Synchronized(output io.Writer, slow *atomic.Bool) io.Writer { return synchronized(output, slow) }

// Selling reports whether the sale screen gets the keys and asks nothing.
func Selling(console tea.Model) bool {
	m := console.(model)
	return m.route == routeSale && !m.covered() && m.counter.Asking() == ""
}

// Texts returns the texts of the console's present language.
func Texts(console tea.Model) i18n.Texts { return console.(model).Texts }
