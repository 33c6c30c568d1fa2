package customer

import (
	"strings"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/figures"
	"checkout/till/tui/theme"
)

// The columns of a basket.
const (
	maxBasket   = 90
	minColumns  = 60 // From which on quantity and price have columns of their own.
	totalWide   = 14
	priceWide   = 16
	countedWide = 10
)

// basket is the newest lines, as many as fit, above the total.
func (p painter) basket() []string {
	width := min(p.width-2, maxBasket)
	for _, try := range []struct{ high, apart int }{{2 * figures.Large, 1}, {figures.Large, 1}, {p.grid.Figures, 0}, {figures.Small, 0}, {1, 0}} {
		foot := p.foot(try.high, width)
		room := p.height - len(foot) - 1
		if len(p.Items)*(1+try.apart) <= room || try.high == 1 {
			return append(p.lines(width, max(1, room), try.apart), foot...)
		}
	}
	return nil
}

// foot is the rule and the total below the lines.
func (p painter) foot(high, width int) []string {
	label := p.theme.Strong.Render(p.texts.Sale.Total)
	rule := p.theme.Muted.Render(strings.Repeat(string(p.theme.Glyphs().Rest), width))
	large := figures.Fit(p.theme, i18n.Money(p.Total), width-theme.Width(label)-3, high)
	if large == nil || high < figures.Small {
		return []string{rule, theme.Spread(label, p.theme.Strong.Render(i18n.Money(p.Total)), width)}
	}
	rows := []string{"", rule, ""}
	for i, row := range large {
		row = p.theme.Strong.Render(row)
		if i == 0 {
			rows = append(rows, theme.Spread(label, row, width))
			continue
		}
		rows = append(rows, theme.Right(row, width))
	}
	return rows
}

// lines are the newest lines that fit.
func (p painter) lines(width, room, apart int) []string {
	items := p.Items
	var rows []string
	if hidden := len(items) - room; hidden > 0 {
		items = items[hidden+1:]
		rows = append(rows, theme.Left(p.theme.Muted.Render(p.texts.Display.Earlier.With(hidden+1)), width))
	}
	for i, item := range items {
		if i > 0 {
			rows = append(rows, make([]string, apart)...)
		}
		rows = append(rows, p.line(item, width))
	}
	return rows
}

// line is one line of the sale.
func (p painter) line(item payments.Item, width int) string {
	total := p.theme.Strong.Render(i18n.Number(int64(item.Total())))
	if width < minColumns {
		return theme.Spread(p.label(item), total, width)
	}
	label := p.theme.Strong.Render(item.Label)
	if item.ListPrice > 0 {
		label += p.theme.Muted.Render("  " + p.texts.Display.Instead.With(i18n.Money(item.ListPrice)))
	}
	counted := theme.Right(i18n.Number(item.Quantity)+" ×", countedWide)
	price := theme.Right(p.theme.Muted.Render(i18n.Number(int64(item.UnitPrice))), priceWide)
	return theme.Left(label, width-countedWide-priceWide-totalWide) + counted + price + theme.Right(total, totalWide)
}
