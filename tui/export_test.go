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

// Changed is the message that something in the store changed.
func Changed() tea.Msg { return changed{} }

// Ticked is the message of the console's clock.
func Ticked() tea.Msg { return ticked(time.Time{}) }

// Quiet is the message that for some time no key came.
func Quiet() tea.Msg { return quiet{} }

// LetterWait is how long a letter waits for another one before it is a command.
const LetterWait = letterWait

// IsPicture tells whether a message is what was read of the store.
func IsPicture(msg tea.Msg) bool {
	done, is := msg.(performed)
	if !is {
		return false
	}
	_, is = done.effect.(counter.ReadPicture)
	return is
}

// IsSaved tells whether a message says that a sale was written to disk.
func IsSaved(msg tea.Msg) bool {
	done, is := msg.(performed)
	if !is {
		return false
	}
	_, is = done.effect.(counter.SaveSale)
	return is
}

// IsAcknowledged tells whether a message says that an outcome was acknowledged.
func IsAcknowledged(msg tea.Msg) bool {
	done, is := msg.(performed)
	if !is {
		return false
	}
	_, is = done.effect.(counter.Acknowledge)
	return is
}

// CommonKeys are the keys that work on every screen.
func CommonKeys(texts i18n.Texts) []key.Binding {
	return newKeyMap(texts).common()
}

// Relay turns wake-ups into messages until ctx ends and they are closed.
func Relay(ctx context.Context, wakeUps <-chan struct{}, send func(tea.Msg)) {
	relay(ctx, wakeUps, send)
}

// Pace is how long changes are left alone after one of them was told.
const Pace = pace
