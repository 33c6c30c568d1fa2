package pay

import (
	"strings"

	"checkout/till/assets/i18n"
	"checkout/till/tui/component/qr"
	"checkout/till/tui/theme"
)

// minPanel is how many columns the words beside a code need, and chrome how
// many rows those around a code.
const (
	minPanel = 26
	chrome   = 3
	gutter   = 2
)

// fit lets the code take the room beside the words or, where the window is
// narrow, between them.
func (m *Model) fit() {
	if !m.code.ok {
		return
	}
	m.code.model = m.code.model.SetSize(m.size.Width-minPanel-gutter, m.size.Height)
	if !m.code.model.Fits() {
		m.code.model = m.code.model.SetSize(m.size.Width, m.size.Height-chrome)
	}
}

// coded tells whether a code is shown: a payment is wanted and would be seen.
// Where there is no room beside the code, a question takes its place.
func (m Model) coded() bool {
	return m.code.ok && !m.view.whole && m.scannable() && m.code.model.Fits() &&
		(m.question.kind == nothing || m.beside() >= minPanel)
}

// beside is how many columns there are for words beside the code.
func (m Model) beside() int {
	width, _ := m.code.model.Size()
	return m.size.Width - width - gutter
}

// Whole tells that the screen takes the whole window.
func (m Model) Whole() bool { return true }

// View draws the screen in the room it was given.
func (m Model) View() string {
	if !m.coded() {
		return m.plain()
	}
	drawing := m.code.model.View()
	_, height := m.code.model.Size()
	if beside := m.beside(); beside >= minPanel {
		// The code keeps its place whatever the words are: somebody scans it.
		top := (m.size.Height - height) / 2
		drawing = strings.Repeat("\n", max(0, top)) + drawing
		panel := m.panel(min(beside, 60), max(0, top), height)
		return theme.Center(theme.Beside(drawing, strings.Repeat(" ", gutter), panel), m.size.Width, m.size.Height)
	}
	head := theme.Spread(m.head(), i18n.Money(m.order.Amount), m.size.Width)
	foot := theme.Truncate(m.countdown(0)+"  "+strings.Join(m.host(10*m.size.Width), ""), m.size.Width)
	last := theme.Truncate(m.lastRow(), m.size.Width)
	return strings.Join([]string{head, drawing, foot, last}, "\n")
}

// panel is the words beside a code that begins in row top and is height rows
// high, at its upper edge where they fit so; the panel is as high as the window,
// lest both be centred anew. The countdown stands below the words, in
// a row where no module of the code is drawn.
func (m Model) panel(width, top, height int) string {
	words := theme.Clip(m.words(width), width, m.size.Height-1)
	start := max(0, min(top, m.size.Height-2-len(words)))
	clock := min(m.size.Height-1, max(top+height, start+len(words)+1))
	rows := make([]string, m.size.Height)
	copy(rows[start:], words)
	rows[clock] = m.countdown(width)
	for i, row := range rows {
		rows[i] = theme.Left(row, width)
	}
	return strings.Join(rows, "\n")
}

// lastRow is the one row below a code in a narrow window: what is said on every
// screen, a remark, or the keys.
func (m Model) lastRow() string {
	if rows := m.banners(m.size.Width); len(rows) > 0 {
		return strings.Join(rows, " ")
	}
	if m.retrying() {
		return m.Theme.WarningBlock.Render(m.Texts.Pay.Retry)
	}
	if rows := m.remarks(10 * m.size.Width); len(rows) > 0 {
		return strings.Join(rows, " ")
	}
	return strings.Join(m.help(10*m.size.Width), " ")
}

// plain is the screen without a code: the verdict first, so that it is seen
// in the smallest window.
func (m Model) plain() string {
	width := min(m.size.Width, 76)
	words := m.story(width, true)
	if m.view.facing && m.roomy() && m.final() && !m.retrying() && m.question.kind == nothing {
		words = m.facingOutcome(width)
	}
	if len(words) > m.size.Height {
		words = m.story(width, false)
	}
	words = theme.Clip(words, m.size.Width, m.size.Height)
	return theme.Center(strings.Join(words, "\n"), m.size.Width, m.size.Height)
}

// roomy tells whether there is room for what is read from across the counter.
func (m Model) roomy() bool { return m.size.Height >= 14 && m.size.Width >= 40 }

// drawing says how a code is drawn with what the terminal can draw.
func drawing(theme theme.Theme) []qr.Option {
	if theme.ASCII() {
		return []qr.Option{qr.WithBlanks()}
	}
	return nil
}
