package display

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/tui/theme"
)

// New returns the screen's model, for tests that drive it without a terminal.
func New(ctx context.Context, config Config, theme theme.Theme) tea.Model {
	return newModel(ctx, config, theme)
}

// Ticked returns the message of the screen's clock.
func Ticked() tea.Msg { return ticked(time.Time{}) }
