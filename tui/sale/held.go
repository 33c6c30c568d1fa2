package sale

import (
	"strconv"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/fit"
	"checkout/till/tui/component/list"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/counter"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
	"checkout/till/tui/wording"
)

// held lists the held sales.
type held struct {
	counter *counter.Counter
	list    list.List
}

func (h held) sales() []payments.Sale { return h.counter.Cart().Held }

// current returns the list with the rows that it has now.
func (h held) current() list.List { return h.list.SetRows(len(h.sales())) }

// pane draws the held sales in room rows of width columns. It leaves the first air rows blank.
func (h held) pane(console live.Console, width, room, air int) pane.Pane {
	shown := h.current().SetRoom(room - air - 1)
	drawn := pane.Pane{Title: console.Texts.Held.Title, Foot: shown.Position(""), Scroll: shown.Scroll(air + 1)}
	drawn.Rows = append(make([]string, air), h.rows(console, shown, width)...)
	return drawn
}

func (h held) rows(console live.Console, shown list.List, width int) []string {
	words := console.Texts.Held
	const fewest = 23 // Columns that a name has in a row with a number of lines.
	cells := func(name, lines, total, since string) string {
		return fit.Row(width-2, fit.Rest(fit.Must, fewest, name),
			fit.Drop(0, theme.AlignRight(lines, 8)), fit.Fixed(theme.AlignRight(total, 16)+theme.AlignRight(since, 13)))
	}
	head := console.Theme.Muted.Render("  " + cells(console.Texts.Catalog.Label, console.Texts.Detail.Lines, console.Texts.Sale.Total, words.Since))
	return append([]string{head}, shown.Rows(console.Theme, width, func(i int) string {
		sale := h.sales()[i]
		return cells(sale.Name, strconv.Itoa(len(sale.Items)), wording.Worth(sale.Items), since(console, sale))
	}, nil)...)
}

// since returns the time when a sale was held, with the day if that is not today.
func since(console live.Console, sale payments.Sale) string {
	at, now := sale.UpdatedAt.In(console.Zone), console.Service.Now().In(console.Zone)
	if at.YearDay() == now.YearDay() && at.Year() == now.Year() {
		return i18n.Clock(at)
	}
	return i18n.Moment(at)
}
