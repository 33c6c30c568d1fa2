package health

import (
	"context"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/bars"
	"checkout/till/tui/component/fit"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/theme"
)

// lastHour is what the store has of the last hour.
type lastHour struct {
	reports []drawer.Day // One for every five minutes, the oldest first.
	paid    time.Time    // Last payment of an order of this hour; zero without one, or if this process has the listener.
}

const (
	part   = 5 * time.Minute // Time that one bar of the chart shows.
	widest = 16              // Columns of a bar in the widest window.
)

// ended reports whether the hour must be read again: its last five minutes are over, or it was not
// read yet.
func (l lastHour) ended(now time.Time) bool {
	return len(l.reports) == 0 || !now.Before(l.reports[len(l.reports)-1].Period.To)
}

func (m *Model) read() tea.Cmd {
	service, to := m.Service, m.Now().Truncate(part).Add(part)
	elsewhere := m.facts.Address == ""
	return m.loader.Load(m.Run, func(ctx context.Context) (read lastHour, err error) {
		for from := to.Add(-time.Hour); from.Before(to); from = from.Add(part) {
			report, err := service.Day(ctx, money.Period{From: from, To: from.Add(part)})
			if err != nil {
				return lastHour{}, err
			}
			read.reports = append(read.reports, report)
		}
		if !elsewhere {
			return read, nil
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

// counts returns how many orders of the last hour have each outcome.
func (m Model) counts() map[payments.Verdict]int64 {
	counts := make(map[payments.Verdict]int64)
	for _, report := range m.hour.reports {
		for verdict, sum := range report.Verdicts {
			counts[verdict] += sum.Count
		}
	}
	return counts
}

// outcomes returns rows with the number of orders of each outcome.
func (m Model) outcomes(width int) []string {
	counts := m.counts()
	var outcomes []string
	for _, verdict := range badge.Verdicts() {
		if count := counts[verdict]; count > 0 {
			look := badge.Of(m.Texts, payments.Order{}, verdict)
			style, _ := look.Kind.Styles(m.Theme)
			outcomes = append(outcomes, m.Theme.Strong.Render(i18n.Number(count))+" "+style.Render(look.Tag()))
		}
	}
	return fit.Flow(outcomes, width, "   ", "  ")
}

// chart returns the pane of the payments of the last hour, height rows high. last is the number of rows below
// the bars.
func (m Model) chart(width, height, last int) pane.Pane {
	var all []bars.Bar
	for i, report := range m.hour.reports {
		paid := report.Verdicts[payments.VerdictPaid].Count
		all = append(all, bars.Bar{Name: report.Period.From.In(m.Zone).Format("04"), Amount: paid, Present: i == len(m.hour.reports)-1})
	}
	shown := pane.Pane{Title: m.Texts.Path.Hour}
	if len(all) > 0 {
		shown.Right = i18n.Number(m.counts()[payments.VerdictPaid])
		first, inner := m.clock(m.hour.reports[0].Period.From), width-pane.Borders
		all[0].Name = first
		drawn := bars.Draw(m.Theme, all, bars.Scale(all), widest, inner, barsIn(height, last))
		if theme.Width(drawn[0]) > inner { // The first time is wider than a narrow bar.
			all[0].Name = ""
			drawn = bars.Draw(m.Theme, all, bars.Scale(all), widest, inner, barsIn(height, last))
			drawn[len(drawn)-1] = m.Theme.Muted.Render(theme.Spread(first, m.clock(m.Now()), theme.Width(drawn[0])))
		}
		shown.Rows = slices.Concat(drawn, m.outcomes(inner))
	}
	return shown.Aired(height)
}
