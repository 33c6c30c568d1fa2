package pay

import (
	"net/url"
	"strings"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/countdown"
	"checkout/till/tui/component/keybar"
	"checkout/till/tui/component/layout"
	"checkout/till/tui/component/qr"
	"checkout/till/tui/component/scan"
	"checkout/till/tui/theme"
)

// frameRows is how many rows of a window the header and the bar of keys take.
const frameRows = 2

// Whole tells whether the screen takes the whole window, without the frame: for
// an outcome, for the customer, and for a code that has no room otherwise.
func (m Model) Whole() bool {
	switch {
	case m.calls.shown:
		return false
	case m.scannable():
		return m.turned() || m.coded() && m.code.tall
	}
	return m.final()
}

// turned tells whether the customer reads the screen.
func (m Model) turned() bool {
	return m.view.facing && m.scannable() && m.question.kind == nothing
}

// fit finds the place of the code in the window.
func (m *Model) fit() {
	if !m.code.ok {
		return
	}
	place, fits := scan.Put(m.code.model, m.window.Width, m.window.Height-frameRows)
	m.code.tall = false
	if !fits || !place.Beside {
		if whole, taller := scan.Put(m.code.model, m.window.Width, m.window.Height); taller && whole.Beside {
			place, fits, m.code.tall = whole, true, true
		}
	}
	m.code.place, m.code.fits = place, fits
}

// coded tells whether a code is shown: a payment is wanted and would be seen.
// Where there is no room beside the code, a question takes its place.
func (m Model) coded() bool {
	return m.code.ok && m.code.fits && m.scannable() && (m.question.kind == nothing || m.code.place.Beside)
}

// room is the screen's room.
func (m Model) room() (width, height int) {
	if m.Whole() {
		return m.window.Width, m.window.Height
	}
	return m.window.Width, max(0, m.window.Height-frameRows)
}

func (m Model) grid() layout.Layout { return layout.Of(m.window.Width, m.window.Height) }

// View draws the screen in the room it was given.
func (m Model) View() string {
	width, height := m.room()
	switch {
	case len(m.view.banners) > 0 && height > 1 && (m.calls.shown || m.scannable() && !m.coded()):
		row := theme.Left(strings.Join(m.view.banners, " "), width)
		m.view.banners, m.window.Height = nil, m.window.Height-1
		return row + "\n" + m.View()
	case m.calls.shown:
		return m.asking(width, height)
	case m.turned():
		return m.facing().Draw(m.Theme, m.Texts, width, height)
	case m.coded():
		return m.code.place.Draw(m.Theme, m.grid(), m.words(m.code.place.Words))
	case m.scannable() && m.question.kind == nothing:
		return m.card(m.badge.Tagged(m.order, m.verdict()), m.order.Reference, width, height)
	}
	return m.outcome().Draw(m.Theme, width, height)
}

// words are what stands with the code.
func (m Model) words(width int) scan.Words {
	words := scan.Words{
		Title: m.Theme.Strong.Render(m.Texts.Pay.Scan), Head: m.badge.Tagged(m.order, m.verdict()),
		Right: m.Theme.Muted.Render(m.order.Reference), Blocks: m.blocks(width),
	}
	if len(m.view.banners) > 0 {
		words.News = strings.Join(m.view.banners, " ")
	}
	if m.retrying() {
		words.Alert = m.refusal
	}
	if demo := m.demoKeys(); len(demo) > 0 {
		words.Below = demo
	}
	if m.code.tall {
		words.Foot = m.foot(width)
	}
	return words
}

// foot is what the frame says, where the code needs its rows.
func (m Model) foot(width int) []string {
	var rows []string
	if mark, _ := m.Texts.Frame.Mark(m.Customer != nil, m.Test); mark != "" {
		rows = append(rows, m.Theme.DemoBlock.Render(" "+mark+" "))
	}
	return append(rows, keybar.Draw(m.Theme, keybar.Of(m.Texts.KeyNames, m.ShortHelp()...), 0, width))
}

// refusal says that the customer was refused, why, and that the code still holds.
func (m Model) refusal(width int) []string {
	words, left := m.Texts.Code, m.left()
	why := words.Refused
	if m.order.Error != "" {
		why = words.RefusedWhy.With(m.Texts.Reasons.Of(m.order))
	}
	const sign = "  ✗ "
	inner := max(1, width-theme.Width(sign)-1)
	var rows []string
	for i, row := range append(lines(why, inner, 2), lines(words.Retry.With(i18n.Countdown(left)), inner, 3)...) {
		before := "    "
		if i == 0 {
			before = sign
		}
		rows = append(rows, m.Theme.DangerBlock.Render(theme.Left(before+row, width)))
	}
	return rows
}

