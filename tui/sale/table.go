package sale

import (
	"strconv"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/cart"
	"checkout/till/tui/component/figures"
	"checkout/till/tui/component/layout"
	"checkout/till/tui/component/list"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/theme"
)

// mark stands before a row that is chosen, touched before one that has just
// changed, offerMark before an article that may be added, and reducedMark behind
// a label where there is no room for the price before the discount.
const (
	mark        = "›"
	touched     = "+"
	offerMark   = " + "
	reducedMark = " -%"
)

// wide is from how many columns on a pane has room for each column of a list.
const wide = 60

// columns are how many cells each column of the table has, with the blanks
// before it.
type columns struct{ label, quantity, price, total int }

// columns gives numbers the room that they need, and the label the rest.
func (m Model) columns(grid layout.Layout, inner int) columns {
	c := columns{quantity: 6, price: 10, total: 14}
	if inner < wide {
		c.price, c.total = 8, 11
	}
	for _, item := range m.cart.Items() {
		c.quantity = max(c.quantity, len(m.times(item))+1) // × has two bytes.
		c.price = max(c.price, len(i18n.Number(int64(item.UnitPrice)))+2)
		c.total = max(c.total, len(i18n.Number(int64(item.Total())))+2)
	}
	tail := 0
	if grid.Frame == pane.Whole {
		tail = len(" Ar") + 1 // The figures' unit stands behind the column.
	}
	if grid.Main < wide {
		c.quantity, c.price = 0, 0
	}
	c.label = inner - tail - c.quantity - c.price - c.total
	return c
}

func (m Model) times(item payments.Item) string { return i18n.Number(item.Quantity) + " ×" }

// row lays out the cells of a line.
func (c columns) row(styles theme.Theme, number, label, quantity, price, total string) string {
	return theme.Left(theme.Left(" "+styles.Muted.Render(theme.Right(number, max(2, theme.Width(number)))), 5)+label, c.label) +
		theme.Right(quantity, c.quantity) + styles.Muted.Render(theme.Right(price, c.price)) + theme.Right(total, c.total)
}

// table draws the heading and as many lines as fit, among them the chosen one,
// the one that has just changed, or the last.
func (m Model) table(grid layout.Layout, inner, room int) ([]string, pane.Scroll) {
	if room <= 0 {
		return nil, pane.Scroll{}
	}
	words, cells := m.Texts.Sale, m.columns(grid, inner)
	quantity, price := words.Quantity, words.Price
	if cells.price == 0 {
		quantity, price = "", ""
	}
	head := cells.row(m.Theme, words.Number, words.Article, quantity, price, words.Total)
	rows, all := []string{m.Theme.Muted.Render(theme.Bare(head))}, len(m.cart.Items())
	shown := all - 1
	switch {
	case m.lineChosen():
		shown = m.cursor
	case m.notice.line > 0:
		shown = min(shown, m.notice.line-1)
	}
	window := list.List{}.SetRows(all).SetRoom(room - 1).Select(shown)
	first, end := window.Window()
	for i := first; i < end; i++ {
		if grid.Roomy && 2*all < room {
			rows = append(rows, "")
		}
		rows = append(rows, m.item(cells, i))
	}
	return rows, window.Scroll(1)
}

// lineChosen tells whether the cursor stands on a line.
func (m Model) lineChosen() bool {
	return m.mode == choosing || m.mode == editing || m.mode == discounting
}

func (m Model) item(cells columns, i int) string {
	item, was := m.cart.Items()[i], ""
	if item.ListPrice > 0 {
		was = " " + m.Texts.Selling.Was.With(i18n.Number(int64(item.ListPrice)))
	}
	label, quantity, price := item.Label, m.times(item), i18n.Number(int64(item.UnitPrice))
	if cells.price == 0 {
		if item.Quantity > 1 {
			label = quantity + " " + label
		}
		quantity, price = "", ""
	}
	room := cells.label - 5
	const minLabel = 8
	if was != "" && room-theme.Width(was) < min(minLabel, theme.Width(label)) {
		was = reducedMark
	}
	label = theme.Truncate(label, room-theme.Width(was)) + was
	row := cells.row(m.Theme, strconv.Itoa(i+1), label, quantity, price, m.Theme.Strong.Render(i18n.Number(int64(item.Total()))))
	switch {
	case i == m.cursor && m.lineChosen():
		return m.Theme.Selected.Render(mark + theme.Bare(row)[1:])
	case i == m.notice.line-1:
		return m.Theme.Accent.Render(touched) + row[1:]
	}
	return row
}

