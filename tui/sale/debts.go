package sale

import (
	"context"
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments/drawer"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
	"checkout/till/tui/component/fit"
	"checkout/till/tui/component/list"
	"checkout/till/tui/component/question"
	"checkout/till/tui/counter"
	"checkout/till/tui/keyboard"
	"checkout/till/tui/theme"
	"checkout/till/tui/wording"
	"checkout/till/tui/wording/errortext"
)

// debts is what the screen shows of the customers who buy on account.
type debts struct {
	of        drawer.Debtor     // The customer whose movements are shown.
	movements []ledger.Transfer // Newest first.
}

// owners is a question that only an owner may answer with yes: whether to write a debt off, or to sell above the
// limit.
type owners struct {
	question.Question
	charge counter.TakeCash // The charge that the limit refused; zero for a write-off.
}

// listing reports whether a list takes the place of the sale.
func (m Model) listing() bool { return m.mode == resuming || m.mode == owing || m.mode == tracing }

// owed returns the customers who owe money, and those to whom the shop owes money.
func (m Model) owed() []drawer.Debtor {
	return slices.DeleteFunc(slices.Clone(m.Counter.Debtors()), func(debtor drawer.Debtor) bool { return debtor.Owed == 0 })
}

// owes lists the debts.
func (m Model) owes() Model {
	m.Counter.ReadDebtors()
	m.mode = owing
	m.list = m.list.SetRows(len(m.owed())).Select(0)
	return m
}

// debtorsRead updates the list after the customers were read.
func (m Model) debtorsRead() Model {
	if m.mode == owing {
		m.list = m.list.SetRows(len(m.owed()))
	}
	if debtor, known := m.Counter.Debtor(m.debts.of.Account()); known && m.mode == tracing {
		m.debts.of = debtor
	}
	return m
}

// owesKey handles a key while the debts are listed. A printable key goes to the entry line.
func (m Model) owesKey(msg tea.KeyMsg) (Model, tea.Cmd) {
	all := m.owed()
	switch {
	case keyboard.Types(msg):
		return m.become(entering).typed(msg)
	case key.Matches(msg, m.keys.Tab) && len(m.cart().Held) > 0:
		m.list = m.list.Select(0)
		return m.become(resuming), nil
	case key.Matches(msg, m.keys.Back):
		return m.become(entering), nil
	case key.Matches(msg, m.keys.Enter) && len(all) > 0:
		m.debts = debts{of: all[m.list.Cursor()]}
		m.Counter.ReadMovements(m.debts.of.Code)
		m.list = m.list.SetRows(0) // Until the movements are read.
		return m.takeText(tracing, ""), nil
	}
	m.list, _ = m.list.Update(msg)
	return m, nil
}

// traceKey handles a key while the movements of a customer are listed.
func (m Model) traceKey(msg tea.KeyMsg) (Model, tea.Cmd) {
	switch {
	case key.Matches(msg, m.keys.Back):
		m = m.takeLines()
		return m.owes(), nil
	case key.Matches(msg, m.keys.Enter):
		return m.paysDebt(), nil
	case key.Matches(msg, m.keys.WriteOff) && m.line.Empty() && m.debts.of.Owed > 0:
		m.owners = owners{Question: m.writingOff()}
		return m, nil
	case key.Matches(msg, m.list.Keys.Move, m.list.Keys.Page, m.list.Keys.Ends):
		m.list, _ = m.list.Update(msg)
		return m, nil
	}
	return m.write(msg)
}

// paysDebt asks whether to charge the typed amount, or the whole debt.
func (m Model) paysDebt() Model {
	debtor, amount, err := m.debts.of, m.debts.of.Owed, error(nil)
	if !m.line.Empty() {
		amount, err = money.ParseAriary(m.line.Value())
	}
	if err == nil && amount <= 0 {
		err = drawer.ErrNoDebt
	}
	if err != nil {
		return m.refuse(err)
	}
	left := m.takeLines()
	if err := left.Counter.PayDebt(debtor, amount); err != nil {
		return m.refuse(err)
	}
	return left
}

// writingOff returns the question whether to write the debt off.
func (m Model) writingOff() question.Question {
	debtor := m.debts.of
	says := func(t i18n.Texts) string { return t.Debts.AskWaive.With(i18n.Money(debtor.Owed), debtor.Title()) }
	return question.New("write off "+debtor.Code, says, func(ctx context.Context, reason string, who staff.Identity) error {
		return m.Service.WriteOff(ctx, m.Till, debtor.Title(), debtor.Owed, reason, who)
	}).ForReason(m.Theme).Titled(func(t i18n.Texts) string { return t.Debts.TitleWaive })
}

// answered handles the result of a question for an owner.
func (m Model) answered(msg question.Answered) Model {
	var ended bool
	m.owners.Question, ended = m.owners.Answered(m.Console, msg)
	switch charge := m.owners.charge; {
	case !ended:
		return m
	case charge.Tender == "":
		return m.writtenOff(msg.Err)
	case msg.Err != nil:
		return m.Warn(errortext.NotDone(msg.Err))
	default:
		m.Counter.Allow(charge, msg.Identity())
		return m
	}
}

// writtenOff handles the result of a write-off.
func (m Model) writtenOff(err error) Model {
	debtor := m.debts.of
	m.Counter.ReadDebtors()
	m.Counter.ReadMovements(debtor.Code)
	if err != nil {
		return m.Warn(errortext.NotDone(err))
	}
	return m.Say(func(t i18n.Texts) string { return t.Debts.Waived.With(i18n.Money(debtor.Owed), debtor.Title()) })
}

// day is how a day is drawn. A debt may be older than a year.
const day = "02/01/2006"

// debtRows draws the list of the debts.
func (m Model) debtRows(shown list.List, inner int) []string {
	words := m.Texts.Debts
	const fewest = 16 // Columns of a name.
	cells := func(name, owed, since, last string) string {
		return fit.Row(inner-2, fit.Rest(fit.Must, fewest, name), fit.Fixed(theme.AlignRight(owed, 16)),
			fit.Drop(1, theme.AlignRight(since, 14)), fit.Drop(0, theme.AlignRight(last, 14)))
	}
	head := m.Theme.Muted.Render("  " + cells(words.Name, words.Sum, words.Since, words.Last))
	all := m.owed()
	if len(all) == 0 {
		return []string{"  " + words.None}
	}
	return append([]string{head}, shown.Rows(m.Theme, inner, func(i int) string {
		since := ""
		if !all[i].Since.IsZero() {
			since = all[i].Since.In(m.Zone).Format(day)
		}
		return cells(all[i].Title(), i18n.Money(all[i].Owed), since, all[i].Last.In(m.Zone).Format(day))
	}, nil)...)
}

// movementRows draws the movements of a customer's account.
func (m Model) movementRows(shown list.List, inner int) []string {
	const fewest = 16 // Columns of what moved.
	return shown.Rows(m.Theme, inner, func(i int) string {
		moved := m.debts.movements[i]
		says := wording.Movement(m.Texts, m.debts.of.Account(), moved) + "  " + m.Theme.Muted.Render(wording.MovementOf(moved))
		return fit.Row(inner-2, fit.Fixed(theme.AlignLeft(moved.At.In(m.Zone).Format(day+" 15:04"), 18)), fit.Rest(fit.Must, fewest, says),
			fit.Fixed(theme.AlignRight(i18n.Signed(moved.Into(m.debts.of.Account())), 14)))
	}, nil)
}
