package orders

import (
	"context"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/figures"
	"checkout/till/tui/component/pager"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
)

// detail is the order that is shown whole.
type detail struct {
	wanted string // The reference of the order that was asked for.
	loader live.Loader[whole]
	whole
	pager   pager.Pager
	entered bool // It has the keys.
}

// whole is all that is known of an order.
type whole struct {
	order  payments.Order
	events []payments.Record
}

func (d detail) shown() bool { return d.order.Reference != "" }

// inside tells whether the order that is shown has the keys.
func (m Model) inside() bool { return m.detail.entered && m.detail.shown() }

// follow shows the order under the cursor beside the list, where there is room.
func (m *Model) follow() tea.Cmd {
	if m.grid().Detail == 0 || !m.entered || m.detail.entered {
		return nil
	}
	order, _ := m.chosen()
	if order.Reference == m.detail.wanted {
		return nil
	}
	*m = m.close()
	m.detail.wanted = order.Reference
	return m.reopen()
}

// choose opens the order under the cursor.
func (m Model) choose() (Model, tea.Cmd) {
	order, found := m.chosen()
	if !found {
		return m, nil
	}
	if m.detail.wanted == order.Reference && m.detail.shown() {
		m.detail.entered = true
		return m, nil
	}
	m = m.close()
	m.detail.wanted, m.detail.entered = order.Reference, true
	cmd := m.reopen()
	return m, cmd
}

// close shows the list again.
func (m Model) close() Model {
	m.detail.loader.Drop()
	m.detail = detail{loader: m.detail.loader, pager: pager.New()}
	m.ask = ask{}
	return m
}

// reopen reads the order that is shown, if one is.
func (m *Model) reopen() tea.Cmd {
	ledger, reference := m.Ledger, m.detail.wanted
	if reference == "" {
		return nil
	}
	return m.detail.loader.Load(m.Run, func(ctx context.Context) (whole, error) {
		order, events, err := ledger.Order(ctx, reference)
		return whole{order, events}, err
	})
}

// opened shows an order whole. A question that was asked about its former
// state is dropped: the answer may be another one now.
func (m Model) opened(msg live.Loaded[whole]) (Model, tea.Cmd) {
	wanted, again := m.detail.loader.Done(msg)
	switch {
	case !wanted:
		return m, nil
	case msg.Err != nil:
		m.notice = func(t i18n.Texts) string { return t.Frame.StoreDown }
	default:
		if m.state.Verdict(msg.Value.order) != m.state.Verdict(m.detail.order) {
			m.ask = ask{}
		}
		m.detail.whole = msg.Value
	}
	if again {
		cmd := m.reopen()
		return m, cmd
	}
	return m, nil
}

// proven tells whether the order that is shown is paid beyond doubt: no person
// has to find out anything.
func (m Model) proven() bool {
	return m.detail.order.Paid() && !m.detail.order.Doubtful(m.state.Now)
}

// proposal returns the unmatched event that seems to be the shown order's.
func (m Model) proposal() (payments.Event, bool) {
	for _, record := range m.state.Unmatched {
		if _, fits := payments.Propose(record.Event, []payments.Order{m.detail.order}); fits {
			return record.Event, true
		}
	}
	return payments.Event{}, false
}

// detailPane is the order that is shown, and below it a question or a notice.
func (m Model) detailPane() pane.Pane {
	_, width, rows := m.room()
	shown := pane.Pane{Frame: m.grid().Frame, Title: m.detail.order.Reference, Keys: m.inside(), Scroll: m.detail.pager.Scroll()}
	if !m.detail.shown() {
		return shown
	}
	for _, row := range m.detail.pager.Rows() {
		if strings.HasPrefix(row, pane.Rule("")) {
			row = strings.TrimRight(row, " ")
		}
		shown.Rows = append(shown.Rows, row)
	}
	return foot(shown, m.detailFoot(width), rows)
}

// detailFoot is the question about the order, or what became of one.
func (m Model) detailFoot(width int) []string {
	switch {
	case !m.detail.shown():
		return nil
	case m.asking() && m.ask.question != askSeen:
		return strings.Split(m.asks(width), "\n")
	case m.notice != nil && m.inside():
		return strings.Split(m.Theme.Danger.Render(theme.Wrap(m.notice.In(m.Texts), width)), "\n")
	}
	return nil
}

// whole draws everything that is known of one order.
func (m Model) whole(width int) []string {
	order, words := m.detail.order, m.Texts.Detail
	if !m.detail.shown() {
		return nil
	}
	grid := m.grid()
	var rows []string
	rows = append(rows, make([]string, grid.Air)...)
	from := m.Theme.Muted.Render(order.Till + " · " + m.moment(order.CreatedAt))
	rows = append(rows, theme.Spread(m.badge.Dressed(order, m.state.Verdict(order)), from, width))
	rows = append(rows, make([]string, grid.Air)...)
	amount := figures.Fit(m.Theme, i18n.Money(order.Amount), width, grid.FiguresIn(width))
	if amount == nil || grid.Figures == 1 {
		amount = []string{i18n.Money(order.Amount)}
	}
	for _, row := range amount {
		rows = append(rows, m.Theme.Strong.Render(row))
	}
	rows = append(rows, make([]string, grid.Air)...)
	rows = append(rows, m.says(width)...)
	rows = append(append(rows, pane.Rule(words.Lines)), m.lines(width)...)
	if m.asking() && grid.Figures == 1 {
		return rows // The question has the room.
	}
	rows = append(rows, make([]string, grid.Air)...)
	rows = append(append(rows, pane.Rule(words.Events)), m.happened(width)...)
	return append(rows,
		"", m.fact(words.OrderReference, payments.Clean(order.OrderReference, payments.MaxShownWidth)),
		m.fact(words.Status, m.Texts.Statuses.Of(string(order.Status))),
		m.fact(words.Expires, m.moment(order.Link.ExpiresAt)),
		m.fact(words.PaidAt, m.moment(order.Facts.PaidAt)))
}

