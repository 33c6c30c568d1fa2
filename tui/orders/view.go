package orders

import (
	"slices"
	"strings"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/theme"
)

// View draws the screen in the room it was given.
func (m Model) View() string {
	rows := m.rows()
	if m.detail.shown() {
		rows = m.window(m.whole(), m.detail.scroll.Cursor())
	}
	if last := m.line(); last != "" {
		rows = append(screen.Fill(rows, m.room()), strings.Split(last, "\n")...)
	}
	rows = screen.Fill(rows, m.size.Height)
	for i, row := range rows {
		rows[i] = theme.Truncate(row, m.size.Width)
	}
	return strings.Join(rows, "\n")
}

// room is how many rows there are besides the question or the notice.
func (m Model) room() int {
	if last := m.line(); last != "" {
		return max(0, m.size.Height-theme.Height(last))
	}
	return m.size.Height
}

// line is the question, or the remark.
func (m Model) line() string {
	if m.ask.question != nothing {
		return m.asks()
	}
	return m.remark()
}

func (m Model) remark() string {
	if m.notice != nil {
		return m.Theme.Danger.Render(m.notice.In(m.Texts))
	}
	if m.search.pending && !m.history.loader.Busy() {
		return m.Theme.Danger.Render(m.Texts.Frame.StoreDown)
	}
	remarks := append(m.strayed(), m.why()...)
	if len(m.state.Unmatched) > 0 {
		remarks = append(remarks, m.Texts.Orders.Unmatched.With(len(m.state.Unmatched)))
	}
	for i, remark := range remarks {
		remarks[i] = m.Theme.Danger.Render(remark)
	}
	return strings.Join(remarks, "\n")
}

// why says, below the list of what there is to check, why the chosen order is
// in it, in at most half of the rows.
func (m Model) why() []string {
	order, found := m.chosen()
	if !found || m.tab != checking || m.detail.shown() {
		return nil
	}
	why := strings.Join(m.badge.Why(order, order.Attention(m.state.Now)), " ")
	if why == "" {
		return nil
	}
	rows := strings.Split(theme.Wrap(why, m.size.Width), "\n")
	return rows[:min(len(rows), m.size.Height/2)]
}

// rows draws the headings and the orders around the cursor.
func (m Model) rows() []string {
	words := m.Texts.Orders
	empty := words.NoneYet
	switch {
	case m.tab == checking:
		empty = words.NoneToCheck
	case m.search.pending:
		empty = ""
	case m.sought():
		empty = m.Texts.Search.None
	}
	rows := append([]string{m.headings()}, m.searchRows()...)
	orders := m.history.orders
	if _, strayed := m.oldestStray(); strayed && len(orders) == 0 {
		return rows
	}
	if len(orders) == 0 {
		return append(rows, "", m.Theme.Muted.Render(empty))
	}
	amount := m.amountWidth(orders)
	rows = append(rows, m.Theme.Muted.Render(m.columns(amount, words.Reference, words.Time, words.Amount, words.Verdict)))
	first, end := m.list.Window()
	for i := first; i < end; i++ {
		rows = append(rows, m.row(orders[i], amount, i == m.list.Cursor()))
	}
	return rows
}

// headRows is how many rows stand above the orders.
func (m Model) headRows() int { return len(m.searchRows()) + 2 }

// headings names the lists, and tells which of them is shown.
func (m Model) headings() string {
	heading := func(of tab, text string) string {
		if of == m.tab {
			return m.Theme.Strong.Render(text)
		}
		return m.Theme.Muted.Render(text)
	}
	parts := []string{heading(checking, m.Texts.Orders.ToCheck), heading(past, m.Texts.Orders.History)}
	if m.Shared {
		parts = slices.Insert(parts, 1, heading(own, m.By))
	}
	more := ""
	if !m.history.whole {
		more = "+"
	}
	return theme.Spread(strings.Join(parts, "   "), m.Theme.Muted.Render(m.list.Position(more)), m.size.Width)
}

// These marks at the end of a row say that there are others beyond it.
const (
	above = "↑"
	below = "↓"
)

// window is as many of the rows as there is room for, from the first on. Marks
// say that there are others.
func (m Model) window(rows []string, first int) []string {
	first = min(first, len(rows))
	end := min(len(rows), first+m.room())
	cut := slices.Clone(rows[first:end])
	mark := func(i int, sign string) {
		cut[i] = theme.Spread(cut[i], m.Theme.Muted.Render(sign), m.size.Width)
	}
	if first > 0 && len(cut) > 1 {
		mark(0, above)
	}
	if end < len(rows) && len(cut) > 0 {
		mark(len(cut)-1, below)
	}
	return cut
}

// row is one order of the list; a mark stands before the chosen one.
func (m Model) row(order payments.Order, amount int, chosen bool) string {
	reference, clock := order.Reference, i18n.Moment(order.CreatedAt.In(m.Zone))
	if m.narrow() {
		reference, clock = tail(reference, narrowReference), i18n.Clock(order.CreatedAt.In(m.Zone))
	}
	word := m.badge.Brief(order, m.state.Verdict(order))
	row := m.columns(amount, reference, clock, i18n.Money(order.Amount), word+"  "+order.Description)
	if chosen {
		return m.Theme.Selected.Render(theme.Left("›"+row[1:], m.size.Width))
	}
	return row
}

// narrowReference is how many columns of a reference are shown where the window
// is narrow: its number within the day.
const narrowReference = 6

func (m Model) narrow() bool { return m.size.Width < 60 }

// tail is the end of text, at most width columns of it.
func tail(text string, width int) string {
	if theme.Width(text) <= width {
		return text
	}
	runes := []rune(text)
	for theme.Width(string(runes)) > width-1 {
		runes = runes[1:]
	}
	return "…" + string(runes)
}

// amountWidth is the amounts' column. Where the window is narrow it is as small
// as they let it be, for the outcomes need the room.
func (m Model) amountWidth(orders []payments.Order) int {
	if !m.narrow() {
		return 16
	}
	width := theme.Width(m.Texts.Orders.Amount)
	for _, order := range orders {
		width = max(width, theme.Width(i18n.Money(order.Amount)))
	}
	return width + 1
}

// columns lays out one row, tighter where the window is narrow.
func (m Model) columns(width int, reference, clock, amount, rest string) string {
	if m.narrow() {
		return " " + theme.Left(reference, narrowReference) + theme.Right(clock, 6) + theme.Right(amount, width) + " " + rest
	}
	return " " + theme.Left(reference, 20) + theme.Right(clock, 12) + theme.Right(amount, width) + "  " + rest
}
