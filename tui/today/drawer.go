package today

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/staff"
	"checkout/till/tui/component/account"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/fit"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/component/question"
	"checkout/till/tui/entry"
	"checkout/till/tui/live"
	"checkout/till/tui/receipt"
	"checkout/till/tui/theme"
)

// accounts contains the till's account since its last closing, and the closings of a day.
type accounts struct {
	live.Console
	reading
	present bool // Whether the day is today and the account since the last closing was read.
	read    bool // Whether the day to show was read.
}

type asked struct {
	question.Question
	before tea.Cmd // Runs when the question opens; may be nil.
	closes bool    // Whether the answer closes the account.
	opens  bool    // Whether the drawer opens after the answer.
}

func (a accounts) asks(msg tea.KeyMsg, keys keyMap) (asked, bool) {
	words := a.Texts.Account
	switch {
	case key.Matches(msg, keys.Float):
		return asked{Question: a.floating(), opens: true}, true
	case key.Matches(msg, keys.In):
		return asked{Question: a.moving(drawer.In, titleIn, words.AskIn), opens: true}, true
	case key.Matches(msg, keys.Out):
		return asked{Question: a.moving(drawer.Out, titleOut, words.AskOut), opens: true}, true
	case key.Matches(msg, keys.Count):
		return asked{Question: a.moving(drawer.Count, titleCount, words.AskCount), before: a.openToCount()}, true
	case key.Matches(msg, keys.Open):
		return asked{Question: a.opening(), opens: true}, true
	case key.Matches(msg, keys.Close):
		return asked{Question: a.closing(), closes: true}, true
	}
	return asked{}, false
}

// floating returns the question for the money that the drawer begins with. It suggests the last
// such amount.
func (a accounts) floating() question.Question {
	words := a.Texts.Account
	asks, usual := words.AskFloat, ""
	if float := a.open.Moves[drawer.Float]; float.Count > 0 {
		asks = words.AskMore.With(i18n.Money(float.Amount))
	}
	if last := a.open.LastFloat; last > 0 {
		usual = i18n.Number(int64(last))
		asks = words.AskFloatAgain.With(i18n.Money(last))
	}
	return a.moving(drawer.Float, titleFloat, asks).Usually(usual)
}

// moving returns the question for an amount that is put in, taken out or counted. asks does not
// change its language with the screen.
func (a accounts) moving(kind drawer.Kind, title i18n.Message, asks string) question.Question {
	says := func(i18n.Texts) string { return asks }
	return question.New("move "+string(kind), says, func(ctx context.Context, text string, who staff.Identity) error {
		amount, note, err := entry.SplitAmount(text)
		if err == nil {
			_, err = a.Service.Move(ctx, a.Till, kind, amount, note, who)
		}
		return err
	}).ForReason(a.Theme).Titled(title)
}

func titleFloat(t i18n.Texts) string { return t.Account.Float }
func titleIn(t i18n.Texts) string    { return t.Account.In }
func titleOut(t i18n.Texts) string   { return t.Account.Out }
func titleCount(t i18n.Texts) string { return t.Account.TitleCount }
func titleClose(t i18n.Texts) string { return t.Account.TitleClose }
func closes(t i18n.Texts) string     { return t.Account.Closes }
func notYet(t i18n.Texts) string     { return t.Account.NotYet }

// closing returns the question whether to close the till's account.
func (a accounts) closing() question.Question {
	var later []string
	for _, verdict := range payments.Verdicts() {
		count := a.sums.Verdicts[verdict].Count
		if verdict == payments.VerdictCheck {
			count -= a.sums.ToCheck.Count // The money of these orders has already come.
		}
		if count > 0 && verdict.Undecided() {
			later = append(later, fmt.Sprintf("%d %s", count, badge.Of(a.Texts, payments.Order{}, verdict).Short))
		}
	}
	says := func(t i18n.Texts) string {
		lines := append([]string{t.Account.AskClose.With(a.Till)}, account.Open(t, a.Service.Now().In(a.Zone), a.open)...)
		if len(later) > 0 {
			lines = append(lines, t.Account.Later.With(strings.Join(later, ", ")))
		}
		return strings.Join(lines, "\n")
	}
	return question.New("close", says, func(ctx context.Context, _ string, who staff.Identity) error {
		_, err := a.Service.Close(ctx, a.Till, a.Till, a.Receipts.Shop.VAT, who)
		return err
	}).Titled(titleClose).Answers(closes, notYet)
}

// statement is the open account, or one closing of the day.
type statement struct {
	title string
	lines func(width int) []string
}

// statements returns today's open account, and then the closings of the day, newest first. If the
// day has a closing, an empty account is omitted.
func (a accounts) statements() (statements []statement) {
	if a.present && (!a.open.Empty() || len(a.closings) == 0) {
		statements = append(statements, statement{account.OpenTitle(a.Texts, a.Service.Now().In(a.Zone)), func(width int) []string {
			return account.Lines(a.Texts, a.Service.Now().In(a.Zone), a.open, width)
		}})
	}
	for _, closing := range slices.Backward(a.closings) {
		statements = append(statements, statement{account.Title(a.Texts, closing), func(width int) []string {
			return account.Closing(a.Texts, closing, width)
		}})
	}
	return statements
}

