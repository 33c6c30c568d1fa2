package orders

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/figures"
	"checkout/till/tui/component/master"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/component/question"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
	"checkout/till/tui/wording"
)

// detail has the order that is shown with its events, next to the list or in place of it.
type detail struct {
	wanted string // Reference of the requested order.
	loader live.Loader[whole]
	whole
	entered bool // The details have the focus.
}

type whole struct {
	order  payments.Order
	events []payments.Record
}

func (d detail) shown() bool { return d.order.Reference != "" }

// described reports whether there are details to draw, of an order or of a cash sale.
func (m Model) described() bool {
	_, isCash := m.chosenCash()
	return isCash || m.detail.shown()
}

func (m Model) inside() bool { return m.detail.entered && m.described() }

// visible reports whether the details of an order or of a cash sale are drawn, in place of
// the list or next to it.
func (m Model) visible() bool {
	return m.inside() || m.described() && m.master.Beside > 0
}

// open returns a command that reads an order, or nil if the order was already requested.
func (m *Model) open(reference string) tea.Cmd {
	if reference == m.detail.wanted {
		return nil
	}
	*m = m.close()
	m.detail.wanted = reference
	return m.reopen()
}

func (m Model) close() Model {
	m.detail.loader.Drop()
	m.detail, m.ask = detail{loader: m.detail.loader}, question.Question{}
	m.choosing = false
	m.master = m.master.Reset()
	return m
}

func (m *Model) reopen() tea.Cmd {
	service, reference := m.Service, m.detail.wanted
	if reference == "" {
		return nil
	}
	return m.detail.loader.Load(m.Run, func(ctx context.Context) (whole, error) {
		order, events, err := service.Order(ctx, reference)
		return whole{order, events}, err
	})
}

// opened shows the order that was read. If its verdict, its payment or its refund has changed,
// opened closes an open question about the order, because the answer may be different now.
func (m Model) opened(msg live.Loaded[whole]) (Model, tea.Cmd) {
	wanted, next := m.detail.loader.Done(msg)
	switch {
	case !wanted:
		return m, next
	case msg.Err != nil:
		m.notice = wording.StoreDown
		return m, next
	}
	before, now := m.detail.order, msg.Value.order
	if m.state.Verdict(now) != m.state.Verdict(before) || now.Refunds != before.Refunds || now.Paid() != before.Paid() { // Paid may change while the verdict stays CHECK.
		m.ask = question.Question{}
	}
	m.detail.whole = msg.Value
	return m, next
}

// proposal returns an event that has no order, but seems to belong to the shown one. It returns
// false if there is no such event.
func (m Model) proposal() (payments.Event, bool) {
	order := m.detail.order.At(m.state.Now)
	for _, record := range m.state.Unmatched {
		if order.Fits(record.Event) {
			return record.Event, true
		}
	}
	return payments.Event{}, false
}

// form is a way to draw the details.
type form struct {
	figures int // Maximum height of the amount, in rows.
	air     int // Blank rows around the verdict.
	above   int // Blank rows above the title of a part.
	under   int // Blank rows below the title of a part.
}

// forms returns the forms for the details. In each form something has less room than in the form before. The
// details scroll if none fits.
func (m Model) forms() []form {
	if m.master.Frame == pane.Bare {
		return []form{{figures: 1}}
	}
	return []form{
		{figures: figures.Large, air: 1, above: 1, under: 1},
		{figures: figures.Large, air: 1, above: 1},
		{figures: figures.Small, air: 1, above: 1},
		{figures: figures.Small, air: 1},
		{figures: figures.Small},
	}
}

// whole draws the shown order or cash sale in the first form that fits, and below it a question or a notice.
func (m Model) whole() (shown master.Detail) {
	for _, form := range m.forms() {
		if shown = m.story(form); len(shown.Rows)+len(shown.Foot) <= m.master.Rows {
			break
		}
	}
	return shown
}

