package orders

import (
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/fit"
	"checkout/till/tui/component/keybar"
	"checkout/till/tui/component/master"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/counter"
	"checkout/till/tui/theme"
	"checkout/till/tui/wording/sheet"
)

// View draws the screen: the list, and next to it the order under the cursor. A narrow
// window shows either the list or the order.
func (m Model) View() string {
	if !m.slip.Shown() {
		return m.master.Draw(m.view())
	}
	draw := func(width, height int) string {
		m := m.SetSize(width, height)
		if m.master.Frame == pane.FullBorder {
			return m.master.Draw(m.view())
		}
		m = m.SetSize(width, height-1) // The last row shows the keys.
		return m.master.Draw(m.view()) + "\n" + keybar.Row(m.Theme, keybar.Of(m.Texts.KeyNames, m.ShortHelp()...), width)
	}
	return m.slip.Beside(draw, m.Theme.Text, keybar.Of(m.Texts.KeyNames, m.ShortHelp()...), m.size.Width, m.size.Height)
}

func (m Model) view() master.View {
	words, columns := m.Texts.Orders, m.columns()
	next := m.keys.Switch.Help()
	width := m.master.Width
	number := ""
	// The column of order numbers has a heading only if the pane has a full border. Any other pane
	// draws the position in the list, such as 3/20, in place of the heading.
	if m.master.Frame == pane.FullBorder {
		number = m.Texts.Sale.Number
	}
	view := master.View{
		Title: m.Texts.Bar.Orders, Head: m.searchRows(), Empty: words.NoneYet,
		Right: m.Theme.Strong.Render(m.name(m.tab)) + m.Theme.Muted.Render(" · ") +
			m.Theme.Accent.Render(m.Texts.KeyNames.Of(next.Key)) + " " + next.Desc,
		Columns: theme.Bare(columns.row(width-2, m.when(words.Time, words.Time), words.Verdict, words.Amount, m.Texts.Catalog.Title, number)),
		Row:     func(i int) string { return m.cells(columns, i, width-2) },
		Day:     m.day, Foot: m.foot(width), Below: m.todo(width), Detail: m.detailView(), Keys: keybar.Of(m.Texts.KeyNames, m.ShortHelp()...),
	}
	switch {
	case m.tab == checking:
		view.Empty = words.NoneToCheck
	case m.tab == cash:
		view.Empty = m.Texts.Cash.NoneYet
	case m.pending():
		view.Empty = ""
	case m.sought():
		view.Empty = m.Texts.Orders.NoneFound
	case m.page.today.Count > 0:
		view.Empty = m.Texts.Cash.Elsewhere.With(m.Texts.Today.Count(m.page.today.Count), i18n.Money(m.page.today.Amount))
	}
	if !m.page.whole {
		view.More = "+"
	}
	return view
}

// name returns the title of a list. The title of the tab checking ends with the number of orders
// and payments to check, unless it is 0.
func (m Model) name(tab tab) string {
	switch count := min(m.state.ToCheck(), counter.MaxDoubtful); {
	case tab == own:
		return m.Till
	case tab == past:
		return m.Texts.Orders.History
	case tab == cash:
		return m.Texts.Cash.List
	case count > 0:
		return m.Texts.Orders.ToCheck + " " + strconv.Itoa(count)
	}
	return m.Texts.Orders.ToCheck
}

// todo returns what to do about the chosen order to check, and what the keys note.
func (m Model) todo(width int) []string {
	if m.tab != checking || m.decision.open() || m.count() == 0 {
		return nil
	}
	words := m.Texts.Orders
	type note struct {
		key  key.Binding
		says string
	}
	notes := []note{{m.keys.Open, m.keys.Open.Help().Desc}, {m.keys.Paid, words.FoundPaid}, {m.keys.Unpaid, words.FoundUnpaid}}
	if _, isOrphan := m.chosenOrphan(); isOrphan {
		notes = []note{{m.keys.Seen, words.FoundOwner}}
	} else if m.master.Beside > 0 {
		notes = notes[1:] // The details are next to the list.
	}
	keys := 0
	for _, note := range notes {
		keys = max(keys, theme.Width(m.Texts.KeyNames.Of(note.key.Help().Key)))
	}
	rows := []string{"", pane.Rule(m.Texts.Path.Todo), ""}
	rows = append(rows, theme.Paragraph(m.Theme.Strong, words.Look, width, 0)...)
	for _, note := range notes {
		name := m.Theme.Accent.Render(theme.AlignLeft(m.Texts.KeyNames.Of(note.key.Help().Key), keys))
		says := strings.Join(theme.Rows(note.says, width-keys-2), "\n")
		rows = append(rows, strings.Split(theme.Beside(name+"  ", says), "\n")...)
	}
	return rows
}

