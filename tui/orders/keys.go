package orders

import (
	"context"
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/payments/drawer"
	"checkout/till/payments/staff"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/keybar"
	"checkout/till/tui/component/question"
	"checkout/till/tui/component/screen"
)

type keyMap struct {
	Open, Switch, Back, Search      key.Binding
	Paid, Unpaid, Match, Code, Seen key.Binding
	Lines, Money, Receipt           key.Binding
	Refund, Area, Void              key.Binding // After the key Money: cash from the drawer, the merchant area, or a void. See [Model.ways].
	Close                           key.Binding
	Enter, Whole                    key.Binding // Keys while the cursor is in the search field.
}

func newKeyMap(words i18n.Texts) keyMap {
	return keyMap{
		Open:    screen.Bind("enter", words.PayKeys.Open, "enter"),
		Switch:  screen.Bind("tab", words.Keys.Switch, "tab"),
		Back:    screen.Bind("esc", words.Keys.Back, "esc"),
		Search:  screen.Bind("/", words.Orders.Search, "/"),
		Paid:    screen.Bind("y", words.PayKeys.Paid, "y"),
		Unpaid:  screen.Bind("u", words.PayKeys.Unpaid, "u"),
		Match:   screen.Bind("m", words.PayKeys.Match, "m"),
		Code:    screen.Bind("o", words.Detail.Code, "o"),
		Lines:   screen.Bind("n", words.PayKeys.Again, "n"),
		Seen:    screen.Bind("s", words.Alarms.Seen, "s"),
		Money:   screen.Bind("b", words.Cash.KeyBack, "b"),
		Refund:  screen.Bind("1", words.TenderBacks[string(drawer.TenderCash)], "1"),
		Area:    screen.Bind("2", words.TenderBacks[string(drawer.TenderLink)], "2"),
		Void:    screen.Bind("3", words.Cash.KeyVoid, "3"),
		Receipt: screen.Bind("p", words.Receipt.Shows, "p"),
		Close:   screen.Bind("esc", words.Receipt.Closes, "esc"),
		Enter:   screen.Bind("enter", words.Orders.Enter, "enter"),
		Whole:   screen.Bind("esc", words.Orders.Whole, "esc"),
	}
}

// ShortHelp returns the keys to show below the screen, the most important first. It returns nil
// while a question is open, because the question shows its own keys.
func (m Model) ShortHelp() []key.Binding {
	switch {
	case m.asking():
		return nil
	case m.typing:
		return []key.Binding{m.keys.Enter, m.keys.Whole, m.master.List.Keys.Move}
	case m.slip.Shown():
		return []key.Binding{m.keys.Receipt, m.keys.Close}
	}
	k := m.keys
	keys := []key.Binding{k.Seen, k.Open, k.Match, k.Paid}
	if k.Paid.Enabled() { // Otherwise the order counts as paid, and unpaid is the last thing to say of it.
		keys = append(keys, k.Unpaid)
	}
	keys = append(keys, k.Code, k.Lines, k.Receipt, k.Money)
	if !k.Paid.Enabled() {
		keys = append(keys, k.Unpaid)
	}
	return append(keys, k.Search, k.Switch, k.Back)
}

// FullHelp returns all keys of the screen.
func (m Model) FullHelp() []screen.Keys {
	all, words := newKeyMap(m.Texts), m.Texts.Guide
	return []screen.Keys{
		{Title: words.Lists, Keys: append(m.master.List.FullHelp(), all.Open, all.Search, all.Switch, all.Back)},
		{Title: words.Order, Keys: []key.Binding{all.Paid, all.Unpaid, all.Match, all.Code, all.Lines, all.Seen, all.Money, all.Receipt}},
	}
}

// asked is the order that a question is about. Its methods return the texts of questions: a line
// with the question, and lines that say what to type and what the answer yes changes.
type asked payments.Order

func (a asked) paid(t i18n.Texts) string {
	return t.Asks.Paid.With(a.Reference) + "\n" + t.Asks.OnlyHere
}

func (a asked) unpaid(t i18n.Texts) string {
	return t.Asks.Unpaid.With(a.Reference) + "\n" + t.Asks.OnlyHere
}

func (a asked) regain(t i18n.Texts) string {
	return t.Asks.Regain.With(a.Reference, i18n.Money(a.Amount))
}

func (a asked) disputed(t i18n.Texts) string {
	return t.Asks.Disputed.With(a.Reference, i18n.Money(a.Amount)) + "\n" + t.Asks.DisputedNote + "\n" + t.Asks.OnlyHere
}

// ways returns the ways in which the money of the shown order or cash sale can be given back.
func (m Model) ways() []key.Binding {
	ways := []key.Binding{m.keys.Refund, m.keys.Area, m.keys.Void}
	return slices.DeleteFunc(ways, func(way key.Binding) bool { return !way.Enabled() })
}

