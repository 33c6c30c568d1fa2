package orders

import (
	"context"
	"errors"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/theme"
)

// maxDigits is how many digits of a PIN are taken.
const maxDigits = 12

// who is the question for a cashier's name and PIN, in a shop that has
// cashiers.
type who struct {
	finding  payments.Finding // What was found out.
	names    []string         // Of the cashiers.
	chosen   int
	digits   string       // Of the PIN. They are never drawn.
	checking bool         // The PIN is being looked at.
	said     i18n.Message // What came of the last one.
}

// asked says who may answer for a finding that was not recorded yet.
type asked struct {
	reference string
	finding   payments.Finding
	names     []string
	err       error
}

// answered is how recording a finding under a name ended.
type answered struct {
	reference string
	err       error
}

// whoMay reads who may answer for a finding.
func (m Model) whoMay(ctx context.Context, reference string, finding payments.Finding) tea.Msg {
	cashiers, err := m.Ledger.Cashiers(ctx)
	found := asked{reference: reference, finding: finding, err: err}
	for _, cashier := range cashiers {
		found.names = append(found.names, cashier.Name)
	}
	return found
}

// resolveAs records a finding under a cashier's name.
func (m Model) resolveAs(reference string, given who) tea.Cmd {
	identity := payments.Identity{Name: given.names[given.chosen], PIN: payments.NewSecret(given.digits)}
	return m.Run(func(ctx context.Context) tea.Msg {
		_, err := m.Ledger.ResolveAs(ctx, reference, given.finding, identity)
		return answered{reference: reference, err: err}
	})
}

// asked opens the question.
func (m Model) asked(msg asked) Model {
	switch {
	case msg.reference != m.detail.order.Reference || m.question != nothing:
		return m
	case msg.err != nil || len(msg.names) == 0:
		m.notice = func(t i18n.Texts) string { return t.Hints.StoreFailed }
		return m
	}
	m.question, m.detail.who = askWho, who{finding: msg.finding, names: msg.names}
	return m
}

// answered ends the question, or says why it goes on.
func (m Model) answered(msg answered) (Model, tea.Cmd) {
	if msg.err == nil {
		if msg.reference == m.detail.order.Reference {
			m.question, m.detail.who = nothing, who{}
		}
		return m, m.open(msg.reference)
	}
	if msg.reference != m.detail.order.Reference || m.question != askWho {
		return m, nil
	}
	m.detail.who.checking, m.detail.who.digits = false, ""
	paused, isPaused := errors.AsType[*payments.PausedError](msg.err)
	switch {
	case isPaused:
		until := i18n.Clock(paused.Until.In(m.Zone))
		m.detail.who.said = func(t i18n.Texts) string { return t.Staff.Paused.With(until) }
	case errors.Is(msg.err, payments.ErrWrongPIN):
		m.detail.who.said = func(t i18n.Texts) string { return t.Staff.Wrong }
	default:
		m.question, m.detail.who = nothing, who{}
		m.notice = func(t i18n.Texts) string { return t.Hints.StoreFailed }
	}
	return m, nil
}

// identify takes a key while the question is open.
func (m Model) identify(msg tea.KeyMsg) (Model, tea.Cmd) {
	given := m.detail.who
	switch {
	case key.Matches(msg, m.keys.No):
		m.question, m.detail.who = nothing, who{}
		return m, nil
	case given.checking:
		return m, nil
	case key.Matches(msg, m.keys.Yes) && given.digits != "":
		given.checking, given.said = true, nil
		m.detail.who = given
		return m, m.resolveAs(m.detail.order.Reference, given)
	case key.Matches(msg, m.keys.Former):
		given.chosen, given.digits = max(0, given.chosen-1), ""
	case key.Matches(msg, m.keys.Next):
		given.chosen, given.digits = min(given.chosen+1, len(given.names)-1), ""
	case key.Matches(msg, m.keys.Erase):
		given.digits = given.digits[:max(0, len(given.digits)-1)]
	case digits(msg) && len(given.digits)+len(msg.Runes) <= maxDigits:
		given.digits += string(msg.Runes)
		given.said = nil
	}
	m.detail.who = given
	return m, nil
}

// digits tells whether digits were typed.
func digits(msg tea.KeyMsg) bool {
	return msg.Type == tea.KeyRunes && !msg.Alt && allDigits(msg.Runes)
}

func allDigits(runes []rune) bool { return strings.Trim(string(runes), "0123456789") == "" }

// whoAsks draws the question.
func (m Model) whoAsks() string {
	given, words := m.detail.who, m.Texts.Staff
	name := "› " + given.names[given.chosen]
	if len(given.names) > 1 {
		name += " ↑↓"
	}
	last := m.Theme.Subdued.Render(theme.Wrap(words.Keys, m.size.width))
	switch {
	case given.checking:
		last = words.Checking
	case given.said != nil:
		last = m.Theme.Danger.Render(theme.Wrap(given.said.In(m.Texts), m.size.width))
	}
	return m.Theme.Warning.Render(theme.Wrap(words.Who, m.size.width)) + "\n" +
		m.Theme.Selected.Render(name) + "  " + words.PIN + " " + strings.Repeat("*", len(given.digits)) + "\n" + last
}

// Typing tells whether text is being typed: digits are a PIN's or a reason's or
// are searched for, and no code of a scanner.
func (m Model) Typing() bool {
	return m.question == askWho || m.question == askReason || m.history.search.typing
}
