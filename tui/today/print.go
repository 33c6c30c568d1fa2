package today

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/tui/receipt"
)

// printed is sent when a print has ended.
type printed struct {
	outcome receipt.Outcome
	err     error
}

func (m Model) print() (Model, tea.Cmd) {
	accounts, printer := m.accounts(), m.Receipts.Printer
	statements := accounts.statements()
	if printer.None() || len(statements) == 0 {
		m.said = receipt.NoPrinter
		return m, nil
	}
	m.said = receipt.Printing
	bytes := accounts.paper(statements[0], m.Receipts.Columns).Bytes()
	return m, m.Run(func(ctx context.Context) tea.Msg {
		outcome, err := printer.Print(ctx, bytes)
		return printed{outcome, err}
	})
}

// opened is sent when the drawer was opened, or the printer could not open it.
type opened struct{ err error }

// openDrawer returns a command that opens the drawer, after money was moved or after the question
// whether to open it.
func (m Model) openDrawer() tea.Cmd {
	return m.Run(func(ctx context.Context) tea.Msg { return opened{m.Receipts.OpenDrawer(ctx)} })
}
