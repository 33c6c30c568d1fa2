package board

import (
	"strconv"
	"strings"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/countdown"
	"checkout/till/tui/component/figures"
	"checkout/till/tui/component/layout"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/theme"
)

// The board as cards: so many beside each other, and so many rows each.
const (
	abreast  = 3
	cardRows = 11
	headRows = 3
)

// RowsIn is how many rows of a screen of height rows the board takes where the
// last outcomes stand below it: whole cards.
func RowsIn(height int) int { return headRows + max(1, (height*3/4-headRows)/cardRows)*cardRows }

func (m Model) grid() layout.Layout { return layout.Of(m.size.Width, m.size.Height+2) }

// carded tells whether all orders fit as cards; else they are rows of a list.
func (m Model) carded() bool {
	return m.grid().Side > 0 && len(m.rows) > 0 && len(m.rows) <= min(9, (m.size.Height-headRows)/cardRows*abreast)
}

// fit gives the list its room.
func (m Model) fit() Model {
	_, room := m.grid().Frame.Inner(m.size.Width, m.size.Height)
	m.list = m.list.SetRoom(room - m.grid().Air - m.footRows()).SetAbreast(0)
	if m.carded() {
		m.list = m.list.SetRoom(len(m.rows)).SetAbreast(abreast)
	}
	return m
}

// View draws the screen in the room it was given.
func (m Model) View() string {
	if m.carded() {
		return m.cards()
	}
	grid := m.grid()
	inner, room := grid.Frame.Inner(m.size.Width, m.size.Height)
	board := pane.Pane{
		Frame: grid.Frame, Title: m.Texts.Board.Title, Right: m.sum(), Foot: m.list.Position(""),
		Rows: make([]string, grid.Air), Keys: true, Scroll: m.list.Scroll(grid.Air),
	}
	if len(m.rows) == 0 {
		board.Rows = append(board.Rows, strings.Split(theme.Wrap(m.Texts.Board.Empty, inner), "\n")...)
	}
	amount := 0
	for _, row := range m.rows {
		amount = max(amount, theme.Width(i18n.Money(row.order.Amount)))
	}
	board.Rows = append(board.Rows, m.list.Rows(m.Theme, inner, func(i int) string { return m.cells(i, amount, inner-2) }, nil)...)
	if order, found := m.chosen(); found && m.footRows() > 0 {
		for len(board.Rows) < room-1 {
			board.Rows = append(board.Rows, "")
		}
		board.Rows = append(board.Rows, theme.Truncate("  "+order.Reference+" · "+order.Description, inner))
	}
	return board.Draw(m.Theme, m.size.Width, m.size.Height)
}

// From this width on all that is said of an order stands in its row; in a narrower
// window the rest is said of the chosen one.
const withReference = 100

// footRows is how many rows say more of the chosen order.
func (m Model) footRows() int {
	if m.size.Width < withReference && m.size.Height > 4 {
		return 1
	}
	return 0
}

// counting tells whether the order's time runs.
func (m Model) counting(order payments.Order) bool {
	return order.Status == payments.StatusPending && m.state.Verdict(order) == payments.VerdictWaiting
}

// cells is one order as a row of the list.
func (m Model) cells(i, amount, width int) string {
	const states = 26
	row := m.rows[i]
	text := m.Theme.Accent.Render(theme.Right(strconv.Itoa(i+1), 3)) + "  " +
		m.Theme.Strong.Render(theme.Right(i18n.Money(row.order.Amount), amount)) + "  "
	room := width - theme.Width(text)
	if room < states+20 {
		return text + m.status(row, room)
	}
	text += theme.Left(m.status(row, states), states) + "  "
	room = width - theme.Width(text)
	if m.footRows() > 0 {
		return text + theme.Truncate(row.order.Description, room)
	}
	return text + theme.Spread(row.order.Description, m.Theme.Muted.Render(row.order.Reference), room)
}

// status is the time that an order has left, or its outcome.
func (m Model) status(row row, width int) string {
	order := row.order
	if m.counting(order) {
		return m.countdown.Line(m.left(row), m.span(order), width)
	}
	return theme.Truncate(m.badge.Text(order, m.state.Verdict(order)), width)
}

func (m Model) span(order payments.Order) time.Duration {
	return order.Link.ExpiresAt.Sub(order.CreatedAt)
}

func (m Model) left(row row) time.Duration {
	now := m.state.Now
	if now.Before(row.started) {
		now = row.started // The clock was set back.
	}
	left, _ := row.countdown.Left(now, now.Sub(row.started))
	return left
}

// cards draws the orders as cards.
func (m Model) cards() string {
	title := "  " + m.Theme.Strong.Render(m.Texts.Board.Title) + "   " + m.sum()
	rows := []string{"", theme.Left(title, m.size.Width), ""}
	width := (m.size.Width - (abreast-1)*layout.Gap) / abreast
	for first := 0; first < len(m.rows); first += abreast {
		var blocks []string
		for i := first; i < min(first+abreast, len(m.rows)); i++ {
			wide := width
			if i == first+abreast-1 {
				wide = m.size.Width - (abreast-1)*(width+layout.Gap)
			}
			blocks = append(blocks, strings.Join(m.card(i, wide), "\n"), " ")
		}
		rows = append(rows, strings.Split(theme.Beside(blocks[:len(blocks)-1]...), "\n")...)
	}
	for len(rows) < m.size.Height {
		rows = append(rows, "")
	}
	return strings.Join(theme.Clip(rows, m.size.Width, m.size.Height), "\n")
}

// card is one order; an outcome that nobody has seen fills it.
func (m Model) card(i, width int) []string {
	row := m.rows[i]
	order, inner := row.order, width-6
	verdict := m.state.Verdict(order)
	text, ground := m.badge.Styles(order, verdict)
	state := text.Render(m.badge.Short(order, verdict))
	var fill *theme.Style
	why, last := "", ""
	switch {
	case order.Retryable(m.state.Now):
		state = m.Theme.Danger.Render("✗ " + m.Texts.Orders.Refused)
		why = m.Theme.Danger.Render(theme.Truncate(m.Texts.Reasons.Of(order), inner))
		last = m.countdown.Line(m.left(row), m.span(order), inner)
	case m.counting(order):
		if countdown.Soon(m.left(row)) {
			state = m.Theme.Warning.Render("! " + m.Texts.Board.Soon)
		}
		last = m.countdown.Line(m.left(row), m.span(order), inner)
	case !order.Facts.Acknowledged && verdict != payments.VerdictUnknown && verdict != payments.VerdictWaiting:
		fill = &ground
		why = theme.Truncate(m.Texts.Reasons.Of(order), inner)
		last = theme.Spread("", m.Texts.KeyNames.Of(m.keys.Open.Help().Key)+": "+m.keys.Open.Help().Desc, inner)
	}
	content := make([]string, 0, cardRows)
	content = append(content, "")
	for _, row := range figures.Draw(m.Theme, i18n.Money(order.Amount), figures.Small) {
		content = append(content, m.Theme.Strong.Render(theme.Truncate(row, inner)))
	}
	content = append(content, "", theme.Truncate(order.Description, inner), m.Theme.Muted.Render(order.Reference), why, last)
	if fill == nil {
		for i, row := range content {
			content[i] = " " + row
		}
	}
	return pane.Card(m.Theme, strconv.Itoa(i+1), state, content, i == m.list.Cursor(), fill, width, cardRows)
}
