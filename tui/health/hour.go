package health

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/bars"
	"checkout/till/tui/component/layout"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/theme"
)

// lastHour is what the store has of the last hour.
type lastHour struct {
	reports []drawer.Day // One for every five minutes, the oldest first.
	paid    time.Time    // Last payment of an order of this hour; zero without one, or if this process has the listener.
}

const part = 5 * time.Minute // Time that one bar of the chart shows.

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

func (m Model) hourAndCalls() []string {
	high := 3 + min(5, (m.size.Height-minPaned)/4) // Height of the bars, in rows.
	right := (m.size.Width - layout.Gap) / 2
	left := m.size.Width - layout.Gap - right
	both := theme.Beside(m.chart(left, high).Draw(m.Theme, left, high+5), " ", m.calls(right, high).Draw(m.Theme, right, high+5))
	return strings.Split(both, "\n")
}

func (m Model) chart(width, high int) pane.Pane {
	inner, _ := pane.FullBorder.Inner(width, high)
	var all []bars.Bar
	counts := make(map[payments.Verdict]int64)
	for i, report := range m.hour.reports {
		paid := report.Verdicts[payments.VerdictPaid].Count
		all = append(all, bars.Bar{Name: report.Period.From.In(m.Zone).Format("04"), Amount: paid, Present: i == len(m.hour.reports)-1})
		for verdict, sum := range report.Verdicts {
			counts[verdict] += sum.Count
		}
	}
	var outcomes []string
	for _, verdict := range payments.Verdicts() {
		if count := counts[verdict]; count > 0 {
			look := badge.Of(m.Texts, payments.Order{}, verdict)
			style, _ := look.Kind.Styles(m.Theme)
			outcomes = append(outcomes, m.Theme.Strong.Render(i18n.Number(count))+" "+style.Render(look.Tag()))
		}
	}
	shown := pane.Pane{Title: m.Texts.Path.Hour}
	if len(all) > 0 {
		shown.Right = i18n.Number(counts[payments.VerdictPaid])
		all[0].Name = m.clock(m.hour.reports[0].Period.From)
		drawn := bars.Draw(m.Theme, all, bars.Scale(all), 12, inner, high)
		last := strings.Join(outcomes, "   ")
		if theme.Width(last) > inner {
			last = strings.Join(outcomes, "  ")
		}
		shown.Rows = slices.Concat([]string{""}, drawn, []string{last})
	}
	return shown
}
