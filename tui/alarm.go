package tui

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
)

// alarm is what a person must look at, whatever screen is open, and the key
// that leads there.
type alarm struct {
	says string
	key  key.Binding
}

// alarms are those of the moment, the most important one first: while webhooks
// are refused no payment is seen at all.
func (m model) alarms() []alarm {
	var alarms []alarm
	health := m.Health()
	if health.Refused > 0 {
		alarms = append(alarms, alarm{m.Texts.Alarms.Refused, m.keys.Health})
	}
	if health.Cause.Kind == payments.CauseSignatureKnown {
		alarms = append(alarms, alarm{m.Texts.Alarms.Signature, m.keys.Health})
	}
	if orphans := len(m.state.Orphans()); orphans > 0 {
		alarms = append(alarms, alarm{m.Texts.Alarms.Orphans.With(orphans), m.keys.Orders})
	}
	return alarms
}

// lit words an alarm, with its key unless that would lead away from where it led.
func (m model) lit(alarm alarm) string {
	if m.opens()[m.route].Help() == alarm.key.Help() {
		return alarm.says
	}
	return alarm.says + " · " + alarm.key.Help().Key
}

func (m model) block(alarm alarm) string {
	return m.Theme.DangerBlock.Render(" ✗ " + m.lit(alarm) + " ")
}

// newsBeside are the outcomes that nobody has seen, but for that of one order.
func (m model) newsBeside(reference string) []payments.Order {
	return slices.DeleteFunc(m.state.News(), func(o payments.Order) bool { return o.Reference == reference })
}

// besides are the rows that the payment's screen, which has the whole window,
// shows besides its order: the alarms, and the oldest news of another order.
func (m model) besides() []string {
	var rows []string
	for i, alarm := range m.alarms() {
		if i > 0 || m.pay.Whole() { // The header has the first.
			rows = append(rows, m.block(alarm))
		}
	}
	news := m.newsBeside(m.pay.Order().Reference)
	if len(news) == 0 {
		return rows
	}
	// In words, and not in the colour of the verdict: it is not that of the order
	// on the screen.
	word := m.badge.Word(news[0], m.state.Verdict(news[0]))
	row := m.Theme.Accent.Render(m.Texts.Alarms.Other.With(word + " " + i18n.Money(news[0].Amount)))
	row += " · " + m.Theme.Accent.Render(m.keys.News.Help().Key)
	if len(news) > 1 {
		row += " " + m.Texts.Frame.NewsMore.With(len(news)-1)
	}
	return append(rows, row)
}
