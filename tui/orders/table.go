package orders

import (
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/fit"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
	"checkout/till/tui/wording/sheet"
)

type table struct {
	live.Console
	history
	width             int
	outcomes, amounts int // Widths that the visible rows need for these columns.
}

func (m Model) table() table {
	t := table{Console: m.Console, history: m.history, width: m.master.Width}
	t.amounts = max(8, theme.Width(m.Texts.Orders.Amount))
	t.outcomes = theme.Width(badge.Of(m.Texts, payments.Order{}, payments.VerdictCheck).Tag())
	if m.count() == 0 {
		t.outcomes = theme.Width(t.look(firstOrder()).Tag())
	}
	first, end := m.master.List.Window()
	for i := first; i < end; i++ {
		outcome := "! " + m.Texts.Orders.Orphan
		if m.tab == cash {
			outcome = sheet.OfCash(m.Texts, m.page.cash[i]).Tag()
			t.amounts = max(t.amounts, theme.Width(i18n.Number(int64(m.page.cash[i].Amount)))+1)
		}
		if order, found := m.at(i); found {
			outcome = t.look(order).Tag()
			t.amounts = max(t.amounts, theme.Width(i18n.Number(int64(order.Amount)))+1)
		}
		t.outcomes = max(t.outcomes, theme.Width(outcome))
	}
	return t
}

// day returns the heading for the day of row i, with the day's money if there is room.
func (t table) day(i int) string {
	day := t.Service.DayOf(t.created(i).In(t.Zone))
	name, now := t.Texts.Today.DateOf(day.From.In(t.Zone)), t.Service.DayOf(t.state.Now.In(t.Zone))
	switch {
	case day.From.Equal(now.From):
		name = t.Texts.Today.Title
	case day.To.Equal(now.From):
		name = t.Texts.Today.Yesterday
	}
	text := t.Theme.Strong.Render(name)
	sum := t.page.days[day.From.UTC()]
	if t.tab == cash && !t.sought() {
		sum = cashOf(t.page.cash, day)
	}
	for _, says := range []string{t.Texts.Today.Count(sum.Count) + " · " + i18n.Money(sum.Amount), i18n.Money(sum.Amount)} {
		if t.tab != cash { // The sum has only orders, so a label says so.
			says = t.Texts.Frame.Labelled.With(t.Texts.TenderKeys[string(drawer.TenderLink)], says)
		}
		if sum != (money.Sum{}) && theme.Width(text+says)+3 <= t.width {
			text += t.Theme.Muted.Render(" " + says)
			break
		}
	}
	return text + " " + t.Theme.Rule.Render(theme.Rule(t.width-theme.Width(text)-4))
}

// Parts of a row, in the order in which they are dropped.
const (
	numberOfOrder = iota
	date
)

func (t table) row(clock fit.Part, outcome, amount, about, number string) string {
	const fewest = 14 // Minimum width of the text about the sold articles.
	return fit.Row(t.width-2, clock, fit.Fixed("  "+theme.AlignLeft(outcome, t.outcomes)+theme.AlignRight(amount, t.amounts)+"  "),
		fit.List(fit.Must, fewest, about), fit.Drop(numberOfOrder, "  "+number))
}

// when returns the part of a row for a time. The list to check has no headings for days, so it
// shows moment, which has the date, if there is room.
func (t table) when(clock, moment string) fit.Part {
	const clocks, moments = 5, 11
	short := t.Theme.Muted.Render(theme.AlignLeft(clock, clocks))
	if t.tab != checking {
		return fit.Fixed(short)
	}
	return fit.Drop(date, t.Theme.Muted.Render(theme.AlignLeft(moment, moments))).Or(fit.Must, short)
}

func (t table) whenAt(at time.Time) fit.Part {
	return t.when(i18n.Clock(at.In(t.Zone)), moment(at, t.Zone))
}

func (t table) cells(i int) string {
	if t.tab == cash {
		return t.cashCells(i)
	}
	order, found := t.at(i)
	if !found {
		orphan := t.orphans()[i]
		return t.row(t.whenAt(orphan.ReceivedAt), t.Theme.Danger.Render("! "+t.Texts.Orders.Orphan),
			t.Theme.Strong.Render(badge.Reported(t.Texts, orphan.Event, "")), badge.OrphanName(orphan), "")
	}
	look := t.look(order)
	style, _ := look.Kind.Styles(t.Theme)
	return t.row(t.whenAt(order.CreatedAt), style.Render(look.Tag()),
		t.Theme.Strong.Render(i18n.Number(int64(order.Amount))), t.partly(order.Refunds.Sum(), order.Amount, order.Description), t.Theme.Muted.Render(t.ShortNumber(order.Till, order.Reference)))
}

func (t table) look(order payments.Order) badge.Badge {
	return badge.Of(t.Texts, order, t.state.Verdict(order))
}

func (t table) cashCells(i int) string {
	sale := t.page.cash[i]
	style, _ := badge.Counter.Styles(t.Theme)
	amount := t.Theme.Strong
	if sale.Voided() {
		style, amount = t.Theme.Muted, t.Theme.Muted
	}
	return t.row(t.whenAt(sale.At), style.Render(sheet.OfCash(t.Texts, sale).Tag()),
		amount.Render(i18n.Number(int64(sale.Amount))), t.partly(sale.Refunded, sale.Amount, sale.Description), t.Theme.Muted.Render(t.ShortNumber(sale.Till, sale.Number)))
}

// partly returns text. If only a part of the amount was given back, that part precedes text.
func (t table) partly(refunded, amount money.Ariary, text string) string {
	if refunded <= 0 || refunded >= amount {
		return text
	}
	return t.Theme.Strong.Render(i18n.Signed(-refunded)) + "  " + text
}

// firstOrder is the sample order of [table.example].
func firstOrder() payments.Order {
	return payments.Order{Status: payments.StatusPending, Amount: 9000, Description: "Romazava, Coca"}
}

// example returns a sample row for a till without orders.
func (t table) example() string {
	first := firstOrder()
	return t.row(t.whenAt(t.state.Now), t.look(first).Tag(), i18n.Number(int64(first.Amount)), first.Description, "0001")
}
