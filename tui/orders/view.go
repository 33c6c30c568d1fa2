package orders

import (
	"slices"
	"strings"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/theme"
)

// View draws the screen in the room it was given.
func (m Model) View() string {
	rows := m.rows()
	if m.detail.order.Reference != "" {
		rows = m.window(m.whole(), m.detail.offset)
	}
	if last := m.line(); last != "" {
		rows = append(fill(rows, m.room()), strings.Split(last, "\n")...)
	}
	rows = fill(rows, m.size.height)
	for i, row := range rows {
		rows[i] = theme.Truncate(row, m.size.width)
	}
	return strings.Join(rows, "\n")
}

// room is how many rows there are besides the question or the notice.
func (m Model) room() int {
	if last := m.line(); last != "" {
		return max(0, m.size.height-theme.Height(last))
	}
	return m.size.height
}

// fill makes rows exactly count high. Where rows are left out the last one that
// stays says so.
func fill(rows []string, count int) []string {
	for len(rows) < count {
		rows = append(rows, "")
	}
	if len(rows) > count && count > 0 {
		rows = append(rows[:count-1:count-1], more)
	}
	return rows[:count]
}

// more is a row that says that there are others.
const more = "…"

// line is the question, the notice, or the word about events without order.
func (m Model) line() string {
	asks := m.Texts.Asks
	var question string
	switch m.question {
	case askPaid:
		question = m.paidAsks()
	case askUnpaid:
		question = asks.Unpaid.With(m.detail.order.Reference)
	case askMatch:
		event, _ := m.proposal()
		question = asks.Match.With(payments.Clean(event.OrderReference, payments.MaxShownWidth))
	case askReason:
		return m.reasonAsks()
	case askWho:
		return m.whoAsks()
	case askSeen:
		question = m.Texts.Alarms.AskSeen.With(strayName(m.stray))
	default:
		return m.remark()
	}
	return m.Theme.Warning.Render(theme.Wrap(question, m.size.width)) + "\n" + asks.YesNo
}

func (m Model) remark() string {
	if m.notice != nil {
		return m.Theme.Danger.Render(m.notice.In(m.Texts))
	}
	if m.history.search.asked && !m.history.reading {
		return m.Theme.Danger.Render(m.Texts.Frame.StoreDown)
	}
	remarks := append(m.strayed(), m.why()...)
	if len(m.unmatched) > 0 {
		remarks = append(remarks, m.Texts.Orders.Unmatched.With(len(m.unmatched)))
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
	if !found || m.tab != checking || m.detail.order.Reference != "" {
		return nil
	}
	why := strings.Join(m.badge.Why(order, order.Attention(m.state.Now)), " ")
	if why == "" {
		return nil
	}
	rows := strings.Split(theme.Wrap(why, m.size.width), "\n")
	return rows[:min(len(rows), m.size.height/2)]
}

// rows draws the headings and the orders around the cursor.
func (m Model) rows() []string {
	words := m.Texts.Orders
	empty := words.NoneYet
	switch {
	case m.tab == checking:
		empty = words.NoneToCheck
	case m.history.search.asked:
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
		return append(rows, "", m.Theme.Subdued.Render(empty))
	}
	amount := m.amountWidth(orders)
	rows = append(rows, m.Theme.Subdued.Render(m.columns(amount, words.Reference, words.Time, words.Amount, words.Verdict)))
	room := max(1, m.room()-len(rows))
	first := max(0, m.cursor-room+1)
	for i := first; i < min(len(orders), first+room); i++ {
		beyond := ""
		switch {
		case i == first && first > 0:
			beyond = above
		case i == first+room-1 && i < len(orders)-1:
			beyond = below
		}
		rows = append(rows, m.row(orders[i], amount, i == m.cursor, beyond))
	}
	return rows
}

// headings names the lists, and tells which of them is shown.
func (m Model) headings() string {
	heading := func(of tab, text string) string {
		if of == m.tab {
			return m.Theme.Title.Render(text)
		}
		return m.Theme.Subdued.Render(text)
	}
	parts := []string{heading(checking, m.Texts.Orders.ToCheck), heading(past, m.Texts.Orders.History)}
	if m.Shared {
		parts = slices.Insert(parts, 1, heading(own, m.By))
	}
	return strings.Join(parts, "   ")
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
		cut[i] = theme.Spread(cut[i], m.Theme.Subdued.Render(sign), m.size.width)
	}
	if first > 0 && len(cut) > 1 {
		mark(0, above)
	}
	if end < len(rows) && len(cut) > 0 {
		mark(len(cut)-1, below)
	}
	return cut
}

