package today

import (
	"slices"
	"strings"

	"checkout/till/assets/i18n"
	"checkout/till/tui/component/figures"
	"checkout/till/tui/component/fit"
	"checkout/till/tui/component/layout"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/theme"
)

// form is a way to draw the day as panes. The hours are next to the drawer.
type form struct {
	figures int  // Maximum height of the figures of the takings, in rows.
	chart   int  // Fewest rows of the takings by hour.
	takings bool // The takings are at the top, next to the outcomes.
	bottom  bool // The articles and the last outcomes are at the bottom, unless a question is there.
	moves   bool // There must be room for all rows of the drawer. Else there may be only its result.
}

// forms returns all forms. In each form something has less room than in the form before.
func forms() []form {
	return []form{
		{figures: figures.Large, chart: 7, takings: true, bottom: true, moves: true},
		{figures: figures.Small, chart: 7, takings: true, bottom: true, moves: true},
		{figures: figures.Small, chart: 5, takings: true},
		{chart: 5},
	}
}

const (
	leastUpper = 7  // Rows of the usual outcomes, with the key of the list to check.
	leastLast  = 4  // Rows of articles and of last outcomes.
	goodChart  = 7  // Rows of the takings by hour, with their hours and their unit.
	maxChart   = 12 // A higher chart is not clearer.
	maxSold    = 42 // Columns of the articles, with the borders.
)

// plan is a form with the heights of its panes, in rows. A height of 0 means that there is no pane.
type plan struct {
	form
	upper, lower, bottom int
}

// plan returns the first form that fits, or false if the day must be one text that scrolls.
func (m Model) plan() (found plan, fits bool) {
	if m.stated || m.size.Width < layout.Halves || m.frame() != pane.FullBorder {
		return plan{}, false
	}
	for _, form := range forms() {
		if !form.takings && !m.ask.Open() {
			break // A text that scrolls also shows the takings.
		}
		upper, lower, bottom := m.needs(form)
		if sizes, whole := fit.Share(m.size.Height-len(m.foot()), lower, upper, bottom); whole {
			return plan{form: form, lower: sizes[0], upper: sizes[1], bottom: sizes[2]}, true
		}
	}
	return plan{}, false
}

func (m Model) needs(form form) (upper, lower, bottom fit.Need) {
	report, accounts := m.Report(), m.accounts()
	left, right := layout.Split(m.size.Width)
	all, result := len(accounts.pane(right-pane.Borders, true).Rows), len(accounts.pane(right-pane.Borders, false).Rows)
	if form.moves {
		result = all
	}
	lower = fit.Need{Least: max(form.chart, result) + pane.Edges, Good: max(goodChart, all) + pane.Edges + 1, Grow: 1}
	if form.takings {
		rows := max(leastUpper, len(report.verdicts(right-pane.Borders)), len(report.amount(left-pane.Borders, form.figures))+len(report.about(left-pane.Borders)))
		upper = fit.Need{Least: rows + pane.Edges, Good: rows + pane.Edges + 1}
	}
	switch asked := len(m.asked(m.size.Width)); {
	case asked > 0:
		bottom = fit.Need{Least: asked + pane.Edges, Good: asked + pane.Edges + 1}
	case form.bottom:
		lower.Most = max(maxChart, all) + pane.Edges
		bottom = fit.Need{Least: leastLast + pane.Edges, Good: leastLast + pane.Edges + 1, Grow: 2}
	}
	return upper, lower, bottom
}

// View draws the screen as several panes if they fit, else as one pane that scrolls.
func (m Model) View() string {
	foot := m.foot()
	plan, fits := m.plan()
	if !fits {
		return strings.Join(append(m.page(m.size.Height-len(foot)), foot...), "\n")
	}
	report := m.Report()
	left, right := layout.Split(m.size.Width)
	hours := pane.Pane{Title: m.Texts.Today.Hours}
	if most := slices.MaxFunc(report.hours(), byAmount); most.Amount > 0 {
		hours.Right = m.Texts.Today.Most.With(most.Name, i18n.Number(most.Amount))
	}
	hours.Rows = report.chart(left-pane.Borders, plan.lower-pane.Edges)
	accounts := m.accounts()
	other := accounts.pane(right-pane.Borders, true)
	if len(other.Rows) > plan.lower-pane.Edges {
		other = accounts.pane(right-pane.Borders, false)
	}
	if m.shown() && !accounts.present && len(m.account.closings) == 0 && !plan.form.bottom {
		other = report.articlesPane(right-pane.Borders, plan.lower-pane.Edges)
	}
	other.Keys, other.Offers = !m.ask.Open(), m.offers()
	var rows []string
	if plan.takings {
		outcomes := pane.Pane{Title: m.Texts.Today.Outcomes, Rows: report.verdicts(right - pane.Borders)}
		rows = append(rows, m.beside(m.takings(plan, left-pane.Borders), outcomes, plan.upper))
	}
	rows = append(rows, m.beside(hours, other, plan.lower))
	if plan.bottom > 0 {
		rows = append(rows, m.bottom(m.size.Width, plan.bottom))
	}
	return strings.Join(append(rows, foot...), "\n")
}

// page draws the day, or the accounts of the drawer, as one pane that scrolls. A question is below it.
func (m Model) page(height int) []string {
	report := m.Report()
	title := report.title()
	if m.stated {
		title = m.Texts.Account.Drawer
	}
	asked := m.asked(m.size.Width)
	all := pane.Pane{Frame: m.frame(), Title: title, Right: report.date(), Rows: m.pager.Rows(), Keys: true, Scroll: m.pager.Scroll(), Offers: m.offers()}
	return append(all.Lines(m.Theme, m.size.Width, max(0, height-len(asked))), theme.Indent(asked, 1)...)
}

// takings returns the pane of the takings. Blank rows separate its parts if there is room.
func (m Model) takings(plan plan, width int) pane.Pane {
	report := m.Report()
	amount, about := report.amount(width, plan.figures), report.about(width)
	rows := slices.Concat(amount, about)
	if len(rows)+1 < plan.upper-pane.Edges {
		rows = slices.Concat(amount, []string{""}, about)
	}
	return pane.Pane{Title: report.title(), Right: report.date(), Rows: rows}
}

// bottom draws the lowest panes: the open question, or the articles next to the last outcomes.
func (m Model) bottom(width, height int) string {
	if m.ask.Open() {
		return pane.Pane{Title: m.Theme.Accent.Render(m.ask.Title(m.Texts)), Rows: m.asked(width), Keys: true}.Aired(height).Draw(m.Theme, width, height)
	}
	one := min(maxSold, (width-layout.Gap)/2)
	return theme.Beside(m.Report().articlesPane(one-pane.Borders, height-pane.Edges).Draw(m.Theme, one, height), " ", m.Report().Last(width-one-layout.Gap, height))
}

func (m Model) asked(width int) []string {
	if !m.ask.Open() {
		return nil
	}
	return m.ask.Rows(m.Console, width-pane.Borders, m.size.Height/2)
}

func (m Model) beside(one, other pane.Pane, height int) string {
	left, right := layout.Split(m.size.Width)
	return theme.Beside(one.Aired(height).Draw(m.Theme, left, height), " ", other.Aired(height).Draw(m.Theme, right, height))
}

func (m Model) frame() pane.Frame {
	return layout.FrameOf(m.size.Width, m.size.Height+layout.FrameRows)
}

// paged reports whether the whole screen is one text that scrolls.
func (m Model) paged() bool {
	_, fits := m.plan()
	return !fits
}
