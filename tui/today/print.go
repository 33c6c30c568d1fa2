package today

import (
	"context"
	"errors"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments/drawer"
	"checkout/till/payments/staff"
	"checkout/till/tui/component/question"
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

// opened is sent when the drawer was opened, or the printer has failed to.
type opened struct{ err error }

// openDrawer returns a command that opens the drawer, after a movement of money or its own question.
func (m Model) openDrawer() tea.Cmd {
	return m.Run(func(ctx context.Context) tea.Msg { return opened{m.Receipts.OpenDrawer(ctx)} })
}

// openToCount returns a command that opens the drawer before a count. It leaves a trace, as the key for it
// does. In a shop with cashiers it does nothing, because only a PIN opens the drawer without money.
func (m Model) openToCount() tea.Cmd {
	if m.Receipts.Printer.None() {
		return nil
	}
	return m.Run(func(ctx context.Context) tea.Msg {
		_, err := m.Service.Move(ctx, m.Till, drawer.Open, 0, "", staff.Identity{})
		switch {
		case errors.Is(err, staff.ErrIdentityNeeded):
			return opened{}
		case err == nil:
			err = m.Receipts.OpenDrawer(ctx)
		}
		return opened{err}
	})
}

// opening returns the question whether to open the drawer.
func (m Model) opening() question.Question {
	says := func(t i18n.Texts) string {
		if m.Receipts.Printer.None() {
			return t.Account.AskOpen + "\n" + t.Receipt.NoPrinter
		}
		return t.Account.AskOpen
	}
	return question.New("open", says, func(ctx context.Context, _ string, who staff.Identity) error {
		_, err := m.Service.Move(ctx, m.Till, drawer.Open, 0, "", who)
		return err
	}).Titled(titleOpen).Answers(opens, notYet)
}

func titleOpen(t i18n.Texts) string { return t.Account.Opened }
func opens(t i18n.Texts) string     { return t.Account.KeyOpen }

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
