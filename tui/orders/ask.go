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

// question is what the screen asks before it records anything.
type question int

const (
	nothing question = iota
	askPaid
	askUnpaid
	askMatch
	askSeen
	askReason // Why a proven payment is not to count.
	askWho    // Who answers for it.
)

// ask is the question that is open.
type ask struct {
	question question
	stray    payments.Record // Which one the question is about.
	reason   field.Field
	who      who
}

// maxReason bounds a reason, in characters.
const maxReason = payments.MaxShownWidth

// act records something under a cashier's identity; with none it returns
// payments.ErrIdentityNeeded in a shop that has cashiers.
type act func(ctx context.Context, who payments.Identity) error

// acted is how an act ended; identityAsked says who may answer for one.
type (
	acted struct {
		reference string // The order that was shown; blank for the list.
		err       error
	}
	identityAsked struct {
		reference string
		act       act
		names     []string
		err       error
	}
)

// asking tells whether a question is open.
func (m Model) asking() bool { return m.ask.question != nothing }

// question opens the question that a key asks.
func (m Model) question(msg tea.KeyMsg) Model {
	switch {
	case key.Matches(msg, m.keys.Paid):
		m.ask.question = askPaid
	case key.Matches(msg, m.keys.Unpaid) && m.detail.order.Paid():
		// What takes a proven payment from the takings is a refund or the like.
		m.ask = ask{question: askReason, reason: field.New(m.Theme, "› ", maxReason).Focus(true)}
	case key.Matches(msg, m.keys.Unpaid):
		m.ask.question = askUnpaid
	case key.Matches(msg, m.keys.Match):
		m.ask.question = askMatch
	case key.Matches(msg, m.keys.Seen):
		stray, _ := m.chosenStray()
		m.ask = ask{question: askSeen, stray: stray}
	}
	return m
}

// answer takes a key while a question is open.
func (m Model) answer(msg tea.KeyMsg) (Model, tea.Cmd) {
	switch {
	case key.Matches(msg, m.keys.No):
		m.ask = ask{}
	case m.ask.question == askWho:
		return m.identify(msg)
	case key.Matches(msg, m.keys.Yes) && (m.ask.question != askReason || m.ask.reason.Value() != ""):
		act := m.act()
		m.ask = ask{}
		cmd := m.perform(act, payments.Identity{})
		return m, cmd
	case m.ask.question == askReason:
		var cmd tea.Cmd
		m.ask.reason, cmd = m.ask.reason.Type(msg)
		return m, cmd
	}
	return m, nil
}

// act is what the question is about.
func (m Model) act() act {
	ledger, order, asked := m.Ledger, m.detail.order, m.ask
	switch asked.question {
	case askSeen:
		return func(ctx context.Context, who payments.Identity) error { return ledger.Notice(ctx, asked.stray, who) }
	case askMatch:
		event, _ := m.proposal()
		return func(ctx context.Context, who payments.Identity) error {
			_, err := ledger.Match(ctx, order.Reference, event.OrderReference, who)
			return err
		}
	}
	finding := payments.Finding{
		Paid: asked.question == askPaid, Note: asked.reason.Value(), By: m.By,
		Seen: order.Verdict(payments.Conditions{}, m.state.Now),
	}
	return func(ctx context.Context, who payments.Identity) error {
		_, err := ledger.Resolve(ctx, order.Reference, finding, who)
		return err
	}
}

// perform records something, or finds out who may answer for it.
func (m Model) perform(act act, who payments.Identity) tea.Cmd {
	ledger, reference := m.Ledger, m.detail.order.Reference
	return m.Run(func(ctx context.Context) tea.Msg {
		err := act(ctx, who)
		if !errors.Is(err, payments.ErrIdentityNeeded) {
			return acted{reference, err}
		}
		cashiers, err := ledger.Cashiers(ctx)
		asked := identityAsked{reference: reference, act: act, err: err}
		for _, cashier := range cashiers {
			asked.names = append(asked.names, cashier.Name)
		}
		return asked
	})
}

