package tui

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/badge"
)

// alarms returns the texts of the problems that every screen shows, the most important first.
// Refused webhooks come first: the till may see no payment. Each text ends with the key that opens
// the screen with the details, unless that screen is open.
func (m model) alarms() []string {
	var alarms []string
	health, here := m.Health(), m.keys.Opens[m.route].Help()
	raise := func(says string, opens key.Binding) {
		if opens.Help() != here {
			says += " · " + opens.Help().Key
		}
		alarms = append(alarms, says)
	}
	if reach := m.counter.ReachNow(); reach == payments.ReachRefused {
		raise(m.Texts.Reach[reach], m.keys.Opens[routeHealth])
	}
	if health.Cause.Kind == payments.CauseSignatureKnown {
		raise(m.Texts.Alarms.Signature, m.keys.Opens[routeHealth])
	}
	if orphans := len(m.state().Orphans()); orphans > 0 {
		raise(m.Texts.Alarms.Orphans.With(orphans), m.keys.Opens[routeOrders])
	}
	if health.ClockOff() {
		raise(m.Texts.Alarms.Clock.With(i18n.Span(health.Ahead.Abs())), m.keys.Opens[routeHealth])
	}
	return alarms
}

// furtherAlarms returns a row for each alarm that the header does not show. If all is true, it
// returns a row for every alarm, for a screen without a header.
func (m model) furtherAlarms(all bool) (rows []string) {
	light, _ := m.light()
	for _, alarm := range m.alarms() {
		if all || alarm != light {
			rows = append(rows, m.Theme.DangerBlock.Render(" ✗ "+alarm+" "))
		}
	}
	return rows
}

// news returns the outcomes that the cashier has not seen, except the one on the payment
// screen.
func (m model) news() []payments.Order {
	return slices.DeleteFunc(m.state().News(), func(o payments.Order) bool {
		return m.route == routePay && o.Reference == m.counter.Shown().Reference
	})
}

// besides returns the rows that the payment screen draws in addition to its order: the alarms, and
// the oldest unseen outcome of another order. The console does not draw these rows above the
// screen, because the QR code must not move.
func (m model) besides() []string {
	rows := m.furtherAlarms(m.pay.FullWindow())
	news := m.news()
	if len(news) == 0 {
		return rows
	}
	// Draw the other order's verdict without colour. The cashier could mistake the colour for the
	// verdict of the order on the screen.
	word := badge.Of(m.Texts, news[0], m.state().Verdict(news[0])).Word()
	row := m.Theme.Strong.Render(m.Texts.Alarms.Other.With(word + " " + i18n.Money(news[0].Amount)))
	row += " · " + m.Theme.Accent.Render(m.keys.News.Help().Key)
	if len(news) > 1 {
		row += " " + m.Texts.Frame.NewsMore.With(len(news)-1)
	}
	return append(rows, row)
}

// light returns the header's text about the listener and the store: the worst problem, or
// else their state. wrong reports whether there is a problem. A doubtful way in comes before other
// alarms, because these have rows of their own.
func (m model) light() (says string, wrong bool) {
	reach, alarms := m.counter.ReachNow(), m.alarms()
	if len(alarms) > 0 && (reach == payments.ReachRefused || !reach.Blind() && !reach.Doubtful()) {
		return alarms[0], true
	}
	return m.Texts.WayIn(m.Health(), reach, m.state().Now), reach.Blind()
}
