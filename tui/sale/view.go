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
	"checkout/till/tui/entry"
	"checkout/till/tui/theme"
	"checkout/till/tui/wording"
	"checkout/till/tui/wording/errortext"
)

const (
	maxSaid   = 3 // Largest number of rows of the message above the entry line.
	fewestRow = 3 // Smallest number of rows for the lines of the sale.
	examples  = 4 // Rows of the examples in an empty sale.
	perRow    = 3 // Tiles in a row.
)

// View draws the columns of the sale and of the favourites; the console draws the side
// column. If there are few rows, the entry line and the total have precedence.
func (m Model) View() string {
	of := plan{Columns: m.Columns(), frame: m.frame()}
	entry := m.entry(of)
	if of.Side == 0 && of.frame != pane.Bare {
		entry = append([]string{m.Strip}, entry...)
	}
	of = m.plan(max(0, m.size.Height-len(entry)))
	var below []string
	switch {
	case of.frame == pane.Bare:
	case m.paidInCash():
		below = m.cashPane(of)
	case m.inquires():
		below = m.inquire(of)
	default:
		below = m.tiles(of)
	}
	main := strings.Join(slices.Concat(m.sale(of), below, entry), "\n")
	if of.Favourites == 0 {
		return main
	}
	return theme.Beside(main, strings.Repeat(" ", layout.Gap), strings.Join(m.favouriteColumn(of.Favourites), "\n"))
}

// sale draws the pane of the lines and the total, or the list of the held sales. While a
// question is open, the pane omits the total, because the question shows it.
func (m Model) sale(of plan) []string {
	inner, room := of.frame.Inner(of.Main, of.sale)
	drawn := pane.Pane{Frame: of.frame, Title: cmp.Or(m.ofDebt(), m.Texts.Sale.Title), Right: m.cart().Name}
	air := make([]string, of.air)
	if m.mode == owing || m.mode == tracing {
		return m.debtPane(of, inner, room, air)
	}
	if m.mode == resuming {
		held := m.list.SetRoom(room - len(air) - 1)
		drawn.Title = m.Texts.Held.Title
		drawn.Right = ""
		drawn.Foot = held.Position("")
		drawn.Rows, drawn.Scroll = slices.Concat(air, m.heldRows(held, inner)), held.Scroll(len(air)+1)
		return drawn.Lines(m.Theme, of.Main, of.sale)
	}
	var foot []string
	if note := m.cart().Sale.Description; note != "" {
		foot = append(foot, " "+m.Theme.Strong.Render(theme.Truncate(m.Texts.Sale.Note.With(note), inner-1)))
	}
	if begun := m.cart().Sale; begun.Taken > 0 {
		foot = append(foot, " "+m.Theme.Strong.Render(theme.Truncate(wording.Begun(m.Texts, begun), inner-1)))
	}
	foot = append(foot, m.offers(of, inner, room-len(foot)-of.figures-fewestRow)...)
	if !m.inquires() {
		foot = append(foot, m.total(of, inner)...)
	}
	room = max(0, room-len(air)-len(foot))
	if m.cart().Empty() {
		drawn.Right = cmp.Or(drawn.Right, m.Texts.Sale.Fresh)
		drawn.Rows = theme.Clip(m.greeting(inner, room), inner, room)
	} else {
		drawn.Rows, drawn.Scroll = m.table(of, inner, room)
	}
	drawn.Rows, drawn.Last = slices.Concat(air, drawn.Rows), foot
	return drawn.Lines(m.Theme, of.Main, of.sale)
}

// debtPane draws the pane of the debts, or of the movements of one customer.
func (m Model) debtPane(of plan, inner, room int, air []string) []string {
	shown := m.list.SetRoom(max(1, room-len(air)-1))
	drawn := pane.Pane{Frame: of.frame, Title: m.Texts.Debts.Title, Foot: shown.Position("")}
	rows := m.debtRows
	if m.mode == tracing {
		drawn.Title, drawn.Right = m.Texts.Debts.Of.With(m.debts.of.Title()), i18n.Money(m.debts.of.Owed)
		rows = m.movementRows
	}
	drawn.Rows, drawn.Scroll = slices.Concat(air, rows(shown, inner)), shown.Scroll(len(air)+1)
	return drawn.Lines(m.Theme, of.Main, of.sale)
}