// foot returns the rows below the list: a question, a notice, or why a person must check the chosen
// order. It omits that reason if the details next to the list show it.
func (m Model) foot(width int) []string {
	why, style := "", m.Theme.Strong
	if orphan, found := m.chosenOrphan(); found {
		why = badge.Orphan(m.Texts, orphan, m.Zone)
	} else if order, found := m.chosen(); found && m.tab == checking && m.master.Beside == 0 {
		why = strings.Join(badge.Why(m.Texts, m.Zone, order, order.Attention(m.state.Now)), " ")
	}
	switch {
	case m.decision.open() && !m.visible():
		return m.decision.rows(m.Console, m.keys, width, m.master.Rows/2)
	case m.said != nil && !m.visible():
		why = m.said.In(m.Texts)
	case m.slip.Notice() != "" && !m.visible():
		why = m.slip.Notice()
	case m.notice != nil && !m.inside():
		why, style = m.notice.In(m.Texts), m.Theme.Danger
	case m.pending() && !m.pages.Busy():
		why, style = m.Texts.Reach[payments.ReachStoreDown], m.Theme.Danger
	}
	if why == "" {
		return nil
	}
	return theme.Paragraph(style, why, width, max(1, m.master.Rows/2))
}

// day returns the heading of the day to which row i belongs: its name, and the number and the sum
// of its payments.
func (m Model) day(i int) string {
	day := m.Service.DayOf(m.created(i).In(m.Zone))
	name, now := m.Texts.Today.DateOf(day.From.In(m.Zone)), m.Service.DayOf(m.state.Now.In(m.Zone))
	switch {
	case day.From.Equal(now.From):
		name = m.Texts.Today.Title
	case day.To.Equal(now.From):
		name = m.Texts.Today.Yesterday
	}
	text := m.Theme.Strong.Render(name)
	sum := m.page.days[day.From.UTC()]
	if m.tab == cash {
		sum = cashOf(m.page.cash, day)
	}
	for _, says := range []string{m.Texts.Today.Count(sum.Count) + " · " + i18n.Money(sum.Amount), i18n.Money(sum.Amount)} {
		if m.tab != cash { // Label the sum as mobile money, because it excludes cash sales.
			says = m.Texts.Frame.Labelled.With(m.Texts.TenderKeys[string(drawer.TenderLink)], says)
		}
		if sum.Count > 0 && theme.Width(text+says)+3 <= m.master.Width { // No amount is cut.
			text += m.Theme.Muted.Render(" " + says)
			break
		}
	}
	return text + " " + m.Theme.Rule.Render(theme.Rule(m.master.Width-theme.Width(text)-4))
}

// columns has the widths of the list's columns.
type columns struct{ outcomes, amounts int }

func (m Model) columns() columns {
	c := columns{amounts: max(8, theme.Width(m.Texts.Orders.Amount))}
	c.outcomes = theme.Width(badge.Of(m.Texts, payments.Order{}, payments.VerdictCheck).Tag())
	first, end := m.master.List.Window()
	for i := first; i < end; i++ {
		outcome := "! " + m.Texts.Orders.Orphan
		if m.tab == cash {
			outcome = sheet.OfCash(m.Texts, m.page.cash[i]).Tag()
			c.amounts = max(c.amounts, theme.Width(i18n.Number(int64(m.page.cash[i].Amount)))+1)
		}
		if order, found := m.at(i); found {
			outcome = m.look(order).Tag()
			c.amounts = max(c.amounts, theme.Width(i18n.Number(int64(order.Amount)))+1)
		}
		c.outcomes = max(c.outcomes, theme.Width(outcome))
	}
	return c
}

// The parts of a row in the order in which they are given up.
const (
	numberOfOrder = iota
	date
)

// row lays out one row of the list in width columns. What was sold has the columns that the other parts leave.
func (c columns) row(width int, clock fit.Part, outcome, amount, about, number string) string {
	const fewest = 14 // Columns of what was sold.
	return fit.Row(width, clock, fit.Fixed("  "+theme.AlignLeft(outcome, c.outcomes)+theme.AlignRight(amount, c.amounts)+"  "),
		fit.Rest(fit.Must, fewest, about), fit.Drop(numberOfOrder, "  "+number))
}

// when returns the part of a row for a time. A list that has no heading for each day shows the moment with its
// date, if there is room, instead of the clock.
func (m Model) when(clock, moment string) fit.Part {
	const clocks, moments = 5, 11
	short := m.Theme.Muted.Render(theme.AlignLeft(clock, clocks))
	if m.tab != checking {
		return fit.Fixed(short)
	}
	return fit.Drop(date, m.Theme.Muted.Render(theme.AlignLeft(moment, moments))).Or(fit.Must, short)
}

func (m Model) whenAt(at time.Time) fit.Part {
	return m.when(i18n.Clock(at.In(m.Zone)), moment(at, m.Zone))
}

func (m Model) cells(columns columns, i, width int) string {
	if m.tab == cash {
		return m.cashCells(columns, i, width)
	}
	order, found := m.at(i)
	if !found {
		orphan := m.orphans()[i]
		return columns.row(width, m.whenAt(orphan.ReceivedAt), m.Theme.Danger.Render("! "+m.Texts.Orders.Orphan),
			m.Theme.Strong.Render(badge.Reported(m.Texts, orphan.Event, "")), badge.OrphanName(orphan), "")
	}
	look, number := m.look(order), order.Number()
	if m.Shared {
		number = order.Till + " " + number
	}
	style, _ := look.Kind.Styles(m.Theme)
	return columns.row(width, m.whenAt(order.CreatedAt), style.Render(look.Tag()),
		m.Theme.Strong.Render(i18n.Number(int64(order.Amount))), m.partly(order.Refunds.Sum(), order.Amount, order.Description), m.Theme.Muted.Render(number))
}

func (m Model) look(order payments.Order) badge.Badge {
	return badge.Of(m.Texts, order, m.state.Verdict(order))
}