// story draws the order or the cash sale.
func (m Model) story(form form) master.Detail {
	order, words := m.detail.order, m.Texts.Detail
	width := m.master.DetailWidth
	sale, isCash := m.chosenCash()
	switch {
	case isCash:
		return m.cashStory(sale, form)
	case !m.detail.shown() && m.count() == 0 && !m.pending():
		return master.Detail{Rows: append(make([]string, form.air), theme.Paragraph(m.Theme.Text, words.Empty, width, 0)...)}
	case !m.detail.shown():
		return master.Detail{}
	}
	above, blank := make([]string, form.above), make([]string, form.under)
	shown := master.Detail{Title: order.Reference, Rows: m.head(form, m.look(order).Dressed(m.Theme), order.Till, order.CreatedAt, order.Amount)}
	if about := m.about(width); len(about) > 0 {
		shown.Rows = slices.Concat(shown.Rows, above, about)
	}
	shown.Rows = slices.Concat(shown.Rows, blank, []string{pane.Rule(words.Lines)}, blank, m.lines(width, order.Items, order.Amount))
	if refunded := order.Refunds.Sum(); refunded > 0 {
		shown.Rows = append(shown.Rows, theme.Spread(m.Texts.Receipt.Refunded, i18n.Number(-int64(refunded)), width))
	}
	switch {
	case m.asking():
		shown.Foot = m.askRows(width)
	case m.said != nil:
		shown.Foot = theme.Paragraph(m.Theme.Strong, m.said.In(m.Texts), width, 0)
	case m.slip.Notice() != "":
		shown.Foot = theme.Paragraph(m.Theme.Strong, m.slip.Notice(), width, 0)
	case m.notice != nil && m.inside():
		shown.Foot = theme.Paragraph(m.Theme.Danger, m.notice.In(m.Texts), width, 0)
	}
	if m.asking() && m.master.Frame == pane.Bare {
		return shown // In a small window the question uses the room of the other parts.
	}
	shown.Rows = slices.Concat(shown.Rows, above, []string{pane.Rule(words.Events)}, blank, m.happened(width), []string{
		"",
		master.Fact(m.Theme, words.OrderReference, clean.Text(order.OrderReference, payments.MaxShownWidth)),
		master.Fact(m.Theme, words.Status, m.Texts.Statuses.Of(string(order.Status))),
		master.Fact(m.Theme, words.Expires, m.moment(order.Link.ExpiresAt)),
		master.Fact(m.Theme, words.PaidAt, m.moment(order.Facts.PaidAt)),
	})
	return shown
}

// head draws the verdict, the till and the time, and below them the amount.
func (m Model) head(form form, verdict, till string, at time.Time, amount money.Ariary) []string {
	width, air := m.master.DetailWidth, make([]string, form.air)
	from := m.Theme.Muted.Render(till + " · " + m.moment(at))
	return slices.Concat(air, []string{theme.Spread(verdict, from, width)}, air, figures.Amount(m.Theme, i18n.Money(amount), width, form.figures))
}

// about returns rows that say why a person must look at the order, and what may have happened.
func (m Model) about(width int) (rows []string) {
	order := m.detail.order
	whys := badge.Why(m.Texts, m.Zone, order, order.Attention(m.state.Now))
	if order.Facts.Superseded && !order.Paid() {
		whys = append(whys, wording.Superseded(m.Texts, order))
	}
	for _, why := range whys {
		rows = append(rows, theme.Paragraph(m.Theme.Strong, why, width, 0)...)
	}
	if order.Reason != (payments.Reason{}) {
		reason := m.Texts.Pay.Reason.With(m.Texts.Reasons.Of(order.Reason))
		rows = append(rows, theme.Paragraph(m.Theme.Text, reason, width, 0)...)
	}
	if event, fits := m.proposal(); fits {
		kind := m.Texts.Kinds.Of(string(event.Kind))
		proposal := m.Texts.Detail.Proposal.With(kind, clean.Text(event.OrderReference, 60))
		rows = append(rows, theme.Paragraph(m.Theme.WarningBlock, proposal, width, 0)...)
	}
	return rows
}

func (m Model) lines(width int, items []payments.Item, amount money.Ariary) (rows []string) {
	for _, item := range items {
		quantity, total := i18n.Number(item.Quantity)+" ×", m.Theme.Strong.Render(i18n.Number(int64(item.Total())))
		cells := theme.AlignRight(quantity, 6) + theme.AlignRight(total, 12)
		if width >= 50 {
			price := m.Theme.Muted.Render(i18n.Number(int64(item.UnitPrice)))
			cells = theme.AlignRight(quantity, 8) + theme.AlignRight(price, 12) + theme.AlignRight(total, 13)
		}
		rows = append(rows, theme.Spread(item.Label, cells, width))
	}
	total := m.Theme.Strong.Render(i18n.Number(int64(amount)))
	return append(rows, theme.Spread(m.Texts.Sale.Total, total, width))
}

// step is a step of a time line.
type step struct {
	at   time.Time
	rows []string
}

// inOrder returns the rows of the steps by time. Steps of one time keep their order.
func inOrder(steps []step) (rows []string) {
	slices.SortStableFunc(steps, func(a, b step) int { return a.at.Compare(b.at) })
	for _, each := range steps {
		rows = append(rows, each.rows...)
	}
	return rows
}

