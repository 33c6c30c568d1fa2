//go:build !unix

package tui

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"
)

// suspend does nothing: no program is stopped from outside here.
func suspend(context.Context, *tea.Program) {}
