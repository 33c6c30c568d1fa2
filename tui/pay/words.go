package pay

import (
	"net/url"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/countdown"
	"checkout/till/tui/component/figures"
	"checkout/till/tui/theme"
)

// words are what stands beside a code, the amount in large figures where there
// is room for all.
func (m Model) words(width int) []string {
	if m.view.facing {
		return m.facingPanel(width, m.size.Height)
	}
	large := m.cashierPanel(width, max(largeFigures, m.size.Height/8))
	if len(large) < m.size.Height {
		return large
	}
	return m.cashierPanel(width, 1)
}

// largeFigures is how many rows the smallest large figures take.
const largeFigures = 3

func (m Model) cashierPanel(width, figures int) []string {
	words := append(append(m.demo(), m.word()), m.banners(width)...)
	if m.retrying() {
		words = append(words, m.retry(width)...)
	}
	words = append(words, "")
	words = append(words, m.due(width, figures)...)
	words = append(words, lines(m.order.Description, width, 3)...)
	words = append(words, "", m.Theme.Strong.Render(m.Texts.Pay.Scan))
	words = append(words, m.host(width)...)
	words = append(append(words, m.asked(width)...), m.remarks(width)...)
	words = append(words, "")
	return append(words, m.help(width)...)
}

// facingPanel is what the customer reads beside the code: the total, and what
// to do. The cashier's keys stay away, but for the way back.
func (m Model) facingPanel(width, height int) []string {
	words := append(append(m.demo(), m.banners(width)...), "")
	words = append(words, m.due(width, height/3)...)
	words = append(words, "")
	words = append(words, lines(m.order.Description, width, 4)...)
	if m.retrying() {
		words = append(append(words, ""), styled(m.Theme.WarningBlock.Render, m.Texts.Facing.Retry, width)...)
	}
	words = append(words, "", m.Theme.Strong.Render(m.Texts.Pay.Scan))
	words = append(words, m.host(width)...)
	return append(words, "", m.Theme.Muted.Render(m.keys.Turn.Help().Key+" "+m.Texts.Keys.Back))
}

// facingOutcome is the outcome as the customer reads it.
func (m Model) facingOutcome(width int) []string {
	height := max(3, m.size.Height/4)
	words := append(append(m.demo(), m.banners(width)...), "")
	words = append(words, m.badge.Block(m.order, m.verdict(), width, min(height, 9))...)
	words = append(words, "")
	words = append(words, m.figures(i18n.Money(m.order.Amount), width, height)...)
	words = append(words, "", m.Theme.Strong.Render(i18n.Money(m.order.Amount)))
	if m.verdict() == payments.VerdictPaid {
		words = append(words, "", m.Theme.Strong.Render(m.Texts.Facing.Thanks))
	}
	words = append(words, "")
	return append(words, m.keyLines(m.ShortHelp(), width)...)
}

// due is the amount to pay: in a row, which a reader of the screen reads too,
// and in figures as large as they fit.
func (m Model) due(width, height int) []string {
	row := m.Theme.Muted.Render(m.Texts.Pay.Total) + "  " + m.Theme.Strong.Render(i18n.Money(m.order.Amount))
	return append([]string{row}, m.figures(i18n.Money(m.order.Amount), width, height)...)
}

// figures are an amount in figures as large as they fit.
func (m Model) figures(amount string, width, height int) []string {
	if m.Theme.ASCII() {
		return nil
	}
	rows := figures.Fit(m.Theme, amount, width, height)
	for i, row := range rows {
		rows[i] = m.Theme.Strong.Render(row)
	}
	return rows
}

// story is the verdict, what it is about, and what can be done; a final one
// with the amount in large figures, if that is wanted.
func (m Model) story(width int, large bool) []string {
	words := append(append(m.banner(width), m.banners(width)...), "")
	if m.question.kind != nothing {
		words = append(append(words, m.asked(width)...), "")
	}
	large = large && m.roomy()
	if !m.current() && (m.calls.shown || m.question.kind != nothing) {
		words = append(words, m.requested(width, large)...)
	}
	if m.current() {
		if large && m.final() {
			words = append(append(words, m.figures(i18n.Money(m.order.Amount), width, max(largeFigures, m.size.Height/8))...), "")
		}
		words = append(words,
			m.Theme.Strong.Render(i18n.Money(m.order.Amount))+"  "+m.order.Reference,
			theme.Truncate(m.order.Description, width))
	}
	if outcome := m.outcome(width); len(outcome) > 0 {
		if large {
			words = append(words, "")
		}
		words = append(words, outcome...)
	}
	words = append(words, m.link(width)...)
	words = append(words, m.remarks(width)...)
	words = append(words, "")
	return append(words, m.help(width)...)
}

