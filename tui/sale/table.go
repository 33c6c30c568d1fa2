package sale

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/money"
	"checkout/till/tui/cart"
	"checkout/till/tui/component/figures"
	"checkout/till/tui/component/fit"
	"checkout/till/tui/component/list"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/theme"
	"checkout/till/tui/wording"
)

const (
	mark        = "›"   // In front of the chosen row.
	touched     = "+"   // In front of a row that has just changed.
	offerMark   = " + " // In front of a suggested article.
	reducedMark = " -%" // After a discounted article, if its list price does not fit.
	between     = " · " // Between two facts.
)

type tableColumns struct {
	label, quantity, price, total int
	unit                          int // Width of the widest unit, which follows the quantity.
}

// tableColumns returns the widths of the columns in a table that is inner cells wide. Quantity and
// price may be omitted.
func (p painter) tableColumns(inner int) (c tableColumns) {
	const fewest = 26 // Minimum width of the label, in columns.
	if p.of.frame == pane.FullBorder {
		inner -= len(" Ar") + 1 // The numbers end above the digits of the large total, not above its unit (Ar).
	}
	for _, c = range []tableColumns{{quantity: 6, price: 10, total: 14}, {quantity: 6, price: 8, total: 11}, {total: 11}} {
		c = p.widened(c)
		if c.label = inner - c.quantity - c.price - c.total; c.label >= fewest {
			break
		}
	}
	return c
}

// widened returns columns with enough width for all numbers.
func (p painter) widened(c tableColumns) tableColumns {
	c.unit = 1
	for _, item := range p.Counter.Cart().Items() {
		c.unit = max(c.unit, theme.Width(unit(item)))
		c.total = max(c.total, theme.Width(i18n.Number(int64(item.Total())))+2)
	}
	if c.price == 0 {
		return c
	}
	c.total = max(c.total, theme.Width(p.Texts.Sale.Total)+1)
	for _, item := range p.Counter.Cart().Items() {
		c.price = max(c.price, theme.Width(i18n.Number(int64(unitPrice(item))))+2)
		c.quantity = max(c.quantity, theme.Width(p.quantity(item, c))+2)
	}
	return c
}

// unit returns the unit of an item, such as "kg" or "×".
func unit(item payments.Item) string { return cmp.Or(item.Measure.Unit, "×") }

// unitPrice returns the price of one piece or unit of an item.
func unitPrice(item payments.Item) money.Ariary { return cmp.Or(item.Measure.Price, item.UnitPrice) }

// quantity draws the quantity of an item with its unit, so that the numbers end in the same column.
func (p painter) quantity(item payments.Item, c tableColumns) string {
	number := strings.TrimSuffix(wording.Quantity(p.Texts, item), unit(item))
	return number + p.Theme.Muted.Render(theme.AlignLeft(unit(item), c.unit))
}

func (c tableColumns) row(styles theme.Theme, number, label, quantity, price, total string) string {
	return theme.AlignLeft(theme.AlignLeft(" "+styles.Muted.Render(theme.AlignRight(number, max(2, theme.Width(number)))), 5)+label, c.label) +
		theme.AlignRight(quantity, c.quantity) + styles.Muted.Render(theme.AlignRight(price, c.price)) + theme.AlignRight(total, c.total)
}

// table draws the headings and as many lines of the sale as fit, among them the chosen, changed or
// last one.
func (p painter) table(inner, room int) ([]string, pane.Scroll) {
	words := p.Texts.Sale
	cells := p.tableColumns(inner)
	items := p.Counter.Cart().Items()
	head := cells.row(p.Theme, words.Number, words.Article, words.Quantity+strings.Repeat(" ", cells.unit-1), words.Price, words.Total)
	rows := []string{p.Theme.Muted.Render(theme.Bare(head))}
	shown := len(items) - 1
	switch {
	case p.mode.onLine():
		shown = p.cursor
	case p.notice.line > 0:
		shown = min(shown, p.notice.line-1)
	}
	window := list.List{}.SetRows(make([]string, len(items))).SetRoom(room - 1).Select(shown)
	first, end := window.Window()
	for i, item := range items[first:end] {
		if p.of.spaced {
			rows = append(rows, "")
		}
		number, label := first+i+1, p.label(item, cells)
		isNew := number == p.notice.line && p.Counter.Picture().Now.Before(p.notice.at.Add(newFor))
		if isNew {
			label = p.Theme.Strong.Render(label)
		}
		total := p.Theme.Strong.Render(i18n.Number(int64(item.Total())))
		row := cells.row(p.Theme, strconv.Itoa(number), label, p.quantity(item, cells), i18n.Number(int64(unitPrice(item))), total)
		switch {
		case number == p.cursor+1 && p.mode.onLine():
			row = p.Theme.Selected.Render(mark + theme.Bare(row)[1:])
		case isNew:
			row = p.Theme.Strong.Render(touched) + row[1:]
		}
		rows = append(rows, row)
	}
	return rows, window.Scroll(p.of.air + 1)
}

