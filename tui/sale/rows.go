package sale

import (
	"fmt"
	"strconv"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/cart"
	"checkout/till/tui/theme"
)

// The columns of the table besides the label, in cells.
const (
	numberWidth   = 5
	quantityWidth = 8
	priceWidth    = 13
	totalWidth    = 19
	narrowWidth   = 5  // Of the quantity in a narrow window,
	narrowTotal   = 16 // and of the total.
)

// minLabel is how many columns of a label are worth more than an old price.
const minLabel = 8

// wide is from how many columns on the window has room for each column of a
// list.
const wide = 60

// mark stands before a row that is chosen, touched before one that has just
// changed, offerMark before an article that may be added, and reducedMark behind
// a label where there is no room for the price before the discount.
const (
	mark        = "›"
	touched     = "*"
	offerMark   = "  + "
	previewMark = "→ "
	reducedMark = " -%"
)

// table draws the heading and as many lines as fit, among them the chosen one,
// the one that has just changed, or the last.
func (m Model) table(room int) []string {
	if room <= 0 {
		return nil
	}
	words := m.Texts.Sale
	head := m.row("", words.Article, "", words.Quantity, words.Price, words.Total)
	return append([]string{m.Theme.Muted.Render(head)}, m.lines(room-1)...)
}

func (m Model) lines(room int) []string {
	last := len(m.cart.Items()) - 1
	shown := last
	switch {
	case m.lineChosen():
		shown = m.cursor
	case m.notice.line > 0:
		shown = min(last, m.notice.line-1)
	}
	last = max(shown, min(last, room-1))
	first := max(0, last-room+1)
	var rows []string
	for i := first; i <= last && room > 0; i++ {
		rows = append(rows, m.item(i))
	}
	return rows
}

// lineChosen tells whether the cursor stands on a line.
func (m Model) lineChosen() bool {
	return m.mode == choosing || m.mode == editing || m.mode == discounting
}

func (m Model) item(i int) string {
	item, was := m.cart.Items()[i], ""
	if item.ListPrice > 0 {
		was = " " + m.was(item)
	}
	row := m.row(strconv.Itoa(i+1), item.Label, was, i18n.Number(item.Quantity),
		i18n.Number(int64(item.UnitPrice)), i18n.Number(int64(item.Total())))
	switch {
	case i == m.cursor && m.lineChosen():
		return m.Theme.Selected.Render(mark + row[1:])
	case i == m.notice.line-1:
		return m.Theme.Accent.Render(touched + row[1:])
	}
	return row
}

// was is the price of an item before its discount.
func (m Model) was(item payments.Item) string {
	return m.Texts.Selling.Was.With(i18n.Number(int64(item.ListPrice)))
}

// row lays out the columns; the label takes what is left, with what was behind
// it. Where the window is narrow the price goes first, and of what was a sign
// stays.
func (m Model) row(number, label, was, quantity, price, total string) string {
	cells := theme.Right(quantity, narrowWidth) + apart(total, min(narrowTotal, m.size.Width*2/5))
	if m.size.Width >= wide {
		cells = theme.Right(quantity, quantityWidth) + apart(price, priceWidth) + apart(total, totalWidth)
	}
	head := " " + theme.Right(number, numberWidth-2) + " "
	room := m.size.Width - theme.Width(head) - theme.Width(cells) - 1
	if was != "" && room-theme.Width(was) < min(minLabel, theme.Width(label)) {
		was = reducedMark
	}
	if theme.Width(label)+theme.Width(was) > room {
		label = theme.Truncate(label, room-theme.Width(was))
	}
	return theme.Spread(head+label+was, cells, m.size.Width)
}

// apart is a cell whose text ends at the right, with two blanks before it: one
// stands between the groups of a number, too.
func apart(text string, width int) string { return "  " + theme.Right(text, max(0, width-2)) }

// greeting is what an empty sale shows: how to begin, and the favourites.
func (m Model) greeting(room int) []string {
	if room <= 0 {
		return nil
	}
	rows := m.empty(room)
	for i, article := range m.favourites() {
		if i == 0 {
			rows = append(rows, "")
		}
		key := m.Theme.Accent.Render(m.Texts.KeyNames.Of(fmt.Sprintf("%d tab", article.Favourite))) + "  "
		row := theme.Spread(key+article.Label, i18n.Number(int64(article.UnitPrice)), min(m.size.Width, wide-20))
		rows = append(rows, row)
	}
	return rows[:min(room, len(rows))]
}

// offers are the articles that fit what is typed, as many as there is room for;
// the chosen one among them.
func (m Model) offers(room int) []string {
	best := m.choice.fit.Best
	room = min(room, len(best))
	if room <= 0 {
		return nil
	}
	first := max(0, m.choice.chosen-room)
	var rows []string
	for i, article := range best[first : first+room] {
		label, price := offerMark+article.Label, i18n.Money(article.UnitPrice)
		cells := theme.Right(price, priceWidth)
		if m.size.Width >= wide {
			cells = theme.Right(theme.Truncate(article.Code, totalWidth), totalWidth) + " " + cells
		}
		row := theme.Spread(label, cells, m.size.Width)
		if first+i+1 == m.choice.chosen {
			row = m.Theme.Selected.Render(mark + row[1:])
		}
		rows = append(rows, row)
	}
	return rows
}

// heldHead is how many rows stand above the held sales; in a small window their
// heading stands without a blank row.
func (m Model) heldHead() int {
	if m.size.Height > 2*tableRows {
		return 3
	}
	return 2
}

// heldRoom is how many held sales there is room for, beside the total, a remark
// and the entry line.
func (m Model) heldRoom() int { return max(1, m.size.Height-m.heldHead()-tableRows) }

// shelved is the list of the sales that are held, the one under the cursor in
// view.
func (m Model) shelved(room int) []string {
	words := m.Texts.Held
	rows := []string{m.Theme.Strong.Render(theme.Truncate(words.Title, m.size.Width))}
	if m.heldHead() > 2 {
		rows = append(rows, "")
	}
	head := m.heldRow(words.Label, words.Lines, m.Texts.Sale.Total, words.Since)
	rows = append(rows, m.Theme.Muted.Render(head))
	first, end := m.list.Window()
	for i, sale := range m.cart.Held()[first:end] {
		row := m.heldRow(sale.Name, strconv.Itoa(len(sale.Items)), cart.Worth(sale.Items), m.since(sale))
		if first+i == m.list.Cursor() {
			row = m.Theme.Selected.Render(mark + row[1:])
		}
		rows = append(rows, row)
	}
	return rows[:max(0, min(len(rows), room))]
}

// since is when a sale was put aside: the time of day, and the day as well when
// that is not today.
func (m Model) since(sale payments.Sale) string {
	at, now := sale.UpdatedAt.In(m.Zone), m.Now().In(m.Zone)
	if at.YearDay() == now.YearDay() && at.Year() == now.Year() {
		return i18n.Clock(at)
	}
	return i18n.Moment(at)
}

func (m Model) heldRow(name, lines, total, since string) string {
	cells := theme.Right(total, totalWidth-3) + theme.Right(since, priceWidth)
	if m.size.Width >= wide {
		cells = theme.Right(lines, quantityWidth) + cells
	}
	return theme.Spread("  "+name, cells, m.size.Width)
}
