package orders

import (
	"context"
	"errors"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/field"
	"checkout/till/tui/theme"
)

// ask is the question that is open before something is recorded.
type ask struct {
	says   i18n.Message
	act    act // Nil while no question is open.
	typed  bool
	reason field.Field // Why a proven payment is not to count; where it is typed.
	who    who         // Who answers for it.
	busy   bool        // It is being recorded.
}

// maxReason bounds a reason, in characters.
const maxReason = payments.MaxShownWidth

// act records something for a reason, if one was asked for, under a cashier's
// identity; with none it returns payments.ErrIdentityNeeded in a shop that has
// cashiers.
type act func(ctx context.Context, reason string, identity payments.Identity) error

// acted is how an act ended, and what is asked next; a zero ask for nothing.
type acted struct {
	reference string // The order that was shown; blank for the list.
	next      ask
	err       error
}

// asking tells whether a question is open.
func (m Model) asking() bool { return m.ask.act != nil }

// question opens the question that a key asks.
func (m Model) question(msg tea.KeyMsg) Model {
	ledger, order := m.Ledger, m.detail.order
	switch {
	case key.Matches(msg, m.keys.Paid):
		m.ask = ask{act: m.resolve(true), says: func(t i18n.Texts) string { return t.Asks.Paid.With(order.Reference) }}
		if order.Paid() && !order.Doubtful(m.state.Now) && m.state.Verdict(order) == payments.VerdictMarkedUnpaid {
			// It is proven: nobody has to look it up.
			m.ask.says = func(t i18n.Texts) string { return t.Asks.Regain.With(order.Reference, i18n.Money(order.Amount)) }
		}
	case key.Matches(msg, m.keys.Unpaid) && order.Paid():
		// What takes a proven payment from the takings is a refund or the like.
		m.ask = ask{
			act: m.resolve(false), typed: true, reason: field.New(m.Theme, "› ", maxReason).Focus(true),
			says: func(t i18n.Texts) string { return t.Asks.Refund.With(order.Reference, i18n.Money(order.Amount)) },
		}
	case key.Matches(msg, m.keys.Unpaid):
		m.ask = ask{act: m.resolve(false), says: func(t i18n.Texts) string { return t.Asks.Unpaid.With(order.Reference) }}
	case key.Matches(msg, m.keys.Match):
		event, _ := m.proposal()
		name := payments.Clean(event.OrderReference, payments.MaxShownWidth)
		m.ask = ask{says: func(t i18n.Texts) string { return t.Asks.Match.With(name) }}
		m.ask.act = func(ctx context.Context, _ string, identity payments.Identity) error {
			_, err := ledger.Match(ctx, order.Reference, event.OrderReference, identity)
			return err
		}
	case key.Matches(msg, m.keys.Seen):
		orphan, _ := m.chosenOrphan()
		m.ask = ask{says: func(t i18n.Texts) string { return t.Alarms.AskSeen.With(orphanName(orphan)) }}
		m.ask.act = func(ctx context.Context, _ string, identity payments.Identity) error {
			return ledger.Notice(ctx, orphan, identity)
		}
	}
	return m
}

// resolve is the act that records what a person found out about the order that is
// shown.
func (m Model) resolve(paid bool) act {
	ledger, order, till := m.Ledger, m.detail.order, m.By
	seen := order.Verdict(payments.Conditions{}, m.state.Now)
	return func(ctx context.Context, reason string, identity payments.Identity) error {
		_, err := ledger.Resolve(ctx, order.Reference, payments.Finding{Paid: paid, Note: reason, By: till, Seen: seen}, identity)
		return err
	}
}

// answer takes a key while a question is open.
func (m Model) answer(msg tea.KeyMsg) (Model, tea.Cmd) {
	switch {
	case key.Matches(msg, m.keys.No):
		m.ask = ask{}
	case m.ask.busy:
	case m.ask.who.names != nil:
		return m.identify(msg)
	case key.Matches(msg, m.keys.Yes) && !(m.ask.typed && m.ask.reason.Value() == ""):
		return m.perform(payments.Identity{})
	case m.ask.typed:
		var cmd tea.Cmd
		m.ask.reason, cmd = m.ask.reason.Type(msg)
		return m, cmd
	}
	return m, nil
}