// says is what a person must know of the order: why to check it, why it was not
// paid, what was found, and which event seems to be its own.
func (m Model) says(width int) []string {
	order, words := m.detail.order, m.Texts.Detail
	var rows []string
	say := func(style theme.Style, text string) {
		for row := range strings.SplitSeq(theme.Wrap(text, width), "\n") {
			rows = append(rows, style.Render(row))
		}
	}
	for _, why := range m.badge.Why(order, order.Attention(m.state.Now)) {
		say(m.Theme.Strong, why)
	}
	if order.Error != "" {
		say(m.Theme.Text, m.Texts.Pay.Reason.With(m.Texts.Reasons.Of(order)))
	}
	if event, fits := m.proposal(); fits {
		say(m.Theme.WarningBlock, words.Proposal.With(m.Texts.Kinds.Of(string(event.Kind)), payments.Clean(event.OrderReference, 60)))
	}
	return rows
}

// lines are the order's lines, and its total.
func (m Model) lines(width int) []string {
	var rows []string
	for _, item := range m.detail.order.Items {
		cells := theme.Right(i18n.Number(item.Quantity)+" ×", 8) + m.Theme.Muted.Render(theme.Right(i18n.Number(int64(item.UnitPrice)), 12)) +
			m.Theme.Strong.Render(theme.Right(i18n.Number(int64(item.Total())), 13))
		if width < 50 {
			cells = theme.Right(i18n.Number(item.Quantity)+" ×", 6) + m.Theme.Strong.Render(theme.Right(i18n.Number(int64(item.Total())), 12))
		}
		rows = append(rows, theme.Truncate(item.Label, width-theme.Width(cells)-1))
		rows[len(rows)-1] = theme.Spread(rows[len(rows)-1], cells, width)
	}
	total := m.Theme.Strong.Render(i18n.Number(int64(m.detail.order.Amount)))
	return append(rows, theme.Spread(m.Texts.Sale.Total, total, width))
}

// happened is the time line: when the order was made, the events in the order in
// which they came, what a person found, and what it waits for.
func (m Model) happened(width int) []string {
	order, words := m.detail.order, m.Texts.Detail
	var rows []string
	step := func(at time.Time, sign string, style theme.Style, texts ...string) {
		head := m.Theme.Muted.Render(theme.Left(m.moment(at), 11)) + "  " + style.Render(sign) + "  "
		for _, text := range texts {
			for row := range strings.SplitSeq(theme.Wrap(text, max(10, width-theme.Width(head))), "\n") {
				rows = append(rows, head+row)
				head = strings.Repeat(" ", 13) + m.Theme.Muted.Render("│") + "  "
			}
		}
	}
	step(order.CreatedAt, "●", m.Theme.Line, words.Saved.With(order.Till))
	for _, record := range m.detail.events {
		sign, style, text := m.told(record.Event)
		if record.Count > 1 {
			text += "  " + words.Times.With(record.Count)
		}
		if reason := record.Event.Error.Shown(); reason != "" {
			text += ": " + reason
		}
		if record.Outcome != payments.Applied {
			text += "  " + m.Texts.Outcomes.Of(string(record.Outcome))
		}
		step(record.ReceivedAt, sign, style, text)
	}
	if finding := order.Finding; finding != nil {
		sign, text := "◇", m.Texts.Verdicts.MarkedUnpaid
		if finding.Paid {
			sign, text = "◆", m.Texts.Verdicts.MarkedPaid
		}
		text += " " + m.Texts.Pay.By.With(finding.By)
		if finding.Stale {
			text += ", " + words.Outdated
		}
		texts := []string{text}
		if finding.Note != "" {
			texts = append(texts, words.Why+": "+finding.Note)
		}
		step(finding.At, sign, m.Theme.Accent, texts...)
	}
	if order.Doubtful(m.state.Now) {
		step(m.state.Now, "○", m.Theme.Muted, words.Waits)
	}
	return rows
}

// told is what an event says: a sign in its colour, and words.
func (m Model) told(event payments.Event) (sign string, style theme.Style, text string) {
	words := m.Texts.Detail
	switch event.Kind {
	case payments.PaymentSuccess:
		if !event.Amount.Is(m.detail.order.Amount) || event.Currency != payments.TextValue(payments.Currency) {
			return "!", m.Theme.Warning, words.Paid + ": " + event.Amount.Shown() + " " + event.Currency.Shown()
		}
		return "✓", m.Theme.Paid, words.Paid
	case payments.PaymentFailed:
		return "✗", m.Theme.Danger, words.Refused
	case payments.PaymentCanceled:
		return "✗", m.Theme.Danger, words.Canceled
	case payments.PaymentExpired:
		return "✗", m.Theme.Danger, words.Expired
	}
	return "·", m.Theme.Muted, m.Texts.Kinds.Of(string(event.Kind))
}

func (m Model) fact(name, value string) string {
	if value == "" {
		value = "—"
	}
	return m.Theme.Muted.Render(theme.Left(name, 18)) + value
}

func (m Model) moment(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return i18n.Moment(at.In(m.Zone))
}
