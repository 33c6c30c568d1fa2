package health

import (
	"context"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/bars"
	"checkout/till/tui/component/fit"
	"checkout/till/tui/component/layout"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/theme"
)

type lastHour struct {
	reports []drawer.Day // A report for every five minutes, oldest first.
	paid    time.Time    // When an order of the last hour was last paid; zero without one.
}

const part = 5 * time.Minute // Period of one bar of the chart.

// ended reports whether the last hour must be read again: there is no report, or the time of the
// last one is over.
func (l lastHour) ended(now time.Time) bool {
	return len(l.reports) == 0 || !now.Before(l.reports[len(l.reports)-1].Period.To)
}

func (m *Model) read() tea.Cmd {
	service, to := m.Service, m.Now().Truncate(part).Add(part)
	return m.loader.Load(m.Run, func(ctx context.Context) (read lastHour, err error) {
		for from := to.Add(-time.Hour); from.Before(to); from = from.Add(part) {
			report, err := service.Day(ctx, money.Period{From: from, To: from.Add(part)})
			if err != nil {
				return lastHour{}, err
			}
			read.reports = append(read.reports, report)
		}
		const most = 1000
		orders, err := service.Orders(ctx, payments.Query{Status: payments.StatusSuccess, Since: to.Add(-time.Hour), Limit: most})
		for _, order := range orders {
			if order.Facts.PaidAt.After(read.paid) {
				read.paid = order.Facts.PaidAt
			}
		}
		return read, err
	})
}

// ended contains the payments of the last hour with one outcome. tag is the sign and the word of
// the outcome.
type ended struct {
	tag   string
	style theme.Style
	sum   money.Sum
}

// ends returns the outcomes of the last hour. The sales at the counter come after PAID.
func (m Model) ends() (all []ended) {
	verdicts := make(map[payments.Verdict]money.Sum)
	tendered := make(map[drawer.Tender]money.Sum)
	for _, report := range m.hour.reports {
		for verdict, sum := range report.Verdicts {
			verdicts[verdict] = plus(verdicts[verdict], sum)
		}
		for tender, sum := range report.Tendered {
			tendered[tender] = plus(tendered[tender], sum)
		}
	}
	add := func(look badge.Badge, sum money.Sum) {
		if sum != (money.Sum{}) {
			style, _ := look.Kind.Styles(m.Theme)
			all = append(all, ended{look.Tag(), style, sum})
		}
	}
	for _, verdict := range badge.Verdicts() {
		add(badge.Of(m.Texts, payments.Order{}, verdict), verdicts[verdict])
		if verdict == payments.VerdictPaid {
			for _, tender := range drawer.CounterTenders() {
				add(badge.OfTender(m.Texts, tender), tendered[tender])
			}
		}
	}
	return all
}

// taken returns the number of sales of the last hour and the money that was taken, or "".
func (m Model) taken() string {
	var taken money.Sum
	for _, report := range m.hour.reports {
		taken = plus(taken, report.Taken())
	}
	if taken == (money.Sum{}) {
		return ""
	}
	return m.Texts.Today.Count(taken.Count) + " · " + i18n.Money(taken.Amount)
}

func plus(a, b money.Sum) money.Sum {
	return money.Sum{Count: a.Count + b.Count, Amount: a.Amount + b.Amount}
}

// outcomes returns a row for each outcome of the last hour, or a text that says that there is none.
func (m Model) outcomes(width int) []string {
	var all []bars.Share
	var most money.Ariary
	for _, end := range m.ends() {
		all = append(all, bars.Share{
			Name: end.style.Render(end.tag), Count: i18n.Number(end.sum.Count), Amount: end.sum.Amount, Style: end.style.Bold(false),
		})
		most = max(most, end.sum.Amount)
	}
	if len(all) == 0 {
		return theme.Paragraph(m.Theme.Text, m.Texts.Path.Quiet, width, 0)
	}
	for i := range all {
		all[i].Most = most
	}
	return bars.Shares(m.Theme, all, width, 0)
}