// Guide returns rows that say what the demo proposes, and how to begin with real payments. It
// returns nil without a sample day.
func (m Model) Guide(width int) []string {
	if m.Steps == nil {
		return nil
	}
	const all = 100 // More rows than any text needs.
	return theme.Indent(m.live(slices.Concat(m.what(width), []string{"", m.toTry()}, m.Steps.Rows(m.Theme, m.Texts, width-1)), width, all), 1)
}

// what returns the sentence that says what the program is.
func (m Model) what(inner int) []string {
	return theme.Paragraph(m.Theme.Strong, m.Texts.Demo.What, inner-1, m.size.Height)
}

func (m Model) toTry() string { return m.Theme.Strong.Render(m.Texts.Demo.ToTry) }

// proposed returns what the demo proposes, in the airiest form that fits in room, or nil if room is too small.
func (m Model) proposed(inner, room int) []string {
	what, blank, title := m.what(inner), []string{""}, []string{m.toTry()}
	steps := m.Steps.Rows(m.Theme, m.Texts, inner-1)
	aired := slices.Concat(what, blank, title)
	for _, step := range steps {
		aired = append(aired, "", step)
	}
	last := slices.Concat(aired, blank, blank, []string{m.Theme.Strong.Render(m.Texts.Sale.LastSale), "", m.LastSale})
	forms := [][]string{m.live(aired, inner, room)}
	if m.LastSale != "" {
		typed := append([]string{m.Theme.Strong.Render(m.Texts.Sale.Empty)}, m.typing(inner, true)...)
		longest := slices.Concat(what, blank, blank, typed, blank, last[len(what):])
		forms = [][]string{m.live(longest, inner, room), m.live(last, inner, room), forms[0]}
	}
	forms = append(forms, m.live(slices.Concat(what, blank, title, steps), inner, room))
	if pairs := m.Steps.Pairs(m.Theme, m.Texts, inner-1); pairs != nil {
		forms = append(forms, slices.Concat(what, pairs))
	}
	for _, rows := range append(forms, steps) {
		if len(rows) <= room {
			return rows
		}
	}
	return nil
}

// greeting returns the text that replaces the lines while the sale has none: how to begin and, at
// a first start, what the program is.
func (m Model) greeting(inner, room int) []string {
	var rows []string
	say := func(style theme.Style, text string) {
		if rows != nil {
			rows = append(rows, "")
		}
		rows = append(rows, theme.Paragraph(style, text, inner-1, m.size.Height)...)
	}
	plain, words := m.Theme.Text, m.Texts.Sale
	if m.Steps != nil {
		if proposed := m.proposed(inner, room); proposed != nil {
			return theme.Indent(proposed, 1)
		}
	} else if m.Welcome != "" {
		say(m.Theme.Strong, m.Texts.Demo.What)
		say(plain, m.Texts.Demo.Try)
		return theme.Indent(m.live(rows, inner, room), 1)
	}
	say(m.Theme.Strong, words.Empty)
	if room > examples {
		rows = append(rows, "")
	}
	return theme.Indent(append(rows, m.typing(inner, false)...), 1)
}

// typing returns examples of what can be typed. aired sets a blank row above each.
func (m Model) typing(inner int, aired bool) (rows []string) {
	words := m.Texts.Sale
	column := theme.Width(words.Own) + 3 // words.Own is the longest example.
	for _, example := range [][2]string{{"vary", words.ByName}, {"2*coca", words.TwoOfIt}, {words.Own, words.OwnAmount}} {
		if aired {
			rows = append(rows, "")
		}
		name, says := m.Theme.Accent.Render(theme.AlignLeft(example[0], column)), strings.Join(theme.Rows(example[1], inner-1-column), "\n")
		rows = append(rows, strings.Split(theme.Beside(name, says), "\n")...)
	}
	return rows
}

