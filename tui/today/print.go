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
	slips, printer := m.slips(), m.Receipts.Printer
	if printer.None() || len(slips) == 0 {
		m.said = receipt.NoPrinter
		return m, nil
	}
	m.said = receipt.Printing
	bytes := m.paper(slips[0], m.Receipts.Columns).Bytes()
	return m, m.Run(func(ctx context.Context) tea.Msg {
		outcome, err := printer.Print(ctx, bytes)
		return printed{outcome, err}
	})
}

// paper returns a slip as it is printed.
func (m Model) paper(of slip, columns int) *receipt.Paper {
	paper := receipt.NewPaper(columns, m.Receipts.Printer.CodePage)
	paper.Unreal(m.Texts, m.Receipts.Shop)
	paper.Heading(m.Receipts.Shop)
	paper.Text(of.title, receipt.Bold)
	for _, line := range of.lines(columns) {
		paper.Text(line, receipt.Plain)
	}
	return paper
}
