package today

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/tui/receipt"
)

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

// opened is sent after an attempt to open the drawer. If the attempt needed a PIN, the drawer stayed
// closed, and err is nil.
type opened struct{ err error }

// openDrawer returns a command that opens the drawer after an answer, which has already been
// recorded.
func (m Model) openDrawer() tea.Cmd {
	return m.Run(func(ctx context.Context) tea.Msg { return opened{m.Receipts.OpenDrawer(ctx)} })
}