// live adds a text to rows, if it fits in room. The text says how to begin with real payments.
func (m Model) live(rows []string, inner, room int) []string {
	if m.Welcome == "" {
		return rows
	}
	longer := append(slices.Clip(rows), "")
	longer = append(longer, theme.Paragraph(m.Theme.Text, m.Texts.Demo.Live.With(m.Welcome), inner-1, m.size.Height)...)
	if len(longer) > room {
		return rows
	}
	return longer
}

// entry draws the pane of the entry line. A message is at the right end of the line if it fits, else in
// rows above the line. Without a lower border, the keys are at the right end of the line, but the keys that
// answer a question are above it. Without any border, the message is always above the line.
func (m Model) entry(of plan) []string {
	inner, inside := of.frame.Inner(of.Main, maxSaid)
	bare := of.frame == pane.Bare
	said, keys := m.says(inner, bare)
	if m.mode == entering && m.Counter.LeftCode() {
		keys = append(keys, m.named("esc", m.Texts.Keys.ToCode))
	}
	dress := m.Theme.Text
	switch {
	case m.asks() && !m.takesAnswer():
		dress = m.Theme.WarningBlock
	case m.notice.message != nil && m.notice.fault:
		said, dress = m.notice.message.In(m.Texts), m.Theme.Danger
	case m.notice.message != nil:
		said, dress = m.notice.message.In(m.Texts), m.Theme.Strong
	}
	room := inner - theme.Width(prompt+m.line.Text()) - 3
	right := ""
	var answers []string
	switch unbordered := of.frame != pane.FullBorder; {
	case unbordered && m.inquires():
		answers = fit.Flow(keybar.Texts(m.Theme, keys), inner, "   ", "  ")
	case bare, unbordered && said == "":
		right = keybar.Row(m.Theme, keys, room)
	case theme.Width(said) <= room:
		right = dress.Render(said)
	}
	var rows []string
	if bare || right == "" && said != "" {
		// Without borders there is always a row for the message, so that the layout does not
		// move.
		rows = theme.Paragraph(dress, cmp.Or(said, " "), inner, max(1, min(maxSaid, m.size.Height-2)))
	}
	line := m.line.SetWidth(inner - theme.Width(right) - 1)
	rows = append(append(rows, answers...), theme.Spread(line.View(), right, inner))
	drawn := pane.Pane{Frame: of.frame, Rows: rows, Keys: true, Offers: keybar.Offers(m.Theme, keys)}
	return drawn.Lines(m.Theme, of.Main, len(rows)+maxSaid-inside)
}

func (m Model) named(key, does string) keybar.Entry {
	return keybar.Entry{Key: m.Texts.KeyNames.Of(key), Label: does, Leaves: key == "esc"}
}

