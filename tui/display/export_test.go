package display

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/tui/theme"
)

// New returns the screen's model, so that tests can drive it without a terminal.
func New(ctx context.Context, config Config, theme theme.Theme) tea.Model {
	return newModel(ctx, config, theme)
}

// Ticked returns the message that the screen's clock sends.
func Ticked() tea.Msg { return ticked(time.Time{}) }
