//go:build !unix

package tui

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"
)

// suspend does nothing: only Unix has SIGTSTP, the signal that suspends a program.
func suspend(context.Context, *tea.Program) {}