// says returns the message for the entry line, and the current keys. The message says what to type,
// or what Enter would add. In a window without borders (bare) the message may also be a question.
func (m Model) says(width int, bare bool) (said string, keys []keybar.Entry) {
	words := m.Texts.Keys
	keys = keybar.Of(m.Texts.KeyNames, m.ShortHelp()...)
	adds := m.named("enter", words.Adds)
	article, named := m.next()
	switch {
	case m.inquires() && bare:
		asked := m.inquiry()
		return strings.TrimSpace(asked.Warning + " " + asked.Prompt), asked.Answers
	case m.paidInCash():
		return "", m.tenderKeys()
	case m.inquires():
		return "", nil
	case m.mode == editing:
		return m.Texts.Sale.Editing.With(m.cursor + 1), nil
	case m.mode == discounting:
		return m.discounts(m.items()[m.cursor]), nil
	case m.mode == weighing:
		return m.weighing(width), []keybar.Entry{adds, m.named("esc", words.Back)}
	case m.mode == tracing:
		return m.Texts.Debts.Pays.With(i18n.Money(m.debts.of.Owed)), []keybar.Entry{m.named("w", m.Texts.Debts.WriteOff), m.named("esc", words.Back)}
	case m.mode == noting:
		return m.Texts.Sale.Noting, nil
	case m.mode != entering:
		return "", keys
	case named:
		said = article.Label + "  " + m.Theme.Muted.Render(i18n.Number(int64(article.UnitPrice)))
		item, err := m.units(article, m.choice.quantity)
		if err == nil && m.choice.quantity.Thousandths > 0 {
			said = wording.Quantity(m.Texts, item) + " " + said
		}
		if err == nil && m.unusual(item) {
			said += " " + m.Texts.Hints.Unusual
		}
		if len(m.choice.fit.Best) == 1 {
			return said, []keybar.Entry{adds}
		}
		return said, []keybar.Entry{adds, m.named("tab", words.Others)}
	case m.line.Empty() && !m.cart().Empty():
		charges := words.Charges.With(i18n.Number(int64(m.cart().Terms().Due())))
		return "", []keybar.Entry{m.named("enter", charges), m.named("↑↓", words.ALine), m.named("ctrl+z", m.Texts.Keys.Undo)}
	case m.line.Empty() && m.Steps != nil:
		if *m.Steps == (demo.Steps{}) {
			said = m.Texts.Demo.Begin.With(m.Texts.KeyNames.Of("enter"))
		}
		return said, append(keys, m.named("F1", m.Texts.Demo.More))
	case m.line.Empty(), m.choice.offered():
		return "", keys
	}
	if off, is, err := entry.SaleDiscount(m.line.Text(), cart.Total(m.items())); is && err == nil {
		return m.Texts.Sale.Reduced.With(i18n.Money(off), i18n.Money(cart.Total(m.items())-off)), []keybar.Entry{m.named("enter", words.Reduce)}
	}
	lines, err := m.readAll()
	switch {
	case len(lines) > 1:
		return previewSign + m.Texts.Sale.Lines.With(strconv.Itoa(len(lines))) + between + wording.Worth(lines), []keybar.Entry{adds}
	case err == nil:
		return m.preview(lines[0], width), []keybar.Entry{adds}
	case m.Counter.Stocked():
		return errortext.NotEntered(m.Texts, err), nil
	}
	return "", keys
}

// discounts returns a text that says how to type a discount on an item. The discounted prices in
// its examples are lower than the item's price.
func (m Model) discounts(item payments.Item) string {
	price := cart.ListPrice(item)
	digit := money.Ariary(1)
	for digit*100 <= price {
		digit *= 10
	}
	off := max(1, price/10/digit*digit)
	says := m.Texts.Sale.Discount
	if item.Quantity > 1 {
		says = m.Texts.Sale.DiscountEach
	}
	return says.With(item.Label, i18n.Money(price), max(1, price-off), off)
}

// weighing returns the question for a weight or measure, or the line that the typed one makes.
func (m Model) weighing(width int) string {
	if item, err := m.weighed(m.line.Value()); err == nil {
		return m.preview(item, width)
	}
	return errortext.NotEntered(m.Texts, m.weighs)
}

// previewSign stands before the line that an entry would add.
const previewSign = "→ "

// preview returns the line that the entry would add. If a quantity was wrongly read as part of the
// label, the cashier sees it before adding the line.
func (m Model) preview(line payments.Item, width int) string {
	price := unitPrice(line)
	facts := " · " + strings.TrimSuffix(wording.Quantity(m.Texts, line), " ×") + " × " + i18n.Money(price)
	if line.Total() != price {
		facts += " = " + i18n.Money(line.Total())
	}
	if m.unusual(line) {
		facts += " " + m.Texts.Hints.Unusual
	}
	return theme.Truncate(previewSign+theme.Truncate(line.Article(), max(0, width-theme.Width(previewSign+facts)))+facts, width)
}

