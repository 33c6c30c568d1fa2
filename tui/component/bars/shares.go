package bars

import (
	"strings"

	"checkout/till/assets/i18n"
	"checkout/till/payments/money"
	"checkout/till/tui/theme"
)

// Share is a row of [Shares]: an outcome or an article, with its part of the takings.
type Share struct {
	Name, Count  string       // The name may be styled.
	Amount, Most money.Ariary // Most is the amount of a full bar; 0 for no bar.
	Style        theme.Style
}

// Shares draws a row for each share, with its name, count, bar and amount. amounts is the minimum
// width of the amounts, so that several calls can have equal columns.
func Shares(styles theme.Theme, all []Share, width, amounts int) (rows []string) {
	const gap, bar, widest = 2, 8, 28
	amounts = max(8, amounts+gap)
	names, counts := 0, 0
	for _, of := range all {
		names = max(names, min(widest, theme.Width(of.Name)))
		counts = max(counts, theme.Width(of.Count)+gap)
	}
	rest := width - counts - gap - amounts
	if rest-names < bar {
		names = rest
	}
	whole := names + counts
	for _, of := range all {
		row := theme.Spread(theme.Truncate(of.Name, whole-theme.Width(of.Count)-1), styles.Strong.Render(of.Count), whole) + strings.Repeat(" ", gap)
		bar := ""
		if of.Most > 0 {
			bar = styles.Bar(of.Style, float64(of.Amount)/float64(of.Most), rest-names)
		}
		row += theme.AlignLeft(bar, rest-names)
		rows = append(rows, row+styles.Strong.Render(theme.AlignRight(i18n.Number(int64(of.Amount)), amounts)))
	}
	return rows
}
