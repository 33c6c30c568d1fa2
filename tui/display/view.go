package display

import (
	"net/url"
	"strings"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/bar"
	"checkout/till/tui/component/countdown"
	"checkout/till/tui/component/figures"
	"checkout/till/tui/theme"
)

const (
	minPanel = 24 // The columns that the words beside a code need.
	gutter   = 3
	maxBar   = 24
)

// View draws the screen with what the terminal can draw.
func (m model) View() string { return m.theme.Encode(m.draw()) }

func (m model) draw() string {
	if m.width == 0 || m.height == 0 {
		return ""
	}
	if (m.Demo || m.Test) && m.height > 1 {
		return m.demo()
	}
	rows := m.rows()
	rows = rows[:min(len(rows), m.height)]
	return theme.Center(theme.Truncate(strings.Join(rows, "\n"), m.width), m.width, m.height)
}

// demo is the screen below a row that says that no money moves.
func (m model) demo() string {
	whole, short := m.Texts.Frame.Mark(m.Demo, m.Test)
	mark := " " + whole + " "
	if theme.Width(mark) > m.width {
		mark = " " + short + " "
	}
	mark = m.theme.DemoBlock.Render(theme.Truncate(mark, m.width))
	below := m
	below.Demo, below.Test, below.height = false, false, m.height-1
	return theme.Center(mark, m.width, 1) + "\n" + below.draw()
}

func (m model) rows() []string {
	words := m.Texts.Display
	switch m.scene.kind {
	case basket:
		return m.basket()
	case code:
		return m.codeRows()
	case wait:
		return append(m.figures(), "", m.theme.Strong.Render(words.Moment))
	case paid:
		return m.outcome(m.theme.PaidBlock.Render, "✓ "+m.Texts.Verdicts.Paid, m.Texts.Facing.Thanks)
	case unpaid:
		return m.outcome(m.theme.WarningBlock.Render, "✗ "+m.Texts.Verdicts.NotPaid, words.Ask)
	case ask:
		return m.wrapped(words.Ask)
	}
	welcome := []string{m.theme.Strong.Render(words.Welcome)}
	if m.Shop != "" {
		welcome = append([]string{m.theme.Strong.Render(theme.Truncate(m.Shop, m.width)), ""}, welcome...)
	}
	return welcome
}

// figures is the total that is to be paid: in a row, and in figures as large as
// they fit.
func (m model) figures() []string {
	return m.large(m.theme.Muted.Render(m.Texts.Pay.Total) + "  ")
}

// large is the total with a word before it, or none where nothing is to be paid
// any more.
func (m model) large(word string) []string {
	total := i18n.Money(m.scene.total)
	rows := []string{word + m.theme.Strong.Render(total)}
	if m.theme.ASCII() {
		return rows
	}
	for _, row := range figures.Fit(m.theme, total, m.width, m.height/4) {
		rows = append(rows, m.theme.Strong.Render(row))
	}
	return rows
}

// basket is the newest lines, as many as fit, above the total.
func (m model) basket() []string {
	foot := append([]string{""}, m.figures()...)
	width := min(m.width, 72)
	room := m.height - len(foot) - 1
	items := m.scene.items
	var rows []string
	if hidden := len(items) - room; hidden > 0 && room > 0 {
		rows, items = append(rows, m.theme.Muted.Render(m.Texts.Display.Earlier.With(hidden+1))), items[hidden+1:]
	}
	for _, item := range items {
		rows = append(rows, m.line(item, width))
	}
	return append(rows, foot...)
}

// line is one line of the sale; a discount stands with the price before it.
func (m model) line(item payments.Item, width int) string {
	label := item.Label
	if item.Quantity > 1 {
		label = i18n.Number(item.Quantity) + " × " + label
	}
	if item.ListPrice > 0 {
		label += m.theme.Muted.Render("  " + m.Texts.Display.Instead.With(i18n.Money(item.ListPrice)))
	}
	return theme.Spread(label, i18n.Money(item.Total()), width)
}