// inquire draws the open question. The lines of the sale are above it.
func (m Model) inquire(of plan) []string {
	inner, room := of.frame.Inner(of.Main, of.below)
	rows := m.askedRows(of, room)
	widest := 0
	for _, row := range rows {
		widest = max(widest, theme.Width(row))
	}
	rows = theme.Indent(rows, max(0, inner-widest)/2)
	rows = append(make([]string, max(0, room-len(rows)+1)/2), rows...)
	return pane.Pane{Frame: of.frame, Title: m.inquiry().word, Rows: rows, Keys: true}.Lines(m.Theme, of.Main, of.below)
}

// askedRows draws the amount and the text of the open question in at most room rows. The last form has
// no amount of its own, because the question names it.
func (m Model) askedRows(of plan, room int) []string {
	inner, _ := of.frame.Inner(of.Main, room)
	if m.debts.off.Open() {
		return m.debts.off.Rows(m.Console, inner, room)
	}
	asked := m.inquiry()
	var amount []string
	if of.figures > 1 && asked.amount != "" {
		amount = append(figures.Amount(m.Theme, asked.amount, inner, of.figures), "")
	}
	return append(amount, asked.Rows(m.Theme, inner, room-len(amount))...)
}

// tile draws the favourite at a place. A free place says how to fill it, once the articles are known.
func (m Model) tile(place, width int) []string {
	article, found := m.Counter.Shelf().Favourite(place)
	key := "Alt " + strconv.Itoa(place)
	switch {
	case !found && !m.Counter.Stocked():
		return make([]string, tileRows)
	case !found:
		return pane.FreeTile(m.Theme, key, m.Texts.Sale.FreeTile, width, tileRows)
	}
	next, named := m.next()
	return pane.Tile(m.Theme, key, article.Label, i18n.Number(int64(article.UnitPrice)),
		named && next.ID == article.ID, width, tileRows)
}

// tiles draws the favourites in rows of three.
func (m Model) tiles(of plan) []string {
	var rows []string
	width := (of.Main - (perRow-1)*layout.Gap) / perRow
	for row := range of.below / tileRows {
		left, middle := m.tile(row*perRow+1, width), m.tile(row*perRow+2, width)
		right := m.tile(row*perRow+3, of.Main-2*(width+layout.Gap))
		for i := range tileRows {
			rows = append(rows, theme.AlignLeft(left[i], width+layout.Gap)+theme.AlignLeft(middle[i], width+layout.Gap)+right[i])
		}
	}
	return rows
}

// allPlaces are the places of all favourites: one for each digit from 1.
const allPlaces = 9

// favouriteColumn draws the favourites one below the other, and the held sales below them. Free places are left
// out if not all have room.
func (m Model) favouriteColumn(width int) []string {
	words := m.Texts.Sale
	var rows []string
	fits := m.size.Height / tileRows
	for place := 1; place <= allPlaces; place++ {
		_, taken := m.Counter.Shelf().Favourite(place)
		if len(rows)/tileRows < fits && (taken || fits >= allPlaces) {
			rows = append(rows, m.tile(place, width)...)
		}
	}
	rest := m.size.Height - len(rows)
	if len(m.cart().Held) == 0 || rest < tileRows {
		return rows
	}
	var sum money.Ariary
	held := pane.Pane{Title: words.OnHold}
	if rest > tileRows+1 {
		held.Rows = append(held.Rows, "")
	}
	for _, sale := range m.cart().Held {
		const cells = 19
		total := cart.Total(sale.Items)
		sum += total
		since := m.since(sale)
		if since == sale.Name { // The sale is named by its time, as in the sample day. Do not show the time twice.
			since = ""
		}
		held.Rows = append(held.Rows, theme.AlignLeft(sale.Name, width-4-cells)+
			m.Theme.Muted.Render(theme.AlignRight(since, 8))+m.Theme.Strong.Render(theme.AlignRight(i18n.Number(int64(total)), 11)))
	}
	held.Right = m.Theme.Strong.Render(strconv.Itoa(len(m.cart().Held)) + " · " + i18n.Money(sum))
	return append(rows, held.Lines(m.Theme, width, rest)...)
}
