package orders

import (
	"context"
	"slices"
	"strconv"
	"strings"

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
	"checkout/till/tui/counter"
	"checkout/till/tui/keyboard"
	"checkout/till/tui/live"
)

// subject is what a person can decide about: the shown order, a cash sale, or a payment without an
// order.
type subject struct {
	live.Console
	state    counter.Picture
	order    payments.Order
	drawn    bool // Whether the details of the order are on the screen. Otherwise nothing can be decided about it.
	sale     drawer.CounterSale
	isCash   bool
	orphan   payments.Record
	isOrphan bool
}

// proposal returns an event without an order that seems to belong to the shown order.
func (s subject) proposal() (payments.Event, bool) {
	order := s.order.At(s.state.Now)
	for _, record := range s.state.Unmatched {
		if order.Fits(record.Event) {
			return record.Event, true
		}
	}
	return payments.Event{}, false
}

// counts reports whether the drawn order counts as paid or refunded.
func (s subject) counts() bool {
	switch s.state.Verdict(s.order) {
	case payments.VerdictPaid, payments.VerdictMarkedPaid, payments.VerdictRefunded:
		return s.drawn
	}
	return false
}

// isPart reports whether the cash sale is one of several payments of a sale.
func (s subject) isPart() bool { return s.isCash && s.sale.Amount < s.sale.Total }

func (s subject) enable(keys *keyMap) {
	_, proposed := s.proposal()
	keys.Paid.SetEnabled(s.drawn && !s.counts())
	keys.Unpaid.SetEnabled(s.drawn && s.state.Verdict(s.order) != payments.VerdictMarkedUnpaid)
	keys.Match.SetEnabled(s.drawn && proposed)
	keys.Seen.SetEnabled(s.isOrphan)
	standing := s.isCash && !s.sale.Voided()
	area := s.refundable(false)
	keys.Void.SetEnabled(s.isCash && s.sale.Left() > 0)
	keys.Void.SetHelp(keys.Void.Help().Key, s.Texts.Cash.KeyVoid)
	if s.isPart() {
		keys.Void.SetHelp(keys.Void.Help().Key, s.Texts.Cash.KeyVoidPart)
	}
	keys.Area.SetEnabled((s.drawn && s.order.Gross() > 0 || standing && !s.sale.Account.IsDrawer()) && area.possible())
	keys.Area.SetHelp(keys.Area.Help().Key, s.Texts.TenderBacks[string(area.way)])
	keys.Refund.SetEnabled((s.drawn || standing) && s.refundable(true).possible())
	keys.Money.SetEnabled(len(keys.ways()) > 0)
	number := 0
	for _, way := range []*key.Binding{&keys.Refund, &keys.Area, &keys.Void} {
		if way.Enabled() {
			number++
			way.SetKeys(strconv.Itoa(number))
			way.SetHelp(strconv.Itoa(number), way.Help().Desc)
		}
	}
}

// asked is an order with methods that return questions about it.
type asked payments.Order

func (a asked) paid(t i18n.Texts) string {
	return t.Asks.Paid.With(a.Reference) + "\n" + t.Asks.OnlyHere
}

func (a asked) unpaid(t i18n.Texts) string {
	question := t.Asks.Unpaid.With(a.Reference)
	if a.Facts.SuccessSeen {
		question += "\n" + t.Asks.UnpaidNote
	}
	return question + "\n" + t.Asks.OnlyHere
}

func (a asked) regain(t i18n.Texts) string {
	return t.Asks.Regain.With(a.Reference, i18n.Money(a.Amount))
}

func (a asked) disputed(t i18n.Texts) string {
	return t.Asks.Disputed.With(a.Reference, i18n.Money(a.Amount)) + "\n" + t.Asks.DisputedNote + "\n" + t.Asks.OnlyHere
}

