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
	"checkout/till/payments/money"
	"checkout/till/tui/component/figures"
	"checkout/till/tui/component/master"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
	"checkout/till/tui/wording"
	"checkout/till/tui/wording/sheet"
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
	m.detail = detail{loader: m.detail.loader}
	m.decision = m.decision.close()
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
		m.decision.ask = m.decision.ask.Close()
	}
	m.detail.whole = msg.Value
	return m, next
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

// teller tells about orders and cash sales as this screen shows them.
func (m Model) teller() sheet.Teller {
	return sheet.Teller{Texts: m.Texts, Theme: m.Theme, Zone: m.Zone, Moment: i18n.Moment}
}

// story draws the order or the cash sale.
func (m Model) story(form form) master.Detail {
	order, width := m.detail.order, m.master.DetailWidth
	sale, isCash := m.chosenCash()
	switch {
	case isCash:
		told := m.teller().Cash(sale)
		return m.draw(told, form, m.Theme.Strong.Render(told.Badge.Tag()))
	case !m.detail.shown() && m.count() == 0 && !m.pending():
		return master.Detail{Rows: append(make([]string, form.air), theme.Paragraph(m.Theme.Text, m.Texts.Detail.Empty, width, 0)...)}
	case !m.detail.shown():
		return master.Detail{}
	}
	told := m.teller().Order(order, m.detail.events, m.state.Verdict(order), m.state.Now)
	return m.draw(told, form, told.Badge.Dressed(m.Theme))
}

// draw draws a sheet, and below it a question or a notice.
func (m Model) draw(told sheet.Sheet, form form, verdict string) master.Detail {
	words, width := m.Texts.Detail, m.master.DetailWidth
	above, blank := make([]string, form.above), make([]string, form.under)
	shown := master.Detail{Title: told.Title, Rows: m.head(form, verdict, told.Till, told.Made, told.Amount), Foot: m.below(width)}
	if about := m.about(told, width); len(about) > 0 {
		shown.Rows = slices.Concat(shown.Rows, above, about)
	}
	shown.Rows = slices.Concat(shown.Rows, blank, []string{pane.Rule(words.Lines)}, blank, m.lines(width, told.Items, told.Total))
	for _, sum := range told.Sums {
		shown.Rows = append(shown.Rows, theme.Spread(sum.Label, sum.Value, width))
	}
	if m.decision.open() && m.master.Frame == pane.Bare {
		return shown // In a small window the question uses the room of the other parts.
	}
	shown.Rows = slices.Concat(shown.Rows, above, []string{pane.Rule(words.Events)}, blank, m.happened(told, width))
	if len(told.Facts) > 0 {
		shown.Rows = append(shown.Rows, "")
	}
	for _, fact := range told.Facts {
		if !fact.Long {
			shown.Rows = append(shown.Rows, master.Fact(m.Theme, fact.Label, fact.Value))
		}
	}
	return shown
}

// below draws the open question, or what the last answer recorded, or a notice.
func (m Model) below(width int) []string {
	switch {
	case m.decision.open():
		return m.decision.rows(m.Console, m.keys, width, m.master.Rows/2)
	case m.said != nil:
		return theme.Paragraph(m.Theme.Strong, m.said.In(m.Texts), width, 0)
	case m.slip.Notice() != "":
		return theme.Paragraph(m.Theme.Strong, m.slip.Notice(), width, 0)
	case m.notice != nil && m.inside():
		return theme.Paragraph(m.Theme.Danger, m.notice.In(m.Texts), width, 0)
	}
	return nil
}

// head draws the verdict, the till and the time, and below them the amount.
func (m Model) head(form form, verdict, till string, at time.Time, amount money.Ariary) []string {
	width, air := m.master.DetailWidth, make([]string, form.air)
	from := m.Theme.Muted.Render(till + " · " + m.moment(at))
	return slices.Concat(air, []string{theme.Spread(verdict, from, width)}, air, figures.Amount(m.Theme, i18n.Money(amount), width, form.figures))
}

// about returns rows that say why a person must look at the order, and what may have happened.
func (m Model) about(told sheet.Sheet, width int) (rows []string) {
	for _, why := range told.Why {
		rows = append(rows, theme.Paragraph(m.Theme.Strong, why, width, 0)...)
	}
	if told.Reason != "" {
		rows = append(rows, theme.Paragraph(m.Theme.Text, m.Texts.Pay.Reason.With(told.Reason), width, 0)...)
	}
	if event, fits := m.subject().proposal(); fits {
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

// happened draws the time line.
func (m Model) happened(told sheet.Sheet, width int) (rows []string) {
	clocks := 0
	for _, step := range told.Steps {
		clocks = max(clocks, len(m.second(told.Made, step.At)))
	}
	for _, step := range told.Steps {
		head := m.Theme.Muted.Render(theme.AlignLeft(m.second(told.Made, step.At), clocks)) + "  " + step.Style.Render(step.Sign) + "  "
		for _, text := range step.Texts {
			for row := range strings.SplitSeq(theme.Wrap(text, max(10, width-theme.Width(head))), "\n") {
				rows = append(rows, head+row)
				head = strings.Repeat(" ", clocks+2) + m.Theme.Rule.Render("│") + "  "
			}
		}
	}
	return rows
}

// second returns the time of day with its seconds if at is on the day on which the payment was made.
// Otherwise it returns the date and the time without seconds, or "" for the zero time.
func (m Model) second(made, at time.Time) string {
	first, second := made.In(m.Zone), at.In(m.Zone)
	if first.YearDay() == second.YearDay() && first.Year() == second.Year() {
		return second.Format(time.TimeOnly)
	}
	return m.moment(at)
}

func (m Model) moment(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return i18n.Moment(at.In(m.Zone))
}
