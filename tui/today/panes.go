package today

import (
	"cmp"
	"slices"
	"strings"

	"checkout/till/tui/component/account"
	"checkout/till/tui/component/figures"
	"checkout/till/tui/component/fit"
	"checkout/till/tui/component/keybar"
	"checkout/till/tui/component/layout"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/component/question"
	"checkout/till/tui/theme"
)

// form is a way to draw the day as panes.
type form struct {
	figures int  // Maximum height of the digits of the takings, in rows.
	chart   int  // Minimum number of rows for the takings by hour.
	takings bool // The panes of the takings and of the outcomes are drawn, at the top.
	bottom  bool // The panes of the articles and of the last outcomes are drawn, at the bottom.
	moves   bool // All rows of the drawer must fit, not only the result.
}

// forms returns the forms while no question is open, the largest first.
func forms() []form {
	return []form{
		{figures: figures.Large, chart: 7, takings: true, bottom: true, moves: true},
		{figures: figures.Small, chart: 7, takings: true, bottom: true, moves: true},
		{figures: figures.Small, chart: 5, takings: true},
	}
}

// askedForms returns the forms while a question is open.
func askedForms() []form {
	return []form{
		{figures: figures.Large, chart: 7, takings: true, bottom: true, moves: true},
		{figures: figures.Large, chart: 7, takings: true, moves: true},
		{figures: figures.Small, chart: 7, takings: true, moves: true},
		{figures: figures.Small, chart: 5, takings: true},
		{chart: 5},
	}
}

const (
	leastUpper = 7  // Minimum number of rows for the takings and the usual outcomes, without the borders.
	goodLast   = 10 // Rows that are enough for the articles and the last outcomes.
	leastLast  = 4  // Minimum number of rows for the articles and the last outcomes, without the borders.
	goodChart  = 7  // Rows that are enough for the takings by hour: a blank row, the bars, and the names of the hours.
	maxChart   = 12 // Maximum height of the chart: a taller one is not clearer.
	leastSold  = 42 // Minimum width of the pane of the articles in a wide window, in columns, with its borders.
)

// plan is the chosen form, with the heights of its panes in rows, or 0 for a pane that is not
// drawn.
type plan struct {
	form
	upper, lower, bottom, asked int
}

// plan returns the first form that fits, if any.
func (m Model) plan() (found plan, fits bool) {
	if m.stated || m.size.Width < layout.Halves || m.frame() != pane.FullBorder {
		return plan{}, false
	}
	forms := forms() // Each of these forms has the takings. If none fits, the text that scrolls contains them.
	var asked fit.Need
	if rows := m.askedRows(); rows > 0 {
		forms = askedForms()
		asked = fit.Need{Least: rows, Good: rows + 1}
	}
	for i, form := range forms {
		asked := asked
		upper, lower, bottom := m.needs(form)
		if i < len(forms)-1 { // Only the last form omits the blank row of the question.
			asked.Least = asked.Good
		}
		if form.bottom && asked.Least > 0 { // The blank rows of the other panes are more important than the panes at the bottom.
			upper.Least = upper.Good
			lower.Least = lower.Good
		}
		if sizes, whole := fit.Share(m.size.Height-len(m.foot()), asked, lower, upper, bottom); whole {
			return plan{form: form, asked: sizes[0], lower: sizes[1], upper: sizes[2], bottom: sizes[3]}, true
		}
	}
	return plan{}, false
}

func (m Model) needs(form form) (upper, lower, bottom fit.Need) {
	report, accounts := m.Report(), m.accounts()
	left, right := layout.Split(m.size.Width)
	all, result := len(accounts.pane(right-pane.Borders, true).Rows), len(accounts.pane(right-pane.Borders, false).Rows)
	if more, _ := m.drawerKeys(right); len(more) > 0 {
		all, result = all+1, result+1
	}
	if form.moves {
		result = all
	}
	lower = fit.Need{Least: max(form.chart, result) + pane.Edges, Good: max(goodChart, all) + pane.Edges + 1, Grow: 1}
	if form.takings {
		takings, outcomes := len(report.amount(left-pane.Borders, form.figures))+len(report.about(left-pane.Borders)), len(report.ruled(right-pane.Borders))
		upper.Least = max(leastUpper, outcomes, takings) + pane.Edges
		upper.Good = max(upper.Least, takings+1+pane.Edges) + 1 // A blank row is below the digits.
	}
	if form.bottom {
		lower.Most = max(maxChart, all) + pane.Edges
		bottom = fit.Need{Least: leastLast + pane.Edges, Good: goodLast + pane.Edges + 1, Grow: 3}
	}
	return upper, lower, bottom
}