// row is one order of the list; a mark stands before the chosen one, and a sign
// behind the last one before others.
func (m Model) row(order payments.Order, amount int, chosen bool, beyond string) string {
	reference, clock := order.Reference, i18n.Moment(order.CreatedAt.In(m.Zone))
	if m.narrow() {
		reference, clock = tail(reference, narrowReference), i18n.Clock(order.CreatedAt.In(m.Zone))
	}
	word := m.badge.Brief(order, m.state.Verdict(order))
	row := m.columns(amount, reference, clock, i18n.Money(order.Amount), word+"  "+order.Description)
	if beyond != "" {
		row = theme.Spread(row, beyond, m.size.width)
	}
	if chosen {
		return m.Theme.Selected.Render(theme.Left("›"+row[1:], m.size.width))
	}
	return row
}

// narrowReference is how many columns of a reference are shown where the window
// is narrow: its number within the day.
const narrowReference = 6

func (m Model) narrow() bool { return m.size.width < 60 }

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

// whole draws everything that is known of one order.
func (m Model) whole() []string {
	order, words := m.detail.order, m.Texts.Detail
	rows := []string{
		m.Theme.Title.Render(order.Reference) + "  " + m.badge.Dressed(order, m.state.Verdict(order)),
		m.Theme.BigTotal.Render(i18n.Money(order.Amount)) + "  " + order.Description, "",
	}
	for _, item := range order.Items {
		rows = append(rows, theme.Spread("  "+i18n.Number(item.Quantity)+" × "+item.Label,
			i18n.Money(item.Total()), min(m.size.width, 60)))
	}
	rows = append(rows, "",
		m.fact(words.OrderReference, payments.Clean(order.OrderReference, payments.MaxShownWidth)),
		m.fact(words.Status, string(order.Status)),
		m.fact(words.Created, m.moment(order.CreatedAt)),
		m.fact(words.Expires, m.moment(order.Link.ExpiresAt)),
		m.fact(words.PaidAt, m.moment(order.Facts.PaidAt)))
	facts := len(rows)
	rows = append(rows, "")
	for _, why := range m.badge.Why(order, order.Attention(m.state.Now)) {
		rows = append(rows, m.Theme.Danger.Render(theme.Wrap(why, m.size.width)))
	}
	if order.Error != "" {
		rows = append(rows, m.Texts.Pay.Reason.With(m.Texts.Reasons.Of(order)))
	}
	rows = append(rows, m.finding()...)
	if event, fits := m.proposal(); fits {
		rows = append(rows, m.Theme.Warning.Render(words.Proposal.With(
			payments.Clean(string(event.Kind), 40), payments.Clean(event.OrderReference, 60))))
	}
	if len(rows) > facts+1 {
		rows = append(rows, "")
	}
	return strings.Split(strings.Join(append(rows, m.events()...), "\n"), "\n")
}

// events are the deliveries, in the order in which they came.
func (m Model) events() []string {
	words := m.Texts.Detail
	if len(m.detail.events) == 0 {
		return []string{m.Theme.Subdued.Render(words.NoEvents)}
	}
	rows := []string{m.Theme.Subdued.Render(words.Events)}
	for _, record := range m.detail.events {
		row := "  " + m.moment(record.ReceivedAt) + "  " + payments.Clean(string(record.Event.Kind), 40) +
			"  " + string(record.Outcome)
		if record.Count > 1 {
			row += "  " + words.Times.With(record.Count)
		}
		rows = append(rows, row+"  "+record.Event.Error.Shown())
	}
	return rows
}

func (m Model) fact(name, value string) string {
	if value == "" {
		value = "—"
	}
	return m.Theme.Subdued.Render(theme.Left(name, 18)) + value
}

func (m Model) moment(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return i18n.Moment(at.In(m.Zone))
}
