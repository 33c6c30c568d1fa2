package board

import (
	"slices"
	"strconv"
	"strings"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/money"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/countdown"
	"checkout/till/tui/component/fit"
	"checkout/till/tui/component/keybar"
	"checkout/till/tui/component/master"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/theme"
)

// View draws the orders and, if there is room, the last outcomes below them.
func (m Model) View() string {
	view := m.master.Draw(m.view())
	if m.plan.card > 0 {
		view = m.cards()
	}
	if m.plan.outcomes > 0 {
		view += "\n" + m.Last(m.size.Width, m.plan.outcomes)
	}
	return view
}

// Widths for a list of orders, in columns.
const (
	numbers = 7  // Width of the number of an order, and of the blanks around it and after the amount.
	states  = 26 // Width of the state in a row with the description.
)

// describes reports whether the rows of the list have room for the state and the description.
func (m Model) describes() bool { return m.master.Width-2-numbers-m.amounts() >= states+20 }

func (m Model) amounts() (width int) {
	for _, order := range m.orders {
		width = max(width, theme.Width(i18n.Money(order.Amount)))
	}
	return width
}

func (m Model) view() master.View {
	amounts, describes := m.amounts(), m.describes()
	order, found := m.chosen()
	view := master.View{
		Title: m.Texts.Board.Title, Right: m.sum(), Empty: m.Texts.Board.Empty + "\n" + m.waits(),
		Row: func(i int) string { return m.cells(m.orders[i], amounts, describes) }, Keys: keybar.Of(m.Texts.KeyNames, m.ShortHelp()...),
	}
	if _, waits := m.left(order); found && !waits { // The row of a chosen outcome has the colour of the outcome.
		_, block := m.look(order).Kind.Styles(m.Theme)
		view.Chosen = &block
	}
	view.Foot = m.foot()
	if len(view.Foot) > 1 && m.plan.orders >= pane.Edges+max(usual, len(m.orders))+2*len(view.Foot) {
		view.Foot = slices.Insert(view.Foot, 1, "")
	}
	if m.master.Frame == pane.TopRule && len(view.Foot) > 0 && m.plan.last {
		view.Foot = append(view.Foot, "") // A blank row above the title of the last outcomes.
	}
	return view
}

// foot returns the rows below a list: the chosen order, and the keys of the demo's customer. A row
// may be blank, so that the layout does not move.
func (m Model) foot() (rows []string) {
	width := m.master.Width
	if order, found := m.chosen(); found && m.plan.card == 0 {
		row := " " + order.Reference
		if !m.describes() {
			row = theme.TruncateList(row+" · "+order.Description, width)
		} else if about := m.about(order); len(about) > 0 && theme.Width(row+" · "+about[0]) <= width {
			row += " · " + about[0]
		}
		rows = append(rows, row)
	}
	if m.Customer != nil {
		rows = append(rows, m.demoKeys(width))
	}
	return rows
}

// demoKeys returns a row with the keys that act as the demo's customer, or an error message.
func (m Model) demoKeys(width int) string {
	if m.failed {
		return theme.Truncate(m.Theme.Danger.Render(m.Texts.Hints.NotPlayed), width)
	}
	order, _ := m.chosen()
	return m.Customer.Row(m.Theme, m.Texts, order, m.state.Now, width)
}

// cells returns the row of an order. amounts is the width of the amounts.
func (m Model) cells(order payments.Order, amounts int, describes bool) string {
	width := m.master.Width - 2
	text := m.Theme.Accent.Render(theme.AlignRight(strconv.Itoa(m.number(order)), 3)) + "  " +
		m.Theme.Strong.Render(theme.AlignRight(i18n.Money(order.Amount), amounts)) + "  "
	room := width - theme.Width(text)
	if !describes {
		return text + m.status(order, room)
	}
	text += theme.AlignLeft(m.status(order, states), states) + "  "
	return text + theme.TruncateList(order.Description, width-theme.Width(text))
}

// status returns the time left if the order waits for its payment, else its state.
func (m Model) status(order payments.Order, width int) string {
	if left, counts := m.left(order); counts {
		return left.Line(width)
	}
	return theme.Truncate(m.look(order).Text(m.Theme), width)
}

func (m Model) waits() string {
	return m.Texts.Board.Waits.With(m.Texts.KeyNames.Of(m.keys.Back.Help().Key))
}

func (m Model) look(order payments.Order) badge.Badge {
	return badge.Of(m.Texts, order, m.state.Verdict(order))
}

