//go:build !unix

package tui

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"
)

// suspend does nothing: only Unix has SIGTSTP.
func suspend(context.Context, *tea.Program) {}