// decide returns the decision that a key opens, or a closed one.
func (s subject) decide(msg tea.KeyMsg, keys keyMap) (d decision) {
	order, ref, asks := s.order, s.order.Reference, asked(s.order)
	d.opens = key.Matches(msg, keys.Refund) || key.Matches(msg, keys.Void) && s.sale.Account.IsDrawer()
	switch {
	case key.Matches(msg, keys.Money):
		return s.giveBack(keys)
	case key.Matches(msg, keys.Void):
		d.ask, d.says = s.voiding()
	case key.Matches(msg, keys.Refund, keys.Area):
		r := s.refundable(key.Matches(msg, keys.Refund))
		d.ask, d.says = s.refunding(r), r.done
	case key.Matches(msg, keys.Paid):
		says := asks.paid
		d.says = recorded(payments.VerdictMarkedPaid)
		if order.Paid() && s.state.Verdict(order) == payments.VerdictMarkedUnpaid {
			// An event proves the payment, so the cashier need not look for it.
			says = asks.regain
			d.says = recorded(payments.VerdictPaid)
		}
		d.ask = question.New("paid "+ref, says, s.resolve(payments.FoundPaid))
	case key.Matches(msg, keys.Unpaid):
		says := asks.unpaid
		d.says = recorded(payments.VerdictMarkedUnpaid)
		if order.Paid() {
			says = asks.disputed
		}
		d.ask = question.New("unpaid "+ref, says, s.resolve(payments.FoundUnpaid))
		if order.Facts.SuccessSeen {
			d.ask = d.ask.ForReason(s.Theme)
		}
	case key.Matches(msg, keys.Match):
		event, _ := s.proposal()
		says := func(t i18n.Texts) string {
			return t.Asks.Match.With(clean.Text(event.OrderReference, payments.MaxShownWidth))
		}
		d.ask = question.New("match "+ref, says, func(ctx context.Context, _ string, identity staff.Identity) error {
			return s.Service.Match(ctx, ref, event.OrderReference, identity)
		})
	case key.Matches(msg, keys.Seen):
		says := func(t i18n.Texts) string { return t.Alarms.AskSeen.With(badge.OrphanName(s.orphan)) }
		d.ask = question.New("review "+badge.OrphanName(s.orphan), says, func(ctx context.Context, _ string, identity staff.Identity) error {
			return s.Service.Review(ctx, s.orphan, identity)
		})
	}
	return d
}

func (s subject) giveBack(keys keyMap) decision {
	if ways := keys.ways(); len(ways) == 1 {
		return s.decide(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(ways[0].Keys()[0])}, keys)
	}
	return decision{choosing: true}
}

// recorded returns a function for decision.says, which names the order's new verdict.
func recorded(verdict payments.Verdict) func(t i18n.Texts, typed string) string {
	return func(t i18n.Texts, _ string) string {
		return t.Orders.Recorded.With(badge.Of(t, payments.Order{}, verdict).Tag())
	}
}

// resolve returns an act that records a finding about the shown order. The act returns
// [payments.ErrOutdated] if the order's money or verdict has changed since it was drawn.
func (s subject) resolve(kind payments.FindingKind) question.Act {
	return func(ctx context.Context, reason string, identity staff.Identity) error {
		finding := payments.Finding{Kind: kind, Note: reason, By: s.Till, Net: s.order.Net()}
		finding.Seen = s.order.Verdict(payments.Conditions{}, s.state.Now)
		_, err := s.Service.Resolve(ctx, s.order.Reference, finding, identity)
		return err
	}
}

// decision is the open question about a subject.
type decision struct {
	choosing bool // Whether to choose the way in which money is given back.
	ask      question.Question
	opens    bool                                    // Whether the drawer opens after the answer.
	says     func(t i18n.Texts, typed string) string // Returns the message about what was recorded; nil for none.
}

func (d decision) open() bool { return d.choosing || d.ask.Open() }

func (d decision) close() decision {
	d.choosing = false
	d.ask = d.ask.Close()
	return d
}

func (d decision) meaning() keyboard.Meaning {
	if d.choosing {
		return keyboard.Meaning{Asked: "how money is given back"}
	}
	return d.ask.Meaning()
}

func (d decision) press(about subject, keys keyMap, msg tea.KeyMsg) (decision, tea.Cmd) {
	switch {
	case !d.choosing:
		var cmd tea.Cmd
		d.ask, cmd = d.ask.Press(about.Console, msg)
		return d, cmd
	case key.Matches(msg, keys.ways()...):
		return about.decide(msg, keys), nil
	}
	d.choosing = !key.Matches(msg, keys.Back)
	return d, nil
}

type result struct {
	ended bool         // Whether the decision has ended, even with an error.
	opens bool         // Whether the drawer opens.
	says  i18n.Message // Message about what was recorded; may be nil.
}

func (d decision) answered(console live.Console, msg question.Answered) (decision, result) {
	var done result
	typed := d.ask.Typed()
	d.ask, done.ended = d.ask.Answered(console, msg)
	if done.ended && msg.Err == nil {
		done.opens = d.opens && !strings.HasPrefix(typed, "#") // Taking a refund back gives no cash out.
		if d.says != nil {
			done.says = func(t i18n.Texts) string { return d.says(t, typed) }
		}
	}
	return d, done
}

func (d decision) rows(console live.Console, keys keyMap, width, height int) []string {
	if !d.choosing {
		return d.ask.Rows(console, width, height)
	}
	answers := keybar.Of(console.Texts.KeyNames, append([]key.Binding{keys.Back}, keys.ways()...)...)
	return question.Card{Prompt: console.Texts.Asks.How, Answers: answers}.Rows(console.Theme, width, height)
}

// ways returns the enabled keys for the ways in which money can be given back.
func (k keyMap) ways() []key.Binding {
	ways := []key.Binding{k.Refund, k.Area, k.Void}
	return slices.DeleteFunc(ways, func(way key.Binding) bool { return !way.Enabled() })
}