// left returns the countdown of an order's link. counts is true if the order is pending and its
// verdict is waiting.
func (m Model) left(order payments.Order) (left countdown.Countdown, counts bool) {
	remains, _ := m.state.Remaining(order)
	left = countdown.Countdown{Remaining: remains, Whole: order.Link.ExpiresAt.Sub(order.CreatedAt), Theme: m.Theme, Texts: m.Texts}
	return left, order.Status == payments.StatusPending && m.state.Verdict(order) == payments.VerdictWaiting
}

// paneRows is the height of an order in Pane: two rows and a blank one.
const paneRows = 3

// PaneHeight returns a height for Pane, at most limit. It has room for the largest number of orders
// since the board was last empty, so that the layout seldom moves.
func (m Model) PaneHeight(limit int) int {
	return min(max(usual, m.most)*paneRows+3, limit)
}

// Pane draws the board as a pane next to the sale, with as many orders as fit.
func (m Model) Pane(width, height int) string {
	inner, room := pane.FullBorder.Inner(width, height)
	waiting := pane.Pane{Title: m.Texts.Board.Pane, Right: m.sum(), Rows: []string{""}}
	if len(m.orders) == 0 {
		empty := theme.Paragraph(m.Theme.Strong, m.Texts.Board.Empty, inner, 0)
		waiting.Rows = slices.Concat(waiting.Rows, empty, theme.Paragraph(m.Theme.Text, m.waits(), inner, 0))
	}
	fit := (room - 1) / paneRows
	if len(m.orders) > fit {
		fit = (room - 2) / paneRows // The last row counts the omitted orders.
	}
	const number, amounts = 2, 11
	for _, order := range m.orders[:min(len(m.orders), fit)] {
		head := m.Theme.Accent.Render(theme.AlignLeft(strconv.Itoa(m.number(order)), number)) +
			theme.AlignRight(m.Theme.Strong.Render(i18n.Number(int64(order.Amount)))+m.Theme.Muted.Render(" Ar"), amounts) + "  "
		indent := strings.Repeat(" ", number+2)
		clock, state := "", m.look(order).Text(m.Theme)
		if left, counts := m.left(order); counts {
			clock, state = left.Time(), left.Bar(inner-len(indent))
		}
		room := inner - theme.Width(head) - theme.Width(clock) - 1
		waiting.Rows = append(waiting.Rows, head+theme.Spread(theme.TruncateList(order.Description, room), clock, inner-theme.Width(head)),
			indent+theme.Truncate(state, inner-len(indent)), "")
	}
	if more := len(m.orders) - fit; more > 0 {
		waiting.Rows = append(waiting.Rows[:min(len(waiting.Rows), room-1)], m.Texts.Board.More.With(more))
	}
	return waiting.Draw(m.Theme, width, height)
}

// sum returns the number and the total of the payments that may still come, or "".
func (m Model) sum() string {
	awaited := m.state.Awaited()
	if len(awaited) == 0 {
		return ""
	}
	var sum money.Ariary
	for _, order := range awaited {
		sum += order.Amount
	}
	return m.Theme.Strong.Render(strconv.Itoa(len(awaited)) + " · " + i18n.Money(sum))
}

// Strip draws the board in one row with as many orders as fit, or "" without orders. The last
// column stays blank.
func (m Model) Strip(width int) string {
	if len(m.orders) == 0 {
		return ""
	}
	width--
	parts := []fit.Part{fit.Fixed("  " + m.Theme.Strong.Render(m.Texts.Board.Pane))}
	for i, order := range m.orders {
		parts = append(parts, m.brief(i, order))
	}
	for shown := len(m.orders); ; shown-- {
		more := ""
		if hidden := len(m.orders) - shown; hidden > 0 {
			more = "   " + m.Texts.Board.More.With(hidden)
		}
		row, whole := fit.Line(width, append(slices.Clip(parts[:1+shown]), fit.Fixed(more))...)
		if whole || shown == 0 {
			return theme.Truncate(strings.Join(row, ""), width)
		}
	}
}

func (m Model) brief(i int, order payments.Order) fit.Part {
	const bars = 10
	gap := "    "
	if i == 0 {
		gap = "  "
	}
	text := gap + m.Theme.Accent.Render(strconv.Itoa(m.number(order))) + "  " + m.Theme.Strong.Render(i18n.Money(order.Amount)) + "  "
	left, counts := m.left(order)
	switch {
	case !counts:
		return fit.Fixed(text + m.look(order).Text(m.Theme))
	case left.Soon():
		return fit.Drop(1, text+left.Bare(bars)+" "+left.Time()+left.Word()).Or(fit.Must, text+left.Time()+left.Word())
	}
	return fit.Drop(1, text+left.Line(bars+timeColumns)).Or(fit.Must, text+left.Time())
}

const timeColumns = 6 // Width of the time left, with a blank before it.