// View draws the screen as several panes if they fit, else as one pane that scrolls.
func (m Model) View() string {
	foot := m.foot()
	if _, beside := m.paperPane(); beside {
		return strings.Join(append(m.statementBeside(m.size.Height-len(foot)), foot...), "\n")
	}
	plan, fits := m.plan()
	if !fits {
		return strings.Join(append(m.page(m.size.Height-len(foot)), foot...), "\n")
	}
	report := m.Report()
	left, right := layout.Split(m.size.Width)
	hours := report.hoursPane(left-pane.Borders, plan.lower-pane.Edges)
	accounts := m.accounts()
	other := accounts.pane(right-pane.Borders, true)
	if more, _ := m.drawerKeys(right); len(other.Rows)+min(1, len(more)) > plan.lower-pane.Edges {
		other = accounts.pane(right-pane.Borders, false)
	}
	if m.shown() && !accounts.present && len(m.latest.closings) == 0 && !plan.form.bottom {
		other = report.articlesPane(right-pane.Borders, plan.lower-pane.Edges)
	}
	more, border := m.drawerKeys(right)
	other.Keys, other.Offers = !m.ask.Open(), keybar.Offers(m.Theme, border)
	if len(more) > 0 {
		other.Last = theme.Indent([]string{keybar.Row(m.Theme, more, right-pane.Borders-1)}, 1) // Below them is the border's first key.
	}
	var rows []string
	if plan.takings {
		takings, outcomes := m.takings(plan.figures, left-pane.Borders, plan.upper), report.outcomesPane(right-pane.Borders)
		more, border := m.dayKeys(right)
		takings.Offers, outcomes.Offers = keybar.Offers(m.Theme, more), keybar.Offers(m.Theme, border)
		rows = append(rows, m.beside(takings, outcomes, plan.upper))
	}
	rows = append(rows, m.beside(hours, other, plan.lower))
	if plan.bottom > 0 {
		rows = append(rows, m.bottom(m.size.Width, plan.bottom))
	}
	if plan.asked > 0 {
		rows = append(rows, m.askedPane(m.size.Width, plan.asked))
	}
	return strings.Join(append(rows, foot...), "\n")
}

// page draws the day, or its statements, as one pane that scrolls.
func (m Model) page(height int) []string {
	report := m.Report()
	title := report.title()
	if m.stated {
		title = m.accounts().statedTitle()
	}
	var asked []string
	if rows := m.pageAsked(); rows > 0 {
		asked = strings.Split(m.askedPane(m.size.Width, rows), "\n")
	}
	all := pane.Pane{Frame: m.frame(), Title: title, Rows: m.pager.Rows(), Keys: !m.ask.Open(), Scroll: m.pager.Scroll()}
	all.Scroll.Key = m.Theme.Accent.Render(m.Texts.KeyNames.Of("pgdn"))
	const gap = 2 // Blanks between the date and the hidden rows.
	all.Right = report.date(m.size.Width - gap - theme.Width(all.Scroll.Hidden()))
	if all.Frame == pane.TopRule {
		all.Rows = append([]string{""}, all.Rows...)
	}
	all.Offers = keybar.Offers(m.Theme, keybar.Of(m.Texts.KeyNames, m.ShortHelp()...))
	return append(all.Lines(m.Theme, m.size.Width, max(0, height-len(asked))), asked...)
}

// paperPane returns the width of the pane with the statements, and whether it is next to the day.
// Before a blind count, it is not, because the day shows the cash sales, which the cashier must not
// know.
func (m Model) paperPane() (width int, beside bool) {
	const most = 60
	_, right := layout.Split(m.size.Width)
	width = min(most, right)
	fits := width-pane.Borders > cmp.Or(m.Receipts.Columns, account.Width)+2 && m.size.Height-len(m.foot()) >= leastBeside
	return width, m.stated && m.shown() && !m.latest.open.Blind && m.frame() == pane.FullBorder && fits
}

// leastBeside is the minimum height of the day next to a statement, in rows.
const leastBeside = 28

