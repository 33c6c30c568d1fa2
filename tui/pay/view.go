package pay

import (
	"math"
	"slices"
	"strings"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/figures"
	"checkout/till/tui/component/keybar"
	"checkout/till/tui/component/layout"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/component/scan"
	"checkout/till/tui/theme"
	"checkout/till/tui/wording"
)

// View draws the screen. Unless [Model.FullWindow] returns true, it leaves room for the header and
// the key bar.
func (m Model) View() string {
	width, height := m.window.Width, m.window.Height
	if !m.FullWindow() {
		height = max(0, height-layout.FrameRows)
	}
	if bare := m.sending() || m.Counter.Shown().HasCode() && !m.coded(); bare && len(m.Banners) > 0 && height > 1 {
		banner := theme.AlignLeft(strings.Join(m.Banners, " "), width)
		m.Banners, m.window.Height = nil, m.window.Height-1
		return banner + "\n" + m.View()
	}
	switch {
	case m.sending():
		return m.asking(width, height)
	case m.turned():
		return m.customerView().Draw(m.Theme, m.Texts, width, height)
	case m.coded():
		return m.code.place.Draw(m.Theme, m.words(m.code.place.Words))
	case m.Counter.Shown().HasCode() && !m.inquires():
		return m.link(width, height)
	}
	shown := m.outcome()
	draw := func(width, height int) string { return shown.Draw(m.Theme, width, height) }
	if !m.slip.Shown() {
		return draw(width, height)
	}
	around := m.Theme.Text
	if shown.Kind == badge.Paid {
		around = m.Theme.PaidBlock
	}
	beside := func(width, height int) string {
		shown.Lined = true
		return draw(width, height)
	}
	below := func(width, height int) string { // Omit what the receipt shows.
		shown.About, shown.Facts, shown.Day = "", "", ""
		return draw(width, height)
	}
	return m.slip.Beside(beside, below, around, width, height)
}

func (m Model) words(width int) scan.Words {
	blocks := append(bill{m.Console, m.Counter.Picture(), m.Counter.Shown()}.due(width), m.todo(width))
	blocks[1].Right = m.look().Text(m.Theme)
	if !m.barred() {
		blocks[2].Keys = m.offered()
	}
	if m.inquires() { // The question gets the room of less important rows.
		if blocks[0].Rows != nil {
			blocks[0].Least = blocks[0].Rows
		}
		blocks[0].Rows = nil
		if !m.code.place.Beside { // The state of the order, in the next block, also says that the payment failed.
			blocks[0].Alert = nil
		}
	}
	words := scan.Words{News: strings.Join(m.Banners, " "), Blocks: blocks}
	demo := m.Customer.Pane(m.Theme, m.Texts, m.order(), m.Counter.Picture().Now, m.code.place.Last)
	switch {
	case demo.Rows == nil:
	case m.inquires() && m.code.place.Beside: // The demo's keys wait for the answer.
		words.Idle = true
		for _, row := range demo.Lines(m.Theme, m.code.place.Last, len(demo.Rows)+2) {
			words.Last = append(words.Last, m.Theme.Rule.Render(theme.Bare(row)))
		}
	case m.inquires():
	case m.code.place.Beside:
		words.Last = demo.Lines(m.Theme, m.code.place.Last, len(demo.Rows)+2)
	default:
		words.Last = m.demoKeys(m.code.place.Last)
	}
	if mark, _ := m.marks(); m.code.tall && mark != "" { // A tall code covers the header, which shows the mark.
		words.Foot = mark
	}
	return words
}

func (m Model) todo(width int) scan.Block {
	words, notes := m.Texts.Code, theme.Paragraph(m.Theme.Strong, m.notice.In(m.Texts), width, 0)
	block := scan.Block{Label: words.Todo, Focus: true}
	noProof := m.Theme.WarningBlock.Render(" ! " + words.NoProof + " ")
	switch {
	case m.inquires():
		title, asked := m.asked()
		if !m.code.place.Beside {
			block.Label = ""
			block.Alert = m.askedUnder()
			return block
		}
		block.Label = title
		block.Alert = asked.Rows(m.Theme, width, math.MaxInt)
		if steps := len(words.Steps) + 2; len(block.Alert) < steps { // The question is as high as the steps, so that no pane moves.
			block.Alert = append([]string{""}, block.Alert...)
		}
		if m.hinted(asked) {
			asked.Notes = asked.Notes[:len(asked.Notes)-1]
			block.Shorter = [][]string{asked.Rows(m.Theme, width, math.MaxInt)}
		}
		return block
	case m.wholeLink:
		block.Label = words.Link
		block.Rows = slices.Concat(notes, theme.Paragraph(m.Theme.Text, m.order().Link.URL, width, 8))
		return block
	case len(notes) == 0:
		steps := words.Steps[:]
		if m.Counter.Shown().Retrying() {
			steps = append(slices.Clone(words.Again[:]), steps[len(words.Again):]...)
		}
		if reach := m.Counter.Picture().Reach; reach.Doubtful() {
			doubt, last := m.Texts.Reach[reach], m.Texts.Charging[reach]
			if reach == payments.ReachUnconfirmed { // The title of the block says "not confirmed", so the last step only says where to look.
				doubt, last = m.Texts.Frame.Unconfirmed, words.Look
			}
			block.Right = m.Theme.Warning.Bold(true).Render("! " + doubt)
			steps = []string{steps[0], last}
		}
		notes = scan.Steps(m.Theme, width, steps...)
		block.Brief = []string{noProof}
		if !m.Counter.Shown().Retrying() { // Otherwise the alert says what to do.
			block.Brief = append(scan.Steps(m.Theme, width, steps[len(steps)-1]), noProof)
		}
	}
	block.Rows = slices.Concat(notes, []string{"", noProof})
	return block
}

