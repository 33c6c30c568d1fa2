package sale

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/tui/component/figures"
	"checkout/till/tui/component/keybar"
	"checkout/till/tui/component/layout"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/entry"
	"checkout/till/tui/keyboard"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
	"checkout/till/tui/wording"
)

// cash is the question how much cash the customer gives.
type cash struct {
	live.Console
	due   money.Ariary // Amount that the customer pays now; it may be a part of the sale.
	typed string       // Typed amount; blank for the exact sum.
	debt  bool         // Whether the customer pays a debt.
}

func (m Model) cash() cash {
	return cash{m.Console, m.Counter.Question().Due(), m.line.Value(), m.Counter.Cart().Sale.Debt != ""}
}

func (m Model) tender(msg tea.KeyMsg) (Model, tea.Cmd) {
	cash := m.cash()
	switch {
	case key.Matches(msg, m.keys.Enter):
		given, err := cash.given()
		if err != nil {
			m.refuse(err)
			return m, nil
		}
		if missing := cash.due - given; missing > 0 && given <= 0 {
			m.Warn(func(t i18n.Texts) string { return t.Cash.Short.With(i18n.Money(missing)) })
			return m, nil
		}
		m.Counter.TakeCash(given)
		return m, nil
	case key.Matches(msg, m.keys.Favourite):
		place := placeOf(msg)
		if sums := drawer.LikelySums(cash.due); place <= len(sums) {
			m.line = m.line.SetText(i18n.Number(int64(sums[place-1])))
		}
		return m, nil
	case keyboard.Types(msg) && strings.Trim(string(msg.Runes), digits+" ") != "":
		m.Counter.DismissQuestion()
		m.takeLines()
		return m.press(msg)
	}
	cmd := m.write(msg)
	return m, cmd
}

// given returns the typed amount, by default the exact sum.
func (c cash) given() (money.Ariary, error) {
	if c.typed == "" {
		return c.due, nil
	}
	return entry.ParseSum(c.typed)
}

func (c cash) says() string {
	given, err := c.given()
	if c.typed == "" || err != nil {
		return ""
	}
	return c.Texts.Cash.Given.With(i18n.Money(given))
}

// change returns the change or the missing money, with its label.
func (c cash) change() (word string, amount money.Ariary, missing bool) {
	given, _ := c.given() // 0 if the text is not an amount.
	switch amount = given - c.due; {
	case amount < 0 && c.debt:
		return c.Texts.Debts.Stays, -amount, true
	case amount < 0:
		return c.Texts.Cash.Missing, -amount, true
	}
	return c.Texts.Cash.Change, amount, false
}

// cashPane draws the question for cash, above tiles with the sums that a customer probably gives.
func (p painter) cashPane() []string {
	cash := p.cash()
	sums := drawer.LikelySums(cash.due)
	inRow := cash.inRow(sums, p.of.Main)
	var tiles []string
	first := 0
	for some := range slices.Chunk(sums, inRow) {
		if len(tiles)+tileHeight > p.of.below-p.cashHeight() {
			break
		}
		tiles = append(tiles, cash.tiles(some, first, inRow, p.of.Main)...)
		first += len(some)
	}
	rows, right := p.cashRows()
	if _, room := p.of.frame.Inner(p.of.Main, p.of.below-len(tiles)); room > len(rows) {
		rows = append([]string{""}, rows...)
	}
	rows = theme.Indent(rows, p.margin())
	drawn := pane.Pane{Frame: p.of.frame, Title: p.Theme.Accent.Render(p.tenderTitle()), Right: cmp.Or(right, p.Counter.Cart().Name), Rows: rows, Keys: true}
	return append(drawn.Lines(p.Theme, p.of.Main, p.of.below-len(tiles)), tiles...)
}

// labels is the number of rows of [painter.cashRows] without the digits.
const labels = 4

func (p painter) cashHeight() int { return p.of.figures + labels }

// cashRows draws the total next to the change or the missing money, or one of them if there is no
// room for both. right is the total for the border of the pane, if the rows lack it.
func (p painter) cashRows() (rows []string, right string) {
	const before, line, after = 1, 1, 2 // Columns before, of and after the line between total and change.
	cash := p.cash()
	inner, _ := p.of.frame.Inner(p.of.Main, p.of.below)
	inner -= 2 * p.margin()
	due, high := i18n.Money(cash.due), p.of.figures
	counts := strings.Join(p.counts(), between)
	part := func(word string, amount []string, style theme.Style, note string) []string {
		return slices.Concat([]string{word, ""}, bottom(amount, style, high), []string{"", p.Theme.Muted.Render(note)})
	}
	alone := func(word string, amount money.Ariary, style theme.Style, note string) []string {
		return part(word, p.large(amount, inner, high), style, note)
	}
	word, change, missing := cash.change()
	style, notes := p.Theme.Strong, wording.Notes(change)
	switch {
	case missing:
		style, notes = p.Theme.Warning, ""
	case change == 0:
		style = p.Theme.Rule
	}
	sum := figures.Fit(p.Theme, due, inner/2, min(high, figures.Small))
	column := max(min(inner/2, theme.Width(counts)), theme.Width(strings.Join(sum, "\n"))) + before
	room := inner - column - line - after
	words := p.Texts.Cash
	asks := []string{words.Give, words.Alone}
	narrow := figures.Fit(p.Theme, i18n.Money(largestNote), room, high) == nil
	if p.line.Empty() && (narrow || theme.Width(strings.Join(asks, "\n")) > room) {
		return alone(words.Due, cash.due, p.Theme.Strong, counts), ""
	}
	if narrow {
		return alone(word, change, style, notes), p.Texts.Frame.Labelled.With(p.Texts.Cash.Due, due)
	}
	if sum == nil {
		sum = []string{due}
	}
	left := part(p.Texts.Cash.Due, sum, p.Theme.Strong, counts)
	changed := part(word, p.large(change, room, high), style, notes)
	if p.line.Empty() {
		changed = part(asks[0], nil, style, asks[1])
	}
	for row := range left {
		rows = append(rows, theme.AlignLeft(left[row], column)+p.Theme.Rule.Render("│")+theme.AlignLeft("", after)+changed[row])
	}
	return rows, ""
}