// perform records what is asked about, or finds out who may answer for it.
func (m Model) perform(identity payments.Identity) (Model, tea.Cmd) {
	ledger, asked, ended := m.Ledger, m.ask, acted{reference: m.detail.order.Reference}
	m.ask.busy, m.ask.who.said = true, nil
	return m, m.Run(func(ctx context.Context) tea.Msg {
		ended.err = asked.act(ctx, asked.reason.Value(), identity)
		paused, isPaused := errors.AsType[*payments.PausedError](ended.err)
		said := func(t i18n.Texts) string { return t.Staff.Wrong }
		switch {
		case errors.Is(ended.err, payments.ErrIdentityNeeded):
			var cashiers []payments.Cashier
			cashiers, ended.err = ledger.Cashiers(ctx)
			for _, cashier := range cashiers {
				asked.who.names = append(asked.who.names, cashier.Name)
			}
			ended.next = asked
		case isPaused:
			said = func(t i18n.Texts) string { return t.Staff.Paused.With(i18n.Clock(paused.Until.In(m.Zone))) }
			fallthrough
		case errors.Is(ended.err, payments.ErrWrongPIN):
			ended.next = asked
			ended.next.who.digits, ended.next.who.said = "", said
		}
		return ended
	})
}

// acted shows what came of an act, unless nobody waits for it any more.
func (m Model) acted(msg acted) (Model, tea.Cmd) {
	if msg.reference != m.detail.order.Reference || !m.ask.busy {
		return m, nil
	}
	m.ask = msg.next
	switch {
	case m.ask.who.names != nil:
		return m, nil
	case errors.Is(msg.err, payments.ErrOutdated):
		m.notice = func(t i18n.Texts) string { return t.Hints.Outdated }
	case msg.err != nil || m.asking(): // Nobody is there who may answer.
		m.ask, m.notice = ask{}, func(t i18n.Texts) string { return t.Hints.StoreFailed }
		return m, nil
	}
	cmd := m.reopen()
	return m, cmd
}

// asks draws the question that is open.
func (m Model) asks(width int) []string {
	says := m.ask.says.In(m.Texts)
	answers := []string{m.Texts.Asks.YesNo}
	switch {
	case m.ask.who.names != nil:
		says, answers = m.Texts.Staff.Who, m.whoRows(width)
	case m.ask.typed:
		answers = append([]string{m.ask.reason.SetWidth(width).View()}, theme.Paragraph(m.Theme.Text, m.Texts.Asks.Record, width, 0)...)
	}
	return append(theme.Paragraph(m.Theme.WarningBlock, says, width, 0), answers...)
}

// maxDigits is how many digits of a PIN are taken.
const maxDigits = 12

// who is the question for a cashier's name and PIN.
type who struct {
	names  []string // Of the cashiers; nil while nobody is asked.
	chosen int
	digits string       // Of the PIN. They are never drawn.
	said   i18n.Message // What came of the last one.
}

// identify takes a key while the question is open.
func (m Model) identify(msg tea.KeyMsg) (Model, tea.Cmd) {
	given := &m.ask.who
	switch {
	case key.Matches(msg, m.keys.Yes) && given.digits != "":
		return m.perform(payments.Identity{Name: given.names[given.chosen], PIN: payments.NewSecret(given.digits)})
	case key.Matches(msg, m.keys.Former):
		given.chosen, given.digits = max(0, given.chosen-1), ""
	case key.Matches(msg, m.keys.Next):
		given.chosen, given.digits = min(given.chosen+1, len(given.names)-1), ""
	case key.Matches(msg, m.keys.Erase):
		given.digits = given.digits[:max(0, len(given.digits)-1)]
	case allDigits(msg) && len(given.digits)+len(msg.Runes) <= maxDigits:
		given.digits += string(msg.Runes)
		given.said = nil
	}
	return m, nil
}

// allDigits tells whether digits were typed.
func allDigits(msg tea.KeyMsg) bool {
	return msg.Type == tea.KeyRunes && !msg.Alt && strings.Trim(string(msg.Runes), "0123456789") == ""
}

// whoRows draw the name, the PIN, and what came of the last one.
func (m Model) whoRows(width int) []string {
	given, words := m.ask.who, m.Texts.Staff
	name := "› " + given.names[given.chosen]
	if len(given.names) > 1 {
		name += " ↑↓"
	}
	last := theme.Paragraph(m.Theme.Text, words.Keys, width, 0)
	switch {
	case m.ask.busy:
		last = []string{words.Checking}
	case given.said != nil:
		last = theme.Paragraph(m.Theme.Danger, given.said.In(m.Texts), width, 0)
	}
	return append([]string{m.Theme.Selected.Render(name) + "  " + words.PIN + " " + strings.Repeat("*", len(given.digits))}, last...)
}
