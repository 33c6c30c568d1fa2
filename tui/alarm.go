package tui

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/badge"
)

// alarms are what a person must look at, whatever screen is open, the most important
// first: while webhooks are refused no payment is seen at all. Each names the key that
// leads there, unless that would lead away from it.
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

// furtherAlarms are the rows of the alarms that the header does not say; of all
// where there is no header.
func (m model) furtherAlarms(all bool) (rows []string) {
	light, _ := m.light()
	for _, alarm := range m.alarms() {
		if all || alarm != light {
			rows = append(rows, m.Theme.DangerBlock.Render(" ✗ "+alarm+" "))
		}
	}
	return rows
}

// news are the outcomes that nobody has seen, but for that of the payment on the screen.
func (m model) news() []payments.Order {
	return slices.DeleteFunc(m.state().News(), func(o payments.Order) bool {
		return m.route == routePay && o.Reference == m.counter.Shown().Reference
	})
}

// besides are the rows that the payment's screen, which has the whole window,
// shows besides its order: the alarms, and the oldest news of another order.
func (m model) besides() []string {
	rows := m.furtherAlarms(m.pay.Whole())
	news := m.news()
	if len(news) == 0 {
		return rows
	}
	// In words, and not in the colour of the verdict: it is not that of the order
	// on the screen.
	word := badge.Of(m.Texts, news[0], m.state().Verdict(news[0])).Word()
	row := m.Theme.Accent.Render(m.Texts.Alarms.Other.With(word + " " + i18n.Money(news[0].Amount)))
	row += " · " + m.Theme.Accent.Render(m.keys.News.Help().Key)
	if len(news) > 1 {
		row += " " + m.Texts.Frame.NewsMore.With(len(news)-1)
	}
	return append(rows, row)
}
