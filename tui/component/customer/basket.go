package customer

import (
	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/figures"
	"checkout/till/tui/theme"
)

// Widths in columns.
const (
	maxBasket   = 100
	minColumns  = 60 // In a narrower basket, the quantity has no column.
	totalWide   = 16
	countedWide = 26
)

// basket draws the total in the largest digits that leave room for all lines, and above it as many
// of the newest lines as fit.
func (p painter) basket() []string {
	width := max(1, min(p.width-2, maxBasket))
	var foot []string
	room, apart := 0, 0
	for _, try := range []struct{ high, apart int }{{2 * figures.Large, 1}, {figures.Large, 1}, {figures.Large, 0}, {figures.Small, 0}, {1, 0}} {
		foot, apart = p.foot(try.high, width), try.apart
		if room = p.height - len(foot) - 1; len(p.Order.Items)*(1+apart) <= room {
			break
		}
	}
	return append(p.lines(width, max(1, room), apart), foot...)
}

func (p painter) foot(high, width int) []string {
	label, amount := p.theme.Strong.Render(p.SumLabel(p.texts)), i18n.Money(p.Order.Amount)
	rule := p.theme.Rule.Render(theme.Rule(width))
	large := theme.Dress(p.theme.Strong, figures.Fit(p.theme, amount, width-theme.Width(label)-3, high))
	if len(large) == 0 {
		return []string{rule, theme.Spread(label, p.theme.Strong.Render(amount), width)}
	}
	rows := []string{"", rule, ""}
	for i, row := range large {
		if i != 1 {
			rows = append(rows, theme.AlignRight(row, width))
			continue
		}
		rows = append(rows, theme.Spread(label, row, width))
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
		style := p.theme.Text
		if i > 0 {
			rows = append(rows, make([]string, apart)...)
		}
		if i == len(items)-1 {
			style = p.theme.Strong
		}
		if width < minColumns {
			rows = append(rows, p.line(item, style, width))
			continue
		}
		total := theme.AlignRight(style.Render(i18n.Number(int64(item.Total()))), totalWide)
		counted := theme.AlignRight(p.theme.Muted.Render(Counted(item)), countedWide)
		label := style.Render(item.Label) + p.discount(item)
		rows = append(rows, theme.AlignLeft(label, width-countedWide-totalWide)+counted+total)
	}
	return rows
}

// line draws a line of the sale without columns. Without room, it omits the discount and the price
// of one piece.
func (p painter) line(item payments.Item, style theme.Style, width int) string {
	const gap = "  "
	total := style.Render(i18n.Number(int64(item.Total())))
	room := width - theme.Width(total) - 1
	counted := ""
	if item.Quantity > 1 {
		counted = gap + Counted(item)
		if theme.Width(item.Label+counted) > room {
			counted = gap + i18n.Number(item.Quantity) + " ×"
		}
	}
	label := theme.Truncate(item.Label, max(1, room-theme.Width(counted)))
	discount := p.discount(item)
	if theme.Width(label+counted+discount) > room {
		discount = ""
	}
	return theme.Spread(style.Render(label)+p.theme.Muted.Render(counted)+discount, total, width)
}

// Counted returns the quantity of an item and the price of one, such as "2 × 2 000", or "" for one
// piece or a measured item.
func Counted(item payments.Item) string {
	if item.Quantity == 1 {
		return ""
	}
	return i18n.Number(item.Quantity) + " × " + i18n.Number(int64(item.UnitPrice))
}

func (p painter) discount(item payments.Item) string {
	if item.ListPrice == 0 {
		return ""
	}
	return p.theme.Muted.Render("  " + p.texts.Customer.Instead.With(i18n.Money(item.ListPrice)))
}