// codeRows is the code with what to do beside it, or, where there is no room,
// the link.
func (m model) codeRows() []string {
	drawing := m.code.SetSize(m.width-minPanel-gutter, m.height)
	if !drawing.Fits() {
		drawing = m.code.SetSize(m.width, m.height-2)
		if !drawing.Fits() {
			rows := append(m.figures(), "", m.prompt(), m.countdown())
			return append(rows, strings.Split(theme.Wrap(m.scene.order.Link.URL, m.width), "\n")...)
		}
		rows := []string{theme.Spread(m.prompt(), i18n.Money(m.scene.total), m.width)}
		return append(append(rows, strings.Split(drawing.View(), "\n")...), m.countdown())
	}
	width, height := drawing.Size()
	panel := min(m.width-width-gutter, 60)
	words := []string{m.theme.Muted.Render(m.Texts.Pay.Total) + "  " + m.theme.Strong.Render(i18n.Money(m.scene.total))}
	if !m.theme.ASCII() {
		for _, row := range figures.Fit(m.theme, i18n.Money(m.scene.total), panel, m.height/3) {
			words = append(words, m.theme.Strong.Render(row))
		}
	}
	words = append(words, "")
	words = append(words, strings.Split(theme.Wrap(m.scene.order.Description, panel), "\n")...)
	words = append(words, "")
	for row := range strings.SplitSeq(theme.Wrap(m.prompt(), panel), "\n") {
		words = append(words, m.theme.Strong.Render(row))
	}
	if link, err := url.Parse(m.scene.order.Link.URL); err == nil {
		words = append(words, m.theme.Muted.Render(m.Texts.Pay.LinkOn.With(link.Host)))
	}
	// The countdown shares no row with the code where there is a row to spare.
	last := max(min(height, m.height-1), min(len(words), m.height-1))
	for len(words) < last {
		words = append(words, "")
	}
	words = append(words[:last], m.countdown())
	for i, word := range words {
		words[i] = theme.Left(word, panel)
	}
	return strings.Split(theme.Beside(drawing.View(), strings.Repeat(" ", gutter), strings.Join(words, "\n")), "\n")
}

// prompt is what the customer shall do with the code.
func (m model) prompt() string {
	if m.scene.retry {
		return m.Texts.Facing.Retry
	}
	return m.Texts.Pay.Scan
}

// countdown is the time that the link has left, in words and as a bar.
func (m model) countdown() string {
	order := m.scene.order
	text := m.theme.Strong.Render(m.Texts.Pay.Left.With(i18n.Countdown(max(0, m.scene.left))))
	whole := order.Link.ExpiresAt.Sub(order.CreatedAt)
	room := min(minPanel, m.width) - theme.Width(text) - 2
	if room < 4 || whole <= 0 {
		return text
	}
	return text + "  " + bar.Draw(m.theme, m.theme.Line, countdown.Share(m.scene.left, whole), min(room, maxBar))
}

// wrapped is a text in as many rows as it needs.
func (m model) wrapped(text string) []string {
	rows := strings.Split(theme.Wrap(text, m.width), "\n")
	for i, row := range rows {
		rows[i] = m.theme.Strong.Render(row)
	}
	return rows
}

// outcome is a block to be read from across the counter, and a word to it.
func (m model) outcome(dress func(...string) string, word, after string) []string {
	width, height := min(m.width, 60), 3
	if m.height >= 30 {
		height = 7
	}
	var rows []string
	for i := range height {
		text := ""
		if i == height/2 {
			text = theme.Left("", max(0, width-theme.Width(word))/2) + word
		}
		rows = append(rows, dress(theme.Left(text, width)))
	}
	rows = append(append(rows, ""), m.large("")...)
	return append(append(rows, ""), m.wrapped(after)...)
}
