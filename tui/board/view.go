package board

import (
	"strconv"
	"strings"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/countdown"
	"checkout/till/tui/component/figures"
	"checkout/till/tui/component/layout"
	"checkout/till/tui/component/master"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/theme"
)

// The board as cards: so many beside each other, and so many rows each.
const (
	abreast  = 3
	cardRows = 11
	headRows = 3
)

// RowsIn is how many rows of a screen of height rows the board takes, above the
// last outcomes: whole cards, or all where not two fit below each other.
func RowsIn(height int) int {
	cards := (height*4/5 - headRows) / cardRows
	if cards < 2 {
		return height
	}
	return headRows + cards*cardRows
}

// carded tells whether all orders fit as cards; else they are rows of a list.
func (m Model) carded() bool {
	return m.master.Grid.Side > 0 && len(m.orders) > 0 && len(m.orders) <= min(9, (m.height-headRows)/cardRows*abreast)
}

// fit gives the list its room, and switches each key on where it does something.
func (m Model) fit() Model {
	m.keys.Open.SetEnabled(len(m.orders) > 0)
	m.keys.Jump.SetEnabled(len(m.orders) > 0)
	m.master = m.master.Fit(m.view())
	m.master.List = m.master.List.SetAbreast(0)
	if m.carded() {
		m.master.List = m.master.List.SetRoom(len(m.orders)).SetAbreast(abreast)
	}
	return m
}

// View draws the screen in the room it was given.
func (m Model) View() string {
	if !m.carded() {
		return m.master.Draw(m.view())
	}
	title := "  " + m.Theme.Strong.Render(m.Texts.Board.Title) + "   " + m.sum()
	rows := []string{"", theme.Spread(title, m.demoKeys(m.width-theme.Width(title)-4)+"  ", m.width), ""}
	width := (m.width - (abreast-1)*layout.Gap) / abreast
	for first := 0; first < len(m.orders); first += abreast {
		var blocks []string
		for i := first; i < min(first+abreast, len(m.orders)); i++ {
			wide := width
			if i == first+abreast-1 {
				wide = m.width - (abreast-1)*(width+layout.Gap)
			}
			blocks = append(blocks, strings.Join(m.card(i, wide), "\n"), " ")
		}
		rows = append(rows, strings.Split(theme.Beside(blocks[:len(blocks)-1]...), "\n")...)
	}
	rows = append(rows, make([]string, max(0, m.height-len(rows)))...)
	return strings.Join(theme.Clip(rows, m.width, m.height), "\n")
}

// From this width on all that is said of an order stands in its row; in a narrower
// window the rest is said of the chosen one.
const withReference = 100

func (m Model) view() master.View {
	amounts := 0
	for _, order := range m.orders {
		amounts = max(amounts, theme.Width(i18n.Money(order.Amount)))
	}
	width := m.master.Width
	view := master.View{
		Title: m.Texts.Board.Title, Right: m.sum(), Empty: m.Texts.Board.Empty + "\n" + m.waits(),
		Row: func(i int) string { return m.cells(i, amounts, width-2) },
	}
	if order, found := m.chosen(); found && m.width < withReference {
		view.Foot = []string{theme.Truncate("  "+order.Reference+" · "+order.Description, width)}
	}
	if m.Customer != nil { // The row stays, so that nothing moves with the cursor.
		view.Foot = append(view.Foot, m.demoKeys(width))
	}
	return view
}

// demoKeys are the keys that play the customer of the chosen order, or that he
// could not do it.
func (m Model) demoKeys(width int) string {
	if m.failed {
		return theme.Truncate(m.Theme.Danger.Render(m.Texts.Hints.NotPlayed), width)
	}
	order, _ := m.chosen()
	return m.Customer.Row(m.Theme, m.Texts, order, m.state.Now, width)
}

func (m Model) counting(order payments.Order) bool {
	return order.Status == payments.StatusPending && m.state.Verdict(order) == payments.VerdictWaiting
}

func (m Model) cells(i, amount, width int) string {
	const states = 26
	order, width := m.orders[i], min(width, layout.Readable)
	text := m.Theme.Accent.Render(theme.Right(strconv.Itoa(i+1), 3)) + "  " +
		m.Theme.Strong.Render(theme.Right(i18n.Money(order.Amount), amount)) + "  "
	room := width - theme.Width(text)
	if room < states+20 {
		return text + m.status(order, room)
	}
	text += theme.Left(m.status(order, states), states) + "  "
	room = width - theme.Width(text)
	if m.width < withReference {
		return text + theme.Truncate(order.Description, room)
	}
	return text + theme.Spread(order.Description, m.Theme.Muted.Render(order.Reference), room)
}

func (m Model) status(order payments.Order, width int) string {
	if m.counting(order) {
		return m.left(order).Line(width)
	}
	return theme.Truncate(m.badge.Text(order, m.state.Verdict(order)), width)
}

// waits says what will stand on the board.
func (m Model) waits() string {
	return m.Texts.Board.Waits.With(m.Texts.KeyNames.Of(m.keys.Back.Help().Key))
}

// left is the time that the link of an order has left.
func (m Model) left(order payments.Order) countdown.Countdown {
	whole := order.Link.ExpiresAt.Sub(order.CreatedAt)
	left, _ := m.state.Left(order)
	return countdown.Countdown{Left: left, Whole: whole, Theme: m.Theme, Texts: m.Texts}
}

// card is one order; an outcome that nobody has seen fills it.
func (m Model) card(i, width int) []string {
	order, inner := m.orders[i], width-6
	verdict := m.state.Verdict(order)
	text, ground := m.badge.Styles(order, verdict)
	state := text.Render(m.badge.Short(order, verdict))
	var fill *theme.Style
	why, last := "", ""
	switch {
	case order.Retryable(m.state.Now):
		state = m.Theme.Danger.Render("✗ " + m.Texts.Orders.Refused)
		why = m.Theme.Danger.Render(theme.Truncate(m.Texts.Reasons.Of(order), inner))
		last = m.left(order).Line(inner)
	case m.counting(order):
		left := m.left(order)
		if left.Soon() {
			state = m.Theme.Warning.Render("! " + m.Texts.Board.Soon)
		}
		clock := " " + left.Time() // The border has the word.
		last = left.Bare(inner-theme.Width(clock)) + clock
	case !order.Facts.Acknowledged && verdict != payments.VerdictUnknown && verdict != payments.VerdictWaiting:
		fill, state = &ground, m.badge.Short(order, verdict) // In the fill's own style.
		why = theme.Truncate(m.Texts.Reasons.Of(order), inner)
		last = theme.Spread("", m.Texts.Frame.Labelled.With(m.Texts.KeyNames.Of(m.keys.Open.Help().Key), m.keys.Open.Help().Desc), inner)
	}
	content := make([]string, figures.Small+1, cardRows) // A large amount is a row of text.
	copy(content[1:], figures.Amount(m.Theme, i18n.Money(order.Amount), inner, figures.Small))
	content = append(content, "", theme.Truncate(order.Description, inner), m.Theme.Muted.Render(order.Reference), why, last)
	if fill == nil {
		content = theme.Indent(content, 1)
	}
	return pane.Card(m.Theme, strconv.Itoa(i+1), state, content, i == m.master.List.Cursor(), fill, width, cardRows)
}