// giveBack asks how money is given back, or asks the question of the only way.
func (m Model) giveBack() Model {
	if ways := m.ways(); len(ways) == 1 {
		return m.question(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(ways[0].Keys()[0])})
	}
	m.choosing = true
	return m
}

// choose handles a key while the screen asks how money is given back.
func (m Model) choose(msg tea.KeyMsg) Model {
	if key.Matches(msg, m.ways()...) {
		m.choosing = false
		return m.question(msg)
	}
	m.choosing = !key.Matches(msg, m.keys.Back)
	return m
}

// asking reports whether a question is open, or the one how money is given back.
func (m Model) asking() bool { return m.ask.Open() || m.choosing }

// askRows draws the open question.
func (m Model) askRows(width int) []string {
	if !m.choosing {
		return m.ask.Rows(m.Console, width, m.master.Rows/2)
	}
	answers := keybar.Of(m.Texts.KeyNames, append([]key.Binding{m.keys.Back}, m.ways()...)...)
	return question.Card{Prompt: m.Texts.Asks.How, Answers: answers}.Rows(m.Theme, width, m.master.Rows/2)
}

func (m Model) question(msg tea.KeyMsg) Model {
	service, order := m.Service, m.detail.order
	ref, asks := order.Reference, asked(order)
	m.says = nil
	m.cash = key.Matches(msg, m.keys.Void, m.keys.Refund)
	switch {
	case key.Matches(msg, m.keys.Void):
		sale, _ := m.chosenCash()
		m.ask, m.says = m.voiding(sale)
	case key.Matches(msg, m.keys.Refund), key.Matches(msg, m.keys.Area):
		r := m.refundable(key.Matches(msg, m.keys.Refund))
		m.ask, m.says = m.refunding(r), refunded(r)
	case key.Matches(msg, m.keys.Paid):
		says := asks.paid
		m.says = recorded(payments.VerdictMarkedPaid)
		if order.Paid() && m.state.Verdict(order) == payments.VerdictMarkedUnpaid {
			// An event proves the payment, so the question does not tell the cashier to look for the payment
			// in the merchant area.
			says = asks.regain
			m.says = recorded(payments.VerdictPaid)
		}
		m.ask = question.New("paid "+ref, says, m.resolve(payments.FoundPaid))
	case key.Matches(msg, m.keys.Unpaid):
		says := asks.unpaid
		m.says = recorded(payments.VerdictMarkedUnpaid)
		if order.Paid() {
			says = asks.disputed
		}
		m.ask = question.New("unpaid "+ref, says, m.resolve(payments.FoundUnpaid))
		if order.Facts.SuccessSeen {
			m.ask = m.ask.ForReason(m.Theme)
		}
	case key.Matches(msg, m.keys.Match):
		event, _ := m.proposal()
		says := func(t i18n.Texts) string {
			return t.Asks.Match.With(clean.Text(event.OrderReference, payments.MaxShownWidth))
		}
		m.ask = question.New("match "+ref, says, func(ctx context.Context, _ string, identity staff.Identity) error {
			return service.Match(ctx, ref, event.OrderReference, identity)
		})
	case key.Matches(msg, m.keys.Seen):
		orphan, _ := m.chosenOrphan()
		says := func(t i18n.Texts) string { return t.Alarms.AskSeen.With(badge.OrphanName(orphan)) }
		m.ask = question.New("review "+badge.OrphanName(orphan), says, func(ctx context.Context, _ string, identity staff.Identity) error {
			return service.Review(ctx, orphan, identity)
		})
	}
	return m
}

// recorded returns what a finding about an order makes of it.
func recorded(verdict payments.Verdict) func(string) i18n.Message {
	return func(string) i18n.Message {
		return func(t i18n.Texts) string {
			return t.Orders.Recorded.With(badge.Of(t, payments.Order{}, verdict).Tag())
		}
	}
}

func (m Model) resolve(kind payments.FindingKind) question.Act {
	return func(ctx context.Context, reason string, identity staff.Identity) error {
		return m.record(ctx, payments.Finding{Kind: kind, Note: reason}, identity)
	}
}

// record records a finding about the shown order. It fails with [payments.ErrOutdated] if the
// order's verdict or money is no longer what the screen shows.
func (m Model) record(ctx context.Context, finding payments.Finding, identity staff.Identity) error {
	finding.By = m.Till
	finding.Seen = m.detail.order.Verdict(payments.Conditions{}, m.state.Now)
	finding.Net = m.detail.order.Net()
	_, err := m.Service.Resolve(ctx, m.detail.order.Reference, finding, identity)
	return err
}
