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
	"checkout/till/tui/component/demo"
	"checkout/till/tui/component/figures"
	"checkout/till/tui/component/fit"
	"checkout/till/tui/component/keybar"
	"checkout/till/tui/component/layout"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/component/question"
	"checkout/till/tui/entry"
	"checkout/till/tui/theme"
	"checkout/till/tui/wording"
	"checkout/till/tui/wording/errortext"
)

const (
	maxSaid   = 3 // Maximum number of rows of the message above the entry line.
	fewestRow = 3 // Minimum number of rows for the lines of the sale above the suggested articles.
	examples  = 4 // Rows in an empty sale: a sentence and three examples.
	perRow    = 3 // Favourites in a row of tiles.

	tileHeight = 4 // Height of a tile in rows, with its borders.
)

// View draws the columns of the sale and of the favourites; the console draws the side column.
func (m Model) View() string {
	p := m.painter()
	entry := p.entry()
	if p.of.Side == 0 && p.of.frame != pane.Bare {
		entry = append([]string{m.Strip}, entry...)
	}
	p = p.planned(max(0, m.size.Height-len(entry)))
	var below []string
	switch {
	case p.of.frame == pane.Bare && !m.owners.Open(): // In this case, the entry line shows the question.
	case m.way().Given:
		below = p.cashPane()
	case m.inquires():
		below = p.inquire()
	default:
		below = p.tiles()
	}
	main := strings.Join(slices.Concat(p.sale(), below, entry), "\n")
	if p.of.Favourites == 0 {
		return main
	}
	return theme.Beside(main, strings.Repeat(" ", layout.Gap), strings.Join(p.favouriteColumn(p.of.Favourites), "\n"))
}

// sale draws the pane with the sale, or the list of the held sales or of the debts.
func (p painter) sale() []string {
	inner, room := p.of.frame.Inner(p.of.Main, p.of.sale)
	drawn := pane.Pane{Frame: p.of.frame, Title: cmp.Or(p.ofDebt(), p.Texts.Sale.Title), Right: p.Counter.Cart().Name}
	air := make([]string, p.of.air)
	if p.mode.listing() {
		drawn = p.held.pane(p.Console, inner, room, len(air))
		if p.mode == owing {
			drawn = p.debts.pane(p.Console, inner, room, len(air))
		}
		drawn.Frame = p.of.frame
		return drawn.Lines(p.Theme, p.of.Main, p.of.sale)
	}
	var foot []string
	if note := p.Counter.Cart().Sale.Description; note != "" {
		foot = append(foot, " "+p.Theme.Strong.Render(theme.Truncate(p.Texts.Sale.Note.With(note), inner-1)))
	}
	if begun := p.Counter.Cart().Sale; begun.Taken > 0 {
		foot = append(foot, " "+p.Theme.Strong.Render(theme.Truncate(wording.Begun(p.Texts, begun), inner-1)))
	}
	foot = append(foot, p.offers(inner, room-len(foot)-p.of.figures-fewestRow)...)
	if !p.inquires() {
		foot = append(foot, p.total(inner)...)
	}
	room = max(0, room-len(air)-len(foot))
	if p.Counter.Cart().Empty() {
		drawn.Right = cmp.Or(drawn.Right, p.Taken, p.Texts.Sale.Fresh)
		drawn.Rows = theme.Clip(greeter{p.Greeting, p.Console, inner, room}.rows(), inner, room)
	} else {
		drawn.Rows, drawn.Scroll = p.table(inner, room)
	}
	drawn.Rows, drawn.Last = slices.Concat(air, drawn.Rows), foot
	return drawn.Lines(p.Theme, p.of.Main, p.of.sale)
}

