package today

import (
	"slices"
	"strconv"
	"strings"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/bars"
	"checkout/till/tui/component/figures"
	"checkout/till/tui/component/keybar"
	"checkout/till/tui/component/layout"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/theme"
)

// View draws the screen as several panes if they fit, else as one pane that scrolls.
func (m Model) View() string {
	words, foot := m.Texts.Today, m.foot()
	width, height := m.size.Width, max(0, m.size.Height-len(foot))
	if !m.paned() {
		all := pane.Pane{
			Frame: m.grid().Frame, Title: m.title(), Right: m.date(), Rows: m.pager.Rows(), Keys: true, Scroll: m.pager.Scroll(), Offers: m.offers(),
		}
		return strings.Join(append(all.Lines(m.Theme, width, height), foot...), "\n")
	}
	left, right := m.halves()
	verdicts := m.verdicts(right - borders)
	if count := m.state.ToCheck(); count > 0 {
		check := m.Theme.Accent.Render(m.Texts.KeyNames.Of(m.keys.Check.Help().Key))
		verdicts = append(verdicts, "", words.Open.With(check, count))
	}
	air := m.grid().Air
	upper := min(max(minUpper, len(verdicts)+2)+air, height-minLower)
	lower := height - upper
	if m.tall() {
		lower = min(lower*13/24, maxChart)
	}
	peak := ""
	if most := busiest(m.hours()); most.Amount > 0 {
		peak = words.Most.With(most.Name, i18n.Number(most.Amount))
	}
	shown := lower - 2 - air
	articles := m.pane(m.Texts.Catalog.Title, "", m.articles(right-borders, shown))
	if sold := len(m.account.report.Sold); shown < sold {
		articles.Right = words.First.With(shown, sold)
	}
	taken := m.takings(left-borders, upper-3)
	if air+len(taken) < upper-2 {
		taken = append([]string{""}, taken...)
	}
	takings := m.pane(m.title(), m.date(), taken)
	hours := m.pane(words.Hours, peak, m.chart(left-borders, shown))
	rows := []string{m.beside(takings, m.pane(words.Outcomes, "", verdicts), upper)}
	if m.tall() {
		rows = append(rows, m.beside(hours, articles, lower), m.last(width, height-upper-lower, m.offers()))
	} else {
		articles.Keys = true
		articles.Offers = m.offers()
		rows = append(rows, m.beside(hours, articles, lower))
	}
	return strings.Join(append(rows, foot...), "\n")
}

// borders is the width of a pane's borders, in columns.
const borders = 4

func (m Model) halves() (left, right int) {
	return (m.size.Width - layout.Gap + 1) / 2, (m.size.Width - layout.Gap) / 2
}

func (m Model) beside(one, other pane.Pane, height int) string {
	left, right := m.halves()
	return theme.Beside(one.Draw(m.Theme, left, height), " ", other.Draw(m.Theme, right, height))
}

// Smallest heights of the upper and the lower panes, and the largest height of the chart.
const minUpper, minLower, maxChart = 9, 8, 20

func (m Model) grid() layout.Layout { return layout.Of(m.size.Width, m.size.Height+layout.FrameRows) }

// paned reports whether four panes fit: the takings, the outcomes, the hours and the
// articles. tall reports whether the last outcomes fit below them.
func (m Model) paned() bool {
	return m.size.Width >= minPaned && m.grid().Frame == pane.FullBorder && m.size.Height-len(m.foot()) >= minUpper+minLower
}

func (m Model) tall() bool { return m.grid().Side > 0 && m.size.Height >= 26 }

const minPaned = 80

func (m Model) pane(title, right string, rows []string) pane.Pane {
	return pane.Pane{Title: title, Right: right, Rows: append(make([]string, m.grid().Air), rows...)}
}

func (m Model) fit() Model {
	m.keys.Close.SetEnabled(m.account.whole && m.shown() && len(m.account.closed) == 0)
	if m.size.Width == 0 || m.paned() {
		return m
	}
	words, grid := m.Texts.Today, m.grid()
	width, height := grid.Frame.Inner(m.size.Width, max(0, m.size.Height-len(m.foot())))
	rows := append(m.takings(width, grid.Figures+grid.Part+2), "")
	rows = append(rows, m.part(words.Outcomes, m.verdicts(width))...)
	rows = append(rows, m.part(words.Last, m.lastRows(width, lastOutcomes))...)
	rows = append(rows, m.part(words.Hours, m.chart(width, 6))...)
	rows = append(rows, m.part(m.Texts.Catalog.Title, m.articles(width, len(m.account.report.Sold)))...)
	m.pager = m.pager.Show(rows, width, height)
	return m
}

func (m Model) part(title string, rows []string) []string {
	return slices.Concat([]string{m.Theme.Strong.Render(title)}, rows, []string{""})
}

func (m Model) title() string {
	if m.day.From.IsZero() {
		return m.Texts.Today.Taken
	}
	return m.Texts.Today.TakenThen
}

func (m Model) date() string { return m.Texts.Today.DateOf(m.wanted().From.In(m.Zone)) }

