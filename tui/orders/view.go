package orders

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/money"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/figures"
	"checkout/till/tui/component/keybar"
	"checkout/till/tui/component/master"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/theme"
)

// View draws the list with the details and, if it is shown, the receipt.
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
	below := func(width, height int) string {
		return strings.Repeat("\n", max(0, height-1)) + " " + keybar.Row(m.Theme, keybar.Of(m.Texts.KeyNames, m.ShortHelp()...), width-1)
	}
	return m.slip.Beside(draw, below, m.Theme.Text, m.size.Width, m.size.Height)
}

func (m Model) view() master.View {
	words, table := m.Texts.Orders, m.table()
	next := m.keys.Switch.Help()
	width := m.master.Width
	number := ""
	// Without a full border, the position in the list, such as 3/20, takes the place of this
	// heading.
	if m.master.Frame == pane.FullBorder {
		number = m.Texts.Sale.Number
	}
	view := master.View{
		Title: m.Texts.Bar.Orders, Head: m.searchRows(m.Console, width), Empty: words.NoneYet,
		Right: m.Theme.Strong.Render(m.name(m.Console, m.tab)) + m.Theme.Muted.Render(" · ") +
			m.Theme.Accent.Render(m.Texts.KeyNames.Of(next.Key)) + " " + next.Desc,
		Columns: theme.Bare(table.row(table.when(words.Time, words.Time), words.Verdict, words.Amount, m.Texts.Catalog.Title, number)),
		Row:     table.cells, Day: table.day, About: m.why(width), Foot: m.foot(width), Below: m.todo(width), Detail: m.detailView(), Keys: keybar.Of(m.Texts.KeyNames, m.ShortHelp()...),
	}
	switch {
	case m.tab == checking:
		view.Empty = words.NoneToCheck
	case m.pending():
		view.Empty = ""
	case m.tab == cash && m.sought():
		view.Empty = m.Texts.Cash.NoneFound
	case m.tab == cash:
		view.Empty = m.Texts.Cash.NoneYet
	case m.tab == past && m.sought() && !m.noCash:
		view.Empty = m.Texts.Cash.NoneByLink
	case m.sought():
		view.Empty = m.Texts.Orders.NoneFound
	case m.page.today != (money.Sum{}):
		view.Empty = m.Texts.Cash.Elsewhere.With(m.Texts.Today.Count(m.page.today.Count), i18n.Money(m.page.today.Amount))
	}
	if view.Empty == words.NoneYet {
		view.Example = table.example()
	}
	if !m.page.whole {
		view.More = "+"
	}
	return view
}

// todo says what to do about the chosen order or payment to check.
func (m Model) todo(width int) []string {
	if m.tab != checking || m.decision.open() || m.count() == 0 {
		return nil
	}
	words := m.Texts.Orders
	type note struct {
		key  key.Binding
		says string
	}
	paid, unpaid := words.FoundPaid, words.FoundUnpaid
	if order, _ := m.chosen(); order.Debt != "" {
		paid, unpaid = m.Texts.Debts.FoundPaid, m.Texts.Debts.FoundUnpaid
	}
	notes := []note{{m.keys.Open, words.OpenFirst}, {m.keys.Paid, paid}, {m.keys.Unpaid, unpaid}}
	if _, isOrphan := m.chosenOrphan(); isOrphan {
		notes = []note{{m.keys.Seen, words.FoundOwner}}
	} else if m.master.Beside > 0 {
		notes = notes[1:] // The details are already open.
	}
	keys := 0
	for _, note := range notes {
		keys = max(keys, theme.Width(m.Texts.KeyNames.Of(note.key.Help().Key)))
	}
	const around = 2 // Blanks in the block of a key, and after it.
	head := []string{"", pane.Rule(m.Texts.Path.Todo), ""}
	look := theme.Paragraph(m.Theme.Strong, words.Look, width, 0)
	var told, aired []string
	for _, note := range notes {
		style := m.Theme.BarKeyBlock
		if !note.key.Enabled() { // The details must be opened first.
			style = m.Theme.Accent
		}
		name := style.Render(" " + m.Texts.KeyNames.Of(note.key.Help().Key) + " ")
		rows := theme.Hang(theme.AlignLeft(name, keys+2*around), note.says, width)
		told = append(told, rows...)
		aired = append(append(aired, ""), rows...)
	}
	const columns = 2 // Rows for the headings of the columns.
	room := m.master.Rows - columns - m.count() - len(m.why(width)) - len(m.foot(width))
	for _, rows := range [][]string{
		slices.Concat(head, m.due(width), look, aired), slices.Concat(head, m.due(width), look, []string{""}, told), slices.Concat(head, look, told),
		slices.Concat([]string{""}, look, told),
	} {
		if len(rows) <= room {
			return rows
		}
	}
	return slices.Concat(look, told)
}

// due draws the amount of the chosen order, with a blank row below. If the details are beside the
// list, it returns nil, because they have the amount.
func (m Model) due(width int) []string {
	order, found := m.chosen()
	if !found || m.master.Beside > 0 {
		return nil
	}
	return append(figures.Amount(m.Theme, i18n.Money(order.Amount), width, figures.Small), "")
}

// why says why a person must check the chosen order or payment, unless the details say it.
func (m Model) why(width int) []string {
	why := ""
	if orphan, found := m.chosenOrphan(); found {
		why = badge.Orphan(m.Texts, orphan, m.Zone)
	} else if order, found := m.chosen(); found && m.tab == checking && m.master.Beside == 0 {
		why = strings.Join(badge.Why(m.Texts, m.Zone, order, order.Attention(m.state.Now)), " ")
	}
	if why == "" {
		return nil
	}
	return theme.Indent(theme.Paragraph(m.Theme.Strong, why, width-2, max(1, m.master.Rows/2)), 2)
}

func (m Model) foot(width int) []string {
	why, style := "", m.Theme.Strong
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