// entry draws the pane with the entry line, its message and its keys.
func (p painter) entry() []string {
	inner, inside := p.of.frame.Inner(p.of.Main, maxSaid)
	bare := p.of.frame == pane.Bare
	said, keys := p.says(inner, bare)
	if p.mode == entering && p.Counter.LeftCode() && p.Over == nil {
		keys = append(keys, p.keyEntry("esc", p.Texts.Keys.ToCode))
	}
	dress := p.Theme.Text
	switch {
	case p.notice.message != nil && p.notice.fault:
		said, dress = p.notice.message.In(p.Texts), p.Theme.Danger
	case p.notice.message != nil:
		said, dress = p.notice.message.In(p.Texts), p.Theme.Strong
	}
	line := p.line
	if p.mode == owing && p.debts.chosen() {
		line = p.debts.pays
	}
	room := inner - theme.Width(prompt+line.Text()) - 3
	right := ""
	var answers []string
	switch unbordered := p.of.frame != pane.FullBorder; {
	case unbordered && p.inquires():
		answers = fit.Flow(keybar.Texts(p.Theme, keys), inner, "   ", "  ")
		right = dress.Render(said)
		keys = nil
	case bare:
		right = keybar.Row(p.Theme, keys, room)
	case theme.Width(said) <= room:
		right = dress.Render(said)
	}
	var rows []string
	if bare || right == "" && said != "" {
		// A row is reserved for the message, so that the layout does not move.
		rows = theme.Paragraph(dress, cmp.Or(said, " "), inner, max(1, min(maxSaid, p.size.Height-2)))
	}
	typed := line.SetWidth(inner - theme.Width(right) - 1).View()
	elsewhere := (p.typesName() || p.Over != nil || p.owners.Open()) && !bare // Whether the question shows what is typed.
	if elsewhere {
		typed = p.Theme.Rule.Render(prompt)
	}
	rows = append(append(rows, answers...), theme.Spread(typed, right, inner))
	drawn := pane.Pane{Frame: p.of.frame, Rows: rows, Keys: !elsewhere, Offers: keybar.Offers(p.Theme, keys)}
	return drawn.Lines(p.Theme, p.of.Main, len(rows)+maxSaid-inside)
}

func (p painter) keyEntry(key, does string) keybar.Entry {
	return keybar.Entry{Key: p.Texts.KeyNames.Of(key), Label: does, Leaves: key == "esc"}
}

