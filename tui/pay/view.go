package pay

import (
	"net/url"
	"strings"

	"github.com/charmbracelet/bubbles/key"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
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
	m.code.model = m.code.model.SetSize(m.size.width-minPanel-gutter, m.size.height)
	if !m.code.model.Fits() {
		m.code.model = m.code.model.SetSize(m.size.width, m.size.height-chrome)
	}
}

// coded tells whether a code is shown: a payment is wanted and would be seen.
// Where there is no room beside the code, a question takes its place.
func (m Model) coded() bool {
	return m.code.ok && !m.looks.whole && m.scannable() && m.code.model.Fits() &&
		(m.question == nothing || m.beside() >= minPanel)
}

// beside is how many columns there are for words beside the code.
func (m Model) beside() int {
	width, _ := m.code.model.Size()
	return m.size.width - width - gutter
}

func (m Model) scannable() bool {
	return m.wanted() && m.order.Live(m.state.Now) && m.rival != unread && !m.superseded()
}

// View draws the screen in the room it was given.
func (m Model) View() string {
	if !m.coded() {
		return m.plain()
	}
	drawing := m.code.model.View()
	_, height := m.code.model.Size()
	if beside := m.beside(); beside >= minPanel {
		// The code keeps its place whatever the words are: somebody scans it.
		top := (m.size.height - height) / 2
		drawing = strings.Repeat("\n", max(0, top)) + drawing
		panel := m.panel(min(beside, 60), max(0, top), height)
		return theme.Center(theme.Beside(drawing, strings.Repeat(" ", gutter), panel), m.size.width, m.size.height)
	}
	head := theme.Spread(m.head(), i18n.Money(m.order.Amount), m.size.width)
	foot := theme.Truncate(m.countdown(0)+"  "+strings.Join(m.host(10*m.size.width), ""), m.size.width)
	last := theme.Truncate(m.lastRow(), m.size.width)
	return strings.Join([]string{head, drawing, foot, last}, "\n")
}

// panel is the words beside a code that begins in row top and is height rows
// high, at its upper edge where they fit so; the panel is as high as the window,
// lest both be centred anew. The countdown stands below the words, in
// a row where no module of the code is drawn.
func (m Model) panel(width, top, height int) string {
	words := theme.Clip(m.words(width), width, m.size.height-1)
	start := max(0, min(top, m.size.height-2-len(words)))
	clock := min(m.size.height-1, max(top+height, start+len(words)+1))
	rows := make([]string, m.size.height)
	copy(rows[start:], words)
	rows[clock] = m.countdown(width)
	for i, row := range rows {
		rows[i] = theme.Left(row, width)
	}
	return strings.Join(rows, "\n")
}

// words are what stands beside a code, the amount in large figures where there
// is room for all.
func (m Model) words(width int) []string {
	if m.looks.facing {
		return m.facingPanel(width, m.size.height)
	}
	large := m.cashierPanel(width, max(largeFigures, m.size.height/8))
	if len(large) < m.size.height {
		return large
	}
	return m.cashierPanel(width, 1)
}

// largeFigures is how many rows the smallest large figures take.
const largeFigures = 3

func (m Model) cashierPanel(width, figures int) []string {
	words := append(append(m.demo(), m.verdict()), m.notices(width)...)
	words = append(words, "")
	words = append(words, m.due(width, figures)...)
	words = append(words, lines(m.order.Description, width, 3)...)
	words = append(words, "", m.Theme.Strong.Render(m.Texts.Pay.Scan))
	words = append(words, m.host(width)...)
	words = append(append(words, m.asked(width)...), m.remarks(width)...)
	words = append(words, "")
	return append(words, m.help(width)...)
}

// plain is the screen without a code: the verdict first, so that it is seen
// in the smallest window.
func (m Model) plain() string {
	width := min(m.size.width, 76)
	words := m.story(width, true)
	if m.looks.facing && m.roomy() && m.final() && m.question == nothing {
		words = m.facingOutcome(width)
	}
	if len(words) > m.size.height {
		words = m.story(width, false)
	}
	words = theme.Clip(words, m.size.width, m.size.height)
	return theme.Center(strings.Join(words, "\n"), m.size.width, m.size.height)
}

