package orders

import (
	"strings"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/layout"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/theme"
)

// View draws the screen in the room it was given: the list, and beside it the
// order under the cursor; in a narrow window one of them.
func (m Model) View() string {
	grid, height := m.grid(), m.size.Height
	switch {
	case grid.Detail > 0:
		return theme.Beside(m.listPane().Draw(m.Theme, grid.List, height), " ", m.detailPane().Draw(m.Theme, grid.Detail, height))
	case m.inside():
		return m.detailPane().Draw(m.Theme, m.size.Width, height)
	}
	return m.listPane().Draw(m.Theme, grid.List, height)
}

func (m Model) grid() layout.Layout { return layout.Of(m.size.Width, m.size.Height+2) }

// room is the room for the content of the list, and for that of an order.
func (m Model) room() (list, detail, rows int) { return m.grid().Rooms(m.size.Height) }

// listPane is the list with its head, and below it a question or a remark.
func (m Model) listPane() pane.Pane {
	width, _, rows := m.room()
	head := m.head(width)
	shown := pane.Pane{
		Frame: m.grid().Frame, Title: m.Texts.Bar.Orders, Right: m.tabs(), Foot: m.position(), Keys: !m.inside(),
		Rows: append(head, m.list.Rows(m.Theme, width, func(i int) string { return m.cells(i, width-2) }, m.day)...), Scroll: m.list.Scroll(len(head)),
	}
	if m.count() == 0 {
		shown.Rows = append(shown.Rows, m.nothing(width)...)
	}
	return foot(shown, m.listFoot(width), rows)
}

// foot puts rows at the end of a pane's content.
func foot(shown pane.Pane, last []string, rows int) pane.Pane {
	if len(last) == 0 {
		return shown
	}
	room := max(0, rows-len(last))
	for len(shown.Rows) < room {
		shown.Rows = append(shown.Rows, "")
	}
	shown.Rows = append(shown.Rows[:room], last...)
	return shown
}

// head is what stands above the rows of the list.
func (m Model) head(width int) []string {
	var rows []string
	rows = append(append(rows, make([]string, m.grid().Air)...), m.searchRows()...)
	if m.count() == 0 {
		return rows
	}
	words := m.Texts.Orders
	position := ""
	if m.grid().Frame != pane.Whole {
		position = m.position() // There is no border for it.
	}
	return append(rows, m.Theme.Muted.Render("  "+m.columns(width-2, words.Time, words.Verdict, words.Amount, m.Texts.Catalog.Title, position)))
}

// position says which of the rows is chosen.
func (m Model) position() string {
	if m.history.whole {
		return m.list.Position("")
	}
	return m.list.Position("+")
}

// tabs names the list that is shown, and the key that leads to the others.
func (m Model) tabs() string {
	name := map[tab]string{checking: m.Texts.Orders.ToCheck, own: m.By, past: m.Texts.Orders.History}
	return m.Theme.Strong.Render(name[m.tab]) + m.Theme.Muted.Render(" · ") +
		m.Theme.Accent.Render(m.Texts.KeyNames.Of(m.keys.Switch.Help().Key)) + " " + name[m.after(m.tab)]
}

// nothing says what will stand in the list that is empty.
func (m Model) nothing(width int) []string {
	words := m.Texts.Orders
	text := words.NoneYet
	switch {
	case m.tab == checking:
		text = words.NoneToCheck
	case m.search.pending:
		return nil
	case m.sought():
		text = m.Texts.Search.None
	}
	return strings.Split(theme.Wrap(text, width), "\n")
}

// listFoot is the question or the notice below the list, or why the chosen order
// is to check; where the order stands beside the list it says that itself.
func (m Model) listFoot(width int) []string {
	switch {
	case m.asking() && (m.ask.question == askSeen || m.detail.order.Reference == ""):
		return strings.Split(m.asks(width), "\n")
	case m.grid().Detail == 0 && m.asking():
		return nil
	case m.notice != nil:
		return m.danger(m.notice.In(m.Texts), width)
	case m.search.pending && !m.history.loader.Busy():
		return m.danger(m.Texts.Frame.StoreDown, width)
	}
	why := ""
	if stray, found := m.chosenStray(); found {
		why = m.Texts.Alarms.Stray.With(paidAmount(stray.Event), strayName(stray), m.moment(stray.ReceivedAt))
	} else if order, found := m.chosen(); found && m.tab == checking && m.grid().Detail == 0 {
		why = strings.Join(m.badge.Why(order, order.Attention(m.state.Now)), " ")
	}
	if why == "" {
		return nil
	}
	return m.danger(why, width)
}

// danger draws a text that matters, in at most half of the rows.
func (m Model) danger(text string, width int) []string {
	rows := strings.Split(theme.Wrap(text, width), "\n")
	rows = rows[:min(len(rows), max(1, m.size.Height/2))]
	for i, row := range rows {
		rows[i] = m.Theme.Danger.Render(row)
	}
	return rows
}

