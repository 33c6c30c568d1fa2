package customer

import (
	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/figures"
	"checkout/till/tui/theme"
)

// Widths in columns.
const (
	maxBasket   = 90
	minColumns  = 60 // A narrower basket has no columns for quantity and price.
	totalWide   = 14
	priceWide   = 16
	countedWide = 10
)

// basket draws the total, and above it as many of the newest lines as fit. The total has
// the largest figures that leave room for all lines.
func (p painter) basket() []string {
	width := max(1, min(p.width-2, maxBasket))
	var foot []string
	room, apart := 0, 0
	for _, try := range []struct{ high, apart int }{{2 * figures.Large, 1}, {figures.Large, 1}, {p.grid.Figures, 0}, {figures.Small, 0}, {1, 0}} {
		foot, apart = p.foot(try.high, width), try.apart
		if room = p.height - len(foot) - 1; len(p.Order.Items)*(1+apart) <= room {
			break
		}
	}
	return append(p.lines(width, max(1, room), apart), foot...)
}

func (p painter) foot(high, width int) []string {
	label, amount := p.theme.Strong.Render(p.texts.Sale.Total), i18n.Money(p.Order.Amount)
	rule := p.theme.Rule.Render(theme.Rule(width))
	large := theme.Dress(p.theme.Strong, figures.Fit(p.theme, amount, width-theme.Width(label)-3, high))
	if len(large) == 0 {
		return []string{rule, theme.Spread(label, p.theme.Strong.Render(amount), width)}
	}
	if unit := len(" Ar"); p.width >= width+2*unit {
		width += unit // The digits end at the edge of the column of totals, and "Ar" follows to the right.
	}
	rows := []string{"", rule, "", theme.Spread(label, large[0], width)}
	for _, row := range large[1:] {
		rows = append(rows, theme.AlignRight(row, width))
	}
	return rows
}

func (p painter) lines(width, room, apart int) []string {
	items := p.Order.Items
	var rows []string
	if hidden := len(items) - room; hidden > 0 {
		items = items[hidden+1:]
		rows = append(rows, theme.AlignLeft(p.theme.Muted.Render(p.texts.Customer.Earlier.With(hidden+1)), width))
	}
	for i, item := range items {
		if i > 0 {
			rows = append(rows, make([]string, apart)...)
		}
		total := p.theme.Strong.Render(i18n.Number(int64(item.Total())))
		if width < minColumns {
			rows = append(rows, theme.Spread(p.label(item), total, width))
			continue
		}
		counted := theme.AlignRight(i18n.Number(item.Quantity)+" ×", countedWide)
		price := theme.AlignRight(p.theme.Muted.Render(i18n.Number(int64(item.UnitPrice))), priceWide)
		label := p.theme.Strong.Render(item.Label) + p.discount(item)
		rows = append(rows, theme.AlignLeft(label, width-countedWide-priceWide-totalWide)+counted+price+theme.AlignRight(total, totalWide))
	}
	return rows
}

func (p painter) label(item payments.Item) string {
	return i18n.Number(item.Quantity) + " × " + item.Label + p.discount(item)
}

func (p painter) discount(item payments.Item) string {
	if item.ListPrice == 0 {
		return ""
	}
	return p.theme.Muted.Render("  " + p.texts.Customer.Instead.With(i18n.Money(item.ListPrice)))
}