// story is the verdict, what it is about, and what can be done; a final one
// with the amount in large figures, if that is wanted.
func (m Model) story(width int, large bool) []string {
	words := append(append(m.banner(width), m.notices(width)...), "")
	if m.question != nothing {
		words = append(append(words, m.asked(width)...), "")
	}
	if m.sending && m.order.Reference == "" && m.looks.asked > 0 {
		words = append(words, m.asking(width, large)...)
	}
	if m.order.Reference != "" {
		if large && m.final() && m.roomy() {
			words = append(append(words, m.figures(m.order.Amount, width, max(largeFigures, m.size.height/8))...), "")
		}
		words = append(words,
			m.Theme.BigTotal.Render(i18n.Money(m.order.Amount))+"  "+m.order.Reference,
			theme.Truncate(m.order.Description, width))
	}
	if outcome := m.outcome(width); len(outcome) > 0 {
		if large && m.roomy() {
			words = append(words, "")
		}
		words = append(words, outcome...)
	}
	words = append(words, m.link(width)...)
	words = append(words, m.remarks(width)...)
	words = append(words, "")
	return append(words, m.help(width)...)
}

// asking is the amount that the service is being asked for.
func (m Model) asking(width int, large bool) []string {
	row := m.Theme.BigTotal.Render(i18n.Money(m.looks.asked))
	if !large || !m.roomy() {
		return []string{row}
	}
	return append(m.figures(m.looks.asked, width, max(largeFigures, m.size.height/8)), "", row)
}

// roomy tells whether there is room for what is read from across the counter.
func (m Model) roomy() bool { return m.size.height >= 14 && m.size.width >= 40 }

// banner is the verdict as large as the window allows: a block once it is
// final, a word in a small window.
func (m Model) banner(width int) []string {
	if !m.final() || !m.roomy() {
		return []string{m.head()}
	}
	head := m.demo()
	if len(head) > 0 {
		head = append(head, "")
	}
	broad, high := min(width, 48), 3
	if m.size.height >= 36 {
		broad, high = width, 7
	}
	return append(head, m.badge.Block(m.order, m.state.Verdict(m.order), broad, high)...)
}

// demo says that no money moves, where that is so.
func (m Model) demo() []string {
	whole, _ := m.Texts.Frame.Mark(m.Customer != nil, m.Test)
	if whole == "" {
		return nil
	}
	return []string{m.Theme.Banner.Render(" " + whole + " ")}
}

// head is the verdict in one row, with the demo's mark before it.
func (m Model) head() string {
	_, short := m.Texts.Frame.Mark(m.Customer != nil, m.Test)
	if short == "" {
		return m.verdict()
	}
	return m.verdict() + " " + m.Theme.Banner.Render(" "+short+" ")
}

func (m Model) verdict() string {
	if m.sending {
		return m.Theme.Selected.Render(" " + m.Texts.Pay.Sending + " ")
	}
	if m.order.Reference == "" {
		return m.Theme.Danger.Render(m.Texts.Pay.NoOrder)
	}
	return m.badge.Dressed(m.order, m.state.Verdict(m.order))
}

// outcome is why the order stands as it does.
func (m Model) outcome(width int) []string {
	if m.looks.gone {
		return styled(m.Theme.Danger.Render, m.Texts.Hints.Gone, width)
	}
	var words []string
	for _, why := range m.badge.Why(m.order, m.order.Attention(m.state.Now)) {
		words = append(words, styled(m.Theme.Danger.Render, why, width)...)
	}
	if m.order.Error != "" && !m.sending {
		words = append(words, lines(m.Texts.Pay.Reason.With(m.Texts.Reasons.Of(m.order)), width, 3)...)
	}
	if finding := m.order.Finding; finding != nil && !finding.Stale {
		words = append(words, m.Texts.Pay.By.With(finding.By))
	}
	return words
}