func (p painter) label(item payments.Item, cells tableColumns) string {
	label, was := item.Article(), ""
	room := cells.label - 5
	switch {
	case cells.quantity == 0 && item.Measured():
		label = item.Label
	case cells.quantity == 0 && item.Quantity > 1:
		label = wording.Quantity(p.Texts, item) + " " + label
	}
	if item.ListPrice > 0 {
		was = " " + p.Texts.Sale.Was.With(i18n.Number(int64(item.ListPrice)))
	}
	const minLabel = 8
	if was != "" && room-theme.Width(was) < min(minLabel, theme.Width(label)) {
		was = reducedMark
	}
	return theme.Truncate(label, room-theme.Width(was)) + was
}

// counts returns two texts: the number of lines, and the number of pieces with the measures, such
// as 1,2 kg. For an empty sale, it returns one text.
func (p painter) counts() []string {
	words := p.Texts.Sale
	lines := len(p.Counter.Cart().Items())
	count := int64(0)
	for _, item := range p.Counter.Cart().Items() {
		if item.Measure.Unit == "" {
			count += item.Quantity
		}
	}
	measures := wording.Measures(p.Texts, p.Counter.Cart().Items())
	switch {
	case lines == 0:
		return []string{words.Nothing}
	case count == 1:
		measures = slices.Insert(measures, 0, words.Piece)
	case count > 1:
		measures = slices.Insert(measures, 0, words.Pieces.With(i18n.Number(count)))
	}
	said := []string{words.Lines.With(strconv.Itoa(lines)), strings.Join(measures, between)}
	if lines == 1 {
		said[0] = words.Line
	}
	return said
}

// below returns the number of blank rows between a large total and the tiles.
func (p painter) below() int {
	if p.of.frame == pane.FullBorder || p.of.figures == 1 {
		return 0
	}
	return p.of.air
}

// total draws the sale's total in the largest digits that fit, with the counts.
func (p painter) total(inner int) []string {
	const figureGap = "   "
	amount, style := cart.Total(p.Counter.Cart().Items()), p.Theme.Strong
	if p.Motion {
		amount = money.Ariary(p.Total.At(p.Service.Now()))
	}
	total := i18n.Money(amount)
	if p.Counter.Cart().Empty() {
		style = p.Theme.Rule
	}
	counts := p.counts()
	both := strings.Join(counts, between)
	words := []string{p.Theme.Strong.Render(p.Texts.Sale.Total)}
	for _, count := range counts {
		words = append(words, p.Theme.Muted.Render(count))
	}
	for _, said := range []string{both, counts[0], ""} {
		if both = p.Theme.Muted.Render(said); theme.Width(words[0]+figureGap+both+figureGap+total) <= inner {
			break
		}
	}
	if p.of.frame == pane.Bare {
		return []string{theme.Spread(words[0]+figureGap+both, style.Render(total), inner)}
	}
	rows := append([]string{pane.Rule("")}, make([]string, p.of.air)...)
	drawn := figures.Fit(p.Theme, total, inner-1-theme.Width(counts[0]+figureGap), p.of.figures)
	if drawn == nil {
		text := theme.Spread(" "+words[0]+figureGap+both, style.Render(total)+" ", inner)
		if p.of.frame == pane.FullBorder {
			return append(rows[:1], text)
		}
		return append(append(rows[:1], text), make([]string, p.of.air)...)
	}
	switch {
	case len(drawn) == figures.Large:
		words = append([]string{""}, words...)
	case theme.Width(both+figureGap+drawn[0]) < inner:
		words = []string{words[0], both}
	}
	words = append(words, make([]string, len(drawn))...)
	for i, figure := range drawn {
		rows = append(rows, theme.AlignLeft(" "+words[i], inner-1-theme.Width(figure))+style.Render(figure))
	}
	return append(rows, make([]string, p.below())...)
}

// offers draws the suggested articles in at most room rows, below a rule with their number.
func (p painter) offers(inner, room int) []string {
	const fewest = 25 // Minimum width of the label in a row with a code.
	best := p.choice.fit.Best
	if len(best) < 2 || room < 2 || p.chosenOnTiles() {
		return nil
	}
	room = min(room-1, len(best))
	title := p.Texts.Sale.Fits.With(p.choice.fit.Total)
	if theme.Width(title) > inner { // Omit the second sentence.
		title, _, _ = strings.Cut(title, ". ")
	}
	rows := []string{pane.Rule(p.Theme.Muted.Render(title))}
	if p.of.frame == pane.Bare {
		rows[0] = theme.Bare(rows[0][1:])
	}
	first := max(0, p.choice.chosen-room)
	for i, article := range best[first : first+room] {
		row := fit.Row(inner, fit.Rest(fit.Must, fewest, " "+offerMark+article.Label),
			fit.Drop(0, theme.AlignRight(article.Code, 20)), fit.Fixed(theme.AlignRight(i18n.Money(article.UnitPrice), 13)+"  "))
		if first+i+1 == p.choice.chosen {
			row = p.Theme.Selected.Render(mark + row[1:])
		}
		rows = append(rows, row)
	}
	return rows
}
