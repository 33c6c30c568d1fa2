package orders

import (
	"context"
	"slices"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/list"
	"checkout/till/tui/component/master"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/component/question"
	"checkout/till/tui/entry"
	"checkout/till/tui/theme"
)

const cashDays = 7 // Number of days, including today, in the list of cash sales.

// readCash returns the shop's cash sales of the last cashDays days, newest first.
func readCash(ctx context.Context, service *drawer.Service) ([]drawer.CashSale, error) {
	now := service.Now()
	sales, err := service.CashSales(ctx, payments.Period{From: payments.Day(now.AddDate(0, 0, 1-cashDays)).From, To: payments.Day(now).To})
	slices.Reverse(sales)
	return sales, err
}

// chosenCash returns the cash sale under the cursor. It returns false if another list is shown.
func (m Model) chosenCash() (drawer.CashSale, bool) { return list.Chosen(m.master.List, m.page.cash) }

// created returns when the order or the cash sale in a row was made. It returns the zero time for a
// payment without an order.
func (m Model) created(row int) time.Time {
	if m.tab == cash {
		return m.page.cash[row].At
	}
	order, _ := m.at(row)
	return order.CreatedAt
}

func (m Model) cashCells(columns columns, i, width int) string {
	sale := m.page.cash[i]
	style, _ := badge.Cash.Styles(m.Theme)
	amount := m.Theme.Strong
	if sale.Voided() {
		style, amount = m.Theme.Muted, m.Theme.Muted
	}
	return columns.row(width, m.rowTime(columns, sale.At), style.Render(m.cashTag(sale)),
		amount.Render(i18n.Number(int64(sale.Amount))), sale.Description, m.Theme.Muted.Render(sale.Number))
}

// cashTag returns the sign and the word of a cash sale.
func (m Model) cashTag(sale drawer.CashSale) string {
	switch {
	case sale.Voided():
		return "¤ " + m.Texts.Cash.Voided
	case sale.Refunded == sale.Amount:
		return "¤ " + m.Texts.Verdicts[payments.VerdictRefunded]
	}
	return badge.OfCash(m.Texts).Tag()
}

func (m Model) cashStory(sale drawer.CashSale, under int) master.Detail {
	words, width := m.Texts.Cash, m.master.DetailWidth
	blank := make([]string, under)
	facts := []string{
		theme.Spread(words.Gave, i18n.Number(int64(sale.Given)), width),
		theme.Spread(words.Change, i18n.Number(int64(sale.Change())), width),
	}
	if sale.Refunded > 0 {
		facts = append(facts, theme.Spread(m.Texts.Receipt.Refunded, i18n.Number(-int64(sale.Refunded)), width))
	}
	rows := slices.Concat(make([]string, m.master.Grid.Air), []string{pane.Rule(m.Texts.Detail.Lines)}, blank, m.lines(width, sale.Items, sale.Amount), facts,
		blank, []string{pane.Rule(m.Texts.Detail.Events)}, blank,
		m.step(width, sale.At, "¤", m.Theme.Strong, words.Word+" "+m.Texts.Pay.By.With(sale.By)))
	for _, refund := range sale.Refunds {
		word := m.Texts.Receipt.Refunded
		if refund.Kind == drawer.Reversal {
			word = m.Texts.Account.Reversal
		}
		rows = append(rows, m.step(width, refund.At, "◇", m.Theme.Strong,
			m.Texts.Frame.Labelled.With(word, i18n.Money(refund.Amount))+" "+m.Texts.Pay.By.With(refund.By),
			m.Texts.Frame.Labelled.With(m.Texts.Detail.Why, refund.Note))...)
	}
	if sale.Voided() {
		rows = append(rows, m.step(width, sale.VoidedAt, "◇", m.Theme.Strong, words.Voided+" "+m.Texts.Pay.By.With(sale.VoidedBy),
			m.Texts.Frame.Labelled.With(m.Texts.Detail.Why, sale.Reason))...)
	}
	shown := master.Detail{Title: sale.Number, Rows: rows}
	switch {
	case m.ask.Open():
		shown.Foot = m.ask.Rows(m.Console, width)
	case m.voided.Number != "":
		shown.Foot = theme.Paragraph(m.Theme.Strong, m.givesBack(), width, 0)
	case m.slip.Notice() != "":
		shown.Foot = theme.Paragraph(m.Theme.Strong, m.slip.Notice(), width, 0)
	case m.notice != nil && m.inside():
		shown.Foot = theme.Paragraph(m.Theme.Danger, m.notice.In(m.Texts), width, 0)
	}
	return shown
}