// statedTitle returns the short title of the first statement, such as "Z no. 1".
func (a accounts) statedTitle() string {
	title, _, _ := strings.Cut(a.statements()[0].title, between)
	return title
}

// statementRows draws the statements as paper slips, in the middle of the area.
func (a accounts) statementRows(width, height int) (rows []string) {
	const least = 20 // Minimum width of the paper, in columns.
	columns := max(least, min(width-2, cmp.Or(a.Receipts.Columns, account.Width)))
	for _, statement := range a.statements() {
		rows = append(rows, a.paper(statement, columns).View(a.Theme, a.Theme.Text)...)
	}
	return strings.Split(theme.Center(strings.Join(rows, "\n"), width, max(height, len(rows))), "\n")
}

// pane returns the pane about the till's drawer or, for an earlier day, about the closings. moves
// says whether to show the moves of money, or only their result.
func (a accounts) pane(width int, moves bool) pane.Pane {
	words := a.Texts.Account
	made := pane.Pane{Title: words.Drawer, Right: words.OfCash}
	switch {
	case !a.read || !a.whole:
	case a.present && moves:
		above, result := a.drawerRows(width)
		made.Rows = slices.Concat(above, result)
	case a.present:
		_, made.Rows = a.drawerRows(width)
	default:
		made.Title, made.Right = words.Closings, ""
		made.Rows = a.closingRows(width)
	}
	return made
}

// drawerRows returns the moves of money in the till's drawer, and the result: the expected sum and
// the last count.
func (a accounts) drawerRows(width int) (moves, result []string) {
	open := a.open
	open.Counts = open.Counts[max(0, len(open.Counts)-1):]
	for _, row := range account.Rows(a.Texts, a.Service.Now().In(a.Zone), open) {
		style := a.Theme.Text
		isRule := row.Label == ""
		switch {
		case row.Alert:
			style = a.Theme.Warning
			row.Amount = "! " + row.Amount
			row.Note = "" // The amount says whether money is missing.
		case isRule:
			style = a.Theme.Rule
		case row.Strong:
			style = a.Theme.Strong
		}
		result = append(result, theme.Dress(style, row.Lines(width))...)
		if isRule {
			moves, result = result, nil
		}
	}
	return moves, result
}

func (a accounts) closingRows(width int) (rows []string) {
	if len(a.closings) == 0 {
		return theme.Paragraph(a.Theme.Text, a.Texts.Account.NoClosing, width, 0)
	}
	for _, closing := range a.closings {
		title := fmt.Sprintf("Z %s · %s · %s", closing.Number, i18n.Clock(closing.At.In(a.Zone)), closing.By)
		sum := a.Theme.Strong.Render(i18n.Number(int64(closing.Taken().Amount)))
		rows = append(rows, theme.Spread(theme.Truncate(title, width-theme.Width(sum)-2), sum, width))
	}
	return rows
}

func (a accounts) lastClosing() (last drawer.Closing, found bool) {
	for _, closing := range a.closings {
		if closing.Till == a.Till && a.read {
			last, found = closing, true
		}
	}
	return last, found
}

// openToCount returns a command that records and opens the drawer before a count, or nil without a
// printer to open it. The command does nothing in a shop with cashiers, where opening needs a PIN.
func (a accounts) openToCount() tea.Cmd {
	if a.Receipts.Printer.None() {
		return nil
	}
	return a.Run(func(ctx context.Context) tea.Msg {
		_, err := a.Service.Move(ctx, a.Till, drawer.Open, 0, "", staff.Identity{})
		switch {
		case errors.Is(err, staff.ErrIdentityNeeded):
			return opened{}
		case err == nil:
			err = a.Receipts.OpenDrawer(ctx)
		}
		return opened{err}
	})
}

func (a accounts) opening() question.Question {
	says := func(t i18n.Texts) string {
		if a.Receipts.Printer.None() {
			return t.Account.AskOpen + "\n" + t.Receipt.NoPrinter
		}
		return t.Account.AskOpen
	}
	return question.New("open", says, func(ctx context.Context, _ string, who staff.Identity) error {
		_, err := a.Service.Move(ctx, a.Till, drawer.Open, 0, "", who)
		return err
	}).Titled(titleOpen).Answers(opens, notYet)
}

func titleOpen(t i18n.Texts) string { return t.Account.Opened }

func opens(t i18n.Texts) string { return t.Account.KeyOpen }

// between separates the parts of a statement's title. On paper, the title is wrapped between them.
const between = " · "

func (a accounts) paper(of statement, columns int) *receipt.Paper {
	paper := receipt.NewPaper(columns, a.Receipts.Printer.CodePage)
	paper.Unreal(a.Texts, a.Receipts.Shop)
	paper.Heading(a.Receipts.Shop)
	for _, row := range fit.Flow(strings.Split(of.title, between), columns, between) {
		paper.Center(row, receipt.Bold)
	}
	paper.Rule()
	for _, line := range of.lines(columns) {
		paper.Text(line, receipt.Plain)
	}
	return paper
}