// says returns the message for the entry line, such as what to type or what Enter would add, and
// the keys to show.
func (p painter) says(width int, bare bool) (said string, keys []keybar.Entry) {
	words := p.Texts.Keys
	keys = keybar.Of(p.Texts.KeyNames, p.ShortHelp()...)
	adds := p.keyEntry("enter", words.Adds)
	article, named := p.choice.next()
	switch {
	case p.inquires() && bare:
		return p.asksBare()
	case p.way().Given:
		return p.cash().says(), p.tenderKeys()
	case p.inquires():
		return "", nil
	case p.mode == editing:
		return p.Texts.Sale.Editing.With(p.cursor + 1), nil
	case p.mode == discounting:
		return p.discounts(p.Counter.Cart().Items()[p.cursor]), nil
	case p.mode == weighing:
		return p.weighing(width), []keybar.Entry{adds, p.keyEntry("esc", words.Back)}
	case p.mode == owing && p.debts.chosen():
		if p.debts.of.Owed <= 0 {
			return "", []keybar.Entry{p.keyEntry("esc", words.Back)}
		}
		return p.Texts.Debts.Pays.With(i18n.Money(p.debts.of.Owed)), []keybar.Entry{p.keyEntry("w", p.Texts.Debts.WriteOff), p.keyEntry("esc", words.Back)}
	case p.mode == noting:
		return p.Texts.Sale.Noting, nil
	case p.mode != entering:
		return "", keys
	case named:
		said = article.Label + "  " + p.Theme.Muted.Render(i18n.Number(int64(article.UnitPrice)))
		item, err := p.reader().units(article, p.choice.quantity)
		if err == nil && p.choice.quantity.Thousandths > 0 {
			said = wording.Quantity(p.Texts, item) + " " + said
		}
		if err == nil && p.reader().unusual(item) {
			said += " " + p.Texts.Hints.Unusual
		}
		if len(p.choice.fit.Best) == 1 {
			return said, []keybar.Entry{adds}
		}
		return said, []keybar.Entry{adds, p.keyEntry("tab", words.Others)}
	case p.line.Empty() && !p.Counter.Cart().Empty():
		charges := words.Charges.With(i18n.Number(int64(p.Counter.Cart().Terms().Due())))
		return "", []keybar.Entry{p.keyEntry("enter", charges), p.keyEntry("↑↓", words.ALine), p.keyEntry("ctrl+z", words.Undo)}
	case p.line.Empty() && p.Steps != nil:
		if *p.Steps == (demo.Steps{}) {
			said = p.Texts.Demo.Begin.With(p.Texts.KeyNames.Of("enter"))
		}
		return said, append(keys, p.keyEntry("F1", p.Texts.Demo.More))
	case p.line.Empty(), p.choice.offered():
		return "", keys
	}
	if off, is, err := entry.SaleDiscount(p.line.Text(), cart.Total(p.Counter.Cart().Items())); is && err == nil {
		return p.Texts.Sale.Reduced.With(i18n.Money(off), i18n.Money(cart.Total(p.Counter.Cart().Items())-off)), []keybar.Entry{p.keyEntry("enter", words.Reduce)}
	}
	lines, err := p.reader().items(p.line.Value())
	switch {
	case len(lines) > 1:
		return previewSign + p.Texts.Sale.Lines.With(strconv.Itoa(len(lines))) + between + wording.Worth(lines), []keybar.Entry{adds}
	case err == nil:
		return p.preview(lines[0], width), []keybar.Entry{adds}
	case p.Counter.ArticlesRead():
		return errortext.NotEntered(p.Texts, err), nil
	}
	return "", keys
}

// asksBare returns the open question and its answers for a window without borders.
func (p painter) asksBare() (said string, answers []keybar.Entry) {
	asked, style := p.inquiry(), p.Theme.Strong
	if asked.drops {
		style = p.Theme.Danger
	}
	said = style.Render(asked.Prompt)
	if asked.Warning != "" {
		said = p.Theme.Warning.Render(asked.Warning) + " " + said
	}
	return said, asked.Answers
}

// discounts says how to type a discount for an item, with examples that fit its price.
func (p painter) discounts(item payments.Item) string {
	price := cart.ListPrice(item)
	digit := money.Ariary(1)
	for digit*100 <= price {
		digit *= 10
	}
	off := max(1, price/10/digit*digit)
	says := p.Texts.Sale.Discount
	if item.Quantity > 1 {
		says = p.Texts.Sale.DiscountEach
	}
	return says.With(item.Label, i18n.Money(price), max(1, price-off), off)
}

func (p painter) weighing(width int) string {
	if item, err := p.reader().weighed(p.weighs, p.line.Value()); err == nil {
		return p.preview(item, width)
	}
	return errortext.NotEntered(p.Texts, p.weighs)
}

// previewSign precedes the line that an entry would add.
const previewSign = "→ "

// preview draws the line that the entry would add, so that the cashier can see a mistake in time.
func (p painter) preview(line payments.Item, width int) string {
	price := unitPrice(line)
	facts := " · " + strings.TrimSuffix(wording.Quantity(p.Texts, line), " ×") + " × " + i18n.Money(price)
	if line.Total() != price {
		facts += " = " + i18n.Money(line.Total())
	}
	if p.reader().unusual(line) {
		facts += " " + p.Texts.Hints.Unusual
	}
	return theme.Truncate(previewSign+theme.Truncate(line.Article(), max(0, width-theme.Width(previewSign+facts)))+facts, width)
}

