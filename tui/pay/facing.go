package pay

import (
	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/figures"
	"checkout/till/tui/component/qr"
	"checkout/till/tui/theme"
)

// looks is how the order is shown.
type looks struct {
	whole  bool            // The link is shown whole.
	facing bool            // The screen is turned to the customer.
	beside []string        // What is said on every screen.
	asked  payments.Ariary // What is being asked for; 0 once there is an order.
	gone   bool            // The database does not have the order any more.
	anew   bool            // The code is shown although one attempt to pay failed.
}

// turn turns the screen to the customer, or back to the cashier.
func (m Model) turn() Model {
	m.looks.facing = !m.looks.facing
	m.looks.whole, m.notice = false, nil
	m.enable()
	return m
}

// due is the amount to pay: in a row, which a reader of the screen reads too,
// and in figures as large as they fit.
func (m Model) due(width, height int) []string {
	row := m.Theme.Subdued.Render(m.Texts.Pay.Total) + "  " + m.Theme.BigTotal.Render(i18n.Money(m.order.Amount))
	return append([]string{row}, m.figures(m.order.Amount, width, height)...)
}

// figures are an amount in figures as large as they fit.
func (m Model) figures(amount payments.Ariary, width, height int) []string {
	if m.Theme.ASCII() {
		return nil
	}
	rows := figures.Draw(i18n.Money(amount), width, height)
	for i, row := range rows {
		rows[i] = m.Theme.BigTotal.Render(row)
	}
	return rows
}

// facingPanel is what the customer reads beside the code: the total, and what
// to do. The cashier's keys stay away, but for the way back.
func (m Model) facingPanel(width, height int) []string {
	words := append(append(m.demo(), m.notices(width)...), "")
	words = append(words, m.due(width, height/3)...)
	words = append(words, "")
	words = append(words, lines(m.order.Description, width, 4)...)
	words = append(words, "", m.Theme.Strong.Render(m.Texts.Pay.Scan))
	words = append(words, m.host(width)...)
	return append(words, "", m.Theme.Subdued.Render(m.keys.Turn.Help().Key+" "+m.Texts.Keys.Back))
}

// facingOutcome is the outcome as the customer reads it.
func (m Model) facingOutcome(width int) []string {
	height := max(3, m.size.height/4)
	words := append(append(m.demo(), m.notices(width)...), "")
	words = append(words, m.badge.Block(m.order, m.state.Verdict(m.order), width, min(height, 9))...)
	words = append(words, "")
	words = append(words, m.figures(m.order.Amount, width, height)...)
	words = append(words, "", m.Theme.BigTotal.Render(i18n.Money(m.order.Amount)))
	if m.state.Verdict(m.order) == payments.VerdictPaid {
		words = append(words, "", m.Theme.Strong.Render(m.Texts.Facing.Thanks))
	}
	words = append(words, "")
	return append(words, m.keyLines(m.ShortHelp(), width)...)
}

// drawing says how a code is drawn with what the terminal can draw.
func drawing(theme theme.Theme) []qr.Option {
	if theme.ASCII() {
		return []qr.Option{qr.WithBlanks()}
	}
	return nil
}