func (m Model) demoKeys(width int) []string {
	row := m.Customer.Row(m.Theme, m.Texts, m.order(), m.Counter.Picture().Now, width)
	if row == "" || m.inquires() {
		return nil
	}
	return []string{row}
}

const (
	cardWidth = 64
	cardBar   = 40
)

// card draws a pane in the middle of the given area, as high as the rows that content returns.
func (m Model) card(title, right string, keys []keybar.Entry, width, height int, content func(width, height int) []string) string {
	card := pane.Pane{Frame: m.frame(), Title: title, Right: right, Keys: true, Offers: keybar.Offers(m.Theme, keys)}
	wide := min(cardWidth, width)
	inner, most := card.Frame.Inner(wide, height)
	border := height - most
	if card.Frame == pane.Bare { // Without a border, the first row is the title.
		head := title
		if theme.Width(title+right) < wide {
			head = theme.Spread(title, right, wide)
		}
		card.Rows, most = []string{head}, most-1
	}
	card.Rows = append(card.Rows, content(inner, most)...)
	return theme.Center(card.Draw(m.Theme, wide, min(height, len(card.Rows)+border)), width, height)
}

// link draws a card with the link, for a window without room for the code.
func (m Model) link(width, height int) string {
	head := m.look().Text(m.Theme)
	keys := m.offered()
	return m.card(head, m.order().Reference, keys, width, height, func(width, height int) []string {
		blocks := bill{m.Console, m.Counter.Picture(), m.Counter.Shown()}.due(width)
		tooSmall := m.Texts.Pay.TooSmall
		if m.Theme.Charset == theme.Lines {
			tooSmall = m.Texts.Pay.NoHalfBlocks
		}
		columns, rows := scan.Needs(m.code.drawn, m.window.Width)
		link := slices.Concat(
			theme.Paragraph(m.Theme.Strong, m.notice.In(m.Texts), width, 0),
			theme.Paragraph(m.Theme.Text, tooSmall.With(columns, rows), width, 3),
			theme.Paragraph(m.Theme.Strong, m.order().Link.URL, width, 8), m.demoKeys(width),
		)
		return scan.Rows(m.Theme, append(blocks, scan.Block{Rows: link}), width, height)
	})
}

// asking draws a card about the running order call.
func (m Model) asking(width, height int) string {
	terms, since := m.Counter.Sending()
	words, waited := m.Texts.Asking, min(payments.CallTimeout, max(0, m.Service.Now().Sub(since)))
	seconds := m.Theme.Strong.Render(i18n.Span(waited.Truncate(time.Second)))
	return m.card(words.Head, seconds, nil, width, height, func(width, height int) []string {
		steps := theme.Indent([]string{
			m.Theme.Strong.Render("✓") + "  " + words.Saved,
			m.spinner.View() + "  " + m.Theme.Strong.Render(words.Preparing),
			m.Theme.Muted.Render("○  " + words.Code),
			"",
			m.Theme.Bar(m.Theme.Flow, float64(waited)/float64(payments.CallTimeout), min(cardBar, width)),
			m.Theme.Muted.Render(words.Most.With(int(payments.CallTimeout / time.Second))),
		}, (width-cardBar)/2)
		leave := m.Theme.Selected.Render(" " + m.name(m.keys(true).Leave) + " ")
		escape := theme.Hang(leave+"  ", words.Next.With(m.Theme.Accent.Render("F4")), width)
		escape = theme.Indent(escape, max(0, min(width-cardBar, width-theme.Width(strings.Join(escape, "\n"))))/2)
		var rows []string
		for _, form := range []struct{ figures, gap, low int }{
			{figures.Large, 2, 1}, {figures.Large, 1, 1}, {figures.Small, 1, 1}, {figures.Small, 0, 0}, {1, 0, 0},
		} {
			amount := figures.Amount(m.Theme, wording.Worth(terms.Items), width, form.figures)
			amount = strings.Split(theme.Center(strings.Join(amount, "\n"), width, 1), "\n")
			air, low := make([]string, form.gap), make([]string, form.low)
			if rows = slices.Concat(air, amount, air, steps, low, escape, low); len(rows) <= height {
				break
			}
		}
		return rows
	})
}
