package orders

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/master"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
	"checkout/till/tui/wording"
	"checkout/till/tui/wording/sheet"
)

type detail struct {
	requested string // Reference of the order that was requested last.
	loader    live.Loader[orderDetail]
	orderDetail
	focused bool
}

type orderDetail struct {
	order    payments.Order
	customer string // Name of the customer if the order pays a debt; empty for a sale.
	events   []payments.Record
}

func (d detail) shown() bool { return d.order.Reference != "" }

// described reports whether there are details to draw.
func (m Model) described() bool {
	_, isCash := m.chosenCash()
	return isCash || m.detail.shown()
}

func (m Model) inside() bool { return m.detail.focused && m.described() }

func (m Model) visible() bool {
	return m.inside() || m.described() && m.master.Beside > 0
}

// open returns a command that reads an order, and closes the details of another one. It returns nil
// if the order was already requested, or for a blank reference.
func (m *Model) open(reference string) tea.Cmd {
	if reference == m.detail.requested {
		return nil
	}
	*m = m.close()
	m.detail.requested = reference
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
	service, reference := m.Service, m.detail.requested
	if reference == "" {
		return nil
	}
	return m.detail.loader.Load(m.Run, func(ctx context.Context) (orderDetail, error) {
		order, events, err := service.Order(ctx, reference)
		if err != nil {
			return orderDetail{}, err
		}
		customer, err := service.CustomerOf(ctx, order)
		return orderDetail{order, customer, events}, err
	})
}

// opened shows the order that was read. If its money or verdict has changed, an open question
// closes, because the cashier may now answer differently.
func (m Model) opened(msg live.Loaded[orderDetail]) (Model, tea.Cmd) {
	wanted, next := m.detail.loader.Done(msg)
	switch {
	case !wanted:
		return m, next
	case msg.Err != nil:
		m.notice = wording.StoreDown
		return m, next
	}
	before, now := m.detail.order, msg.Value.order
	if m.state.Verdict(now) != m.state.Verdict(before) || now.Refunds != before.Refunds || now.Paid() != before.Paid() { // A proof may come while the verdict stays CHECK.
		m.decision = m.decision.close()
	}
	m.detail.orderDetail = msg.Value
	return m, next
}

// detailView draws the details, or a hint if the list is empty.
func (m Model) detailView() master.Detail {
	width := m.master.DetailWidth
	drawing := drawing{
		Console: m.Console, asked: m.decision.open(), foot: m.below(width), frame: m.master.Frame, width: width,
	}
	teller := sheet.Teller{Texts: m.Texts, Theme: m.Theme, Zone: m.Zone, Moment: i18n.Moment}
	about := m.subject()
	switch {
	case about.isCash:
		drawing.told = teller.Cash(about.sale)
		drawing.verdict = m.Theme.Strong.Render(drawing.told.Badge.Tag())
	case m.detail.shown():
		drawing.told = teller.Order(about.order, m.detail.customer, m.detail.events, m.state.Verdict(about.order), m.state.Now)
		drawing.verdict = drawing.told.Badge.Dressed(m.Theme)
		drawing.proposal, _ = about.proposal()
	case m.count() == 0 && !m.pending():
		rows := theme.Paragraph(m.Theme.Text, m.Texts.Detail.Empty, width, 0)
		if m.master.Frame != pane.Bare && len(rows) < m.master.Rows {
			rows = append([]string{""}, rows...)
		}
		return master.Detail{Rows: rows}
	default:
		return master.Detail{}
	}
	return drawing.in(m.master.Rows)
}

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