// requested is the amount that the service is asked for, and for how long it is
// being asked.
func (m Model) requested(width int, large bool) []string {
	amount := m.requestedAmount()
	var words []string
	if large {
		words = append(m.figures(amount, width, max(largeFigures, m.size.Height/8)), "")
	}
	words = append(words, m.Theme.Strong.Render(amount))
	if !m.calls.shown {
		return words
	}
	waited := max(0, m.Now().Sub(m.calls.began)) / time.Second
	says := m.Texts.Pay.Waited.With(int(waited), int(longestCall/time.Second))
	words = append(words, "", m.calls.spinner.View()+" "+m.Theme.Strong.Render(says))
	return append(words, styled(m.Theme.Muted.Render, m.Texts.Pay.GoesOn, width)...)
}

// banner is the verdict as large as the window allows: a block once it is
// final, a word in a small window.
func (m Model) banner(width int) []string {
	if !m.final() || !m.roomy() || m.retrying() {
		return []string{m.head()}
	}
	head := m.demo()
	if len(head) > 0 {
		head = append(head, "")
	}
	broad, high := min(width, 48), 3
	if m.size.Height >= 36 {
		broad, high = width, 7
	}
	return append(head, m.badge.Block(m.order, m.verdict(), broad, high)...)
}

// banners are what is said on every screen. Turned to the customer they are a
// sign alone, which the cashier knows.
func (m Model) banners(width int) []string {
	if len(m.view.banners) == 0 {
		return nil
	}
	if m.view.facing {
		return []string{m.Theme.DangerBlock.Render(" ! ")}
	}
	rows := make([]string, 0, len(m.view.banners))
	for _, row := range m.view.banners {
		rows = append(rows, theme.Truncate(row, width))
	}
	return rows
}

// demo says that no money moves, where that is so.
func (m Model) demo() []string {
	whole, _ := m.Texts.Frame.Mark(m.Customer != nil, m.Test)
	if whole == "" {
		return nil
	}
	return []string{m.Theme.DemoBlock.Render(" " + whole + " ")}
}

// head is the verdict in one row, with the demo's mark before it.
func (m Model) head() string {
	_, short := m.Texts.Frame.Mark(m.Customer != nil, m.Test)
	if short == "" {
		return m.word()
	}
	return m.word() + " " + m.Theme.DemoBlock.Render(" "+short+" ")
}

// word is the verdict, or what stands in its place.
func (m Model) word() string {
	switch {
	case m.calls.shown:
		return m.Theme.Selected.Render(" " + m.Texts.Pay.Sending + " ")
	case m.current():
		return m.badge.Dressed(m.order, m.verdict())
	case m.question.kind != nothing:
		return ""
	}
	return m.Theme.Danger.Render(m.Texts.Pay.NoOrder)
}

// outcome is why the order stands as it does, and what to do about it.
func (m Model) outcome(width int) []string {
	if !m.current() {
		return nil
	}
	if m.view.missing {
		return styled(m.Theme.Danger.Render, m.Texts.Hints.Gone, width)
	}
	var words []string
	why := m.badge.Why(m.order, m.order.Attention(m.state.Now))
	for _, why := range why {
		words = append(words, styled(m.Theme.Danger.Render, why, width)...)
	}
	switch {
	case m.retrying():
		words = append(words, m.retry(width)...)
	case m.order.Error != "":
		words = append(words, lines(m.Texts.Pay.Reason.With(m.Texts.Reasons.Of(m.order)), width, 3)...)
	}
	if m.verdict() == payments.VerdictTimeOver && len(why) == 0 {
		until := m.order.Link.ExpiresAt.Add(payments.Grace).In(m.Zone)
		words = append(words, styled(m.Theme.Accent.Render, m.Texts.Hints.TimeOver.With(i18n.Clock(until)), width)...)
	}
	if finding := m.order.Finding; finding != nil && !finding.Stale {
		words = append(words, m.Texts.Pay.By.With(finding.By))
	}
	return words
}

