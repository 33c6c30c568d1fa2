// Package orders is the screen with the lists of orders and cash sales. It does not decide which
// orders are paid: it shows verdicts and records a person's findings ([payments.Finding]).
package orders

import (
	"errors"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/master"
	"checkout/till/tui/component/question"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/counter"
	"checkout/till/tui/keyboard"
	"checkout/till/tui/live"
	"checkout/till/tui/receipt"
	"checkout/till/tui/slip"
	"checkout/till/tui/wording/errortext"
)

// Model is the screen: the lists, the details of one order or cash sale, and its receipt.
type Model struct {
	live.Console
	keys keyMap
	history
	entered  bool
	master   master.Master
	size     screen.Size
	detail   detail
	decision decision
	slip     slip.Model
	notice   i18n.Message
	said     i18n.Message // What the last answer recorded, or what to do next.
}

// New returns the screen with an empty list.
func New(console live.Console) Model {
	return Model{Console: console, slip: slip.Model{Console: console}, master: master.New(console.Theme, console.Texts)}.SetTexts(console.Texts)
}

// SetTexts changes the language. The list, the chosen order and an open question stay.
func (m Model) SetTexts(texts i18n.Texts) Model {
	m.Texts, m.keys = texts, newKeyMap(texts)
	m.slip.Texts = texts
	m.master.List = m.master.List.SetTexts(texts)
	m.field = m.field.SetPrompt(prompt(m.Texts))
	return m.fit()
}

// SetSize sets the size of the screen, in cells, without the header and the key bar.
func (m Model) SetSize(width, height int) Model {
	m.size = screen.Size{Width: width, Height: height}
	m.master = m.master.SetSize(width, height)
	return m.fit()
}

// fit sets the sizes, and enables only the keys that have an effect now.
func (m Model) fit() Model {
	m.field = m.field.SetWidth(m.master.Width)
	m.master.Inside = m.inside()
	heads, last := make(map[int]bool), time.Time{}
	for i := len(m.orphans()); i < m.count() && m.tab != checking; i++ {
		if day := m.Service.DayOf(m.created(i).In(m.Zone)).From; !day.Equal(last) {
			heads[i], last = true, day
		}
	}
	m.master.List.Heads = heads
	m = m.listed()

	about, inside := m.subject(), m.inside()
	order, verdict := about.order, m.state.Verdict(about.order)
	_, found := m.chosen()
	about.enable(&m.keys)
	m.keys.Open.SetEnabled(!inside && (found || about.isCash))
	m.keys.Switch.SetEnabled(!inside)
	m.keys.Switch.SetHelp("tab", m.name(m.Console, m.after(m.tab, m.Shared)))
	m.keys.Search.SetEnabled(!inside)
	m.keys.Code.SetEnabled(about.drawn && order.Payable(m.state.Now))
	m.keys.Lines.SetEnabled(about.drawn && !order.Paid() && !order.Payable(m.state.Now) && verdict != payments.VerdictMarkedPaid && verdict != payments.VerdictWaiting &&
		verdict != payments.VerdictCheck && verdict != payments.VerdictPaidOtherwise)
	m.keys.Receipt.SetEnabled((about.isCash && !about.sale.Voided() || about.counts()) && m.Receipts.When != receipt.Never)
	does := m.Texts.Receipt.Shows
	if m.slip.Shown() {
		does = m.Texts.Receipt.Prints
	}
	m.keys.Receipt.SetHelp(m.keys.Receipt.Help().Key, does)

	m.master = m.master.Fit(m.view())
	return m
}

// Meaning returns what keys mean now: text for the search, an answer, or commands.
func (m Model) Meaning() keyboard.Meaning {
	if m.typing && !m.decision.open() {
		return keyboard.Meaning{Keys: keyboard.Field, Typing: true}
	}
	return m.decision.meaning()
}

// subject returns what a key would decide about now.
func (m Model) subject() subject {
	about := subject{Console: m.Console, state: m.state, order: m.detail.order}
	about.sale, about.isCash = m.chosenCash()
	about.orphan, about.isOrphan = m.chosenOrphan()
	chosen, _ := m.chosen()
	about.drawn = !about.isCash && m.visible() && (m.inside() || chosen.Reference == about.order.Reference)
	return about
}

