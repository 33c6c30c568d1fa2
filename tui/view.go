package tui

import (
	"slices"
	"strings"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/header"
	"checkout/till/tui/component/keybar"
	"checkout/till/tui/component/layout"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/component/question"
	"checkout/till/tui/doctor"
	"checkout/till/tui/theme"
	"checkout/till/tui/wording"
)

// minWidth and minHeight are the size, in cells, of the smallest window in which a sale can be
// entered. A smaller window still shows the outcome of a payment.
const (
	minWidth  = 20
	minHeight = 6
)

// View draws the console.
func (m model) View() string {
	view := m.status.over(m.draw(), m.Theme, m.size.Width)
	return theme.Compact(m.Theme.Encode(m.Theme.ColourText(view)))
}

func (m model) draw() string {
	switch {
	case m.size.Width == 0 || m.size.Height == 0:
		return ""
	case (!m.covered() || m.asksInside()) && m.route == routePay && m.pay.FullWindow():
		return m.opening.Open(m.pay.View(), m.opensFrom, m.Service.Now())
	case m.size.Width < minWidth || m.size.Height < minHeight:
		return m.narrow()
	case m.asksInside():
	case m.quitting(), m.shift.Open():
		if asked := m.asked(); len(asked) > 0 {
			return m.framed(m.drawScreen(m.room) + "\n" + strings.Join(asked, "\n"))
		}
		dialog := dialog{m.Theme, m.room}
		return m.framed(dialog.draw(m.question(dialog.inner(), m.room.Height)))
	case m.help.open:
		width, _ := m.frame().Inner(m.room.Width, m.room.Height)
		return m.framed(m.help.pane(m.Console, m.frame(), width).Draw(m.Theme, m.room.Width, m.room.Height))
	}
	return m.framed(m.drawScreen(m.room))
}

// narrow draws a window that is too small: the first unseen outcome, and how large the window must
// be.
func (m model) narrow() string {
	var rows []string
	if news := m.counter.Picture().News(); len(news) > 0 {
		order := news[0]
		rows = append(rows, badge.Of(m.Texts, order, m.counter.Picture().Verdict(order)).Dressed(m.Theme), i18n.Money(order.Amount)+"  "+order.Reference)
	}
	rows = append(rows, theme.Paragraph(m.Theme.Text, m.Texts.Frame.TooSmall.With(minWidth, minHeight), m.size.Width, 0)...)
	rows = theme.Clip(rows, m.size.Width, m.size.Height)
	return theme.Center(strings.Join(rows, "\n"), m.size.Width, m.size.Height)
}

func (m model) framed(view string) string {
	head := header.Header{Shop: m.Shop, Place: m.place(), Clock: i18n.Clock(m.counter.Picture().Now.In(m.Zone))}
	head.Mark, head.Brief = m.Texts.Frame.Mark(m.Customer != nil, m.Test)
	if m.Sample {
		head.Mark = m.Texts.Frame.Sample
	}
	alarms := m.alarms()
	light := alarms.light()
	head.State = alarms.text(light)
	head.Wrong = light.State == doctor.Fail
	head.Doubtful = light.State == doctor.Warn
	switch words := m.Texts.Frame; light.Code {
	case doctor.Code(payments.ReachListens): // As wide as the next case, so that nothing moves when a payment comes.
		head.State = theme.AlignLeft(words.Awaits, theme.Width(m.Texts.Reach[payments.ReachReceives]))
		head.Short = theme.AlignLeft(words.AwaitsShort, theme.Width(words.Receives))
	case doctor.Code(payments.ReachReceives):
		head.Short = words.Receives
	case doctor.Code(payments.ReachUnconfirmed):
		head.Short = words.Unconfirmed
	}
	rows := append([]string{head.Draw(m.Theme, m.size.Width)}, m.above()...)
	rows = append(rows, theme.Clip(strings.Split(view, "\n"), m.size.Width, max(0, m.size.Height-len(rows)-1))...)
	rows = append(rows, make([]string, max(0, m.size.Height-1-len(rows)))...)
	return strings.Join(append(rows, m.bar()), "\n")
}

// fit sets the sizes of the screens. The waiting board may then show an outcome itself, so that the
// banner above it disappears; fit then sets the sizes again.
func (m *model) fit() {
	m.lay()
	if room := m.inside(len(m.above())); m.room.Height != room.Height-len(m.asked()) {
		m.lay()
	}
}

func (m *model) lay() {
	m.sale.Over = nil
	if (m.quitting() || m.shift.Open()) && m.route == routeSale && m.sale.Holds() {
		m.sale.Over = m.question
	}
	m.room = m.inside(len(m.above()))
	m.room.Height -= len(m.asked())
	m.arrange(m.size, m.room)
	if m.help.open {
		m.layHelp()
	}
}