// statementBeside draws two columns: the day's takings, outcomes and takings by hour, and the
// statements to the right of them.
func (m Model) statementBeside(height int) []string {
	report := m.Report()
	right, _ := m.paperPane()
	left := m.size.Width - layout.Gap - right
	inner := left - pane.Borders
	takings := len(report.amount(inner, figures.Large)) + len(report.about(inner)) + pane.Edges + 2
	outcomes := len(report.ruled(inner)) + pane.Edges + 1
	hours := height - takings - outcomes
	upper := m.takings(figures.Large, inner, takings)
	upper.Offers = keybar.Offers(m.Theme, keybar.Of(m.Texts.KeyNames, m.keys.Former, m.keys.Export))
	day := strings.Join([]string{
		upper.Aired(takings).Draw(m.Theme, left, takings),
		report.outcomesPane(inner).Aired(outcomes).Draw(m.Theme, left, outcomes),
		report.hoursPane(inner, hours-pane.Edges).Draw(m.Theme, left, hours),
	}, "\n")
	paper := pane.Pane{Title: m.accounts().statedTitle(), Rows: m.pager.Rows(), Keys: true, Scroll: m.pager.Scroll(), Offers: keybar.Offers(m.Theme, keybar.Of(m.Texts.KeyNames, m.ShortHelp()...))}
	return strings.Split(theme.Beside(day, " ", paper.Draw(m.Theme, right, height)), "\n")
}

func (r Report) outcomesPane(width int) pane.Pane {
	return pane.Pane{Title: r.Texts.Today.Outcomes, Rows: r.ruled(width)}
}

// hoursPane returns the pane of the takings by hour. width and height are without the borders.
func (r Report) hoursPane(width, height int) pane.Pane {
	hours := pane.Pane{Title: r.Texts.Today.Hours, Rows: r.chart(width, height)}
	hours.Right = r.busiest(r.hours())
	return hours
}

// takings returns the pane of the takings. high is the maximum height of the digits. width is
// without the borders, height with them.
func (m Model) takings(high, width, height int) pane.Pane {
	report := m.Report()
	amount, about := report.amount(width, high), report.about(width)
	rows := slices.Concat(amount, about)
	if len(rows)+1 < height-pane.Edges {
		rows = slices.Concat(amount, []string{""}, about)
	}
	return pane.Pane{Title: report.title(), Right: report.date(width + pane.Borders), Rows: rows}
}

func (m Model) bottom(width, height int) string {
	one := min(max(leastSold, width/4), (width-layout.Gap)/2)
	other := width - one - layout.Gap
	articles, last := m.Report().articlesPane(one-pane.Borders, height-pane.Edges), m.Report().lastPane(pane.FullBorder, other, height)
	return theme.Beside(articles.Draw(m.Theme, one, height), " ", last.Draw(m.Theme, other, height))
}

func (m Model) askedPane(width, height int) string {
	inner, _ := layout.FrameAt(width).Inner(width, 0)
	rows := question.Middle(m.asked(width), inner)
	return pane.Pane{Frame: layout.FrameAt(width), Title: m.Theme.Accent.Render(m.ask.Title(m.Texts)), Rows: rows, Keys: true}.Aired(height).Draw(m.Theme, width, height)
}

// askedRows returns the minimum height of the pane with the open question, or 0 without one.
func (m Model) askedRows() int {
	rows := len(m.asked(m.size.Width))
	if rows == 0 {
		return 0
	}
	_, room := layout.FrameAt(m.size.Width).Inner(0, rows)
	return 2*rows - room
}

// pageAsked returns the height of the pane with the open question below the text that scrolls, or 0
// without one.
func (m Model) pageAsked() int {
	rows := m.askedRows()
	if rows > 0 && m.size.Height-len(m.foot())-rows >= leastDay+askedAir {
		return rows + askedAir
	}
	return rows
}

const (
	mostAsked = 64 // Maximum width of a question, except before a closing.
	askedAir  = 2  // Number of blank rows above and below a question together.
	leastDay  = 10 // Minimum number of rows for the day; with fewer, a question has no blank rows.
)

func (m Model) asked(width int) []string {
	if !m.ask.Open() {
		return nil
	}
	width, _ = layout.FrameAt(width).Inner(width-1, 0)
	if !m.ask.closes {
		width = min(width, mostAsked) // The field for an answer would be as wide as the window.
	}
	return m.ask.Rows(m.Console, width, m.size.Height/2)
}

func (m Model) beside(one, other pane.Pane, height int) string {
	left, right := layout.Split(m.size.Width)
	return theme.Beside(one.Aired(height).Draw(m.Theme, left, height), " ", other.Aired(height).Draw(m.Theme, right, height))
}

func (m Model) frame() pane.Frame {
	return layout.FrameOf(m.size.Width, m.size.Height+layout.FrameRows)
}

func (m Model) paged() bool {
	_, fits := m.plan()
	return !fits
}
