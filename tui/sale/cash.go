package sale

import (
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
	"checkout/till/tui/keyboard"
	"checkout/till/tui/theme"
	"checkout/till/tui/wording"
)

// tender handles a key while the screen asks how much cash the customer gives.
func (m Model) tender(msg tea.KeyMsg) (Model, tea.Cmd) {
	switch {
	case key.Matches(msg, m.keys.Enter):
		given, err := m.given()
		if err != nil {
			return m.refuse(err), nil
		}
		if missing := m.due() - given; missing > 0 && given <= 0 {
			return m.Warn(func(t i18n.Texts) string { return t.Cash.Short.With(i18n.Money(missing)) }), nil
		}
		m.Counter.TakeCash(given)
		return m, nil
	case key.Matches(msg, m.keys.Favourite):
		place := slices.Index([]rune(digits+azerty), msg.Runes[0]) % len(digits)
		if sums := drawer.LikelySums(m.due()); place < len(sums) {
			m.line = m.line.SetText(i18n.Number(int64(sums[place])))
		}
		return m, nil
	case keyboard.Types(msg) && strings.Trim(string(msg.Runes), "0123456789 ") != "":
		m.Counter.DismissQuestion()
		return m.takeLines().press(msg)
	}
	return m.write(msg)
}

// due returns what the customer pays by the answer to the question.
func (m Model) due() money.Ariary { return m.Counter.Question().Due() }

// given returns the typed amount, or the exact sum if the entry line is empty.
func (m Model) given() (money.Ariary, error) {
	if m.line.Value() == "" {
		return m.due(), nil
	}
	return money.ParseAriary(m.line.Value())
}

// change returns the change with its word, or the money that is missing.
func (p painter) change() (word string, amount money.Ariary, missing bool) {
	given, _ := p.given() // If the text is not an amount, given is 0.
	if amount = given - p.due(); amount < 0 {
		return p.Texts.Cash.Missing, -amount, true
	}
	return p.Texts.Cash.Change, amount, false
}

// cashPane draws the question how much cash the customer gives: the total and the change in large figures
// and, below them, the sums that a customer probably gives.
func (p painter) cashPane() []string {
	given, _ := p.given()
	var tiles []string
	first := 0
	for sums := range slices.Chunk(drawer.LikelySums(p.due()), perRow) {
		if len(tiles)+tileRows > p.of.below-len(p.cashRows()) {
			break
		}
		tiles = append(tiles, p.tenders(sums, first, given, p.of.Main)...)
		first += len(sums)
	}
	rows := p.cashRows()
	if _, room := p.of.frame.Inner(p.of.Main, p.of.below-len(tiles)); room > len(rows) {
		rows = append([]string{""}, rows...)
	}
	drawn := pane.Pane{Frame: p.of.frame, Title: p.Theme.Accent.Render(p.tenderTitle()), Right: p.cart().Name, Rows: rows, Keys: true}
	return append(drawn.Lines(p.Theme, p.of.Main, p.of.below-len(tiles)), tiles...)
}

// cashRows draws the total next to the change or to the money that is missing.
func (p painter) cashRows() []string {
	word, change, missing := p.change()
	style := p.Theme.Strong
	if missing {
		style = p.Theme.Warning
	}
	inner, _ := p.of.frame.Inner(p.of.Main, p.of.below)
	left, right := p.sums(p.due(), change, inner/2-2, p.of.figures)
	left = slices.Concat([]string{p.Texts.Cash.Due, ""}, left, []string{"", p.Theme.Muted.Render(strings.Join(p.counts(), between))})
	right = slices.Concat([]string{word, ""}, theme.Dress(style, right), []string{"", p.Theme.Muted.Render(wording.Notes(change))})
	var rows []string
	for row := range left {
		rows = append(rows, theme.AlignLeft(left[row], inner/2-2)+p.Theme.Rule.Render("│")+"  "+right[row])
	}
	return rows
}

// sums draws two amounts in figures of the same height, at most high rows. If there is no room for
// figures, sums returns the amounts as text.
func (p painter) sums(one, other money.Ariary, width, high int) (left, right []string) {
	for _, rows := range []int{high, min(high, figures.Small)} {
		left = figures.Fit(p.Theme, i18n.Money(one), width-1, rows)
		right = figures.Fit(p.Theme, i18n.Money(other), width-1, rows)
		if left != nil && len(left) == len(right) {
			return left, right
		}
	}
	return []string{i18n.Money(one)}, []string{i18n.Money(other)}
}

// tenders draws one row of tiles, one tile for each of sums. first is the number of tiles in the
// rows above.
func (p painter) tenders(sums []money.Ariary, first int, given money.Ariary, width int) []string {
	tile := (width - (perRow-1)*layout.Gap) / perRow
	rows := make([]string, tileRows)
	for i, sum := range sums {
		says, short := p.Texts.Cash.Exact, "="
		if change := i18n.Number(int64(sum - p.due())); sum > p.due() {
			says, short = p.Texts.Cash.Returns.With(change), previewSign+change
		}
		if theme.Width(says) > tile-pane.Borders { // No amount is cut.
			says = short
		}
		drawn := pane.Tile(p.Theme, "Alt "+strconv.Itoa(first+i+1), i18n.Number(int64(sum)), says, sum == given, tile, tileRows)
		for row := range rows {
			rows[row] = theme.AlignLeft(rows[row], i*(tile+layout.Gap)) + drawn[row]
		}
	}
	return rows
}

// tenderTitle returns the name of the tender that the screen asks about.
func (p painter) tenderTitle() string {
	return p.Texts.TenderTitles[string(p.Counter.Question().Tender)]
}

// restKeys returns the keys for the question how the rest of the sale is paid.
func (p painter) restKeys() []keybar.Entry {
	next := p.Counter.NextTender()
	keys := []keybar.Entry{
		p.keyEntry("enter", p.Texts.TenderKeys[string(drawer.TenderLink)]), p.keyEntry("tab", p.Texts.TenderKeys[string(next)]),
		p.keyEntry("esc", p.Texts.Keys.Back),
	}
	if p.Counter.ReachNow().Blind() {
		return keys[1:]
	}
	return keys
}

// tenderKeys returns the keys for the question whether the customer pays by a tender.
func (p painter) tenderKeys() []keybar.Entry {
	asked := p.Counter.Question().Tender
	keys := []keybar.Entry{p.keyEntry("enter", p.Texts.TenderTakes[string(asked)])}
	if len(p.Counter.Ways()) > 1 {
		keys = append(keys, p.keyEntry("tab", p.Texts.TenderKeys[string(p.Counter.NextTender())]))
	}
	return append(keys, p.keyEntry("esc", p.Texts.TenderKeys[string(drawer.TenderLink)]))
}
