package today

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/tui/component/account"
	"checkout/till/tui/receipt"
)

// printed is sent when the printer has answered. problem is nil if the slip was printed.
type printed struct{ problem i18n.Message }

// print prints the first slip on the receipt printer.
func (m Model) print() (Model, tea.Cmd) {
	slips, printer := m.slips(), m.Receipts.Printer
	if printer == "" || len(slips) == 0 {
		m.said = func(t i18n.Texts) string { return t.Receipt.NoPrinter }
		return m, nil
	}
	paper := receipt.NewPaper(m.Receipts.Columns)
	paper.Center(m.Receipts.Shop.Name, receipt.Tall)
	paper.Text(slips[0].title, receipt.Bold)
	for _, line := range account.Lines(m.Texts, m.Zone, slips[0].account, m.Receipts.Columns) {
		paper.Text(line, receipt.Plain)
	}
	m.said = func(t i18n.Texts) string { return t.Receipt.Printing }
	bytes := paper.Bytes()
	return m, m.Run(func(ctx context.Context) tea.Msg {
		err := printer.Print(ctx, bytes)
		if err == nil {
			return printed{}
		}
		return printed{func(t i18n.Texts) string {
			problem, advice := receipt.Problem(t, err)
			return problem + " " + advice
		}}
	})
}
