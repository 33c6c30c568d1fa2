package admin

import (
	"slices"
	"strings"

	"checkout/till/assets/i18n"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/theme"
)

// Widths in columns.
const (
	outcomeBar = 20
	hourBar    = 12
	columnGap  = 4
	maxName    = 30
)

// reportScreen formats a report for a terminal. The hours are next to the outcomes if there is
// room.
func (a *app) reportScreen(styles theme.Theme, report drawer.Day, parts []reportPart) string {
	width := a.Columns()
	var named []string
	for _, line := range parts[0].lines {
		if line.badge.Sign != "" {
			named = append(named, line.title())
		}
	}
	for _, line := range parts[2].lines {
		named = append(named, line.title())
	}
	names := min(maxName, theme.Width(strings.Join(named, "\n")))
	outcomes := outcomeRows(styles, parts[0].lines, names)
	hours := hourRows(styles, parts[1].lines)
	wide := theme.Width(strings.Join(outcomes, "\n"))
	rows := []string{"", a.reportTitle(styles, report, parts[0].head, width), ""}
	if beside := wide + columnGap + theme.Width(strings.Join(hours, "\n")); beside <= width {
		for i := range max(len(outcomes), len(hours)) {
			row := strings.Repeat(" ", wide)
			if i < len(outcomes) {
				row = theme.AlignLeft(outcomes[i], wide)
			}
			if i < len(hours) {
				row += strings.Repeat(" ", columnGap) + hours[i]
			}
			rows = append(rows, strings.TrimRight(row, " "))
		}
	} else {
		rows = slices.Concat(rows, outcomes, []string{""}, hours)
	}
	if articles := parts[2]; len(articles.lines) > 0 {
		rows = append(rows, "", styles.Muted.Render(articles.head))
		rows = append(rows, barRows(styles, articles.lines, names)...)
	}
	return strings.Join(rows, "\n") + "\n"
}

func (a *app) reportTitle(styles theme.Theme, report drawer.Day, name string, width int) string {
	words, taken := a.Texts.Today, report.Taken()
	if first, last := days(report); first == last {
		name = words.DateOf(report.Period.From.Local())
	}
	sums := styles.Strong.Render(i18n.Money(taken.Amount))
	switch taken.Count {
	case 0:
	case 1:
		sums += "   " + words.Sale
	default:
		sums += "   " + words.Sales.With(i18n.Number(taken.Count)) + "   " +
			styles.Muted.Render(words.Mean.With(i18n.Number(int64(taken.Amount)/taken.Count)))
	}
	return theme.Spread(styles.Strong.Render(name), sums, width)
}

// outcomeRows draws the outcomes as bars, paid orders first, and the other sums below them.
func outcomeRows(styles theme.Theme, lines []reportLine, names int) []string {
	var outcomes, sums []reportLine
	for _, line := range lines {
		if line.badge.Sign != "" {
			outcomes = append(outcomes, line)
		} else {
			sums = append(sums, line)
		}
	}
	rank := map[badge.Kind]int{badge.Paid: -2, badge.Counter: -1}
	slices.SortStableFunc(outcomes, func(a, b reportLine) int { return rank[a.badge.Kind] - rank[b.badge.Kind] })
	rows := barRows(styles, outcomes, names)
	wide := theme.Width(strings.Join(rows, "\n"))
	for _, line := range sums {
		about := styles.Muted.Render(line.name + "  " + line.count)
		rows = append(rows, theme.Spread(about, i18n.Number(int64(line.amount)), wide))
	}
	return rows
}

// barRows draws a bar for each line. names is the width of the titles.
func barRows(styles theme.Theme, lines []reportLine, names int) (rows []string) {
	counts, amounts := 0, 0
	for _, line := range lines {
		counts = max(counts, theme.Width(line.count))
		amounts = max(amounts, theme.Width(i18n.Number(int64(line.amount))))
	}
	most := largest(lines)
	for _, line := range lines {
		name, style := line.title(), styles.Flow
		if line.badge.Sign != "" {
			style, _ = line.badge.Kind.Styles(styles)
			name = style.Render(name)
		}
		bar := styles.Bar(style, float64(line.amount)/float64(most), outcomeBar)
		rows = append(rows, theme.AlignLeft(name, names)+"  "+theme.AlignRight(line.count, counts)+"  "+bar+"  "+
			styles.Strong.Render(theme.AlignRight(i18n.Number(int64(line.amount)), amounts)))
	}
	return rows
}

func (l reportLine) title() string {
	if l.badge.Sign != "" {
		return l.badge.Tag()
	}
	return l.name
}

func hourRows(styles theme.Theme, lines []reportLine) (rows []string) {
	most := largest(lines)
	amounts := theme.Width(i18n.Number(int64(most)))
	for _, line := range lines {
		style := styles.FlowLow
		switch {
		case 3*line.amount >= 2*most:
			style = styles.Flow
		case 3*line.amount >= most:
			style = styles.FlowMiddle
		}
		bar := strings.Repeat("▅", max(1, int(hourBar*line.amount/most)))
		rows = append(rows, styles.Muted.Render(line.name)+" "+style.Render(theme.AlignLeft(bar, hourBar))+" "+
			theme.AlignRight(i18n.Number(int64(line.amount)), amounts))
	}
	return rows
}

// largest returns the largest amount of the lines, but at least 1, because callers divide by it.
func largest(lines []reportLine) money.Ariary {
	most := money.Ariary(1)
	for _, line := range lines {
		most = max(most, line.amount)
	}
	return most
}