// above returns the rows between the header and the screen. A board that shows the outcomes needs
// no banner.
func (m model) above() []string {
	if m.size.Height < minHeight || m.route == routePay && !m.covered() {
		return nil // The QR code must not move: the payment screen itself shows the alarms.
	}
	news, alarms := m.news(), m.alarms()
	onBoard := m.route == routeBoard && !m.covered() && m.board.Shows(news.orders)
	if !news.none() && !onBoard {
		return news.banner().Draw(m.Theme, m.size.Width, m.size.Height)
	}
	rows := slices.Concat(alarms.rows(false), alarms.refusal())
	switch {
	case len(rows) > 0:
	case m.playing:
		rows = append(rows, " "+m.Texts.Demo.Plays)
	case m.Address != "":
		rows = append(rows, " "+m.Texts.Demo.Phones.With(m.Address))
	}
	return theme.Clip(rows, m.size.Width, m.size.Height-minHeight+3)
}

// bar returns the last row, with the function keys or the open screen's keys.
func (m model) bar() string {
	if m.help.open && m.frame() == pane.Bare && !m.quitting() && !m.shift.Open() {
		return theme.AlignLeft(" "+m.help.bar(m.Console, m.size.Width-1), m.size.Width)
	}
	own := keybar.Of(m.Texts.KeyNames, m.open().ShortHelp()...)
	frame := m.frame()
	if m.route != routePay { // A banner takes a row from these screens, and so perhaps the border that shows their keys.
		frame = layout.FrameOf(m.size.Width, m.room.Height+layout.FrameRows)
	}
	barred := frame != pane.FullBorder && m.route != routeSale
	if barred && m.route == routePay && (m.counter.Asking().OfOrder() || m.quitting()) { // The payment screen shows the answers.
		return ""
	}
	if barred && len(own) > 0 && !m.covered() {
		help := keybar.Entry{Key: m.keys.Help.Help().Key, Label: m.keys.Help.Help().Desc}
		return theme.AlignLeft(" "+keybar.Row(m.Theme, append(own, help), m.size.Width-1), m.size.Width)
	}
	return keybar.Draw(m.Theme, m.slots(), m.size.Width)
}

// slots returns the slots of the key bar, from F1 on. F12, which signs a cashier in, has no slot;
// see [model.place].
func (m model) slots() []keybar.Slot {
	words, state := m.Texts.Bar, m.counter.Picture()
	slots := []keybar.Slot{
		{Key: m.keys.Help.Help().Key, Label: words.Keys, Short: words.KeysShort},
		{Key: m.keys.News.Help().Key, Label: words.News, Rank: 3, Absent: m.news().none()},
		{Key: m.keys.Hold.Help().Key, Label: words.Hold, Short: words.HoldShort, Rank: 5, Counts: true, Count: len(m.counter.Cart().Held)},
		{Key: m.keys.Language.Help().Key, Label: m.Texts.Keys.Language, Short: strings.ToUpper(m.Texts.NextLanguage())},
		{Key: "F9", Label: words.Customer, Short: words.CustomerShort, Rank: 9, Absent: m.route != routePay || !m.counter.Shown().HasCode()},
	}
	for _, listed := range m.all {
		if listed.opens == "" {
			continue
		}
		slot := keybar.Slot{Key: listed.opens, Label: listed.title(m.Texts), Rank: listed.rank, Counts: listed.count != nil, Check: listed.check}
		if listed.short != nil {
			slot.Short = listed.short(words)
		}
		if listed.count != nil {
			slot.Count = listed.count(state)
		}
		slots = append(slots, slot)
	}
	slices.SortFunc(slots, func(a, b keybar.Slot) int { return number(a.Key) - number(b.Key) })
	return slots
}

// asked returns the rows of the console's open question for a pane below the screen, or nil if the
// question is shown elsewhere.
func (m model) asked() []string {
	const least = 10 // Minimum number of rows for the screen above the question.
	if !m.quitting() && !m.shift.Open() || m.route == routePay || m.asksInside() {
		return nil
	}
	room := m.inside(len(m.above()))
	width, _ := m.frame().Inner(room.Width, 0)
	title, rows := m.question(width-4, room.Height)
	rows = slices.Concat([]string{""}, theme.Indent(rows, 2), []string{""})
	box := pane.Pane{Frame: m.frame(), Title: m.Theme.Accent.Render(title), Rows: rows, Keys: true}
	if height := len(rows) + pane.Edges; room.Height-height >= least {
		return box.Lines(m.Theme, room.Width, height)
	}
	return nil
}

// asksInside reports whether the open screen draws the console's question.
func (m model) asksInside() bool {
	if m.route != routePay || !m.quitting() {
		return m.sale.Over != nil
	}
	_, coded := m.pay.Code()
	return coded
}

func (m model) question(width, height int) (title string, rows []string) {
	if !m.quitting() {
		return m.shift.Title(m.Texts), m.shift.Rows(m.Console, width, height)
	}
	words := m.Texts.Bar
	prompt, note, _ := strings.Cut(wording.Question(m.Texts, m.Zone, *m.counter.Question()), "\n")
	card := question.Card{Prompt: prompt, Notes: []string{note}, Answers: question.YesNo(m.Texts, words.Leaves, m.Texts.Asks.Stays)}
	return words.Leave, card.Rows(m.Theme, width, height)
}