// link is the link as text, where it is wanted or no code fits.
func (m Model) link(width int) []string {
	if m.order.Link.URL == "" || !m.scannable() {
		return nil
	}
	words := []string{m.countdown(width)}
	if !m.looks.whole && !m.code.model.Fits() {
		columns, rows := m.code.model.Needs()
		words = append(words, lines(m.Texts.Pay.TooSmall.With(columns+minPanel+gutter, rows), width, 3)...)
	}
	return append(words, styled(m.Theme.Accent.Render, m.order.Link.URL, width)...)
}

// remarks are the notice, and what is odd about the order.
func (m Model) remarks(width int) []string {
	var words []string
	pay := m.Texts.Pay
	if m.question != nothing {
		return nil
	}
	if m.notice != nil {
		words = append(words, styled(m.Theme.Accent.Render, m.notice.In(m.Texts), width)...)
	}
	if m.superseded() && !m.order.Paid() {
		words = append(words, styled(m.Theme.Danger.Render, pay.OtherPaid, width)...)
	}
	if m.state.Conditions != (payments.Conditions{}) {
		words = append(words, styled(m.Theme.Danger.Render, m.Texts.Hints.Blind, width)...)
	}
	if _, moved := m.left(); moved && m.scannable() {
		words = append(words, lines(pay.ClockMoved, width, 2)...)
	}
	if m.order.Link.Assumed && m.scannable() {
		words = append(words, lines(pay.Assumed, width, 2)...)
	}
	return words
}

// line is the one row for a remark or the keys in a narrow window.
func (m Model) line() string {
	if remarks := m.remarks(10 * m.size.width); len(remarks) > 0 {
		return strings.Join(remarks, " ")
	}
	return strings.Join(m.help(10*m.size.width), " ")
}

// asked is the question, and how to answer it.
func (m Model) asked(width int) []string {
	until := i18n.Clock(m.order.Link.ExpiresAt.In(m.Zone))
	question := m.Texts.Asks.Again.With(until)
	switch m.question {
	case nothing:
		return nil
	case askDone:
		question = m.Texts.Asks.Done.With(until)
	case askLeave:
		question = m.Texts.Asks.Leave.With(until)
	case askCorrect:
		question = m.Texts.Correction.Ask.With(until)
	}
	return append(styled(m.Theme.Warning.Render, question, width), m.Texts.Asks.YesNo)
}

// host is whom the customer's phone will call; it stands in clear, and whole
// where there is room.
func (m Model) host(width int) []string {
	link, err := url.Parse(m.order.Link.URL)
	if err != nil {
		return nil
	}
	return styled(m.Theme.Subdued.Render, m.Texts.Pay.LinkOn.With(link.Host), width)
}

// help is the keys that do something now, one a row where it is narrow.
func (m Model) help(width int) []string {
	if m.question != nothing {
		return nil
	}
	words := m.keyLines(m.ShortHelp(), width)
	if demo := m.keyLines(m.DemoHelp(), width); len(demo) > 0 {
		words = append(append(words, m.Theme.Subdued.Render(m.Texts.Pay.Customer)), demo...)
	}
	return words
}

func (m Model) keyLines(bindings []key.Binding, width int) []string {
	var rows []string
	row := ""
	for _, binding := range bindings {
		if !binding.Enabled() {
			continue
		}
		word := m.key(binding)
		switch {
		case row == "":
			row = word
		case theme.Width(row)+3+theme.Width(word) <= width:
			row += " · " + word
		default:
			rows, row = append(rows, row), word
		}
	}
	if row != "" {
		rows = append(rows, row)
	}
	return rows
}

func (m Model) key(binding key.Binding) string {
	help := binding.Help()
	return m.Theme.Key.Render(m.Texts.KeyNames.Of(help.Key)) + " " + help.Desc
}

// lines wraps text into at most limit rows.
func lines(text string, width, limit int) []string {
	rows := strings.Split(theme.Wrap(text, width), "\n")
	if len(rows) > limit {
		rows = rows[:limit]
		rows[limit-1] = theme.Truncate(rows[limit-1], max(1, width-1)) + "…"
	}
	return rows
}

// styled wraps text and dresses each row.
func styled(dress func(...string) string, text string, width int) []string {
	rows := lines(text, width, 8)
	for i, row := range rows {
		rows[i] = dress(row)
	}
	return rows
}