// takings draws the received sum in large figures and a sentence about it. It puts a blank
// row between them if the result then has at most most rows.
func (m Model) takings(width, most int) []string {
	if !m.shown() {
		return []string{"  " + m.Texts.Today.Reading}
	}
	words, paid := m.Texts.Today, m.received()
	about := m.Theme.Strong.Render(words.Count(paid.Count))
	if paid.Count > 0 {
		about += " · " + words.Mean.With(m.Theme.Strong.Render(i18n.Money(paid.Mean())))
	}
	if m.account.whole {
		about += " · " + words.Before.With(m.Theme.Strong.Render(i18n.Money(m.account.before.Amount)))
	}
	rows := figures.Amount(m.Theme, i18n.Money(paid.Amount), width-2, m.grid().Figures)
	said := strings.Split(theme.Wrap(about, width-2), "\n")
	if m.grid().Part > 1 && len(rows)+len(said) < most {
		rows = append(rows, "")
	}
	return theme.Indent(append(rows, said...), 2)
}

// share draws a row of the outcomes or the articles, with a bar in the rest of the width.
func (m Model) share(name string, count int64, amount, most payments.Ariary, style theme.Style, width int) string {
	const counts, gap, bar = 4, 2, 12
	amounts := max(8, theme.Width(i18n.Number(int64(m.largest())))+gap)
	rest := width - counts - gap - amounts
	names := max(15, min(28, rest/3))
	if rest-names < bar {
		names = rest
	}
	row := theme.AlignLeft(name, names) + m.Theme.Strong.Render(theme.AlignRight(i18n.Number(count), counts)) + strings.Repeat(" ", gap)
	if rest > names {
		row += m.Theme.Bar(style, float64(amount)/float64(max(1, most)), rest-names-1)
	}
	return row + m.Theme.Strong.Render(theme.AlignRight(i18n.Number(int64(amount)), amounts))
}

func (m Model) largest() (most payments.Ariary) {
	for _, sum := range m.account.report.Verdicts {
		most = max(most, sum.Amount)
	}
	return most
}

// verdicts returns a row for each outcome, with the number and the sum of its orders. The
// usual outcomes always have a row, the others only if they occurred.
func (m Model) verdicts(width int) []string {
	if !m.shown() {
		return nil
	}
	const usual = 5
	sums, most := m.account.report.Verdicts, m.largest()
	var rows []string
	for i, verdict := range []payments.Verdict{
		payments.VerdictPaid, payments.VerdictNotPaid, payments.VerdictCheck, payments.VerdictUnknown, payments.VerdictWaiting,
		payments.VerdictMarkedPaid, payments.VerdictMarkedUnpaid, payments.VerdictRefunded, payments.VerdictRejected,
		payments.VerdictTimeOver,
	} {
		sum := sums[verdict]
		if i >= usual && sum.Count == 0 {
			continue
		}
		look := badge.Of(m.Texts, payments.Order{}, verdict)
		style, _ := look.Kind.Styles(m.Theme)
		rows = append(rows, m.share(style.Render(look.Tag()), sum.Count, sum.Amount, most, style.Bold(false), width))
	}
	return rows
}

func (m Model) articles(width, limit int) []string {
	if !m.shown() {
		return nil
	}
	sold := m.account.report.Sold
	if len(sold) == 0 {
		return theme.Paragraph(m.Theme.Text, m.Texts.Today.NothingSold, width, 0)
	}
	var rows []string
	for _, article := range sold[:max(0, min(limit, len(sold)))] {
		rows = append(rows, m.share(article.Label, article.Quantity, article.Amount, sold[0].Amount, m.Theme.Flow, width))
	}
	return rows
}

func (m Model) offers() []string {
	return keybar.Offers(m.Theme, keybar.Of(m.Texts.KeyNames, m.ShortHelp()...))
}

// Last draws the last outcomes of the day as a pane.
func (m Model) Last(width, height int) string { return m.last(width, height, nil) }

func (m Model) last(width, height int, offers []string) string {
	grid := m.grid()
	inner, rows := grid.Frame.Inner(width, height)
	last := pane.Pane{Frame: grid.Frame, Title: m.Texts.Today.Last, Rows: make([]string, grid.Air), Keys: offers != nil, Offers: offers}
	if m.shown() {
		last.Right = m.Texts.Today.Count(m.received().Count) + " · " + i18n.Money(m.received().Amount)
		shown := rows - grid.Air
		last.Rows = append(last.Rows, m.lastRows(inner, shown)...)
		if decided := m.decided(); int64(shown) < decided {
			last.Foot = m.Texts.Catalog.Count.With(strconv.Itoa(shown), i18n.Number(decided))
		}
	}
	return last.Draw(m.Theme, width, height)
}

// decided returns the number of the day's orders that are no longer waiting.
func (m Model) decided() (count int64) {
	for verdict, sum := range m.account.report.Verdicts {
		if verdict != payments.VerdictWaiting {
			count += sum.Count
		}
	}
	return count
}