// blocks are what to pay, how much time is left, and what to do.
func (m Model) blocks(width int) []scan.Block {
	words, left := m.Texts, m.left()
	whole := m.order.Link.ExpiresAt.Sub(m.order.CreatedAt)
	about := []string{m.Theme.Muted.Render(theme.Truncate(m.order.Description, width))}
	if link, err := url.Parse(m.order.Link.URL); err == nil {
		about = append(about, m.styled(m.Theme.Muted.Render, words.Pay.LinkOn.With(link.Host), width)...)
	}
	blocks := []scan.Block{
		{Label: words.Pay.Total, Figures: i18n.Money(m.order.Amount), High: 2 * 5, Rows: about},
		{
			Label: words.Code.Time, Figures: i18n.Countdown(left), High: 3, Rows: m.doubts(width),
			Bar: func(width int) string { return countdown.New(m.Theme, words).Bar(left, whole, width) },
		},
	}
	return append(blocks, m.todo(width))
}

// todo is the block of the moment: a question, a notice, the link, or the steps.
func (m Model) todo(width int) scan.Block {
	words, notes := m.Texts.Code, m.notes(width)
	proof := m.Theme.WarningBlock.Render(" ! " + words.NoProof + " ")
	switch {
	case m.question.kind != nothing:
		return scan.Block{Rows: append(m.styled(m.Theme.Warning.Render, m.asked(), width), m.Texts.Asks.YesNo)}
	case m.view.whole:
		return scan.Block{Label: words.Link, Rows: append(notes, m.styled(m.Theme.Text.Render, m.order.Link.URL, width)...)}
	case len(notes) > 0:
		return scan.Block{Label: words.Todo, Rows: append(notes, "", proof)}
	}
	steps := []string{words.Scan, words.Confirm, words.Wait}
	if m.retrying() {
		steps = []string{words.Account, words.Rescan, words.Wait}
	}
	return scan.Block{Label: words.Todo, Rows: append(scan.Steps(m.Theme, m.grid(), width, steps...), "", proof)}
}

// notes are the notice, and that another order of the sale was paid.
func (m Model) notes(width int) []string {
	var rows []string
	if m.notice != nil {
		rows = m.styled(m.Theme.Accent.Render, m.notice.In(m.Texts), width)
	}
	return rows
}

// doubts are what is odd about the time that is left.
func (m Model) doubts(width int) []string {
	var rows []string
	if m.clockMoved() {
		rows = append(rows, lines(m.Texts.Pay.ClockMoved, width, 2)...)
	}
	if m.order.Link.Assumed {
		rows = append(rows, lines(m.Texts.Pay.Assumed, width, 2)...)
	}
	return rows
}

// demoKeys are the keys that act as the customer, in a row of their own.
func (m Model) demoKeys() []string {
	if !m.keys.Pay.Enabled() || m.question.kind != nothing {
		return nil
	}
	row := m.Theme.DemoBlock.Render(" "+m.Texts.Frame.DemoShort+" ") + " " + m.Texts.Pay.Customer
	for _, binding := range m.DemoHelp() {
		row += "  " + m.Theme.Accent.Render(m.Texts.KeyNames.Of(binding.Help().Key)) + " " + binding.Help().Desc
	}
	return []string{row}
}

// left is the time that the link has left.
func (m Model) left() time.Duration {
	left, _ := m.remaining()
	return max(0, left)
}

// clockMoved tells whether the machine's clocks part.
func (m Model) clockMoved() bool {
	_, moved := m.remaining()
	return moved
}

func (m Model) remaining() (time.Duration, bool) {
	now := m.state.Now
	if now.Before(m.clock.started) {
		now = m.clock.started // The picture is older than the link.
	}
	return m.clock.countdown.Left(now, now.Sub(m.clock.started))
}

// asked is the question that is open.
func (m Model) asked() string {
	asks, until := m.Texts.Asks, m.clockTime(m.order.Link.ExpiresAt)
	switch m.question.kind {
	case askDone:
		return asks.Done.With(until)
	case askLeave:
		return asks.Leave.With(until)
	case askDespitePayable:
		return asks.Again.With(m.clockTime(m.question.order.Link.ExpiresAt))
	}
	paidAt := m.question.order.Facts.PaidAt
	if finding := m.question.order.Finding; finding != nil && paidAt.IsZero() {
		paidAt = finding.At
	}
	return asks.OnceMore.With(m.clockTime(paidAt), m.requestedAmount())
}

// requestedAmount is what the service is, or was to be, asked for.
func (m Model) requestedAmount() string {
	total, _ := payments.Total(m.calls.terms.Items) // Zero for what no order can be made of.
	return i18n.Money(total)
}

func (m Model) clockTime(at time.Time) string { return i18n.Clock(at.In(m.Zone)) }

// drawing says how a code is drawn with what the terminal can draw.
func drawing(theme theme.Theme) []qr.Option {
	if theme.ASCII() {
		return []qr.Option{qr.WithBlanks()}
	}
	return nil
}

// lines wraps text into at most limit rows.
func lines(text string, width, limit int) []string {
	return theme.Clip(strings.Split(theme.Wrap(text, width), "\n"), width, limit)
}

// styled wraps text and dresses each row.
func (m Model) styled(dress func(...string) string, text string, width int) []string {
	rows := lines(text, width, 8)
	for i, row := range rows {
		rows[i] = dress(row)
	}
	return rows
}