// retry says that the customer was refused, why, and that the code still holds.
func (m Model) retry(width int) []string {
	words := lines(m.Texts.Pay.Reason.With(m.Texts.Reasons.Of(m.order)), width, 2)
	if m.order.Error == "" {
		words = nil
	}
	return append(words, styled(m.Theme.WarningBlock.Render, m.Texts.Pay.Retry, width)...)
}

// link is the link as text, where it is wanted or no code fits.
func (m Model) link(width int) []string {
	if m.order.Link.URL == "" || !m.scannable() {
		return nil
	}
	words := []string{m.countdown(width)}
	if !m.view.whole && !m.code.model.Fits() {
		columns, rows := m.code.model.Needs()
		words = append(words, lines(m.Texts.Pay.TooSmall.With(columns+minPanel+gutter, rows), width, 3)...)
	}
	return append(words, styled(m.Theme.Accent.Render, m.order.Link.URL, width)...)
}

// remarks are the notice, and what is odd about the order.
func (m Model) remarks(width int) []string {
	var words []string
	pay := m.Texts.Pay
	if m.question.kind != nothing {
		return nil
	}
	if m.notice != nil {
		words = append(words, styled(m.Theme.Accent.Render, m.notice.In(m.Texts), width)...)
	}
	if m.current() && m.order.Facts.Superseded && !m.order.Paid() {
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

// asked is the question, and how to answer it.
func (m Model) asked(width int) []string {
	asks, until := m.Texts.Asks, m.clockTime(m.order.Link.ExpiresAt)
	var question string
	switch m.question.kind {
	case nothing:
		return nil
	case askDone:
		question = asks.Done.With(until)
	case askLeave:
		question = asks.Leave.With(until)
	case askDespitePayable:
		question = asks.Again.With(m.clockTime(m.question.order.Link.ExpiresAt))
	case askDespitePaid:
		paidAt := m.question.order.Facts.PaidAt
		if finding := m.question.order.Finding; finding != nil && paidAt.IsZero() {
			paidAt = finding.At
		}
		question = asks.OnceMore.With(m.clockTime(paidAt), m.requestedAmount())
	}
	return append(styled(m.Theme.WarningBlock.Render, question, width), asks.YesNo)
}

// requestedAmount is what the service is, or was to be, asked for.
func (m Model) requestedAmount() string {
	total, _ := payments.Total(m.calls.terms.Items) // Zero for what no order can be made of.
	return i18n.Money(total)
}

func (m Model) clockTime(at time.Time) string { return i18n.Clock(at.In(m.Zone)) }

// host is whom the customer's phone will call; it stands in clear, and whole
// where there is room.
func (m Model) host(width int) []string {
	link, err := url.Parse(m.order.Link.URL)
	if err != nil {
		return nil
	}
	return styled(m.Theme.Muted.Render, m.Texts.Pay.LinkOn.With(link.Host), width)
}

// help is the keys that do something now, one a row where it is narrow.
func (m Model) help(width int) []string {
	if m.question.kind != nothing {
		return nil
	}
	words := m.keyLines(m.ShortHelp(), width)
	if demo := m.keyLines(m.DemoHelp(), width); len(demo) > 0 {
		words = append(append(words, m.Theme.Muted.Render(m.Texts.Pay.Customer)), demo...)
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
	return m.Theme.Accent.Render(m.Texts.KeyNames.Of(help.Key)) + " " + help.Desc
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

// left is the time that the link has left, and whether the machine's clocks
// part.
func (m Model) left() (time.Duration, bool) {
	now := m.state.Now
	if now.Before(m.clock.started) {
		now = m.clock.started // The picture is older than the link.
	}
	return m.clock.countdown.Left(now, now.Sub(m.clock.started))
}

// countdown is the time that the link has left, in words and, where there is
// room, as a bar.
func (m Model) countdown(width int) string {
	left, _ := m.left()
	whole := m.order.Link.ExpiresAt.Sub(m.order.CreatedAt)
	return countdown.New(m.Theme, m.Texts).Draw(left, whole, width)
}