// day is the head above the first order of a day: its name, and what was paid.
func (m Model) day(i int) string {
	order, _ := m.at(i)
	day := payments.Day(order.CreatedAt.In(m.Zone))
	name, now := m.Texts.Today.DateOf(day.From.In(m.Zone)), payments.Day(m.state.Now.In(m.Zone))
	switch {
	case day.From.Equal(now.From):
		name = m.Texts.Today.Title
	case day.To.Equal(now.From):
		name = m.Texts.Today.Yesterday
	}
	text := m.Theme.Strong.Render(name)
	if sum := m.history.days[day.From.UTC()]; sum.Count > 0 {
		text += m.Theme.Muted.Render(" " + m.Texts.Today.Count(sum.Count) + " · " + i18n.Money(sum.Amount))
	}
	width, _, _ := m.room()
	rule := strings.Repeat(string(m.Theme.Glyphs().Rest), max(0, width-theme.Width(text)-4))
	return text + " " + m.Theme.Muted.Render(rule)
}

// heads are the rows above which a day begins.
func (m Model) heads() map[int]bool {
	heads := make(map[int]bool)
	last := time.Time{}
	for i := len(m.strays()); i < m.count() && m.tab != checking; i++ {
		order, _ := m.at(i)
		if day := payments.Day(order.CreatedAt.In(m.Zone)).From; !day.Equal(last) {
			heads[i], last = true, day
		}
	}
	return heads
}

// cells is one row of the list: an order, or a payment that no order has.
func (m Model) cells(i, width int) string {
	if strays := m.strays(); i < len(strays) {
		stray := strays[i]
		return m.columns(width, m.Theme.Muted.Render(m.clock(stray.ReceivedAt)), m.Theme.Danger.Render("! "+m.Texts.Orders.Stray),
			m.Theme.Strong.Render(strings.TrimSuffix(paidAmount(stray.Event), " Ar")), strayName(stray), "")
	}
	order, _ := m.at(i)
	style, _ := m.badge.Styles(order, m.state.Verdict(order))
	outcome := style.Render(m.badge.Short(order, m.state.Verdict(order)))
	return m.columns(width, m.Theme.Muted.Render(m.clock(order.CreatedAt)), outcome,
		m.Theme.Strong.Render(i18n.Number(int64(order.Amount))), order.Description, m.Theme.Muted.Render(m.number(order)))
}

// number is an order's number within the day, with its till where there are several.
func (m Model) number(order payments.Order) string {
	if m.Shared {
		return order.Till + " " + order.Number()
	}
	return order.Number()
}

// clock is a time of day; in the list of what there is to check, which names no
// days, with the day.
func (m Model) clock(at time.Time) string {
	if m.tab == checking && !m.narrow() {
		return m.moment(at)
	}
	return i18n.Clock(at.In(m.Zone))
}

func (m Model) narrow() bool { return m.size.Width < 60 }

// columns lays out one row: time, outcome, amount, articles, number. In a narrow
// window the number gives way.
func (m Model) columns(width int, clock, outcome, amount, about, number string) string {
	times, outcomes, amounts, gap := 5, m.outcomeWidth(), 9, "   "
	if m.tab == checking && !m.narrow() {
		times = 11
	}
	if m.narrow() {
		gap, amounts = " ", 7
	}
	amounts = max(amounts, m.amountWidth())
	row := theme.Left(clock, times) + "  " + theme.Left(outcome, outcomes) + theme.Right(amount, amounts) + gap
	room := width - theme.Width(row)
	if m.narrow() || room < 16 {
		return row + theme.Truncate(about, max(0, room))
	}
	return row + theme.Spread(about, number, room)
}

// outcomeWidth is how wide the outcomes' column is: as wide as the usual ones, or
// as one in view is.
func (m Model) outcomeWidth() int {
	width := theme.Width(m.badge.Short(payments.Order{}, payments.VerdictCheck))
	first, end := m.list.Window()
	for i := first; i < end; i++ {
		if order, found := m.at(i); found {
			width = max(width, theme.Width(m.badge.Short(order, m.state.Verdict(order))))
		}
	}
	if len(m.strays()) > first {
		width = max(width, theme.Width(m.Texts.Orders.Stray)+2)
	}
	return width
}

// amountWidth is how wide the amounts in view are.
func (m Model) amountWidth() int {
	width := theme.Width(m.Texts.Orders.Amount)
	first, end := m.list.Window()
	for i := first; i < end; i++ {
		if order, found := m.at(i); found {
			width = max(width, theme.Width(i18n.Number(int64(order.Amount)))+1)
		}
	}
	return width
}
