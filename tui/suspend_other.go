//go:build !unix

package tui

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"
)

// suspend does nothing: this system has no SIGTSTP.
func suspend(context.Context, *tea.Program) {}
