package board

import (
	"strconv"
	"strings"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/theme"
)

// Each order of the pane has two rows, and a blank one behind it.
const paneRows = 3

// PaneHeight is how high the pane is for the orders that there are, at most
// limit. It leaves room for one where there is none, so that the first one moves
// nothing.
func (m Model) PaneHeight(limit int) int {
	return min(max(1, len(m.orders))*paneRows+3, limit)
}

// Pane draws the board beside the sale: of each order its amount, what it is, the
// time that is left and a bar of it, or what came of it.
func (m Model) Pane(width, height int) string {
	inner, room := pane.Whole.Inner(width, height)
	waiting := pane.Pane{Title: m.Texts.Board.Pane, Right: m.sum(), Rows: []string{""}}
	if len(m.orders) == 0 {
		waiting.Rows = append(waiting.Rows, theme.Paragraph(m.Theme.Strong, m.Texts.Board.Empty, inner, 0)...)
		waiting.Rows = append(waiting.Rows, theme.Paragraph(m.Theme.Text, m.waits(), inner, 0)...)
	}
	fit := (room - 1) / paneRows
	if len(m.orders) > fit {
		fit = (room - 2) / paneRows // The last row says how many more there are.
	}
	const number, amounts = 2, 11
	for i, order := range m.orders[:min(len(m.orders), max(0, fit))] {
		head := m.Theme.Accent.Render(theme.Left(strconv.Itoa(i+1), number)) +
			theme.Right(m.Theme.Strong.Render(i18n.Number(int64(order.Amount)))+m.Theme.Muted.Render(" Ar"), amounts) + "  "
		indent := strings.Repeat(" ", number+2)
		clock, state := "", m.badge.Text(order, m.state.Verdict(order))
		if m.counting(order) {
			left := m.left(order)
			clock, state = left.Time(), left.Bar(inner-len(indent))
		}
		waiting.Rows = append(waiting.Rows, head+theme.Spread(order.Description, clock, inner-theme.Width(head)),
			indent+theme.Truncate(state, inner-len(indent)), "")
	}
	if more := len(m.orders) - fit; more > 0 && fit >= 0 && len(m.orders) > 0 {
		waiting.Rows = append(waiting.Rows[:min(len(waiting.Rows), room-1)], m.Texts.Board.More.With(more))
	}
	return waiting.Draw(m.Theme, width, height)
}

// sum says how many orders wait, and what they come to; an outcome that nobody has
// seen waits no more.
func (m Model) sum() string {
	var sum payments.Ariary
	waiting := 0
	for _, order := range m.orders {
		if order.Facts.Acknowledged {
			waiting, sum = waiting+1, sum+order.Amount
		}
	}
	if waiting == 0 {
		return ""
	}
	return m.Theme.Strong.Render(strconv.Itoa(waiting) + " · " + i18n.Money(sum))
}

// Strip draws the board in one row, as many orders as fit; blank without any.
func (m Model) Strip(width int) string {
	if len(m.orders) == 0 {
		return ""
	}
	const bars = 8
	strip := "  " + m.Theme.Strong.Render(m.Texts.Board.Pane)
	for i, order := range m.orders {
		state := m.badge.Text(order, m.state.Verdict(order))
		if m.counting(order) {
			left := m.left(order)
			state = left.Line(bars + 6)
			if left.Soon() { // The word in the place of the bar.
				state = strings.TrimSpace(left.Word()) + " " + left.Time()
			}
		}
		next := "  " + m.Theme.Accent.Render(strconv.Itoa(i+1)) + "  " + m.Theme.Strong.Render(i18n.Money(order.Amount)) + "  " + state
		rest := ""
		if more := len(m.orders) - i; more > 1 {
			rest = "  " + m.Texts.Board.More.With(more-1)
		}
		if theme.Width(strip+next+rest) > width {
			return strip + "  " + m.Texts.Board.More.With(len(m.orders)-i)
		}
		strip += next
	}
	return strip
}