// happened returns the time line of the order by time: its creation, its events, findings and refunds.
// Each shows the money that it moved. If a person must check the order, the last step says so.
func (m Model) happened(width int) []string {
	order, words := m.detail.order, m.Texts.Detail
	steps := []step{{order.CreatedAt, m.step(width, order.CreatedAt, "●", m.Theme.Text, words.Saved.With(order.Till))}}
	for _, record := range m.detail.events {
		sign, style, text := m.told(record.Event)
		if record.Count > 1 {
			text += "  " + m.Texts.Printed.Times.With(record.Count)
		}
		if reason := record.Event.Error.Display(); reason != "" {
			text = m.Texts.Frame.Labelled.With(text, reason)
		}
		if record.Effect != payments.Applied {
			text += "  " + m.Texts.Outcomes.Of(string(record.Effect))
		}
		if record.Event.Kind == payments.PaymentSuccess {
			text += m.moved(record.ReceivedAt)
		}
		steps = append(steps, step{record.ReceivedAt, m.step(width, record.ReceivedAt, sign, style, text)})
	}
	for _, finding := range order.Findings {
		steps = append(steps, step{finding.At, m.finding(width, finding)})
	}
	for _, transfer := range order.Transfers {
		if transfer.Kind == ledger.Refund {
			steps = append(steps, step{transfer.At, m.refund(width, transfer)})
		}
	}
	rows := inOrder(steps)
	if order.NeedsAttention(m.state.Now) {
		rows = append(rows, m.step(width, time.Time{}, "○", m.Theme.Muted, words.Waits)...)
	}
	return rows
}

// moved returns the money that a success or a finding at a time moved, such as "  +9 000 Ar", or "".
func (m Model) moved(at time.Time) string {
	for _, transfer := range m.detail.order.Transfers {
		if transfer.Kind == ledger.Sale && transfer.At.Equal(at) {
			return "  " + i18n.Signed(transfer.Into(ledger.Service))
		}
	}
	return ""
}

func (m Model) finding(width int, finding payments.Finding) []string {
	sign, word := badge.Finding(m.Texts, finding.Kind)
	texts := []string{word + " " + m.Texts.Pay.By.With(finding.By) + m.moved(finding.At)}
	if finding.Note != "" {
		texts = append(texts, m.Texts.Frame.Labelled.With(m.Texts.Detail.Why, finding.Note))
	}
	return m.step(width, finding.At, sign, m.Theme.Strong, texts...)
}

// refund returns the rows of a refund, of one that is taken back, or of a void.
func (m Model) refund(width int, moved ledger.Transfer) []string {
	word := m.Texts.Receipt.Refunded
	switch {
	case moved.Kind == ledger.Void:
		word = m.Texts.Cash.Voided
	case moved.Back():
		word = m.Texts.Account.Reversal
	}
	amount := i18n.Signed(-moved.Into(ledger.Sales))
	return m.step(width, moved.At, "◇", m.Theme.Strong, word+"  "+amount+"  #"+i18n.Number(moved.ID)+" "+m.Texts.Pay.By.With(moved.By),
		m.Texts.Frame.Labelled.With(m.Texts.Detail.Why, moved.Note))
}

// step returns the rows of one entry of the time line. A zero at leaves its time blank.
func (m Model) step(width int, at time.Time, sign string, style theme.Style, texts ...string) []string {
	// The current time is the widest one: it includes the date, unless the order is from today.
	times := len(m.second(m.state.Now))
	clock := ""
	if !at.IsZero() {
		clock = m.second(at)
	}
	head := m.Theme.Muted.Render(theme.AlignLeft(clock, times)) + "  " + style.Render(sign) + "  "
	var rows []string
	for _, text := range texts {
		for row := range strings.SplitSeq(theme.Wrap(text, max(10, width-theme.Width(head))), "\n") {
			rows = append(rows, head+row)
			head = strings.Repeat(" ", times+2) + m.Theme.Rule.Render("│") + "  "
		}
	}
	return rows
}

func (m Model) told(event payments.Event) (sign string, style theme.Style, text string) {
	words := m.Texts.Detail
	refusals := map[payments.EventKind]string{
		payments.PaymentFailed: words.Refused, payments.PaymentCanceled: words.Canceled, payments.PaymentExpired: words.Expired,
	}
	switch text, refused := refusals[event.Kind]; {
	case refused:
		return "✗", m.Theme.Danger, text
	case event.Kind != payments.PaymentSuccess:
		return "·", m.Theme.Muted, m.Texts.Kinds.Of(string(event.Kind))
	case !event.Amount.Is(m.detail.order.Amount) || event.Currency != payments.TextValue(payments.Currency):
		return "!", m.Theme.Warning, m.Texts.Frame.Labelled.With(words.Paid, badge.Reported(m.Texts, event, "")+" "+event.Currency.Display())
	}
	return "✓", m.Theme.Paid, words.Paid
}

// second returns the time of day with its seconds if at is on the day of the order. Otherwise it
// returns the date and the time without seconds.
func (m Model) second(at time.Time) string {
	at, made := at.In(m.Zone), m.detail.order.CreatedAt.In(m.Zone)
	if at.YearDay() == made.YearDay() && at.Year() == made.Year() {
		return at.Format(time.TimeOnly)
	}
	return i18n.Moment(at)
}

func (m Model) moment(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return i18n.Moment(at.In(m.Zone))
}
