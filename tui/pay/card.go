package pay

import (
	"slices"
	"strings"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/tui/cart"
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

// card puts a pane into the middle of the room. Its rows are made for the room
// that it has at most, and it is as high as they are.
func (m Model) card(title, right string, width, height int, content func(width, height int) []string) string {
	card := pane.Pane{Frame: m.grid().Frame, Title: title, Right: right, Keys: true}
	wide := min(cardWidth, width)
	inner, most := card.Frame.Inner(wide, height)
	border := height - most
	if card.Frame == pane.Bare { // The title is a row of the content.
		head := title
		if theme.Width(title+right) < wide {
			head = theme.Spread(title, right, wide)
		}
		card.Rows, most = []string{head}, most-1
	}
	card.Rows = append(card.Rows, content(inner, most)...)
	return theme.Center(card.Draw(m.Theme, wide, min(height, len(card.Rows)+border)), width, height)
}

// link is a card with the link in place of a code that has no room.
func (m Model) link(width, height int) string {
	head := m.badge().Dressed(m.order, m.verdict())
	return m.card(head, m.order.Reference, width, height, func(width, height int) []string {
		blocks := m.due(width)
		if m.grid().Frame == pane.Bare {
			blocks[0].Rows = nil
		}
		if m.retrying() {
			blocks = append(blocks, scan.Block{Rows: m.refusal().Rows(width)})
		}
		columns, rows := scan.Needs(m.code)
		link := slices.Concat(
			theme.Paragraph(m.Theme.Accent, m.notice.In(m.Texts), width, 0),
			theme.Paragraph(m.Theme.Text, m.Texts.Pay.TooSmall.With(columns, rows), width, 3),
			theme.Paragraph(m.Theme.Accent, m.order.Link.URL, width, 8), m.demoKeys(width),
		)
		return scan.Rows(m.Theme, m.grid(), append(blocks, scan.Block{Rows: link}), width, height)
	})
}

// asking is a card with the order call in three steps, and how much of its time went
// by: the order is on disk before the service is asked. The next customer need not
// wait for the answer.
func (m Model) asking(width, height int) string {
	words, waited := m.Texts.Asking, min(longestCall, max(0, m.Now().Sub(m.calls.began)))
	seconds := m.Theme.Accent.Render(i18n.Span(waited.Truncate(time.Second)))
	return m.card(words.Head, seconds, width, height, func(width, height int) []string {
		amount := figures.Amount(m.Theme, cart.Worth(m.calls.terms.Items), width, m.grid().Figures)
		amount = strings.Split(theme.Center(strings.Join(amount, "\n"), width, 1), "\n")
		steps := theme.Indent([]string{
			m.Theme.Accent.Render("✓") + "  " + words.Saved,
			m.calls.spinner.View() + "  " + m.Theme.Strong.Render(words.Preparing),
			m.Theme.Muted.Render("○  " + words.Code),
			"",
			bar.Draw(m.Theme, m.Theme.Line, float64(waited)/float64(longestCall), min(cardBar, width)),
			m.Theme.Muted.Render(words.Most.With(int(longestCall / time.Second))),
		}, (width-cardBar)/2)
		leave := m.Theme.Selected.Render(" " + m.name(m.keys(true).Leave) + " ")
		escape := theme.Paragraph(m.Theme.Text, leave+"  "+words.Next.With(m.Theme.Accent.Render("F4")), width, 0)
		if len(escape) == 1 {
			escape[0] = theme.Center(escape[0], width, 1)
		}
		for gap := 2; ; gap-- {
			air, low := make([]string, gap), make([]string, min(gap, 1))
			rows := slices.Concat(air, amount, air, steps, low, escape, low)
			if len(rows) <= height || gap == 0 {
				return rows
			}
		}
	})
}
