package sale

import (
	"strconv"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/money"
	"checkout/till/tui/cart"
	"checkout/till/tui/component/figures"
	"checkout/till/tui/component/fit"
	"checkout/till/tui/component/list"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/counter"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
	"checkout/till/tui/wording"
)

type held struct {
	counter *counter.Counter
	list    list.List
}

func (h held) sales() []payments.Sale { return h.counter.Cart().Held }

// current returns the list with the held sales of the cart, which may have changed in the
// background.
func (h held) current() list.List {
	return h.list.SetRows(list.IDs(h.sales(), func(sale payments.Sale) string { return sale.ID }))
}

// pane draws the held sales. air is the number of blank rows above them. If there is room, the
// chosen sale follows the list.
func (h held) pane(console live.Console, width, room, air int) pane.Pane {
	shown := h.current().SetRoom(room - air - 1)
	drawn := pane.Pane{Title: console.Texts.Held.Title, Foot: shown.Position(""), Scroll: shown.Scroll(air + 1)}
	drawn.Rows = append(make([]string, air), h.rows(console, shown, width)...)
	if sale, found := list.Chosen(shown, h.sales()); found && len(h.sales()) < room-air {
		lines := heldLines(console, sale, width)
		if len(drawn.Rows)+1+len(lines) <= room {
			drawn.Rows = append(append(drawn.Rows, ""), lines...)
			drawn.Last = heldTotal(console, sale, width, room-len(drawn.Rows))
		}
	}
	return drawn
}

func heldLines(console live.Console, sale payments.Sale, width int) []string {
	rows := []string{pane.Rule(console.Theme.Strong.Render(sale.Name)), ""}
	quantities := 0
	for _, item := range sale.Items {
		quantities = max(quantities, theme.Width(wording.Quantity(console.Texts, item)))
	}
	for _, item := range sale.Items {
		line := "  " + theme.AlignRight(wording.Quantity(console.Texts, item), quantities) + "  " + item.Article()
		rows = append(rows, theme.Spread(line, console.Theme.Strong.Render(i18n.Number(int64(item.Total()))), width-len(" Ar")))
	}
	return rows
}

func heldTotal(console live.Console, sale payments.Sale, width, room int) []string {
	drawn := figures.Fit(console.Theme, wording.Worth(sale.Items), width, min(room-2, figures.Large))
	if drawn == nil {
		return nil
	}
	for i, row := range drawn {
		drawn[i] = console.Theme.Strong.Render(theme.AlignRight(row, width))
	}
	return append(append([]string{""}, drawn...), "")
}

func (h held) rows(console live.Console, shown list.List, width int) []string {
	words := console.Texts.Held
	const fewest, sums, times = 16, 16, 13 // Columns for a name (at least), a total and a time.
	room := width - 2 - sums - times
	names := 0
	for _, sale := range h.sales() {
		names = max(names, theme.Width(sale.Name)+2)
	}
	names = max(fewest, min(names, room-fewest))
	cells := func(name, about, total, since string) string {
		text := theme.AlignLeft(name, names) + theme.TruncateList(about, room-names)
		if room < 2*fewest || theme.Width(name)+2 > names {
			text = name
		}
		return fit.Row(width-2, fit.Rest(fit.Must, fewest, text), fit.Fixed(theme.AlignRight(total, sums)+theme.AlignRight(since, times)))
	}
	head := console.Theme.Muted.Render("  " + cells(console.Texts.Catalog.Label, console.Texts.Catalog.Title, console.Texts.Sale.Total, words.Since))
	return append([]string{head}, shown.Rows(console.Theme, width, func(i int) string {
		sale := h.sales()[i]
		return cells(sale.Name, payments.Describe(sale.Description, sale.Items), wording.Worth(sale.Items), since(console, sale))
	}, nil)...)
}

// brief draws the held sales in a narrow pane, with their articles if there is room.
func (h held) brief(console live.Console, width, height int) pane.Pane {
	const times, sums = 8, 11 // Columns of the time and of the total.
	var all money.Ariary
	drawn := pane.Pane{Title: console.Texts.Sale.OnHold}
	inner := width - pane.Borders
	const each = 3 // Rows of a sale with its articles, and a blank one above.
	whole := height >= pane.Edges+each*len(h.sales())
	if height > tileHeight+1 {
		drawn.Rows = append(drawn.Rows, "")
	}
	if len(h.sales()) == 0 {
		drawn.Rows = append(drawn.Rows, theme.Paragraph(console.Theme.Muted, console.Texts.Held.None, inner, 0)...)
		return drawn
	}
	for i, sale := range h.sales() {
		if whole && i > 0 {
			drawn.Rows = append(drawn.Rows, "")
		}
		total := cart.Total(sale.Items)
		all += total
		at := since(console, sale)
		if at == sale.Name { // In the demo, the name of a held sale is its time.
			at = ""
		}
		drawn.Rows = append(drawn.Rows, theme.AlignLeft(sale.Name, inner-times-sums)+
			console.Theme.Muted.Render(theme.AlignRight(at, times))+console.Theme.Strong.Render(theme.AlignRight(i18n.Number(int64(total)), sums)))
		if whole {
			drawn.Rows = append(drawn.Rows, console.Theme.Muted.Render(theme.TruncateList(payments.Describe(sale.Description, sale.Items), inner)))
		}
	}
	drawn.Right = console.Theme.Strong.Render(strconv.Itoa(len(h.sales())) + " · " + i18n.Money(all))
	return drawn
}

// since returns when a sale was held, with the day if that is not today.
func since(console live.Console, sale payments.Sale) string {
	at, now := sale.UpdatedAt.In(console.Zone), console.Service.Now().In(console.Zone)
	if at.YearDay() == now.YearDay() && at.Year() == now.Year() {
		return i18n.Clock(at)
	}
	return i18n.Moment(at)
}
