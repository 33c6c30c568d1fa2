package health

import (
	"cmp"
	"slices"
	"strings"

	"checkout/till/payments"
	"checkout/till/tui/component/fit"
	"checkout/till/tui/theme"
)

// table returns a row for each point of the path after the phone: what it does, where it is, and
// what it says, as much as fits. It returns nil if the screen is too narrow.
func (p path) table() []string {
	blanks := func(columns int) string { return strings.Repeat(" ", columns) }
	var names, tasks, cells []string
	for _, point := range p.points[1:] {
		name, does := "  "+p.Theme.Strong.Render(point.name), p.Theme.Text.Render(point.does)
		names = append(names, name)
		tasks = append(tasks, name, does)
		cells = append(cells, name, does, p.Theme.Muted.Render(cmp.Or(point.whole, point.place)), p.Theme.Text.Render(point.says))
	}
	if rows := fit.Columns(cells, 4, p.width, blanks); rows != nil {
		return rows
	}
	for _, rows := range [][]string{fit.Columns(tasks, 2, p.width, blanks), fit.Columns(names, 1, p.width, blanks)} {
		for i, row := range rows {
			rows[i] += "  " + p.points[i+1].facts(p.Theme, p.width-theme.Width(row)-2, 1, 2)
		}
		if !slices.ContainsFunc(rows, func(row string) bool { return strings.HasSuffix(row, " ") }) && len(rows) > 0 {
			return rows
		}
	}
	return nil
}

// facts returns the place of a point and what it says, as much as fits width columns. If only one of
// them fits, it is the one with the larger weight.
func (p point) facts(styles theme.Theme, width, place, says int) string {
	var parts []fit.Part
	if p.place != "" {
		parts = append(parts, fit.Drop(place, styles.Muted.Render(p.place)))
	}
	if p.says != "" {
		parts = append(parts, fit.Drop(says, styles.Text.Render(p.says)))
	}
	return fit.Join(width, styles.Muted.Render(" · "), parts...)
}

// counted says how many events the listener of this process accepted, got again and refused.
func (m Model) counted() string {
	return m.Texts.Health.Counted.With(m.facts.Accepted, m.facts.Repeated, m.facts.Refused)
}

func (m Model) hourPaid() (paid int64) {
	for _, report := range m.hour.reports {
		paid += report.Verdicts[payments.VerdictPaid].Count
	}
	return paid
}