// givesBack returns a text about the money to give back for the cash sale that was just voided.
func (m Model) givesBack() string {
	return m.Texts.Cash.GiveBack.With(m.voided.Number, i18n.Money(m.voided.Amount-m.voided.Refunded))
}

// cashOf returns the number and the sum of a day's cash sales. It omits voided sales and
// subtracts refunds.
func cashOf(sales []drawer.CashSale, day payments.Period) payments.Sum {
	var sum payments.Sum
	for _, sale := range sales {
		if day.Contains(sale.At) && !sale.Voided() {
			sum.Count++
			sum.Amount += sale.Amount - sale.Refunded
		}
	}
	return sum
}

// voids returns the name of the question that voids a cash sale.
func voids(sale drawer.CashSale) string { return "void " + sale.Number }

// voiding returns the question that voids a cash sale. Its answer is the reason.
func (m Model) voiding(sale drawer.CashSale) question.Question {
	says := func(t i18n.Texts) string { return t.Cash.Void.With(sale.Number, i18n.Money(sale.Amount)) }
	return question.New(voids(sale), says, func(ctx context.Context, reason string, identity payments.Identity) error {
		_, err := m.Service.VoidCash(ctx, m.Till, sale.Number, reason, identity)
		return err
	}).ForReason(m.Theme)
}

// refunding returns the question that records a refund of the chosen cash sale or of the shown
// order. Its answer is an amount and a reason, such as "500 broken". The parameter inCash is false
// for money that was given back in the merchant area.
func (m Model) refunding(inCash bool) question.Question {
	order := m.detail.order
	given, most := order.RefundedInCash(), drawer.MostCash(order)
	record := func(ctx context.Context, amount payments.Ariary, note string, who payments.Identity) error {
		return m.record(ctx, payments.Finding{Kind: payments.FoundRefunded, Amount: amount, Cash: inCash, Note: note}, who)
	}
	sale, isCash := m.chosenCash()
	switch {
	case isCash:
		order = payments.Order{Reference: sale.Number, Amount: sale.Amount}
		given, most = sale.Refunded, sale.Amount
		record = func(ctx context.Context, amount payments.Ariary, note string, who payments.Identity) error {
			_, err := m.Service.RefundCash(ctx, m.Till, sale.Number, amount, given, note, who)
			return err
		}
	case !inCash:
		most = order.Amount - given
		given = order.Refunded() - given
	}
	says := func(t i18n.Texts) string {
		ask, soFar := t.Cash.Refund, ""
		if !inCash {
			ask = t.Asks.Refund
		}
		if given > 0 {
			soFar = t.Asks.SoFar.With(i18n.Money(given)) + "\n"
		}
		return ask.With(order.Reference, i18n.Money(order.Amount)) + "\n" + soFar + t.Asks.RefundNote + "\n" + t.Asks.OnlyHere
	}
	return question.New(order.Reference, says, amountAndReason(given > 0, most, record)).ForReason(m.Theme)
}

// amountAndReason returns an act that takes an amount of at most limit and a reason, and records
// them. If zero is true, the amount may be 0, which takes the refund back.
func amountAndReason(
	zero bool, limit payments.Ariary, record func(ctx context.Context, amount payments.Ariary, note string, who payments.Identity) error,
) question.Act {
	return func(ctx context.Context, text string, who payments.Identity) error {
		amount, note, err := entry.SplitAmount(text)
		if err != nil || amount == 0 && !zero || amount > limit || note == "" {
			return &question.InvalidError{Says: func(t i18n.Texts) string { return t.Cash.RefundHow.With(i18n.Money(limit)) }}
		}
		if amount == 0 {
			amount = payments.NoRefund
		}
		return record(ctx, amount, note, who)
	}
}