// Update handles a message. Keys and scans come only while the screen is open.
func (m Model) Update(msg tea.Msg) (Model, tea.Cmd) {
	var cmd, beside tea.Cmd
	switch msg := msg.(type) {
	case tea.KeyMsg:
		m, cmd = m.press(msg)
	case keyboard.Scan:
		m, cmd = m.untype(msg.Typed)
	case live.Entered:
		m = m.close()
		m.slip = m.slip.Of("")
		m.entered = true
		shown := checking
		if m.state.ToCheck() == 0 {
			shown = m.after(checking, m.Shared)
		}
		m, cmd = m.show(shown)
	case live.OrderWanted:
		switch {
		case payments.IsCashNumber(msg.Reference):
			m, cmd = m.openCash(msg.Reference)
		case msg.Reference != "":
			m, cmd = m.focus(msg.Reference)
			if msg.Claimed {
				m.said = saysPaid
			}
		}
	case live.Exited:
		m = m.close()
		m.entered, m.notice, m.said = false, nil, nil // A later result is shown when the screen opens again.
	case counter.Picture:
		// Time alone can make an order need a check.
		changed := msg.Changed || m.tab == checking && msg.ToCheck() != m.state.ToCheck()
		m.state = msg
		if m = m.listed(); changed && m.entered {
			cmd = tea.Batch(m.load(m.Console), m.reopen())
		}
	case live.Loaded[page]:
		m, cmd = m.paged(msg)
	case live.Loaded[orderDetail]:
		m, cmd = m.opened(msg)
	case question.Answered:
		m, cmd = m.answered(msg)
	default:
		m.slip = m.slip.Update(msg)
	}
	if m.master.Beside > 0 && m.entered && !m.detail.focused {
		order, _ := m.chosen()
		beside = m.open(order.Reference)
	}
	return m.fit(), tea.Batch(cmd, beside)
}

func (m Model) answered(msg question.Answered) (Model, tea.Cmd) {
	var done result
	_, isCash := m.chosenCash()
	m.decision, done = m.decision.answered(m.Console, msg)
	switch {
	case !done.ended:
		return m, nil
	case msg.Err != nil:
		m.notice = errortext.NotDone(msg.Err)
		if !errors.Is(msg.Err, payments.ErrOutdated) {
			return m, nil
		}
	case done.says != nil:
		m.said = done.says
	}
	var cmd, opens tea.Cmd
	if isCash {
		cmd = m.load(m.Console)
	} else {
		cmd = m.reopen()
	}
	if done.opens {
		opens = m.slip.OpenDrawer()
	}
	return m, tea.Batch(cmd, opens)
}

// untype removes what a scanner typed into the open question or the search field.
func (m Model) untype(typed string) (Model, tea.Cmd) {
	if m.decision.open() {
		m.decision.ask = m.decision.ask.Untype(typed)
		return m, nil
	}
	before := m.field.Value()
	m.field = m.field.Untype(typed)
	if m.field.Value() == before {
		return m, nil
	}
	found := m.renew()
	return m, found
}

func (m Model) focus(reference string) (Model, tea.Cmd) {
	cmd := m.open(reference)
	m.detail.focused = true
	return m, cmd
}

// saysPaid says what to do if the customer says that the order is paid.
func saysPaid(t i18n.Texts) string { return t.Asks.SaysPaid }

func (m Model) press(msg tea.KeyMsg) (Model, tea.Cmd) {
	refused := m.notice != nil && m.inside()
	m.notice = nil
	m.said = nil
	switch {
	case m.decision.open():
		var cmd tea.Cmd
		m.decision, cmd = m.decision.press(m.subject(), m.keys, msg)
		return m, cmd
	case m.typing:
		return m.write(msg)
	case refused && key.Matches(msg, m.keys.Back):
		return m, nil // Esc closes the message first.
	}
	if key.Matches(msg, m.keys.Back) && m.slip.Shown() {
		m.slip = m.slip.Close()
		return m, nil
	}
	if moved, taken := m.master.Update(msg); taken {
		m.slip = m.slip.Of("")
		m.master = moved
		return m.readOn()
	}
	order := m.detail.order
	switch {
	case key.Matches(msg, m.keys.Search):
		return m.seek()
	case key.Matches(msg, m.keys.Back) && m.inside():
		m.detail.focused = false
		if m.master.Beside == 0 {
			m = m.close()
		}
		return m, nil
	case key.Matches(msg, m.keys.Back):
		m = m.close() // A running read of an order is dropped, too.
		if m.sought() {
			return m.show(m.tab)
		}
		return m, m.Closes()
	case key.Matches(msg, m.keys.Switch):
		return m.turn()
	case key.Matches(msg, m.keys.Open):
		order, found := m.chosen()
		if m.detail.focused = true; !found { // A cash sale need not be read: the list has all of it.
			return m, nil
		}
		return m.focus(order.Reference)
	case key.Matches(msg, m.keys.Receipt):
		ref := order.Reference
		if sale, found := m.chosenCash(); found {
			ref = sale.Number
		}
		var cmd tea.Cmd
		m.slip, cmd = m.slip.Press(ref)
		return m, cmd
	case key.Matches(msg, m.keys.Lines):
		return m, screen.Emit(live.LinesWanted{Order: order})
	case key.Matches(msg, m.keys.Refund, m.keys.Area, m.keys.Void):
		return m, nil // These keys only answer the question that the key Money opens.
	case key.Matches(msg, m.keys.Code):
		return m, screen.Emit(live.CodeWanted{Order: order})
	}
	m.decision = m.subject().decide(msg, m.keys)
	return m, nil
}
