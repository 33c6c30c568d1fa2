package tui

import (
	"slices"
	"strings"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/doctor"
	"checkout/till/tui/theme"
)

// findings returns what is known about the till. The first finding is about the state of the way in.
func (m model) findings() []doctor.Finding {
	state := m.state()
	return doctor.Findings(m.Texts, doctor.Picture{
		Health: m.Health(), Reach: m.counter.ReachNow(), Now: state.Now, Zone: m.Zone, Orphans: payments.SumOf(state.Orphans()),
	})
}

// alarm returns the text of a finding for the header. A problem ends with the key that opens the
// screen with the details, unless that screen is open.
func (m model) alarm(finding doctor.Finding) string {
	details := routeHealth
	if finding.Code == doctor.NoOrder {
		details = routeOrders
	}
	if !finding.Bad() || details == m.route {
		return finding.Brief()
	}
	return finding.Brief() + " · " + m.keys.Opens[details].Help().Key
}

// furtherAlarms returns a row for each alarm that the header does not show. If all is true, it
// returns a row for every alarm, for a screen without a header.
func (m model) furtherAlarms(all bool) (rows []string) {
	for _, finding := range m.findings() {
		if finding.Short == "" || !finding.Bad() || !all && finding == m.light() {
			continue
		}
		sign, _ := finding.State.Mark(m.Theme)
		rows = append(rows, m.block(finding).Render(" "+sign+" "+m.alarm(finding)+" "))
	}
	return rows
}

func (m model) block(finding doctor.Finding) theme.Style {
	if finding.State == doctor.Fail {
		return m.Theme.DangerBlock
	}
	return m.Theme.WarningBlock
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
	other := m.other(news[0])
	if len(news) > 1 {
		other += " " + m.Texts.Frame.NewsMore.With(len(news)-1)
	}
	return append(rows, other)
}

// other returns the text about the outcome of an order that is not on the screen. Next to a code it is a bar with
// the verdict in its colour. Over the outcome of another order it has no colour, because the cashier could mistake
// it for the verdict of that order.
func (m model) other(order payments.Order) string {
	look := badge.Of(m.Texts, order, m.state().Verdict(order))
	amount, key := " "+i18n.Money(order.Amount), m.keys.News.Help().Key
	if m.pay.FullWindow() {
		return m.Theme.Strong.Render(m.Texts.Alarms.Other.With(look.Word()+amount)) + " · " + m.Theme.Accent.Render(key)
	}
	_, ground := look.Kind.Styles(m.Theme)
	before, after, _ := strings.Cut(m.Texts.Alarms.Other.With("\x00"), "\x00")
	bar := m.Theme.Header.Render
	return bar(" "+before) + ground.Render(look.Word()) + bar(amount+after+" · ") + m.Theme.HeaderStrong.Render(key+" ")
}

// light returns the finding of the header: the state of the way in, or another alarm.
func (m model) light() doctor.Finding {
	return doctor.Headline(m.findings(), m.counter.ReachNow())
}
