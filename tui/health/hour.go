package health

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/bars"
	"checkout/till/tui/component/pane"
)

// lastHour has a report for each part of the last hour, the oldest first.
type lastHour []payments.Report

// part is the length of the time that one bar of the chart stands for.
const part = 5 * time.Minute

// ended reports whether the hour must be read again: its last part is over, or nothing was
// read yet.
func (l lastHour) ended(now time.Time) bool {
	return len(l) == 0 || !now.Before(l[len(l)-1].Period.To)
}

// read returns a command that reads the last hour.
func (m *Model) read() tea.Cmd {
	service, to := m.Service, m.Now().Truncate(part).Add(part)
	return m.loader.Load(m.Run, func(ctx context.Context) (read lastHour, err error) {
		for from := to.Add(-time.Hour); from.Before(to); from = from.Add(part) {
			report, err := service.Report(ctx, payments.Period{From: from, To: from.Add(part)})
			if err != nil {
				return nil, err
			}
			read = append(read, report)
		}
		return read, nil
	})
}

// chart draws the pane with the payments of the last hour as bars, and the number of orders
// by outcome.
func (m Model) chart() []string {
	inner, _ := pane.FullBorder.Inner(m.size.Width, m.size.Height)
	high := 3 + min(5, (m.size.Height-minPaned)/4)
	var all []bars.Bar
	counts := make(map[payments.Verdict]int64)
	for i, report := range m.hour {
		paid := report.Verdicts[payments.VerdictPaid].Count
		all = append(all, bars.Bar{Name: m.clock(report.Period.From), Amount: paid, Present: i == len(m.hour)-1})
		for verdict, sum := range report.Verdicts {
			counts[verdict] += sum.Count
		}
	}
	var outcomes []string
	for _, verdict := range payments.Verdicts() {
		if count := counts[verdict]; count > 0 {
			look := badge.Of(m.Texts, payments.Order{}, verdict)
			outcomes = append(outcomes, m.Theme.Strong.Render(i18n.Number(count))+" "+look.Text(m.Theme))
		}
	}
	shown := pane.Pane{Title: m.Texts.Path.Hour}
	if len(all) > 0 {
		shown.Right = i18n.Number(counts[payments.VerdictPaid])
		drawn := bars.Draw(m.Theme, all, bars.Scale(all), 12, inner, high)
		shown.Rows = slices.Concat([]string{""}, drawn, []string{strings.Join(outcomes, "   ")})
	}
	return shown.Lines(m.Theme, m.size.Width, high+5)
}
