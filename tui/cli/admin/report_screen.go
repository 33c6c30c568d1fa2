package admin

import (
	"slices"
	"strings"

	"checkout/till/assets/i18n"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/bars"
	"checkout/till/tui/theme"
	"checkout/till/tui/wording/errortext"
)

// Widths in columns.
const (
	leastBar  = 8
	columnGap = 4
	maxName   = 28
)

// reportScreen formats a report for a terminal. The hours are next to the outcomes if there is
// room.
func (a *app) reportScreen(styles theme.Theme, report drawer.Day, parts []reportPart) string {
	width := a.Columns()
	outcomes, sums := byBadge(parts[0].lines)
	hours, articles := parts[1], parts[2]
	right := table{styles, hours.lines}
	left := table{styles, slices.Concat(outcomes, sums, articles.lines)}
	wide := width - columnGap - right.least()
	beside := len(hours.lines) > 0 && wide >= left.least()
	if !beside {
		wide = width
		left.lines = append(left.lines, hours.lines...)
	}
	head := left.bars(outcomes, wide)
	if len(sums) > 0 {
		head = slices.Concat(head, []string{""}, left.plain(sums, wide))
	}
	if beside {
		drawn := right.bars(hours.lines, width-wide-columnGap)
		head = []string{theme.Beside(strings.Join(head, "\n"), strings.Repeat(" ", columnGap), strings.Join(drawn, "\n"))}
	}
	rows := slices.Concat([]string{"", a.reportTitle(styles, report, parts[0].head, width), ""}, head)
	if !beside && len(hours.lines) > 0 {
		rows = slices.Concat(rows, []string{"", styles.Muted.Render(hours.head)}, left.bars(hours.lines, wide))
	}
	if len(articles.lines) > 0 {
		rows = slices.Concat(rows, []string{"", styles.Muted.Render(articles.head)}, left.bars(articles.lines, wide))
	}
	lines := strings.Split(strings.Join(rows, "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n") + "\n"
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

// byBadge separates the outcomes, paid orders first, from the other sums.
func byBadge(lines []reportLine) (outcomes, sums []reportLine) {
	for _, line := range lines {
		if line.badge.Sign != "" {
			outcomes = append(outcomes, line)
		} else {
			line.name = errortext.Sentence(line.name)
			sums = append(sums, line)
		}
	}
	rank := map[badge.Kind]int{badge.Paid: -2, badge.Counter: -1}
	slices.SortStableFunc(outcomes, func(a, b reportLine) int { return rank[a.badge.Kind] - rank[b.badge.Kind] })
	return outcomes, sums
}

// table draws lines in aligned columns.
type table struct {
	styles theme.Theme
	lines  []reportLine
}

func (t table) widths() (names, counts, amounts int) {
	for _, line := range t.lines {
		names = max(names, min(maxName, theme.Width(line.title())))
		counts = max(counts, theme.Width(line.count))
		amounts = max(amounts, theme.Width(i18n.Number(int64(line.amount))))
	}
	return names, counts, amounts
}

// least returns the minimum width of rows with bars.
func (t table) least() int {
	names, counts, amounts := t.widths()
	return names + 2 + counts + 2 + leastBar + max(8, amounts+2)
}

// bars draws each line as a row with a bar.
func (t table) bars(lines []reportLine, width int) []string {
	names, counts, amounts := t.widths()
	most := money.Ariary(1)
	for _, line := range lines {
		most = max(most, line.amount)
	}
	var all []bars.Share
	for _, line := range lines {
		name, style := line.title(), t.styles.Flow
		if line.badge.Sign != "" {
			style, _ = line.badge.Kind.Styles(t.styles)
			name = style.Render(name)
		}
		all = append(all, bars.Share{
			Name: theme.AlignLeft(name, names), Count: theme.AlignRight(line.count, counts),
			Amount: line.amount, Most: most, Style: style,
		})
	}
	return bars.Shares(t.styles, all, width, amounts)
}

// plain draws each line as a row without a bar.
func (t table) plain(lines []reportLine, width int) (rows []string) {
	names, counts, _ := t.widths()
	for _, line := range lines {
		about := theme.AlignLeft(line.title(), names) + theme.AlignRight(line.count, 2+counts)
		rows = append(rows, theme.Spread(about, i18n.Number(int64(line.amount)), width))
	}
	return rows
}

func (l reportLine) title() string {
	if l.badge.Sign != "" {
		return l.badge.Tag()
	}
	return l.name
}
