package tui

import (
	"context"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/tui/theme"
)

// Screen names a screen of the console.
type Screen int

// The screens.
const (
	Selling  = Screen(selling)  // A sale is entered.
	Paying   = Screen(paying)   // One order's payment.
	Listing  = Screen(listing)  // The orders.
	Awaiting = Screen(awaiting) // The waiting board.
)

// Press presses a key on a screen, by the name that key bindings have or as a
// character. It waits until the screen is open and the key does something
// there, and returns ctx's error when ctx ends before.
type Press func(ctx context.Context, screen Screen, key string) error

// Player uses the console by itself until it is done. Its context ends when
// the console does, and as soon as a person presses a key.
type Player func(ctx context.Context, press Press)

// typed is a key of the player's.
type typed struct {
	screen route
	key    tea.KeyMsg
	done   chan<- struct{} // Closed once the key was handled.
}

// played says that the player is done.
type played struct{}

// play is the console's side of a player.
type play struct {
	on   bool
	stop context.CancelFunc // Ends the player's context; may be nil.
	next *typed             // The key that waits until it does something.
}

// start lets the player play, until ctx ends. It returns where its keys come
// out, and closes that when the player is done.
func (p Player) start(ctx context.Context) <-chan typed {
	keys := make(chan typed)
	press := func(ctx context.Context, screen Screen, key string) error {
		done := make(chan struct{})
		select {
		case keys <- typed{screen: route(screen), key: keyNamed(key), done: done}:
		case <-ctx.Done():
			return ctx.Err()
		}
		select {
		case <-done:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	go func() {
		defer close(keys)
		p(ctx, press)
	}()
	return keys
}

// keyNamed returns the key of a name, and the characters that it is otherwise.
func keyNamed(name string) tea.KeyMsg {
	if name == " " {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune(name)}
	}
	// Bubble Tea numbers the keys that type nothing around zero.
	const far = 128
	for kind := tea.KeyType(-far); kind < far; kind++ {
		if kind != tea.KeyRunes && kind != tea.KeySpace && kind.String() == name {
			return tea.KeyMsg{Type: kind}
		}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}

// takeOver ends the player's turn: a person has pressed a key.
func (m model) takeOver() model {
	if m.play.stop != nil {
		m.play.stop()
	}
	m.play = play{}
	return m
}

// playOn presses the player's key once it does something.
func (m model) playOn() (model, tea.Cmd) {
	next := m.play.next
	if next == nil || !m.takes(*next) {
		return m, nil
	}
	m.play.next = nil
	m, cmd := m.press(next.key)
	m.enable()
	close(next.done)
	return m, cmd
}

// takes tells whether a player's key does something now.
func (m model) takes(next typed) bool {
	if m.overlay != noOverlay || m.route != next.screen {
		return false
	}
	if key.Matches(next.key, m.keys.News, m.keys.Orders, m.keys.Board, m.keys.Hold, m.keys.Catalog) {
		return true
	}
	switch m.route {
	case paying:
		return m.pay.Takes(next.key)
	case listing:
		return m.orders.Takes(next.key)
	case awaiting:
		return m.board.Takes(next.key)
	case stocking:
		return m.catalog.Takes(next.key)
	case ailing:
		return true
	}
	return m.sale.Takes(next.key)
}

// note says, in the demo, where phones find it and that it plays by itself.
func (m model) note() string {
	words := m.Texts.Demo
	switch {
	case m.play.on:
		return m.Theme.Subdued.Render(theme.Truncate(words.Plays, m.size.width))
	case m.Address != "":
		return m.Theme.Subdued.Render(theme.Truncate(words.Phones.With(m.Address), m.size.width))
	}
	return ""
}
