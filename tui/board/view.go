package board

import (
	"strconv"
	"strings"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/theme"
)

// From these widths on the note, and the reference as well, have a column; in
// a narrower window they are said of the chosen order alone.
const (
	withNote      = 66
	withReference = 110
)

// minAmount is how wide the amounts' column is at least.
const minAmount = 10

// View draws the screen in the room it was given.
func (m Model) View() string {
	rows := []string{m.heading()}
	if len(m.rows) == 0 {
		rows = append(rows, "", m.Theme.Muted.Render(m.Texts.Board.Empty))
	}
	amount := minAmount
	for _, row := range m.rows {
		amount = max(amount, theme.Width(i18n.Money(row.order.Amount)))
	}
	first, end := m.list.Window()
	for i := first; i < end; i++ {
		rows = append(rows, m.row(i, amount))
	}
	rows = screen.Fill(rows, m.size.Height)
	if foot := m.foot(); foot != "" {
		rows[len(rows)-1] = foot
	}
	for i, row := range rows {
		rows[i] = theme.Truncate(row, m.size.Width)
	}
	return strings.Join(rows, "\n")
}

// room is how many orders are in view.
func (m Model) room() int {
	room := m.size.Height - 1
	if m.footed() {
		room--
	}
	return max(0, room)
}

// footed tells whether the last row says more of the chosen order.
func (m Model) footed() bool { return m.size.Width < withReference && m.size.Height > 4 }

func (m Model) foot() string {
	order, found := m.chosen()
	if !found || !m.footed() {
		return ""
	}
	return m.Theme.Muted.Render(order.Reference + " · " + order.Description)
}

// heading says how many payments are awaited, and how many outcomes nobody has
// seen.
func (m Model) heading() string {
	counts := m.Texts.Sale.Waiting.With(len(m.state.Waiting()))
	if done := len(m.state.News()); done > 0 {
		counts += m.Theme.Muted.Render(" · ") + m.Texts.Board.Done.With(done)
	}
	whole := m.Theme.Strong.Render(m.Texts.Board.Title) + "  " + counts
	if theme.Width(whole) > m.size.Width {
		whole = counts // Who pressed the key knows the title.
	}
	return theme.Spread(whole, m.Theme.Muted.Render(m.list.Position("")), m.size.Width)
}

// counting tells whether the order's time runs.
func (m Model) counting(order payments.Order) bool {
	return order.Status == payments.StatusPending && m.state.Verdict(order) == payments.VerdictWaiting
}

// row is one order. The chosen one is dressed from end to end, as in every
// list, and a mark stands before it.
func (m Model) row(i, amount int) string {
	if i != m.list.Cursor() {
		return " " + m.cells(i, amount)
	}
	return m.Theme.Selected.Render(theme.Left("›"+theme.Bare(m.cells(i, amount)), m.size.Width))
}

func (m Model) cells(i, amount int) string {
	row := m.rows[i]
	gap := "  "
	if m.size.Width < withNote {
		gap = " "
	}
	text := theme.Right(strconv.Itoa(i+1), 3) + gap + theme.Right(i18n.Money(row.order.Amount), amount) + gap
	width := m.size.Width - 1
	if m.size.Width < withNote {
		return text + m.status(row, width-theme.Width(text))
	}
	columns := theme.Width(m.countdown.Word(0)) + 14
	status := m.status(row, columns)
	text += theme.Left(status, max(columns, theme.Width(status))) + "  "
	room := width - theme.Width(text)
	if m.size.Width < withReference {
		return text + theme.Truncate(row.order.Description, room)
	}
	return text + theme.Spread(row.order.Description, m.Theme.Muted.Render(row.order.Reference), room)
}

// status is the time that an order has left, or its verdict.
func (m Model) status(row row, width int) string {
	order := row.order
	if m.counting(order) {
		return m.countdown.Draw(m.left(row), order.Link.ExpiresAt.Sub(order.CreatedAt), width)
	}
	return m.badge.Tagged(order, m.state.Verdict(order))
}

func (m Model) left(row row) time.Duration {
	now := m.state.Now
	if now.Before(row.started) {
		now = row.started // The clock was set back.
	}
	left, _ := row.countdown.Left(now, now.Sub(row.started))
	return left
}