// inquire draws the open question below the lines of the sale.
func (p painter) inquire() []string {
	inner, room := p.of.frame.Inner(p.of.Main, p.of.below)
	rows := p.askedRows(room)
	if p.of.frame == pane.FullBorder {
		rows = question.Middle(rows, inner)
	} else {
		rows = theme.Indent(rows, p.margin())
	}
	rows = append(make([]string, max(0, room-len(rows)+1)/2), rows...)
	return pane.Pane{Frame: p.of.frame, Title: p.inquiry().word, Rows: rows, Keys: true}.Lines(p.Theme, p.of.Main, p.of.below)
}

// margin returns the number of blank columns at the left of a question. A pane with a border
// already has one.
func (p painter) margin() int {
	if p.of.frame == pane.Bare {
		return 2
	}
	return 1
}

// askedRows draws the amount and the text of the open question. The result may be higher than room.
func (p painter) askedRows(room int) []string {
	inner, _ := p.of.frame.Inner(p.of.Main, room)
	if p.Over != nil {
		_, rows := p.Over(inner-p.margin(), room)
		return rows
	}
	if p.owners.Open() {
		return p.owners.Rows(p.Console, inner, room)
	}
	if p.of.frame != pane.FullBorder {
		inner -= p.margin()
	}
	asked := p.inquiry()
	asked.Spaced = p.of.frame != pane.FullBorder
	if p.typesName() {
		asked.Card = asked.Input(p.line, inner)
	}
	var amount []string
	if p.of.figures > 1 && asked.amount != "" {
		amount = append(figures.Amount(p.Theme, asked.amount, inner, p.of.figures), "")
	}
	return append(amount, asked.Rows(p.Theme, inner, room-len(amount))...)
}

// tile draws the favourite with the number place, or how to choose one.
func (p painter) tile(place, width int) []string {
	article, found := p.Counter.Shelf().Favourite(place)
	key := "Alt " + strconv.Itoa(place)
	switch {
	case !found && !p.Counter.ArticlesRead():
		return make([]string, tileHeight)
	case !found:
		return pane.FreeTile(p.Theme, key, p.Texts.Sale.FreeTile, width, tileHeight)
	}
	next, named := p.choice.next()
	return pane.Tile(p.Theme, key, article.Label, i18n.Number(int64(article.UnitPrice)),
		named && next.ID == article.ID, width, tileHeight)
}

// tiles draws the favourites in rows of three, as many as fit.
func (p painter) tiles() []string {
	var rows []string
	width := tileWidth(p.of.Main, perRow)
	drawn := p.of.below / tileHeight
	first := p.firstTiles(drawn)
	for row := first; row < first+drawn; row++ {
		left, middle := p.tile(row*perRow+1, width), p.tile(row*perRow+2, width)
		right := p.tile(row*perRow+3, p.of.Main-2*(width+layout.Gap))
		for i := range tileHeight {
			rows = append(rows, theme.AlignLeft(left[i], width+layout.Gap)+theme.AlignLeft(middle[i], width+layout.Gap)+right[i])
		}
	}
	return rows
}

// allPlaces is the maximum number of favourites.
const allPlaces = 9

// favouriteColumn draws the favourites one below the other, and the held sales.
func (p painter) favouriteColumn(width int) []string {
	var rows []string
	fits := p.size.Height / tileHeight
	for place := 1; place <= allPlaces; place++ {
		_, taken := p.Counter.Shelf().Favourite(place)
		if len(rows)/tileHeight < fits && (taken || fits >= allPlaces) {
			rows = append(rows, p.tile(place, width)...)
		}
	}
	rest := p.size.Height - len(rows)
	if rest < tileHeight {
		return rows
	}
	held := p.held.brief(p.Console, width, rest)
	if len(p.held.sales()) > 0 {
		held.Offers = keybar.Offers(p.Theme, []keybar.Entry{p.keyEntry("F5", p.Texts.Keys.Resume)})
	}
	return append(rows, held.Lines(p.Theme, width, rest)...)
}
