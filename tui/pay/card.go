package pay

import (
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"

	"checkout/till/assets/i18n"
	"checkout/till/tui/component/bar"
	"checkout/till/tui/component/figures"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/component/scan"
	"checkout/till/tui/theme"
)

// The columns of a card, and of its bar.
const (
	cardWidth = 64
	cardBar   = 40
)

// card is a pane in the middle of the screen, with the link in place of a code
// that has no room.
func (m Model) card(title, right string, width, height int) string {
	wide := min(cardWidth, width)
	inner, most := m.grid().Frame.Inner(wide, height)
	blocks := m.blocks(inner)[:2]
	columns, rows := scan.Needs(m.code.model)
	link := append(m.notes(inner), lines(m.Texts.Pay.TooSmall.With(columns, rows), inner, 3)...)
	link = append(link, m.styled(m.Theme.Accent.Render, m.order.Link.URL, inner)...)
	if m.retrying() {
		blocks = append(blocks, scan.Block{Rows: m.refusal(inner)})
	}
	if m.grid().Frame == pane.Bare {
		blocks[0].Rows, most = nil, most-1
	}
	content := scan.Rows(m.Theme, m.grid(), append(blocks, scan.Block{Rows: append(link, m.demoKeys()...)}), inner, most)
	return m.framed(pane.Pane{Title: title, Right: right, Rows: content}, width, height)
}

// framed puts a card into the middle of the room, as high as its content.
func (m Model) framed(card pane.Pane, width, height int) string {
	wide := min(cardWidth, width)
	if card.Frame, card.Keys = m.grid().Frame, true; card.Frame == pane.Bare {
		head := card.Title
		if theme.Width(head+card.Right) < wide {
			head = theme.Spread(head, card.Right, wide)
		}
		card.Rows = append([]string{head}, card.Rows...)
	}
	_, inner := card.Frame.Inner(wide, height)
	drawn := card.Draw(m.Theme, wide, min(height, len(card.Rows)+height-inner))
	return theme.Center(drawn, width, height)
}

// asking is the order call in three steps: the order is on disk before the
// service is asked.
func (m Model) asking(width, height int) string {
	words, grid := m.Texts.Asking, m.grid()
	inner, most := grid.Frame.Inner(min(cardWidth, width), height)
	if grid.Frame == pane.Bare {
		most--
	}
	waited := min(longestCall, max(0, m.Now().Sub(m.calls.began)))
	center := func(row string) string { return theme.Center(row, inner, 1) }
	amount := []string{m.requestedAmount()}
	if large := figures.Fit(m.Theme, amount[0], inner, grid.Figures); large != nil && grid.Figures > 1 {
		amount = large
	}
	var rows []string
	for _, row := range amount {
		rows = append(rows, center(m.Theme.Strong.Render(row)))
	}
	indent := theme.Left("", max(0, (inner-cardBar)/2))
	long := max(0, min(cardBar, inner))
	steps := []string{
		indent + m.Theme.Accent.Render("✓") + "  " + words.Saved,
		indent + m.calls.spinner.View() + "  " + m.Theme.Strong.Render(words.Preparing),
		indent + m.Theme.Muted.Render("○  "+words.Code),
		"",
		indent + bar.Draw(m.Theme, m.Theme.Line, float64(waited)/float64(longestCall), long),
		indent + m.Theme.Muted.Render(words.Most.With(int(longestCall/time.Second))),
	}
	escape := m.Theme.Selected.Render(" "+m.name(m.keys.Leave)+" ") + "  " + words.Next.With(m.Theme.Accent.Render("F4"))
	last := []string{center(escape)}
	if theme.Width(escape) > inner {
		last = strings.Split(theme.Wrap(escape, inner), "\n")
	}
	for _, gap := range []int{2, 1, 0} {
		blank := make([]string, gap)
		all := append(append(append(append([]string{}, blank...), rows...), blank...), steps...)
		all = append(append(append(all, make([]string, min(gap, 1))...), last...), make([]string, min(gap, 1))...)
		if len(all) <= most || gap == 0 {
			seconds := m.Theme.Accent.Render(i18n.Span(waited.Truncate(time.Second)))
			return m.framed(pane.Pane{Title: words.Head, Right: seconds, Rows: all}, width, height)
		}
	}
	return ""
}

// name is the name of a key in the till's language.
func (m Model) name(binding key.Binding) string { return m.Texts.KeyNames.Of(binding.Help().Key) }

// money is the amount of the order that is shown, or was to be made.
func (m Model) money() string {
	if !m.current() {
		return m.requestedAmount()
	}
	return i18n.Money(m.order.Amount)
}