func (m Model) lastRows(width, limit int) []string {
	orders, rows := m.outcomes(limit, "  ", 11)
	if len(orders) == 0 {
		return theme.Paragraph(m.Theme.Text, m.Texts.Today.Nothing, width, 0)
	}
	for i, order := range orders {
		row, number := " "+rows[i]+"    ", order.Number()
		if m.Shared {
			number = order.Till + " " + number
		}
		room := width - theme.Width(row+number) - 3
		if room < 0 {
			rows[i] = strings.TrimRight(row, " ")
			continue
		}
		why := m.Texts.Reasons.Of(order.Reason)
		if why != "" {
			why = "  · " + why
		}
		if order.Paid() || room < theme.Width(why)+16 {
			why = ""
		}
		about := theme.Truncate(order.Description, room-theme.Width(why)) + m.Theme.Muted.Render(why)
		rows[i] = row + theme.Spread(about, m.Theme.Muted.Render(number), width-theme.Width(row)-2)
	}
	return rows
}

// outcomes returns the orders of the day that no longer wait, the last one first, at most
// limit. rows has a text for each order: its time, gap, its outcome and its amount. amounts
// is the least width of the amount column.
func (m Model) outcomes(limit int, gap string, amounts int) (orders []payments.Order, rows []string) {
	for _, order := range m.account.last {
		if m.state.Verdict(order) != payments.VerdictWaiting {
			orders = append(orders, order)
		}
	}
	slices.SortStableFunc(orders, lastFirst)
	orders = orders[:max(0, min(limit, len(orders)))]
	wide := theme.Width(badge.Of(m.Texts, payments.Order{}, payments.VerdictCheck).Tag())
	for _, order := range orders {
		wide = max(wide, theme.Width(m.look(order).Tag()))
		amounts = max(amounts, theme.Width(i18n.Number(int64(order.Amount)))+1)
	}
	for _, order := range orders {
		style, _ := m.look(order).Kind.Styles(m.Theme)
		rows = append(rows, m.Theme.Muted.Render(i18n.Clock(order.CountedAt().In(m.Zone)))+gap+
			theme.AlignLeft(style.Render(m.look(order).Tag()), wide)+
			m.Theme.Strong.Render(theme.AlignRight(i18n.Number(int64(order.Amount)), amounts)))
	}
	return orders, rows
}

func lastFirst(a, b payments.Order) int { return b.CountedAt().Compare(a.CountedAt()) }

func (m Model) look(order payments.Order) badge.Badge {
	return badge.Of(m.Texts, order, m.state.Verdict(order))
}

// Pane draws today's figures as a pane next to the sale: the takings, the number of sales,
// the number of orders to check, the last outcomes, and the takings by hour.
func (m Model) Pane(width, height int) string {
	const hours = 4 // Height of the bars and their labels.
	words, day := m.Texts.Today, pane.Pane{Title: m.Texts.Today.Title}
	if !m.shown() || !m.day.From.IsZero() {
		return day.Draw(m.Theme, width, height)
	}
	inner, room := pane.FullBorder.Inner(width, height)
	about := words.Count(m.received().Count)
	if count := m.state.ToCheck(); count > 0 {
		about += m.Theme.Muted.Render(" · ") + m.Theme.Warning.Render("! "+words.ToCheck.With(count))
	}
	amount := figures.Amount(m.Theme, i18n.Money(m.received().Amount), inner, figures.Small)
	day.Rows = slices.Concat([]string{""}, amount, []string{"", about, ""})
	left := room - len(day.Rows) - 1
	if left < 1 {
		return day.Draw(m.Theme, width, height)
	}
	if left >= hours+3 && m.received().Count > 0 {
		all := m.hours()
		day.Last = append(append([]string{""}, bars.Draw(m.Theme, all, bars.Scale(all), 4, inner, hours-1)...), "")
		left -= len(day.Last) - 1
	}
	orders, rows := m.outcomes(left, " ", 7)
	if len(orders) == 0 {
		rows = theme.Paragraph(m.Theme.Text, words.Nothing, inner, left)
	}
	for i, order := range orders {
		rows[i] = theme.Truncate(rows[i]+"  "+order.Description, inner)
	}
	day.Rows = append(day.Rows, rows...)
	return day.Draw(m.Theme, width, height)
}

func (m Model) foot() []string {
	width := m.size.Width - 2
	var rows []string
	switch {
	case m.ask.Open():
		rows = m.ask.Rows(m.Console, width)
	case m.notice != nil:
		rows = theme.Paragraph(m.Theme.Danger, m.notice.In(m.Texts), width, 0)
	case len(m.account.closed) > 0 && m.shown():
		closing := m.account.closed[0]
		says := m.closed(m.Texts) + " · " + i18n.Money(closing.Received.Amount)
		if since := m.received().Minus(closing.Received); since != (payments.Sum{}) {
			says += " · " + m.Texts.Printed.Since.With(m.Texts.Today.Count(since.Count)+" "+i18n.Money(since.Amount))
		}
		rows = append(theme.Paragraph(m.Theme.Strong, says, width, 0),
			theme.Paragraph(m.Theme.Text, m.Texts.Today.Export.With(m.account.closed[0].Day), width, 0)...)
	}
	return theme.Indent(rows, 1)
}
