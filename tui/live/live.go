// Package live has the state that the console gives every screen, the messages between
// screens, and a loader that reads in the background.
package live

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/tui/receipt"
	"checkout/till/tui/theme"
)

// Runner returns a command that does slow work in the background. It passes the console's
// context to the work.
type Runner func(work func(ctx context.Context) tea.Msg) tea.Cmd

// Console is the state that the console gives every screen.
type Console struct {
	Service *drawer.Service
	Run     Runner
	Till    string
	Shared  bool // Several tills share the database.
	Motion  bool // Changes may be animated.
	Demo    bool // The console runs as a demo, so no sale is real.
	Zone    *time.Location
	Theme   theme.Theme
	Texts   i18n.Texts
	// Receipts says how the till makes receipts.
	Receipts receipt.Config
}

// Entered is sent to a screen when the cashier opens it.
type Entered struct{}

// Exited is sent to a screen when the cashier opens another screen.
type Exited struct{}

// Closed is sent by a screen when the cashier closes it.
type Closed struct{}

// ArticlesChanged is sent to every screen when an article was added, changed or deleted.
type ArticlesChanged struct{}

// LinesWanted is sent by a screen when the cashier wants the lines of an order back, to
// correct them or for another sale.
type LinesWanted struct{ Order payments.Order }
