package today

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/staff"
	"checkout/till/tui/component/account"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/component/question"
	"checkout/till/tui/entry"
	"checkout/till/tui/theme"
)

// today reports whether the screen shows the present day and has read its drawer.
func (m Model) today() bool { return m.day.From.IsZero() && m.account.whole && m.shown() }

// moving returns the question for an amount of money that is put in, taken out or counted. word is its title, asks
// its text, which keeps its language when the screen changes the language.
func (m Model) moving(kind drawer.Kind, word i18n.Message, asks string) question.Question {
	says := func(i18n.Texts) string { return asks }
	return question.New("move "+string(kind), says, func(ctx context.Context, text string, who staff.Identity) error {
		amount, note, err := entry.SplitAmount(text)
		if err == nil {
			_, err = m.Service.Move(ctx, m.Till, kind, amount, note, who)
		}
		return err
	}).ForReason(m.Theme).Titled(word)
}

func titleFloat(t i18n.Texts) string { return t.Account.Float }
func titleIn(t i18n.Texts) string    { return t.Account.In }
func titleOut(t i18n.Texts) string   { return t.Account.Out }
func titleCount(t i18n.Texts) string { return t.Account.TitleCount }
func titleClose(t i18n.Texts) string { return t.Account.TitleClose }
func closes(t i18n.Texts) string     { return t.Account.Closes }
func notYet(t i18n.Texts) string     { return t.Account.NotYet }

// closing returns the question whether to close the till's account. Its text has the account's sums
// and the number of the day's orders that may still be paid.
func (m Model) closing() question.Question {
	var later []string
	for _, verdict := range payments.Verdicts() {
		count := m.account.sums.Verdicts[verdict].Count
		if verdict == payments.VerdictCheck {
			count -= m.account.sums.ToCheck.Count // Do not count the orders in ToCheck: their money has already come.
		}
		if count > 0 && verdict.Undecided() {
			later = append(later, fmt.Sprintf("%d %s", count, badge.Of(m.Texts, payments.Order{}, verdict).Tag()))
		}
	}
	says := func(t i18n.Texts) string {
		lines := append([]string{t.Account.AskClose.With(m.Till)}, account.Open(t, m.account.open)...)
		if len(later) > 0 {
			lines = append(lines, t.Account.Later.With(strings.Join(later, ", ")))
		}
		return strings.Join(lines, "\n")
	}
	return question.New("close", says, func(ctx context.Context, _ string, who staff.Identity) error {
		_, err := m.Service.Close(ctx, m.Till, m.Till, m.Receipts.Shop.VAT, who)
		return err
	}).Titled(titleClose).Answers(closes, notYet)
}

// slip is an account with its title, to be shown or printed as text.
type slip struct {
	title string
	lines func(width int) []string
}

// slips returns the account of today that is not closed yet, then the closings of the day,
// the newest first. It omits an empty account if the day has a closing.
func (m Model) slips() (slips []slip) {
	if m.today() && (!m.account.open.Empty() || len(m.account.closings) == 0) {
		slips = append(slips, slip{account.Slip(m.Texts, m.Service.Now().In(m.Zone)), func(width int) []string {
			return account.Lines(m.Texts, m.Service.Now().In(m.Zone), m.account.open, width)
		}})
	}
	for _, closing := range slices.Backward(m.account.closings) {
		slips = append(slips, slip{account.Title(m.Texts, closing), func(width int) []string {
			return account.Closing(m.Texts, closing, width)
		}})
	}
	return slips
}

// slipRows returns the slips as paper, in the middle of the given area.
func (m Model) slipRows(width, height int) (rows []string) {
	const least = 20 // Columns of the paper in the smallest window.
	columns := max(least, min(width-2, cmp.Or(m.Receipts.Columns, account.Width)))
	for _, slip := range m.slips() {
		rows = append(rows, m.paper(slip, columns).View(m.Theme, m.Theme.Text)...)
	}
	return strings.Split(theme.Center(strings.Join(rows, "\n"), width, height), "\n")
}

// drawerPane returns the pane of the till's drawer or, for an earlier day, of the day's closings. moves
// selects whether it shows the moves of money or only their result.
func (m Model) drawerPane(width int, moves bool) pane.Pane {
	words := m.Texts.Account
	made := pane.Pane{Title: words.Drawer, Right: words.OfCash, Keys: !m.ask.Open(), Offers: m.offers()}
	switch {
	case !m.shown() || !m.account.whole:
	case m.today() && moves:
		moves, result := m.drawerRows(width)
		made.Rows = slices.Concat(moves, result)
	case m.today():
		_, made.Rows = m.drawerRows(width)
	default:
		made.Title, made.Right = words.Closings, ""
		made.Rows = m.closingRows(width)
	}
	return made
}

// drawerRows returns two groups of rows: the moves of money in the till's drawer, with a rule, and below
// them the expected sum and, if the drawer was counted, the counted sum and the difference.
func (m Model) drawerRows(width int) (moves, result []string) {
	for _, row := range account.Rows(m.Texts, m.Service.Now().In(m.Zone), m.account.open) {
		style := m.Theme.Text
		isRule := row.Label == ""
		switch {
		case row.Alert:
			style = m.Theme.Warning
			row.Amount = "! " + row.Amount
		case isRule:
			style = m.Theme.Rule
		case row.Strong:
			style = m.Theme.Strong
		}
		result = append(result, theme.Dress(style, row.Lines(min(width, maxAccount)))...)
		if isRule {
			moves, result = result, nil
		}
	}
	return moves, result
}

// maxAccount is the largest width of the drawer's rows. Wider ones are hard to read across.
const maxAccount = 60

func (m Model) closingRows(width int) (rows []string) {
	if len(m.account.closings) == 0 {
		return theme.Paragraph(m.Theme.Text, m.Texts.Account.NoClosing, width, 0)
	}
	for _, closing := range m.account.closings {
		title := fmt.Sprintf("Z %s · %s · %s", closing.Number, i18n.Clock(closing.At.In(m.Zone)), closing.By)
		sum := m.Theme.Strong.Render(i18n.Number(int64(closing.Taken().Amount)))
		rows = append(rows, theme.Spread(theme.Truncate(title, width-theme.Width(sum)-2), sum, width))
	}
	return rows
}

// closed returns the last closing that the till made on the shown day, or false if it made none.
func (m Model) closed() (last drawer.Closing, found bool) {
	for _, closing := range m.account.closings {
		if closing.Till == m.Till && m.shown() {
			last, found = closing, true
		}
	}
	return last, found
}