// amount is the total of the sale.
func (m Model) amount() payments.Ariary {
	total, err := payments.Total(m.cart.Items())
	if err != nil {
		return 0 // The cart refuses such lines.
	}
	return total
}

// counts are how many lines and how many pieces there are.
func (m Model) counts() (lines, pieces string) {
	words, count := m.Texts.Sale, int64(0)
	for _, item := range m.cart.Items() {
		count += item.Quantity
	}
	lines, pieces = words.Lines.With(strconv.Itoa(len(m.cart.Items()))), words.Pieces.With(i18n.Number(count))
	switch {
	case m.cart.Empty():
		return words.Nothing, ""
	case len(m.cart.Items()) == 1:
		lines = words.Line
	}
	if count == 1 {
		pieces = words.Piece
	}
	return lines, pieces
}

// figureGap is the least that parts words from figures.
const figureGap = "   "

// total is the rule under the lines and the total, in figures as large as fit.
func (m Model) total(grid layout.Layout, inner int) []string {
	total, style := i18n.Money(m.amount()), m.Theme.Strong
	if m.cart.Empty() {
		style = m.Theme.Muted
	}
	lines, pieces := m.counts()
	both := lines
	if pieces != "" {
		both += " · " + pieces
	}
	words := []string{m.Theme.Strong.Render(m.Texts.Sale.Total), lines, pieces}
	for _, said := range []string{both, lines, ""} {
		if both = said; theme.Width(words[0]+figureGap+both+figureGap+total) <= inner {
			break
		}
	}
	if grid.Frame == pane.Bare {
		return []string{theme.Spread(words[0]+figureGap+both, style.Render(total), inner)}
	}
	rows := []string{pane.Rule("")}
	drawn := figures.Fit(m.Theme, total, inner-1-theme.Width(lines+figureGap), grid.FiguresIn(grid.Main))
	if drawn == nil {
		return append(rows, theme.Spread(" "+words[0]+figureGap+both, style.Render(total)+" ", inner))
	}
	top := 1
	if len(drawn) < figures.Large {
		top = 0
		if theme.Width(both+figureGap+drawn[0]) < inner {
			words = []string{words[0], both}
		}
	}
	for i, figure := range drawn {
		word, room := "", inner-1-theme.Width(figure)
		if at := i - top; at >= 0 && at < len(words) {
			word = words[at]
		}
		rows = append(rows, theme.Left(" "+word, room)+style.Render(figure))
	}
	return append(rows, make([]string, grid.Air)...)
}

// offers are the articles that fit what is typed under a rule that says how many
// they are, where there is more than one to choose from; the chosen one among
// them.
func (m Model) offers(inner, room int) []string {
	best := m.choice.fit.Best
	if len(best) < 2 || room < 2 {
		return nil
	}
	room = min(room-1, len(best))
	rows := []string{pane.Rule(m.Theme.Muted.Render(m.Texts.Selling.Fits.With(m.choice.fit.Total)))}
	if m.grid().Frame == pane.Bare {
		rows[0] = theme.Bare(rows[0][1:])
	}
	first := max(0, m.choice.chosen-room)
	for i, article := range best[first : first+room] {
		cells := theme.Right(i18n.Money(article.UnitPrice), 13) + "  "
		if inner >= wide {
			cells = theme.Right(article.Code, 20) + cells
		}
		row := theme.Spread(" "+offerMark+article.Label, cells, inner)
		if first+i+1 == m.choice.chosen {
			row = m.Theme.Selected.Render(mark + row[1:])
		}
		rows = append(rows, row)
	}
	return rows
}

// heldRows is the list of the sales that are held, the one under the cursor in
// view.
func (m Model) heldRows(inner, room int) (rows []string, scroll pane.Scroll, position string) {
	words := m.Texts.Held
	held := m.list.SetRoom(room - 1)
	row := func(i int) string {
		sale := m.cart.Held()[i]
		return m.heldRow(inner-2, sale.Name, strconv.Itoa(len(sale.Items)), cart.Worth(sale.Items), m.since(sale))
	}
	head := "  " + m.heldRow(inner-2, words.Label, words.Lines, m.Texts.Sale.Total, words.Since)
	rows = append([]string{m.Theme.Muted.Render(head)}, held.Rows(m.Theme, inner, row, nil)...)
	return rows, held.Scroll(1), held.Position("")
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

func (m Model) heldRow(width int, name, lines, total, since string) string {
	cells := theme.Right(total, 16) + theme.Right(since, 13)
	if width >= wide {
		cells = theme.Right(lines, 8) + cells
	}
	return theme.Spread(name, cells, width)
}