// acted shows what came of an act.
func (m Model) acted(msg acted) (Model, tea.Cmd) {
	if msg.reference != m.detail.order.Reference {
		return m, nil
	}
	if m.ask.question == askWho {
		paused, isPaused := errors.AsType[*payments.PausedError](msg.err)
		switch {
		case isPaused:
			until := i18n.Clock(paused.Until.In(m.Zone))
			return m.again(func(t i18n.Texts) string { return t.Staff.Paused.With(until) }), nil
		case errors.Is(msg.err, payments.ErrWrongPIN):
			return m.again(func(t i18n.Texts) string { return t.Staff.Wrong }), nil
		}
		m.ask = ask{}
	}
	switch {
	case errors.Is(msg.err, payments.ErrOutdated):
		m.notice = func(t i18n.Texts) string { return t.Hints.Outdated }
	case msg.err != nil:
		m.notice = func(t i18n.Texts) string { return t.Hints.StoreFailed }
		return m, nil
	}
	cmd := m.reopen()
	return m, cmd
}

// asks draws the question that is open.
func (m Model) asks(width int) string {
	order, asks := m.detail.order, m.Texts.Asks
	var question string
	switch m.ask.question {
	case askPaid:
		question = asks.Paid.With(order.Reference)
		if m.proven() && m.state.Verdict(order) == payments.VerdictMarkedUnpaid {
			question = asks.Regain.With(order.Reference, i18n.Money(order.Amount)) // It is not to be looked up.
		}
	case askUnpaid:
		question = asks.Unpaid.With(order.Reference)
	case askMatch:
		event, _ := m.proposal()
		question = asks.Match.With(payments.Clean(event.OrderReference, payments.MaxShownWidth))
	case askSeen:
		question = m.Texts.Alarms.AskSeen.With(strayName(m.ask.stray))
	case askReason:
		question = asks.Refund.With(order.Reference, i18n.Money(order.Amount))
		return m.warn(question, width) + "\n" + m.ask.reason.SetWidth(width).View() + "\n" + theme.Wrap(asks.Record, width)
	case askWho:
		return m.whoAsks(width)
	}
	return m.warn(question, width) + "\n" + asks.YesNo
}

func (m Model) warn(text string, width int) string {
	return m.Theme.WarningBlock.Render(theme.Wrap(text, width))
}

// maxDigits is how many digits of a PIN are taken.
const maxDigits = 12

// who is the question for a cashier's name and PIN.
type who struct {
	act      act
	names    []string // Of the cashiers.
	chosen   int
	digits   string       // Of the PIN. They are never drawn.
	checking bool         // The PIN is being looked at.
	said     i18n.Message // What came of the last one.
}

// whoAsked opens the question.
func (m Model) whoAsked(msg identityAsked) Model {
	switch {
	case msg.reference != m.detail.order.Reference || m.ask.question != nothing:
		return m
	case msg.err != nil || len(msg.names) == 0:
		m.notice = func(t i18n.Texts) string { return t.Hints.StoreFailed }
		return m
	}
	m.ask = ask{question: askWho, who: who{act: msg.act, names: msg.names}}
	return m
}

// again goes on with the question, and says why.
func (m Model) again(said i18n.Message) Model {
	m.ask.who.checking, m.ask.who.digits, m.ask.who.said = false, "", said
	return m
}

// identify takes a key while the question is open.
func (m Model) identify(msg tea.KeyMsg) (Model, tea.Cmd) {
	given := m.ask.who
	switch {
	case given.checking:
		return m, nil
	case key.Matches(msg, m.keys.Yes) && given.digits != "":
		m.ask.who.checking, m.ask.who.said = true, nil
		cmd := m.perform(given.act, payments.Identity{Name: given.names[given.chosen], PIN: payments.NewSecret(given.digits)})
		return m, cmd
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
	m.ask.who = given
	return m, nil
}

// allDigits tells whether digits were typed.
func allDigits(msg tea.KeyMsg) bool {
	return msg.Type == tea.KeyRunes && !msg.Alt && strings.Trim(string(msg.Runes), "0123456789") == ""
}

// whoAsks draws the question.
func (m Model) whoAsks(width int) string {
	given, words := m.ask.who, m.Texts.Staff
	name := "› " + given.names[given.chosen]
	if len(given.names) > 1 {
		name += " ↑↓"
	}
	last := theme.Wrap(words.Keys, width)
	switch {
	case given.checking:
		last = words.Checking
	case given.said != nil:
		last = m.Theme.Danger.Render(theme.Wrap(given.said.In(m.Texts), width))
	}
	return m.warn(words.Who, width) + "\n" +
		m.Theme.Selected.Render(name) + "  " + words.PIN + " " + strings.Repeat("*", len(given.digits)) + "\n" + last
}