// counts returns rows with the number of payments for each outcome, or nil if the outcomes have
// their own pane.
func (m Model) counts(width int) []string {
	if m.halved() && !m.timed() {
		return nil
	}
	var words []string
	for _, end := range m.ends() {
		words = append(words, m.Theme.Strong.Render(i18n.Number(end.sum.Count))+" "+end.style.Render(end.tag))
	}
	return fit.Flow(words, width, "   ", "  ")
}

// halved reports whether another pane fits next to the payments of the last hour.
func (m Model) halved() bool { return m.size.Width >= layout.Halves }

// hourWidths returns the widths of the panes of the last hour. right is 0 without a second pane. The
// left pane is as wide as its bars.
func (m Model) hourWidths() (left, right int) {
	if !m.halved() {
		return m.size.Width, 0
	}
	left, right = layout.Split(m.size.Width)
	unused := left - pane.Borders - bars.Width(int(time.Hour/part), left-pane.Borders)
	unused = max(0, unused-2) // The names of the first and the last bar are wider than the bars.
	return left - unused, right + unused
}

// belowBars returns how many rows of figures are below the bars, in the pane with more of them.
func (m Model) belowBars() int {
	left, right := m.hourWidths()
	inner, _ := m.frame().Inner(left, 0)
	rows := len(m.counts(inner))
	if right > 0 && m.timed() {
		rows = max(rows, len(m.callFigures(right-pane.Borders)))
	}
	return rows
}

func (m Model) hourRows() int {
	_, right := m.hourWidths()
	rows := someBars + 1 + m.belowBars() // The times are below the bars.
	if right > 0 && !m.timed() {
		rows = max(rows, len(m.outcomes(right-pane.Borders)))
	}
	return rows
}

// hourPanes draws the payments of the last hour and, next to them, the order calls or the outcomes.
func (m Model) hourPanes(height int) []string {
	left, right := m.hourWidths()
	chart := m.chart(left, height)
	if right == 0 {
		return chart.Lines(m.Theme, left, height)
	}
	rows := m.outcomes(right - pane.Borders)
	if aired := strings.Split(strings.Join(rows, "\n\n"), "\n"); len(aired) < height-pane.Edges {
		rows = aired
	}
	side := pane.Pane{Title: m.Texts.Path.Outcomes, Right: m.taken(), Rows: rows}.Aired(height)
	if m.timed() {
		side = m.calls(right, height)
	}
	return strings.Split(theme.Beside(chart.Draw(m.Theme, left, height), " ", side.Draw(m.Theme, right, height)), "\n")
}

func (m Model) chart(width, height int) pane.Pane {
	frame := m.frame()
	shown := pane.Pane{Frame: frame, Title: m.Texts.Path.Hour}
	if len(m.hour.reports) == 0 {
		return shown
	}
	inner, room := frame.Inner(width, height)
	var paid money.Sum
	for _, report := range m.hour.reports {
		paid = plus(paid, report.Verdicts[payments.VerdictPaid])
	}
	counts := m.counts(inner)
	switch {
	case paid.Count == 0: // Omit PAID while nothing is paid.
		shown.Right = m.Theme.Strong.Render("0")
	case len(counts) > 0: // The number is among the counts.
		shown.Right = m.Theme.Strong.Render(i18n.Money(paid.Amount))
	default:
		shown.Right = m.Theme.Strong.Render(i18n.Number(paid.Count)) + " " + badge.Of(m.Texts, payments.Order{}, payments.VerdictPaid).Text(m.Theme)
	}
	shown.Rows = m.under(room-frame.Air()+1, counts, func(high int) []string {
		var all []bars.Bar
		for i, report := range m.hour.reports {
			paid := report.Verdicts[payments.VerdictPaid].Count
			bar := bars.Bar{Name: m.clock(report.Period.From), Amount: paid, Present: i == len(m.hour.reports)-1, Paid: true}
			if paid > 0 && high > leastValued {
				bar.Value = i18n.Number(paid)
			}
			all = append(all, bar)
		}
		return bars.Draw(m.Theme, all, bars.Scale(all), inner, high)
	})
	return shown
}