// largestNote is the largest banknote. The change for any of [drawer.LikelySums] needs no more
// columns.
const largestNote money.Ariary = 20_000

// large draws an amount in large digits that are at most high rows tall, or else as text.
func (p painter) large(amount money.Ariary, width, high int) []string {
	if rows := figures.Fit(p.Theme, i18n.Money(amount), width, high); rows != nil {
		return rows
	}
	return []string{i18n.Money(amount)}
}

// bottom styles the rows and adds blank ones above them, up to the height high.
func bottom(rows []string, style theme.Style, high int) []string {
	return append(make([]string, max(0, high-len(rows))), theme.Dress(style, rows)...)
}

// inRow returns how many tiles of sums are in a row: three, like the tiles of favourites, or four
// if there are four sums and no text is cut.
func (c cash) inRow(sums []money.Ariary, width int) int {
	if len(sums) != perRow+1 {
		return perRow
	}
	inner := tileWidth(width, len(sums)) - pane.Borders
	for _, sum := range sums {
		if theme.Width(i18n.Number(int64(sum))) > inner || theme.Width(c.returnsBrief(sum)) > inner {
			return perRow
		}
	}
	return len(sums)
}

func tileWidth(width, inRow int) int { return (width - (inRow-1)*layout.Gap) / inRow }

func (c cash) returns(sum money.Ariary) string {
	if sum == c.due {
		return c.Texts.Cash.Exact
	}
	return c.Texts.Cash.Returns.With(i18n.Number(int64(sum - c.due)))
}

func (c cash) returnsShort(sum money.Ariary) string {
	if sum == c.due {
		return c.Texts.Cash.ExactShort
	}
	return c.Texts.Cash.Back.With(i18n.Number(int64(sum - c.due)))
}

func (c cash) returnsBrief(sum money.Ariary) string {
	if sum == c.due {
		return "="
	}
	return previewSign + i18n.Number(int64(sum-c.due))
}

// tiles draws one row of tiles for sums. first is the number of tiles in the rows above. All tiles
// use the same form of text.
func (c cash) tiles(sums []money.Ariary, first, inRow, width int) []string {
	given, _ := c.given()
	tile := tileWidth(width, inRow)
	says := c.returns
	for _, shorter := range []func(money.Ariary) string{c.returnsShort, c.returnsBrief} {
		if slices.ContainsFunc(sums, func(sum money.Ariary) bool { return theme.Width(says(sum)) > tile-pane.Borders }) {
			says = shorter
		}
	}
	rows := make([]string, tileHeight)
	for i, sum := range sums {
		at, wide := i*(tile+layout.Gap), tile
		if i == inRow-1 {
			wide = width - at // The last tile ends where the panes end.
		}
		drawn := pane.Tile(c.Theme, "Alt "+strconv.Itoa(first+i+1), i18n.Number(int64(sum)), says(sum), sum == given, wide, tileHeight)
		for row := range rows {
			rows[row] = theme.AlignLeft(rows[row], at) + drawn[row]
		}
	}
	return rows
}

func (p painter) tenderTitle() string {
	return p.Texts.TenderTitles[string(p.Counter.Question().Tender)]
}

// chargeKeys returns the keys to choose how the customer pays. Enter makes an order, because an
// order made by mistake does no harm.
func (p painter) chargeKeys(back string) []keybar.Entry {
	keys := []keybar.Entry{p.keyEntry("enter", p.Texts.TenderKeys[string(drawer.TenderLink)])}
	if next := p.Counter.NextTender(); next != "" {
		keys = append(keys, p.keyEntry("tab", p.Texts.TenderKeys[string(next)]))
	}
	keys = append(keys, p.keyEntry("esc", back))
	if p.Counter.ReachNow().Blind() {
		return keys[1:]
	}
	return keys
}

func (p painter) tenderKeys() []keybar.Entry {
	asked := p.Counter.Question().Tender
	takes := p.Texts.TenderTakes[string(asked)]
	if given, _ := p.cash().given(); 0 < given && given < p.cash().due {
		takes = p.Texts.Cash.AsksRest
	}
	keys := []keybar.Entry{p.keyEntry("enter", takes)}
	if len(p.Counter.Ways()) > 1 {
		keys = append(keys, p.keyEntry("tab", p.Texts.TenderKeys[string(p.Counter.NextTender())]))
	}
	return append(keys, p.keyEntry("esc", p.Texts.TenderKeys[string(drawer.TenderLink)]))
}
