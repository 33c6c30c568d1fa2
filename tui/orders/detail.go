package orders

import (
	"context"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/list"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
)

// detail is the order that is shown whole.
type detail struct {
	wanted string // The reference of the order that was asked for.
	loader live.Loader[whole]
	whole
	scroll list.List // Its cursor is the first row in view.
}

// whole is all that is known of an order.
type whole struct {
	order  payments.Order
	events []payments.Record
}

func (d detail) shown() bool { return d.order.Reference != "" }

// choose opens the order under the cursor.
func (m Model) choose() (Model, tea.Cmd) {
	order, found := m.chosen()
	if !found {
		return m, nil
	}
	m = m.close()
	m.detail.wanted = order.Reference
	cmd := m.reopen()
	return m, cmd
}

// close shows the list again.
func (m Model) close() Model {
	m.detail.loader.Drop()
	m.detail = detail{loader: m.detail.loader, scroll: list.New(m.Texts, true)}
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

// whole draws everything that is known of one order.
func (m Model) whole() []string {
	order, words := m.detail.order, m.Texts.Detail
	if !m.detail.shown() {
		return nil
	}
	rows := []string{
		m.Theme.Strong.Render(order.Reference) + "  " + m.badge.Dressed(order, m.state.Verdict(order)),
		m.Theme.Strong.Render(i18n.Money(order.Amount)) + "  " + order.Description, "",
	}
	for _, item := range order.Items {
		rows = append(rows, theme.Spread("  "+i18n.Number(item.Quantity)+" × "+item.Label,
			i18n.Money(item.Total()), min(m.size.Width, 60)))
	}
	rows = append(rows, "",
		m.fact(words.OrderReference, payments.Clean(order.OrderReference, payments.MaxShownWidth)),
		m.fact(words.Status, m.Texts.Statuses.Of(string(order.Status))),
		m.fact(words.Created, m.moment(order.CreatedAt)),
		m.fact(words.Expires, m.moment(order.Link.ExpiresAt)),
		m.fact(words.PaidAt, m.moment(order.Facts.PaidAt)), "")
	facts := len(rows)
	for _, why := range m.badge.Why(order, order.Attention(m.state.Now)) {
		rows = append(rows, m.Theme.Danger.Render(theme.Wrap(why, m.size.Width)))
	}
	if order.Error != "" {
		rows = append(rows, m.Texts.Pay.Reason.With(m.Texts.Reasons.Of(order)))
	}
	rows = append(rows, m.finding()...)
	if event, fits := m.proposal(); fits {
		rows = append(rows, m.Theme.WarningBlock.Render(words.Proposal.With(
			m.Texts.Kinds.Of(string(event.Kind)), payments.Clean(event.OrderReference, 60))))
	}
	if len(rows) > facts {
		rows = append(rows, "")
	}
	return strings.Split(strings.Join(append(rows, m.events()...), "\n"), "\n")
}

// finding says what a person found out last, who it was, when and why.
func (m Model) finding() []string {
	finding, words := m.detail.order.Finding, m.Texts.Detail
	if finding == nil {
		return nil
	}
	parts := []string{m.Texts.Verdicts.MarkedUnpaid, m.Texts.Pay.By.With(finding.By), m.moment(finding.At)}
	if finding.Paid {
		parts[0] = m.Texts.Verdicts.MarkedPaid
	}
	if finding.Stale {
		parts = append(parts, words.Outdated)
	}
	rows := []string{theme.Wrap(m.fact(words.Finding, strings.Join(parts, ", ")), m.size.Width)}
	if finding.Note != "" {
		rows = append(rows, theme.Wrap(m.fact(words.Why, finding.Note), m.size.Width))
	}
	return rows
}

// events are the deliveries, in the order in which they came.
func (m Model) events() []string {
	words := m.Texts.Detail
	if len(m.detail.whole.events) == 0 {
		return []string{m.Theme.Muted.Render(words.NoEvents)}
	}
	rows := []string{m.Theme.Muted.Render(words.Events)}
	for _, record := range m.detail.whole.events {
		row := "  " + m.moment(record.ReceivedAt) + "  " + m.Texts.Kinds.Of(string(record.Event.Kind)) +
			"  " + m.Texts.Outcomes.Of(string(record.Outcome))
		if record.Count > 1 {
			row += "  " + words.Times.With(record.Count)
		}
		rows = append(rows, row+"  "+record.Event.Error.Shown())
	}
	return rows
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
