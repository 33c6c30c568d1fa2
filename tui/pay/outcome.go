package pay

import (
	"cmp"
	"slices"
	"strings"

	"checkout/till/assets/i18n"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/customer"
	"checkout/till/tui/component/keybar"
	"checkout/till/tui/component/outcome"
	"checkout/till/tui/theme"
	"checkout/till/tui/wording"
)

// outcome returns what the screen shows without a QR code.
func (m Model) outcome() outcome.View {
	if m.Counter.Shown().Cash.Number != "" {
		shown := m.change()
		shown.Note = m.slip.Notice()
		return shown
	}
	terms, _ := m.Counter.Sending()
	shown := outcome.View{
		Badge:  badge.Badge{Kind: badge.NotPaid, Sign: "✗", Short: m.Texts.Pay.NoOrder},
		Amount: wording.Worth(terms.Items), News: m.lastRow(),
	}
	if m.Counter.Shown().Current() {
		shown.Badge, shown.Amount = m.look(), i18n.Money(m.order().Amount)
		shown.Facts = m.order().Reference
		if shown.Name != shown.Short { // Otherwise the large word already is the name.
			shown.Facts = shown.Sign + " " + shown.Name + " · " + shown.Facts
		}
		shown.Says, shown.Advice = explanation{m.Console, m.Counter.Picture(), m.Counter.Shown()}.says()
	}
	if notice := m.notice.In(m.Texts); shown.Says == "" {
		shown.Says = notice
	} else if !strings.Contains(shown.Says+strings.Join(shown.Advice, "\n"), notice) {
		shown.Advice = slices.Insert(slices.Clip(shown.Advice), 0, notice)
	}
	switch {
	case m.inquires():
		if !m.Counter.Shown().Current() {
			shown.Badge = badge.Badge{Kind: badge.TimeOver}
			shown.Amount = wording.Worth(m.Counter.Question().Terms.Items)
		}
		_, asked := m.asked()
		shown.Says, shown.Advice, shown.Keys = asked.Prompt, asked.Notes, asked.Answers
	case shown.Kind == badge.Paid:
		shown.Note = m.slip.Notice()
		shown.About = cmp.Or(m.owes(m.order().Debt, true), m.order().Description)
		if paidAt := m.order().Facts.PaidAt; !paidAt.IsZero() {
			took := m.Texts.Outcome.PaidIn.With(i18n.Span(paidAt.Sub(m.order().CreatedAt)))
			shown.Facts = took + " · " + m.order().Reference + " · " + m.clockTime(paidAt)
		}
		if m.facing {
			shown.About = m.Texts.Customer.Thanks
		} else if m.order().Debt == "" {
			shown.Day, shown.Hours = m.day(m.order().Reference, m.order().Amount)
		}
	}
	if !m.inquires() && !m.barred() {
		shown.Keys, shown.Held = keybar.Of(m.Texts.KeyNames, m.help(true)...), !m.Counter.Ready()
	}
	return shown
}

// change returns the view of a sale at the counter.
func (m Model) change() outcome.View {
	sale, words := m.Counter.Shown().Cash, m.Texts.Cash
	look := badge.OfTender(m.Texts, sale.Tender())
	shown := outcome.View{
		Badge: look, Amount: i18n.Money(sale.Amount), News: m.lastRow(), Change: i18n.Money(sale.Change()), Says: words.None,
		Facts: sale.Number + "  " + m.clockTime(sale.At),
		Keys:  keybar.Of(m.Texts.KeyNames, m.help(true)...), Held: !m.Counter.Ready(),
	}
	way, _ := sale.Tender().Way()
	if !way.Given {
		shown.Change, shown.Says = "", m.owes(cmp.Or(sale.Debt, sale.Account), sale.Debt != "")
	}
	if !way.Named && sale.Debt == "" {
		shown.Day, _ = m.day(sale.Number, sale.Amount)
	}
	if sale.Debt != "" {
		shown.About = m.owes(sale.Debt, true)
	}
	if change := sale.Change(); change > 0 {
		shown.Facts = words.Given.With(i18n.Money(sale.Given)) + " · " + shown.Facts
		shown.Says = words.Change
		shown.Advice = []string{wording.Notes(change)}
	}
	return shown
}

// day returns the day's takings, which include the payment: a text, and a picture by hour. Do not
// call it for a paid debt, which is not part of the takings.
func (m Model) day(reference string, amount money.Ariary) (text string, hours []string) {
	if m.Day == nil {
		return "", nil
	}
	return m.Day(reference, amount)
}

// owes returns how much a customer owes after a sale on account or a payment of the debt, or "" if
// no customer with this account was read.
func (m Model) owes(account ledger.Account, paid bool) string {
	debtor, known := m.Counter.Debtor(account)
	if !known {
		return ""
	}
	return wording.Owes(m.Texts, debtor, paid)
}

// lastRow returns the last row of an outcome, for the banners and the mark that no money moves.
func (m Model) lastRow() string {
	const frame = 6 // Maximum width of the frame around an outcome.
	banners := m.Banners
	if m.facing && len(banners) > 0 {
		banners = []string{m.Theme.DangerBlock.Render(" ! ")}
	}
	mark, brief := m.marks()
	if mark == "" || !m.FullWindow() {
		return strings.Join(banners, " ")
	}
	news := append([]string{mark}, banners...)
	if theme.Width(strings.Join(news, " ")) > m.window.Width-frame {
		news[0] = brief
	}
	return strings.Join(news, " ")
}

// customerView returns the view for the customer when the screen is turned.
func (m Model) customerView() customer.View {
	mark, _ := m.Texts.Frame.Mark(m.Customer != nil, m.Test)
	left, _ := m.Counter.Picture().Remaining(m.order())
	shown := customer.View{
		Kind: customer.Code, Shop: m.Shop, Mark: mark, Clock: m.clockTime(m.Counter.Picture().Now),
		Order: m.order(), Remaining: left, Retry: m.Counter.Shown().Retrying(), Code: m.code.drawn, Below: m.Customer.KeyRows(),
		Back: m.Theme.BarKeyBlock.Render(" "+m.name(m.keys(true).Turn)+" ") + m.Theme.Header.Render(" "+m.Texts.Keys.Back+" "),
	}
	if len(m.Banners) > 0 {
		shown.Back = m.Theme.DangerBlock.Render(" ! ") + m.Theme.Header.Render(" ") + shown.Back
	}
	return shown
}
