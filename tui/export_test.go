package tui

import (
	"context"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
)

// New returns the console's model, for tests that drive it without a terminal.
func New(ctx context.Context, config Config) tea.Model {
	return newModel(ctx, config)
}

// Changed is the message that something in the store changed.
func Changed() tea.Msg { return changed{} }

// Ticked is the message of the console's clock.
func Ticked() tea.Msg { return ticked(time.Time{}) }

// Picked is the message of a reading that found these open orders.
func Picked(orders []payments.Order) tea.Msg { return picked{orders: orders} }

// Typed is the message that the player presses a key of a screen; the channel
// is closed once the console has handled it.
func Typed(screen Screen, key string) (tea.Msg, <-chan struct{}) {
	done := make(chan struct{})
	return typed{screen: route(screen), key: keyNamed(key), done: done}, done
}

// Played is the message that the player is done.
func Played() tea.Msg { return played{} }

// CommonKeys are the keys that work on every screen.
func CommonKeys(words i18n.Keys) []key.Binding {
	common := newKeyMap(words)
	return []key.Binding{common.Help, common.News, common.Orders, common.Board, common.Hold, common.Catalog, common.Language, common.Quit}
}

// Relay turns wake-ups into messages until ctx ends and they are closed.
func Relay(ctx context.Context, wakeUps <-chan struct{}, send func(tea.Msg)) {
	relay(ctx, wakeUps, nil, send)
}

// Pace is how long changes are left alone after one of them was told.
const Pace = pace
